"""What an application says of a thing is stored by one rule, and read back equal."""

import json
import math
from datetime import UTC, date, datetime, time, timedelta, timezone
from decimal import Decimal
from enum import Enum, IntEnum
from pathlib import Path
from typing import Any
from uuid import UUID
from zoneinfo import ZoneInfo

import numpy as np
import pytest
from hypothesis import given, settings, strategies as st

from graphrag.config import Limits
from graphrag.errors import InvalidRequestError
from graphrag.model import (
    Chunk,
    ContainerSection,
    Document,
    LeafSection,
    NamedEntityData,
)
from graphrag.model.metadata import (
    MAX_JSON_BYTES,
    RESERVED_NAMES,
    CleanMetadata,
    bound_document_properties,
    check_metadata,
    decode_metadata,
    is_reserved,
)
from graphrag.model.tagged_json import dump_tagged, load_tagged

BERLIN = ZoneInfo("Europe/Berlin")

clean_strings = st.text(st.characters(codec="utf-8", exclude_characters="\0"), max_size=20)
offsets = st.integers(-18 * 60, 18 * 60).map(lambda minutes: timezone(timedelta(minutes=minutes)))
scalars = st.one_of(
    st.booleans(),
    st.integers(-(2**63), 2**63 - 1),
    st.floats(allow_nan=False),
    clean_strings,
    st.dates(),
    st.datetimes(),
    st.datetimes(min_value=datetime(1000, 1, 1), timezones=offsets | st.just(UTC)),  # noqa: DTZ001 - hypothesis wants it
    st.times(),
    st.times(timezones=offsets),
    st.timedeltas(),
)
values = st.recursive(
    scalars | st.none(),
    lambda inner: st.lists(inner, max_size=4) | st.dictionaries(clean_strings, inner, max_size=4),
    max_leaves=12,
)
names = st.text(st.characters(codec="utf-8", exclude_characters="\0"), min_size=1, max_size=30).filter(
    lambda name: not is_reserved(name)
)


@given(st.dictionaries(names, values, max_size=5))
@settings(print_blob=True)
def test_all_that_is_taken_reads_back_equal(metadata: dict[str, object]) -> None:
    """CASES 23, THREATS 67: maps, mixed lists and lists with None too; None at the top means absent."""
    checked = check_metadata(metadata)
    assert checked.values() == {name: value for name, value in metadata.items() if value is not None}
    assert checked.absent == {name for name, value in metadata.items() if value is None}
    assert checked.properties.keys().isdisjoint(checked.json_properties)


@given(st.dictionaries(names, values, max_size=5))
@settings(print_blob=True)
def test_kinds_survive_too_not_only_values(metadata: dict[str, object]) -> None:
    """CASES 26: 1 stays an int, True a bool, a date no date-time, an offset the offset that was given."""
    checked = check_metadata(metadata).values()
    for name, value in checked.items():
        given_value = metadata[name]
        numbers = isinstance(given_value, list) and {type(item) for item in given_value} == {int, float}
        assert numbers or _kinds(value) == _kinds(given_value)


def _kinds(value: object) -> object:
    """Return the types in a value, and the offsets of its dates and times."""
    if isinstance(value, dict):
        return {key: _kinds(item) for key, item in value.items()}
    if isinstance(value, list):
        return [_kinds(item) for item in value]
    return type(value), value.utcoffset() if isinstance(value, datetime | time) else None


@given(values)
@settings(print_blob=True)
def test_tagged_json_is_one_text_a_value_and_reads_back(value: object) -> None:
    text = dump_tagged(value)
    assert load_tagged(text) == value
    assert dump_tagged(load_tagged(text)) == text


def test_a_named_zone_survives_in_json_on_both_sides_of_a_clock_change() -> None:
    """CASES 26."""
    for fold in (0, 1):
        moment = datetime(2024, 10, 27, 2, 30, tzinfo=BERLIN, fold=fold)
        read = load_tagged(dump_tagged({"at": [moment]}))
        assert isinstance(read, dict)
        again = read["at"][0]
        assert (again.tzinfo, again.fold, again.utcoffset()) == (BERLIN, fold, moment.utcoffset())


def test_an_unknown_zone_reads_as_the_same_instant() -> None:
    read = load_tagged('{"$datetime":"2024-05-01T10:00:00+02:00","$zone":"Mars/Olympus"}')
    assert read == datetime(2024, 5, 1, 8, tzinfo=UTC)


def test_a_map_that_looks_like_a_tag_stays_a_map() -> None:
    for value in ({"$date": "2024-01-01"}, {"$map": {"$map": 1}}, {"$zone": "x", "a": {"$float": 1}}):
        assert load_tagged(dump_tagged(value)) == value


@pytest.mark.parametrize("text", ["", "{", '{"$date":"x"}', '{"$duration":[1]}', '{"$map":3}', '{"$float":"x"}'])
def test_foreign_json_is_a_typed_error(text: str) -> None:
    with pytest.raises(InvalidRequestError, match="stored JSON metadata cannot be read"):
        load_tagged(text)


def test_case_23_nested_maps_are_json_and_an_empty_list_is_a_list() -> None:
    """CASES 23."""
    checked = check_metadata({"a": {"b": 1, "c": {"d": [1, 2]}}, "e": []})
    assert checked.json_properties == {"a": '{"b":1,"c":{"d":[1,2]}}'}
    assert checked.properties == {"e": []}
    assert checked.metadata_json() == '{"a":{"b":1,"c":{"d":[1,2]}}}'


def test_the_one_json_property_holds_all_json_forms() -> None:
    checked = check_metadata({'q"uote': {}, "b": [None]})
    assert json.loads(checked.metadata_json() or "") == {'q"uote': {}, "b": [None]}
    assert check_metadata({"a": 1}).metadata_json() is None


def test_odd_numbers_are_stored() -> None:
    """CASES 25: NaN and the infinities are values of a property; what they mean is the filter's matter."""
    checked = check_metadata({"x": math.nan, "y": math.inf, "z": {"n": -math.inf, "m": [math.nan]}})
    assert math.isnan(checked.properties["x"])  # type: ignore[arg-type]
    assert checked.properties["y"] == math.inf
    read = decode_metadata({}, checked.json_properties)["z"]
    assert isinstance(read, dict)
    assert read["n"] == -math.inf
    assert math.isnan(read["m"][0])


class Colour(Enum):
    RED = "red"


class Level(IntEnum):
    HIGH = 3


@pytest.mark.parametrize(
    "value, remedy",
    [
        (b"bytes", "decode it"),
        (Decimal("1.10"), r"`float\(value\)`"),
        (UUID(int=1), r"`str\(value\)`"),
        (Path("a"), r"`str\(value\)`"),
        (Colour.RED, r"`\.value`"),
        (Level.HIGH, r"`\.value`"),
        ({1, 2}, "list or map"),
        (object(), r"`str\(value\)`"),
        (time(12, tzinfo=BERLIN), "fixed offset"),
    ],
)
@pytest.mark.parametrize("wrap", [lambda value: value, lambda value: [value], lambda value: {"in": value}])
def test_other_types_are_refused_with_what_to_pass_instead(value: object, remedy: str, wrap: Any) -> None:
    """CASES 25."""
    with pytest.raises(InvalidRequestError, match=rf"metadata `key` holds a .*{remedy}"):
        check_metadata({"key": wrap(value)})


@pytest.mark.parametrize("value", [2**63, -(2**63) - 1, [2**63], {"a": 2**70}])
def test_whole_numbers_outside_64_bits_are_refused(value: object) -> None:
    """CASES 25."""
    with pytest.raises(InvalidRequestError, match="metadata `big` holds a whole number outside 64 bits"):
        check_metadata({"big": value})


def test_numpy_scalars_that_are_python_numbers_become_plain() -> None:
    checked = check_metadata({"a": np.float64(1.5), "b": np.str_("x")})
    assert [type(value) for value in checked.properties.values()] == [float, str]


@pytest.mark.parametrize(
    "value, stored",
    [
        ([1, 2.5], [1.0, 2.5]),
        ([True, False], [True, False]),
        (("a", "b"), ["a", "b"]),
        ([date(2024, 1, 1)], [date(2024, 1, 1)]),
    ],
)
def test_lists_of_one_kind_are_properties(value: object, stored: object) -> None:
    checked = check_metadata({"key": value})
    assert checked.properties == {"key": stored}
    assert isinstance(checked.properties["key"], list)
    assert {type(item) for item in checked.properties["key"]} == {type(item) for item in stored}  # type: ignore[attr-defined]


@pytest.mark.parametrize(
    "value",
    [
        [1, "a"],
        [True, 1],
        [[1], [2]],
        [None],
        [2**53 + 1, 0.5],
        [date(2024, 1, 1), datetime(2024, 1, 1, tzinfo=UTC)],
        [datetime(2024, 1, 1), datetime(2024, 1, 1, tzinfo=UTC)],  # noqa: DTZ001 - the naive one is the point
    ],
)
def test_mixed_lists_are_json(value: list[object]) -> None:
    """THREATS 67."""
    checked = check_metadata({"key": value})
    assert not checked.properties
    assert checked.values() == {"key": value}


EVIL = {"text": "EVIL", "id": "EVIL", "embedding": [0], "uri": "EVIL", "ingested_at": 1, "labels": ["X"], "score": 9}


@pytest.mark.parametrize("name", [*EVIL, "embedding_2", "doc_title", "section_ids", "metadata_json", "chunk_count"])
def test_reserved_names_are_refused_and_named(name: str) -> None:
    """CASES 27."""
    with pytest.raises(InvalidRequestError, match=f"metadata name `{name}` is reserved"):
        check_metadata({name: EVIL.get(name)})


def test_every_field_of_the_model_is_reserved() -> None:
    for kind in (Chunk, ContainerSection, Document, LeafSection, NamedEntityData):
        assert not [name for name in kind.model_fields if not is_reserved(name)]
    assert "tenant" not in RESERVED_NAMES


@pytest.mark.parametrize("name", ["", "x" * 257, "a\0b", "\ud800"])
def test_malformed_names_are_refused(name: str) -> None:
    with pytest.raises(InvalidRequestError, match="it must have 1 to 256, without NUL"):
        check_metadata({name: 1})


def test_a_name_is_text() -> None:
    with pytest.raises(InvalidRequestError, match="a metadata name is of type int"):
        check_metadata({1: 1})  # type: ignore[dict-item]
    with pytest.raises(InvalidRequestError, match="map key of type int"):
        check_metadata({"a": {1: 1}})


@pytest.mark.parametrize("name", ["a.b", "a`b", "x' OR 1=1 //", "日本", "x" * 256, "version", " "])
def test_any_other_name_is_taken(name: str) -> None:
    assert check_metadata({name: 1}).properties == {name: 1}


@pytest.mark.parametrize("value", ["é" * 4_001, ["ok", "x" * 8_001], {"deep": ["x" * 8_001]}])
def test_strings_over_8000_bytes_are_refused_naming_the_key(value: object) -> None:
    """THREATS 62; the limit counts bytes, not characters."""
    with pytest.raises(InvalidRequestError, match=r"metadata `long` holds a string of 800\d bytes .*at most 8000"):
        check_metadata({"long": value})


def test_8000_bytes_are_taken_and_the_limit_is_a_setting() -> None:
    assert check_metadata({"a": "é" * 4_000}).properties
    with pytest.raises(InvalidRequestError, match="at most 10 are stored"):
        check_metadata({"a": "x" * 11}, limits=Limits(max_property_bytes=10))


def test_nul_and_lone_surrogates_are_cleaned_and_counted() -> None:
    """CASES 52, THREATS 61: other control characters stay."""
    checked = check_metadata({"k": "v\0", "l": ["a\0\0"], "m": {"\ud800": "\x0b\x1f\ufffe\udc00"}})
    assert checked.values() == {"k": "v", "l": ["a"], "m": {"\ufffd": "\x0b\x1f\ufffe\ufffd"}}
    assert (checked.nul_removed, checked.surrogates_replaced) == (3, 2)


def test_map_keys_that_cleaning_would_merge_are_refused() -> None:
    with pytest.raises(InvalidRequestError, match="differ in NUL or lone surrogates alone"):
        check_metadata({"m": {"a": 1, "a\0": 2}})


def test_depth_elements_and_json_have_bounds() -> None:
    deep: object = 1
    for _ in range(17):
        deep = [deep]
    with pytest.raises(InvalidRequestError, match="`deep` is nested deeper than 16"):
        check_metadata({"deep": deep})
    circle: list[object] = []
    circle.append(circle)
    with pytest.raises(InvalidRequestError, match="nested deeper"):
        check_metadata({"circle": circle})
    with pytest.raises(InvalidRequestError, match="has 10001 elements"):
        check_metadata({"wide": [1] * 10_001})
    with pytest.raises(InvalidRequestError, match=f"as JSON; at most {MAX_JSON_BYTES}"):
        check_metadata({"fat": {str(number): "x" * 7_000 for number in range(10)}})


def test_the_canonical_text_does_not_depend_on_the_order_of_names() -> None:
    assert check_metadata({"a": 1, "b": [1, "x"]}).canonical() == check_metadata({"b": [1, "x"], "a": 1}).canonical()
    assert check_metadata({"a": 1}).canonical() != check_metadata({"a": True}).canonical()
    assert check_metadata({"a": 1}).canonical() != check_metadata({"a": "1"}).canonical()
    assert CleanMetadata().values() == {}


def test_a_pandas_like_time_stamp_is_refused() -> None:
    class Timestamp(datetime):
        pass

    with pytest.raises(InvalidRequestError, match="holds a Timestamp.*module `datetime`"):
        check_metadata({"at": Timestamp(2024, 1, 1, tzinfo=UTC)})


def test_long_strings_that_a_file_says_of_itself_are_cut_not_refused() -> None:
    bounded = bound_document_properties({"doc_title": "é" * 5_000 + "\0", "doc_pages": 3})
    assert bounded["doc_pages"] == 3
    title = bounded["doc_title"]
    assert isinstance(title, str)
    assert title.endswith("é…")
    assert 7_990 <= len(title.encode()) <= 8_000
