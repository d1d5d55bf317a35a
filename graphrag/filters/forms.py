"""Filters from what callers write: the text form, JSON text, or parsed JSON."""

from collections.abc import Mapping
from typing import cast

from graphrag.errors import InvalidFilterError
from graphrag.filters.json_form import filter_from_json, filter_from_json_text
from graphrag.filters.nodes import FilterNode
from graphrag.filters.text_form import filter_from_text

__all__ = ["parse_filter"]


def parse_filter(form: str | Mapping[str, object]) -> FilterNode:
    """Return the filter that a text, a JSON text or a parsed JSON object stands for.

    Args:
        form: The text form (`owner = 'x' and year >= 2020`), at most 20,000 characters; JSON text, which begins with
            `{`, at most 1,000,000; or a mapping in the JSON form.

    Raises:
        InvalidFilterError: It is no filter; `place` names where in it, and the message what is accepted.
    """
    given = cast("object", form)  # callers without a type checker may pass anything
    if isinstance(given, str):
        # No filter in the text form begins so.
        return filter_from_json_text(given) if given.lstrip(" \t\r\n").startswith("{") else filter_from_text(given)
    if isinstance(given, Mapping):
        return filter_from_json(cast("Mapping[str, object]", given))
    msg = f"a filter is read from text or from a mapping; this is a {type(given).__name__}"
    raise InvalidFilterError(msg)
