"""What a Cypher statement of a caller may do: read, in one query, with what a time-out can stop.

Two readers have to agree: the words of the text (`check_text`, before anything is sent) and the server's plan of it
(`check_plan`, before it runs). What either of them does not accept is refused.
"""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import cast

from graphrag.errors import InvalidRequestError
from graphrag.stores.neo4j.cypher_tokens import CypherToken, cypher_tokens

__all__ = ["ALLOWED_PROCEDURES", "check_plan", "check_text"]

ALLOWED_PROCEDURES = frozenset({
    "db.index.fulltext.querynodes",
    "db.index.fulltext.queryrelationships",
    "db.index.vector.querynodes",
    "db.index.vector.queryrelationships",
    "db.labels",
    "db.propertykeys",
    "db.relationshiptypes",
})  # fmt: skip
"""Procedures that may be called, in small letters."""
_ALLOWED_NAMESPACES = (
    "date.",
    "datetime.",
    "duration.",
    "localdatetime.",
    "localtime.",
    "point.",
    "time.",
    "vector.similarity.",
)
"""Functions without a namespace are the server's own; of those with one these are."""

_MAX_DEPTH = 64
"""Brackets, CASE and NOT in one another: a server did not answer any more to 150 (measured on 2026.08.1)."""
_MAX_CHAIN = 64
"""Properties and places asked of one value in a row (`a.b[0].c`): the same at 400."""
_MAX_XOR = 8
"""Each XOR doubles what the planner has to look at: 20 took 8 seconds, in which no time-out stops it."""
_MAX_RANGE_DIGITS = 4
"""Of the numbers of a `range` inside of an expression, since the server looks at its clock between rows alone."""
_BEGINNINGS = {
    "CYPHER": "it is read as Cypher 25, so no version or option stands before it",
    "EXPLAIN": "it is explained before it runs anyway; leave `EXPLAIN` out",
    "PROFILE": "`PROFILE` is not accepted; leave it out",
    "SHOW": "`SHOW` is for the server's administrator; use a driver of your own",
    "TERMINATE": "`TERMINATE` is for the server's administrator; use a driver of your own",
    "USE": "it runs on the database of the store (NEO4J_DATABASE); leave `USE` out",
}
_CLAUSE_BEGINS = frozenset({"{", "ALL", "DISTINCT", "ELSE", "NEXT", "THEN", "UNION"})
"""After one of these a query may begin inside of a statement."""
_REFUSED_OPERATORS = {
    "LoadCSV": "LOAD CSV reads files and addresses",
    "RunQueryAt": "it runs on the database of the store",
    "Show": "SHOW is for the server's administrator",
    "Terminate": "TERMINATE is for the server's administrator",
    "TransactionApply": "CALL { } IN TRANSACTIONS commits by itself",
    "TransactionForeach": "CALL { } IN TRANSACTIONS commits by itself",
}
_OPERANDS_BEGIN = frozenset({
    "AND", "ELSE", "MATCH", "OR", "RETURN", "THEN", "WHEN", "WHERE", "WITH", "XOR",
})  # fmt: skip
"""After one of these a NOT before it has had its operand."""
_GOES_ON = frozenset({
    "AND", "AS", "ASC", "ASCENDING", "CALL", "CONTAINS", "DESC", "DESCENDING", "ELSE", "END", "ENDS", "FILTER",
    "FINISH", "IN", "IS", "LET", "LIMIT", "MATCH", "NEXT", "OFFSET", "OPTIONAL", "OR", "ORDER", "RETURN", "SKIP",
    "STARTS", "THEN", "UNION", "UNWIND", "WHEN", "WHERE", "WITH", "XOR",
})  # fmt: skip
"""What may follow a variable."""
_RANGE = (
    "`range` may stand after UNWIND, or have whole numbers below 10,000 written out: a loop inside of one row is "
    "stopped by no time-out; write `COLLECT { UNWIND range(…) AS x … }` instead"
)
_REGEX = "`=~` is not accepted, since no time-out stops it; use `regex_search`, CONTAINS, STARTS WITH or ENDS WITH"
_CALLED = "procedure `{name}` is not among those that may be called: {allowed}"


def check_text(statement: str) -> frozenset[str]:
    """Return the names of a statement's parameters, where its words are acceptable.

    Raises:
        InvalidRequestError: They are not; the message says what is not accepted.
    """
    tokens = cypher_tokens(statement)
    while tokens and tokens[-1].text == ";" and tokens[-1].kind == "sign":
        tokens = tokens[:-1]
    if not tokens:
        msg = "the statement is empty; give one that reads, such as `MATCH (d:Document) RETURN d.title`"
        raise InvalidRequestError(msg)
    if why := _BEGINNINGS.get(tokens[0].word):
        raise _refused(why)
    _check_signs(tokens)
    for place in range(len(tokens)):
        if why := _why_not(tokens, place):
            raise _refused(why)
    return frozenset(token.text for token in tokens if token.kind == "parameter")


def _check_signs(tokens: Sequence[CypherToken]) -> None:
    depth = _Depth()
    for place, token in enumerate(tokens):
        if token.kind == "sign":
            if token.text == ";":
                msg = "`;` separates statements, and one is run at a time"
                raise _refused(msg)
            if "~" in token.text:
                raise _refused(_REGEX)
        depth.take(tokens, place)
    if sum(token.word == "XOR" for token in tokens) > _MAX_XOR:
        msg = f"it holds more than {_MAX_XOR} XOR, each of which doubles the work of planning it"
        raise _refused(msg)


@dataclass(slots=True)
class _Level:
    """What stands between a bracket or a CASE and its end."""

    begin: str
    prefixes: int = 0
    chain: int = 0


class _Depth:
    """How deep an expression is: the server's parser and planner go down it by recursion, and die of too much."""

    def __init__(self) -> None:
        self._levels = [_Level("")]

    def take(self, tokens: Sequence[CypherToken], place: int) -> None:
        """Read a token.

        Raises:
            InvalidRequestError: It is deeper than a server stands.
        """
        token = tokens[place]
        if token.kind == "sign":
            self._take_sign(token.text, tokens[place - 1] if place else None)
        elif not _continues(tokens, place):
            self._levels[-1].chain = 0
            self._take_word(token.word)
        if sum(1 + level.prefixes for level in self._levels) > _MAX_DEPTH + 1:
            msg = f"its brackets, CASE and NOT are more than {_MAX_DEPTH} deep"
            raise _refused(msg)
        if self._levels[-1].chain > _MAX_CHAIN:
            msg = f"it asks for more than {_MAX_CHAIN} properties or places in a row"
            raise _refused(msg)

    def _take_sign(self, sign: str, before: CypherToken | None) -> None:
        level = self._levels[-1]
        if sign in "([{":
            # After a value it asks for a place of it; a list that begins there counts as one, which does no harm.
            after_value = before is not None and (before.kind != "sign" or before.text in ")]}")
            level.chain = level.chain + 1 if after_value else 0
            self._levels.append(_Level(sign))
        elif sign in ")]}":
            while len(self._levels) > 1 and self._levels.pop().begin == "CASE":
                pass
        elif sign == ".":
            level.chain += 1
        elif sign == "!":
            level.prefixes += 1
        else:
            level.chain = 0
            if sign in ",|&":
                level.prefixes = 0

    def _take_word(self, word: str) -> None:
        level = self._levels[-1]
        if word in _OPERANDS_BEGIN:
            level.prefixes = 0
        elif word == "NOT":
            level.prefixes += 1
        elif word == "CASE":
            self._levels.append(_Level(word))
        elif word == "END" and level.begin == "CASE":
            self._levels.pop()


def _is_sign(token: CypherToken | None, text: str) -> bool:
    return token is not None and token.kind == "sign" and token.text == text


def _continues(tokens: Sequence[CypherToken], place: int) -> bool:
    """Return whether a token goes on with a name: it follows a dot, which is none of two (`[a..b]`)."""
    if not place or not _is_sign(tokens[place - 1], "."):
        return False
    return place == 1 or not _is_sign(tokens[place - 2], ".")


def _why_not(tokens: Sequence[CypherToken], place: int) -> str:
    """Return why what begins at a token is not accepted; nothing where it is."""
    token = tokens[place]
    previous = tokens[place - 1] if place else None
    # A string, a parameter or a name in back-ticks is no keyword, whatever it says.
    before = previous.text.upper() if previous is not None and previous.kind in ("name", "sign") else ""
    after = tokens[place + 1] if place + 1 < len(tokens) else None
    if not token.is_name or _continues(tokens, place):
        return ""
    match token.word:
        case "LOAD" if after is not None and after.word == "CSV":
            return "LOAD CSV reads files and addresses, and is not accepted"
        case "USE" if before in _CLAUSE_BEGINS and after is not None and after.is_name:
            return _BEGINNINGS["USE"]
        case "TRANSACTION" | "TRANSACTIONS" if before in ("IN", "CONCURRENT"):
            return "CALL { } IN TRANSACTIONS commits by itself, and is not accepted"
        case "CALL" if after is not None and after.is_name and not _is_variable(tokens, place):
            return _not_callable(_dotted(tokens, place + 1)[0])
        case _:
            return _why_no_call(tokens, place, before)


def _is_variable(tokens: Sequence[CypherToken], place: int) -> bool:
    """Return whether a CALL is no clause but a name: a word follows that goes on with an expression or a clause.

    No procedure has such a name without a dot in it; where one had, its call would stand in the plan.
    """
    name, end = _dotted(tokens, place + 1)
    return end == place + 2 and tokens[place + 1].kind == "name" and name.upper() in _GOES_ON


def _why_no_call(tokens: Sequence[CypherToken], place: int, before: str) -> str:
    """Return why the function that is called at a token may not be; nothing where it may, or none is called."""
    name, end = _dotted(tokens, place)
    if end >= len(tokens) or not _is_sign(tokens[end], "(") or before == "CALL":
        return ""
    if name.lower() == "range" and before != "UNWIND" and not _is_short_range(tokens, end + 1):
        return _RANGE
    return _no_function(name)


def _is_short_range(tokens: Sequence[CypherToken], place: int) -> bool:
    """Return whether a range has small numbers alone, from its first argument to the bracket that ends it."""
    for token in tokens[place:]:
        if _is_sign(token, ")"):
            return True
        small = token.kind == "number" and token.text.isdigit() and len(token.text) <= _MAX_RANGE_DIGITS
        if not small and not _is_sign(token, ",") and not _is_sign(token, "-"):
            return False
    return False


def _dotted(tokens: Sequence[CypherToken], place: int) -> tuple[str, int]:
    """Return the name with dots in it that begins at a token, and the place after it."""
    name = tokens[place].text
    place += 1
    while place + 1 < len(tokens) and _is_sign(tokens[place], ".") and tokens[place + 1].is_name:
        name += f".{tokens[place + 1].text}"
        place += 2
    return name, place


def _not_callable(name: str) -> str:
    if name.lower() in ALLOWED_PROCEDURES:
        return ""
    return _CALLED.format(name=name[:64], allowed=", ".join(sorted(ALLOWED_PROCEDURES)))


def _no_function(name: str) -> str:
    if "." not in name or name.lower().startswith(_ALLOWED_NAMESPACES):
        return ""
    return f"function `{name[:64]}` is none of the server's own, which alone may be called"


def check_plan(plan: Mapping[str, object], query_type: str | None) -> None:
    """Check what the server is about to do.

    Args:
        plan: The root of the plan that EXPLAIN gives, as the driver reads it.
        query_type: `r` where it reads; what the server says of the statement.

    Raises:
        InvalidRequestError: It would do more than read, or what no time-out stops.
    """
    if not plan:
        msg = "the server tells no plan of it, so what it would do is not known"
        raise _refused(msg)
    if query_type != "r":
        kinds = {"w": "writes", "rw": "writes", "s": "changes the schema or the server"}
        why = f"it {kinds.get(query_type or '', 'does more than read')}, and only what reads is run"
        raise _refused(why)
    for step in _steps(plan):
        operator = str(step.get("operatorType", "")).partition("@")[0]
        for name, why in _REFUSED_OPERATORS.items():
            if operator.startswith(name):
                raise _refused(why)
        for told in _told(step.get("args")):
            if _holds_regex(told):
                raise _refused(_REGEX)
            if operator.startswith("ProcedureCall") and (why := _not_callable(told.partition("(")[0].strip())):
                raise _refused(why)


def _steps(plan: Mapping[str, object]) -> Iterator[Mapping[str, object]]:
    waiting = [plan]
    while waiting:
        step = waiting.pop()
        yield step
        waiting.extend(cast("Sequence[Mapping[str, object]]", step.get("children") or ()))


def _told(arguments: object) -> Iterator[str]:
    """Yield what a step of a plan tells of its expressions."""
    details = cast("Mapping[str, object]", arguments or {}).get("Details")
    if isinstance(details, str):
        yield details


def _holds_regex(text: str) -> bool:
    if "~" not in text:
        return False
    try:
        return any("~" in token.text and token.kind == "sign" for token in cypher_tokens(text))
    except InvalidRequestError:
        return True


def _refused(why: str) -> InvalidRequestError:
    return InvalidRequestError(f"the statement is refused: {why}")
