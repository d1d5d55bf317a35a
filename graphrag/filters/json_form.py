"""The JSON form of filters, read: objects with the operators of the Mongo query language.

    {"owner": "alice"}                              equals
    {"year": {"$gte": 2020, "$lt": 2024}}           both
    {"$or": [{"owner": "alice"}, {"$labels": ["Person"]}]}
    {"created": {"$lt": {"$date": "2024-01-01"}}}
    {"$property": {"key": "$odd", "$eq": 1}}        a property whose name begins with `$`

Several members of one object are all to be true; `{}` is always true. `graphrag.filters.json_printing` writes what is
read back as the same filter.
"""

import json
import math
from collections.abc import Callable, Mapping, Sequence
from typing import NoReturn, TypeAlias, cast

from graphrag.errors import InvalidFilterError
from graphrag.filters.json_printing import OPERATOR_OF
from graphrag.filters.moments import MomentKind, read_moment
from graphrag.filters.names import did_you_mean
from graphrag.filters.nodes import (
    MAX_DEPTH,
    MAX_NODES,
    And,
    Between,
    Eq,
    Exists,
    FilterNode,
    HasAnyLabel,
    In,
    Nin,
    Not,
    Or,
)
from graphrag.filters.values import MAX_LIST_VALUES, Scalar

__all__ = ["MAX_JSON_CHARS", "filter_from_json", "filter_from_json_text"]

MAX_JSON_CHARS = 1_000_000
"""Longest JSON text that is read."""

_MAX_NESTING = 3 * MAX_DEPTH
"""Most brackets within each other in JSON text: each level of a filter takes two, and a value three more."""

_Object: TypeAlias = Mapping[str, object]
_Build: TypeAlias = Callable[[str, object], FilterNode]

_ONE_VALUE: Mapping[str, _Build] = {operator: cast("_Build", kind) for kind, operator in OPERATOR_OF.items()}
_OPERATORS = (*_ONE_VALUE, "$in", "$nin", "$between", "$exists")
_COMBINATORS = ("$and", "$or", "$not", "$labels", "$property")
_MOMENTS: Mapping[str, MomentKind] = {
    "$date": "date",
    "$datetime": "datetime",
    "$time": "time",
    "$duration": "duration",
}
_INFINITIES = {"inf": math.inf, "-inf": -math.inf}
_VALUE_TAGS = (*_MOMENTS, "$float")


def filter_from_json(form: Mapping[str, object]) -> FilterNode:
    """Return the filter that a parsed JSON object stands for.

    Args:
        form: The object. Values may also be Python's own dates, times and durations.

    Raises:
        InvalidFilterError: It is no filter; `place` names where in it, such as `$.$and[1].year.$gte`.
    """
    return _read(form, "$", 1)


def filter_from_json_text(text: str) -> FilterNode:
    """Return the filter that a JSON text stands for.

    Args:
        text: At most 1,000,000 characters.

    Raises:
        InvalidFilterError: It is no JSON, an object in it has two members of one name, or it is no filter.
    """
    if len(text) > MAX_JSON_CHARS:
        msg = f"the JSON text has {len(text)} characters; at most {MAX_JSON_CHARS} are read"
        raise InvalidFilterError(msg, place="$")
    _check_nesting(text)
    try:
        form: object = json.loads(
            text, object_pairs_hook=_members, parse_constant=_constant, parse_float=_float, parse_int=_int
        )
    except json.JSONDecodeError as error:
        msg = f"the text is no JSON: {error.msg}"
        raise InvalidFilterError(msg, place=f"character {error.pos + 1}") from error
    return _read(form, "$", 1)


def _read(form: object, place: str, level: int) -> FilterNode:
    members = _object(form, place, "a filter")
    if level > MAX_DEPTH:
        _refuse(f"the filter has over {MAX_DEPTH} levels; at most {MAX_DEPTH} are taken", place)
    if len(members) > MAX_NODES:
        _refuse(f"the object has {len(members)} members; a filter has at most {MAX_NODES} nodes", place)
    parts: list[FilterNode] = []
    for name, value in members.items():
        inside = _below(place, name)
        if name.startswith("$"):
            parts.extend(_combination(name, value, inside, level))
        else:
            parts.extend(_tests(name, value, inside))
    return parts[0] if len(parts) == 1 else _built(lambda: And(tuple(parts)), place)


def _combination(name: str, value: object, place: str, level: int) -> list[FilterNode]:
    match name:
        case "$and" | "$or":
            forms = _list(value, place, "filters", MAX_NODES)
            parts = tuple(_read(form, f"{place}[{number}]", level + 1) for number, form in enumerate(forms))
            return [_built(lambda: And(parts) if name == "$and" else Or(parts), place)]
        case "$not":
            part = _read(value, place, level + 1)
            return [_built(lambda: Not(part), place)]
        case "$labels":
            labels = _list(value, place, "labels", MAX_LIST_VALUES)
            return [_built(lambda: HasAnyLabel(cast("tuple[str, ...]", tuple(labels))), place)]
        case "$property":
            members = dict(_object(value, place, "`$property`"))
            if "key" not in members:
                _refuse('it names its property by `key`: {"$property": {"key": "$odd", "$eq": 1}}', place)
            key = cast("str", members.pop("key"))
            return _conditions(key, members, place)
        case _:
            hint = (
                '; a test of a property stands below its name: {"year": {"$gte": 2020}}' if name in _OPERATORS else ""
            )
            return _refuse(
                f"`{name[:40]}` joins no filters{did_you_mean(name, _COMBINATORS)}; known are "
                f"{', '.join(_COMBINATORS)} (a property of such a name goes into `$property`){hint}",
                place,
            )


def _tests(key: str, value: object, place: str) -> list[FilterNode]:
    if isinstance(value, Mapping) and not any(tag in value for tag in _VALUE_TAGS):
        return _conditions(key, cast("Mapping[object, object]", value), place)
    operand = cast("Scalar", _value(value, place))
    return [_built(lambda: Eq(key, operand), place, key)]


def _conditions(key: str, conditions: Mapping[object, object] | _Object, place: str) -> list[FilterNode]:
    members = _object(conditions, place, "a condition")
    if not members:
        _refuse(f"no operator is given; known are {', '.join(_OPERATORS)}", place)
    return [_test(key, operator, value, _below(place, operator)) for operator, value in members.items()]


def _test(key: str, operator: str, value: object, place: str) -> FilterNode:
    if operator in _ONE_VALUE:
        operand = _value(value, place)
        return _built(lambda: _ONE_VALUE[operator](key, operand), place, key)
    match operator:
        case "$in" | "$nin":
            values = cast("tuple[Scalar, ...]", _values(value, place))
            return _built(lambda: In(key, values) if operator == "$in" else Nin(key, values), place, key)
        case "$between":
            bounds = _values(value, place)
            if len(bounds) != 2:  # noqa: PLR2004 - low and high
                _refuse(f"it takes a list of two bounds, low and high; {len(bounds)} are given", place)
            low, high = cast("tuple[Scalar, Scalar]", bounds)
            return _built(lambda: Between(key, low, high), place, key)
        case "$exists":
            if not isinstance(value, bool):
                _refuse("`$exists` takes true or false", place)
            return _built(lambda: Exists(key) if value else Not(Exists(key)), place, key)
        case _:
            return _refuse(
                f"`{operator[:40]}` is no operator{did_you_mean(operator, _OPERATORS)}; known are "
                f"{', '.join(_OPERATORS)}",
                place,
            )


def _value(value: object, place: str) -> object:
    """Return a value, or a list of values, with typed ones read. What they are is checked by the node."""
    return _values(value, place) if isinstance(value, list | tuple) else _scalar(value, place)


def _values(value: object, place: str) -> tuple[object, ...]:
    items = _list(value, place, "values", MAX_LIST_VALUES)
    return tuple(_scalar(item, f"{place}[{number}]") for number, item in enumerate(items))


def _scalar(value: object, place: str) -> object:
    if value is None:
        _refuse('null equals nothing; ask for absence with {"$exists": false}, for presence with true', place)
    if isinstance(value, list | tuple):
        _refuse("a list within a list is no value that can be compared with", place)
    if not isinstance(value, Mapping):
        return value
    members = _object(cast("object", value), place, "a value")
    if len(members) != 1:
        _refuse(f"an object as a value has one member, one of {', '.join(_VALUE_TAGS)}", place)
    ((tag, text),) = members.items()
    inside = _below(place, tag)
    if tag not in _VALUE_TAGS:
        _refuse(
            f"`{tag[:40]}` is no type of value{did_you_mean(tag, _VALUE_TAGS)}; known are {', '.join(_VALUE_TAGS)}",
            inside,
        )
    if not isinstance(text, str):
        _refuse(f"`{tag}` takes text; this is of type {type(text).__name__}", inside)
    if tag == "$float":
        if text not in _INFINITIES:
            _refuse(
                "`$float` takes `inf` or `-inf`; other numbers stand for themselves, and NaN equals nothing", inside
            )
        return _INFINITIES[text]
    try:
        return read_moment(_MOMENTS[tag], text)
    except ValueError as error:
        raise InvalidFilterError(str(error), place=inside) from None


def _object(form: object, place: str, what: str) -> _Object:
    if not isinstance(form, Mapping):
        _refuse(f"{what} is an object; this is of type {type(form).__name__}", place)
    members = cast("Mapping[object, object]", form)
    for name in members:
        if not isinstance(name, str):
            _refuse(f"a member's name is of type {type(name).__name__}; it must be text", place)
        if any("\ud800" <= letter <= "\udfff" for letter in name):
            # It would stand in messages, which could then not be printed.
            _refuse("a member's name holds a lone surrogate, which no name does", place)
    return cast("_Object", members)


def _list(value: object, place: str, what: str, most: int) -> Sequence[object]:
    if not isinstance(value, list | tuple):
        _refuse(f"a list of {what} is wanted; this is of type {type(value).__name__}", place)
    items = cast("Sequence[object]", value)
    if len(items) > most:
        _refuse(f"the list has {len(items)} {what}; at most {most} are taken", place)
    return items


def _built(build: Callable[[], FilterNode], place: str, key: str = "") -> FilterNode:
    """Return a node, or its refusal with the place in the form instead of the key."""
    try:
        return build()
    except InvalidFilterError as error:
        inside = error.place.removeprefix(key) if key and error.place.startswith(f"{key}[") else ""
        raise InvalidFilterError(error.message, place=f"{place}{inside}") from None


def _below(place: str, name: str) -> str:
    plain = name.removeprefix("$").replace("_", "a").isalnum() and name.isascii()
    return f"{place}.{name}" if plain else f"{place}[{json.dumps(name[:40], ensure_ascii=False)}]"


def _refuse(message: str, place: str) -> NoReturn:
    raise InvalidFilterError(message, place=place)


def _check_nesting(text: str) -> None:
    """Refuse deep JSON before the reader recurses into it."""
    depth, quoted, escaped = 0, False, False
    for number, letter in enumerate(text):
        if quoted:
            if escaped:
                escaped = False
            elif letter == "\\":
                escaped = True
            elif letter == '"':
                quoted = False
        elif letter == '"':
            quoted = True
        elif letter in "[{":
            depth += 1
            if depth > _MAX_NESTING:
                _refuse(f"the JSON text is nested over {_MAX_NESTING} levels deep", f"character {number + 1}")
        elif letter in "]}":
            depth -= 1


def _members(pairs: list[tuple[str, object]]) -> dict[str, object]:
    members: dict[str, object] = {}
    for name, value in pairs:
        if name in members:
            _refuse(f"an object has two members of the name {name[:80]!r}; join two tests by `$and`", "$")
        members[name] = value
    return members


def _constant(name: str) -> NoReturn:
    _refuse(f'`{name}` is no JSON; infinities are written {{"$float": "inf"}}, and NaN equals nothing', "$")


def _float(text: str) -> float:
    number = float(text)
    if math.isinf(number):
        _refuse('a number is too large for a float; infinity is written {"$float": "inf"}', "$")
    return number


def _int(text: str) -> int:
    if len(text) > len(str(-(2**63))):
        _refuse("a whole number does not fit 64 bits; write it as a float (1e30)", "$")
    return int(text)
