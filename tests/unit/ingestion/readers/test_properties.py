"""What a file says of itself, under fixed names."""

import json
from datetime import date, datetime

import pytest
from hypothesis import given, strategies as st

from graphrag.ingestion.readers.properties import MAX_REST_CHARS, choose_title, map_properties

JSON_LIKE = st.recursive(
    st.one_of(
        st.none(), st.booleans(), st.integers(), st.floats(), st.text(max_size=20), st.dates(), st.binary(max_size=5)
    ),
    lambda inner: st.one_of(st.lists(inner, max_size=3), st.dictionaries(st.text(max_size=5), inner, max_size=3)),
    max_leaves=8,
)


@given(
    st.dictionaries(
        st.one_of(st.sampled_from(["title", "Author", "date", "pages", "lang"]), st.text(max_size=8)), JSON_LIKE
    )
)
def test_a_file_sets_only_properties_of_the_fixed_mapping(metadata: dict[str, object]) -> None:
    """Whatever it says, no property without the prefix appears, and the rest is plain JSON without NUL."""
    mapped = map_properties(metadata, content_type="text/x")
    assert all(name.startswith("doc_") for name in mapped.properties)
    assert mapped.properties["doc_content_type"] == "text/x"
    assert all(isinstance(value, (str, int, date)) for value in mapped.properties.values())
    assert "\\u0000" not in json.dumps(mapped.rest, allow_nan=False)
    assert mapped.title is None or mapped.title.strip()


@pytest.mark.parametrize(
    "name, raw, expected",
    [
        ("created", "2024-01-31", date(2024, 1, 31)),
        ("created", "2024-01-31T10:00:00Z", datetime.fromisoformat("2024-01-31T10:00:00+00:00")),
        ("created", datetime(2024, 1, 31, 10, 0), datetime(2024, 1, 31, 10, 0)),  # noqa: DTZ001 - files tell naive ones
        ("created", "last spring", "last spring"),
    ],
)
def test_dates_keep_their_type(name: str, raw: object, expected: object) -> None:
    """A date, a naive and an aware date-time are three kinds; what is none of them stays text."""
    assert map_properties({name: raw}, content_type="x").properties["doc_created"] == expected


@pytest.mark.parametrize("raw, expected", [("12", 12), (12, 12), ("x", None), ("-1", None), ("9" * 30, None)])
def test_pages_are_a_number_or_nothing(raw: object, expected: object) -> None:
    assert map_properties({"pages": raw}, content_type="x").properties.get("doc_pages") == expected


def test_first_name_that_has_a_value_is_taken() -> None:
    mapped = map_properties({"title": " ", "dc:title": "B", "DC:TITLE2": "C"}, content_type="x")
    assert mapped.title == "B"
    assert mapped.rest == {"title": " ", "DC:TITLE2": "C"}


def test_long_values_are_cut_to_what_a_property_holds() -> None:
    """At four bytes a character a string of 2,000 is within the limit of a property."""
    title = map_properties({"title": "\U0001f468" * 3_000}, content_type="x").title
    assert title is not None
    assert len(title.encode()) == 8_000


def test_metadata_beyond_its_bound_is_left_out_and_counted() -> None:
    mapped = map_properties({f"k{number}": "x" * 999 for number in range(100)}, content_type="x")
    assert len(json.dumps(mapped.rest)) < MAX_REST_CHARS + 1_000
    assert mapped.notes == (f"metadata left out, beyond 50000 characters in all: {100 - len(mapped.rest)}",)


def test_title_is_the_first_that_has_text() -> None:
    assert choose_title((None, " \n", " a\n b ", "c")) == "a b"
    assert choose_title((None, "")) == "untitled"
