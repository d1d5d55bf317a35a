"""The text form of filters, as on the command line: `owner = 'x' and year >= 2020 and tags has element 'new'`.

    filter      = conjunction {"or" conjunction}
    conjunction = negation {"and" negation}
    negation    = "not" negation | primary
    primary     = "(" filter ")" | ("all" | "any") "(" filter ")" | "true" | "false"
                | "has" "label" (label | "[" label {"," label} "]") | name test
    test        = ("=" | "==" | "!=" | "<>" | ">" | ">=" | "<" | "<=") value | ("=" | "==") text "ignoring" "case"
                | ["not"] ("in" list | "between" value "and" value | "contains" value ["ignoring" "case"]
                | "starts" "with" text | "ends" "with" text | "has" "element" value | "exists") | "is" "missing"
    value       = single | "[" [single {"," single}] "]"
    single      = text | number | "true" | "false"
                | ("date" | "datetime" | "time" | "duration" | "float") "(" text ")"
    list        = "[" [single {"," single}] "]" | "(" [single {"," single}] ")"

`and`, `or` join all that stand side by side into one node; `all(x)`, `any(x)` are a conjunction and a disjunction of
one, `true` and `false` of none. `docs/filters.md` shows all of it.
"""

import math
from collections.abc import Callable, Mapping
from typing import TypeAlias, cast

from graphrag.errors import InvalidFilterError
from graphrag.filters.moments import MOMENTS, MomentKind, read_moment
from graphrag.filters.names import did_you_mean
from graphrag.filters.nodes import (
    MAX_DEPTH,
    And,
    Between,
    Contains,
    ContainsIgnoreCase,
    EndsWith,
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
    StartsWith,
)
from graphrag.filters.text_tokens import RESERVED, Token, cut, refuse
from graphrag.filters.values import ListValue, Scalar

__all__ = ["filter_from_text"]

_MAX_NESTING = 2 * MAX_DEPTH
"""Most brackets and negations within each other: a level of a filter takes at most two."""
_MAX_DIGITS = len(str(-(2**63)))

_Value: TypeAlias = Scalar | ListValue
_Build: TypeAlias = Callable[[str, _Value], FilterNode]

_SIGNS: Mapping[str, _Build] = {
    "=": Eq,
    "==": Eq,
    "!=": Ne,
    "<>": Ne,
    ">": cast("_Build", Gt),
    ">=": cast("_Build", Gte),
    "<": cast("_Build", Lt),
    "<=": cast("_Build", Lte),
}
_WORDS = ("in", "not in", "between", "contains", "starts with", "ends with", "has element", "exists", "is missing")
_OPERATORS = (*_SIGNS, *_WORDS)
_ALIKE = {
    "like": "contains", "startswith": "starts with", "endswith": "ends with", "starts_with": "starts with",
    "ends_with": "ends with", "has_element": "has element", "nin": "not in", "eq": "=", "ne": "!=", "gt": ">",
    "gte": ">=", "lt": "<", "lte": "<=", "equals": "=",
}  # fmt: skip
_NULLS = frozenset({"null", "none", "nil"})
_INFINITIES = {"inf": math.inf, "-inf": -math.inf}


def filter_from_text(text: str) -> FilterNode:
    """Return the filter that a text says.

    Args:
        text: At most 20,000 characters.

    Raises:
        InvalidFilterError: It is no filter; `place` names the character, and the message what is expected there.
    """
    parser = _Parser(cut(text))
    node = parser.filter()
    parser.end()
    return node


class _Parser:
    """Reads words from left to right; one method for each rule of the grammar."""

    def __init__(self, tokens: list[Token]) -> None:
        self._tokens = tokens
        self._next = 0
        self._nesting = 0

    @property
    def _token(self) -> Token:
        return self._tokens[self._next]

    @property
    def _after(self) -> Token:
        return self._tokens[min(self._next + 1, len(self._tokens) - 1)]

    def _take(self) -> Token:
        token = self._token
        self._next = min(self._next + 1, len(self._tokens) - 1)
        return token

    def _skip(self, *words: str) -> bool:
        """Go past these words or signs if they come next."""
        for ahead, word in enumerate(words):
            token = self._tokens[min(self._next + ahead, len(self._tokens) - 1)]
            if word not in {token.keyword, token.text if token.kind == "sign" else ""}:
                return False
        self._next += len(words)
        return True

    def _expect(self, word: str, why: str) -> None:
        if not self._skip(word):
            refuse(f"`{word}` is expected {why}, and {self._token} is found", self._token.place)

    def end(self) -> None:
        """Make sure that nothing follows."""
        if self._token.kind != "end":
            refuse(f"`and`, `or` or the end is expected, and {self._token} is found", self._token.place)

    def filter(self) -> FilterNode:
        place = self._token.place
        parts = [self._conjunction()]
        while self._skip("or"):
            parts.append(self._conjunction())
        return parts[0] if len(parts) == 1 else _built(lambda: Or(tuple(parts)), place)

    def _conjunction(self) -> FilterNode:
        place = self._token.place
        parts = [self._negation()]
        while self._skip("and"):
            parts.append(self._negation())
        return parts[0] if len(parts) == 1 else _built(lambda: And(tuple(parts)), place)

    def _negation(self) -> FilterNode:
        place = self._token.place
        if not self._skip("not"):
            return self._primary()
        self._nest(place)
        part = self._negation()
        self._nesting -= 1
        return _built(lambda: Not(part), place)

    def _nest(self, place: int) -> None:
        self._nesting += 1
        if self._nesting > _MAX_NESTING:
            refuse(f"brackets and negations are nested over {_MAX_NESTING} deep", place)

    def _primary(self) -> FilterNode:
        token = self._token
        if self._skip("("):
            return self._inner(token.place)
        if token.keyword in {"all", "any"} and self._after.text == "(" and self._after.kind == "sign":
            self._next += 2
            part = self._inner(token.place)
            return _built(lambda: And((part,)) if token.keyword == "all" else Or((part,)), token.place)
        if self._skip("true"):
            return And()
        if self._skip("false"):
            return Or()
        if self._skip("has"):
            self._expect("label", "after `has`, which stands before a property's name only for labels")
            return self._labels(token.place)
        return self._property()

    def _inner(self, place: int) -> FilterNode:
        self._nest(place)
        node = self.filter()
        self._nesting -= 1
        self._expect(")", f"to close the bracket of character {place}")
        return node

    def _labels(self, place: int) -> FilterNode:
        if not self._skip("["):
            labels = [self._label()]
        else:
            labels = [self._label()]
            while self._skip(","):
                labels.append(self._label())
            self._expect("]", "after the labels")
        return _built(lambda: HasAnyLabel(tuple(labels)), place)

    def _label(self) -> str:
        token = self._take()
        if token.kind == "text" or (token.kind == "word" and token.keyword not in RESERVED):
            return token.text
        return refuse(f"a label is expected, a word or text in quotes, and {token} is found", token.place)

    def _property(self) -> FilterNode:
        token = self._take()
        if token.kind == "name" or (token.kind == "word" and token.keyword not in RESERVED):
            return self._test(token.text, token.place)
        found = f"{token} is found"
        if token.kind == "word":
            found += f" (a property of that name is written in back-ticks: `{token.text}`)"
        elif token.kind == "text":
            found += " (text is a value, not a name; odd names stand in back-ticks)"
        return refuse(f"a property's name, `not`, `has label` or a bracket is expected, and {found}", token.place)

    def _test(self, key: str, place: int) -> FilterNode:
        operator = self._token
        if operator.kind == "sign" and operator.text in _SIGNS:
            self._take()
            return self._sign(key, operator)
        if self._skip("is"):
            self._expect("missing", "after `is`")
            return _built(lambda: Not(Exists(key)), place)
        if self._skip("not"):
            if self._skip("in"):
                values = self._list()
                return _built(lambda: Nin(key, values), operator.place)
            node = self._word(key, operator.place)
            return _built(lambda: Not(node), operator.place)
        return self._word(key, operator.place)

    def _sign(self, key: str, operator: Token) -> FilterNode:
        value = self._value()
        if operator.text in {"=", "=="} and self._skip("ignoring", "case"):
            return _built(lambda: EqIgnoreCase(key, cast("str", value)), operator.place)
        return _built(lambda: _SIGNS[operator.text](key, value), operator.place)

    def _word(self, key: str, place: int) -> FilterNode:
        """Read a test whose operator is a word."""
        if self._skip("exists"):
            return _built(lambda: Exists(key), place)
        if self._skip("in"):
            values = self._list()
            return _built(lambda: In(key, values), place)
        if self._skip("between"):
            low = self._value()
            self._expect("and", "between the two bounds")
            high = self._value()
            return _built(lambda: Between(key, cast("Scalar", low), cast("Scalar", high)), place)
        build = self._operator()
        value = self._value()
        if build is Contains and self._skip("ignoring", "case"):
            build = cast("_Build", ContainsIgnoreCase)
        return _built(lambda: build(key, value), place)

    def _operator(self) -> _Build:
        if self._skip("contains"):
            return cast("_Build", Contains)
        if self._skip("starts", "with"):
            return cast("_Build", StartsWith)
        if self._skip("ends", "with"):
            return cast("_Build", EndsWith)
        if self._skip("has", "element"):
            return cast("_Build", HasElement)
        token = self._token
        alike = _ALIKE.get(token.keyword)
        near = f" (did you mean `{alike}`?)" if alike else did_you_mean(token.text, _WORDS) if token.keyword else ""
        return refuse(
            f"an operator is expected after the property's name, and {token} is found{near}; known are "
            f"{', '.join(f'`{name}`' for name in _OPERATORS)}",
            token.place,
        )

    def _list(self) -> ListValue:
        token = self._take()
        if token.kind != "sign" or token.text not in {"[", "("}:
            refuse(f"a list is expected, such as ['a', 'b'], and {token} is found", token.place)
        closing = "]" if token.text == "[" else ")"
        items: list[Scalar] = []
        if self._skip(closing):
            return ()
        items.append(self._scalar())
        while self._skip(","):
            items.append(self._scalar())
        self._expect(closing, f"to close the list of character {token.place}")
        return tuple(items)

    def _value(self) -> _Value:
        return self._list() if self._token.kind == "sign" and self._token.text == "[" else self._scalar()

    def _scalar(self) -> Scalar:
        token = self._take()
        if token.kind == "text":
            return token.text
        if token.kind == "number":
            return _number(token)
        if token.keyword in {"true", "false"}:
            return token.keyword == "true"
        if token.keyword in {*MOMENTS, "float"} and self._skip("("):
            return self._typed(token)
        if token.keyword in _NULLS:
            refuse("nothing equals null; ask for absence with `is missing`, for presence with `exists`", token.place)
        hint = f"; text stands in quotes: '{token.text[:40]}'" if token.kind in {"word", "name"} else ""
        return refuse(
            f"a value is expected (text, number, true, false, date('2024-01-31'), ...), and {token} is found{hint}",
            token.place,
        )

    def _typed(self, kind: Token) -> Scalar:
        token = self._take()
        if token.kind != "text":
            refuse(f"text in quotes is expected in `{kind.text}(...)`, and {token} is found", token.place)
        self._expect(")", f"after the text of `{kind.text}`")
        if kind.keyword == "float":
            if token.text not in _INFINITIES:
                refuse("`float` takes 'inf' or '-inf'; other numbers stand for themselves", token.place)
            return _INFINITIES[token.text]
        try:
            return read_moment(cast("MomentKind", kind.keyword), token.text)
        except ValueError as error:
            return refuse(str(error), token.place)


def _number(token: Token) -> Scalar:
    if token.text.lstrip("-").isdigit():
        if len(token.text) > _MAX_DIGITS:
            refuse("the whole number does not fit 64 bits; write it as a float (1e30)", token.place)
        return int(token.text)
    number = float(token.text)
    if math.isinf(number):
        refuse("the number is too large for a float; infinity is written float('inf')", token.place)
    return number


def _built(build: Callable[[], FilterNode], place: int) -> FilterNode:
    """Return a node, or its refusal with the place in the text, and the property that it was about."""
    try:
        return build()
    except InvalidFilterError as error:
        about = f"`{error.place}`: " if error.place else ""
        return refuse(f"{about}{error.message}", place)
