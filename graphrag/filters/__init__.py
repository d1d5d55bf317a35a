"""Filters: one language, one meaning, in every store.

    from graphrag.filters import EntityFilter, parse_filter, prop

    (prop("year") >= 2020) & EntityFilter.has_any_label("Person")
    parse_filter("year >= 2020 and has label Person")
    parse_filter({"year": {"$gte": 2020}, "$labels": ["Person"]})

All three are the same filter. What each node means is defined in `graphrag.filters.evaluate`.
"""

from graphrag.filters.evaluate import matches
from graphrag.filters.forms import parse_filter
from graphrag.filters.in_memory import InMemoryPropertyFilter
from graphrag.filters.json_form import filter_from_json, filter_from_json_text
from graphrag.filters.json_printing import filter_to_json, filter_to_json_text
from graphrag.filters.nodes import (
    And,
    Between,
    Contains,
    ContainsIgnoreCase,
    EndsWith,
    EntityFilter,
    Eq,
    EqIgnoreCase,
    Exists,
    FilterNode,
    Gt,
    Gte,
    HasAnyLabel,
    HasElement,
    In,
    Lt,
    Lte,
    Ne,
    Nin,
    Not,
    Or,
    PropertyFilter,
    StartsWith,
)
from graphrag.filters.objects import labels_of, matches_object, properties_of
from graphrag.filters.properties import Property, prop
from graphrag.filters.scope import Scope
from graphrag.filters.text_form import filter_from_text
from graphrag.filters.text_printing import filter_to_text

__all__ = [
    "And",
    "Between",
    "Contains",
    "ContainsIgnoreCase",
    "EndsWith",
    "EntityFilter",
    "Eq",
    "EqIgnoreCase",
    "Exists",
    "FilterNode",
    "Gt",
    "Gte",
    "HasAnyLabel",
    "HasElement",
    "In",
    "InMemoryPropertyFilter",
    "Lt",
    "Lte",
    "Ne",
    "Nin",
    "Not",
    "Or",
    "Property",
    "PropertyFilter",
    "Scope",
    "StartsWith",
    "filter_from_json",
    "filter_from_json_text",
    "filter_from_text",
    "filter_to_json",
    "filter_to_json_text",
    "filter_to_text",
    "labels_of",
    "matches",
    "matches_object",
    "parse_filter",
    "prop",
    "properties_of",
]
