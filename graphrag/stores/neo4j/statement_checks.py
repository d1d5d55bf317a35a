"""What a Cypher statement of a caller may do: read, in one query, with what a time-out can stop.

Two readers have to agree: the words of the text (`check_text`, before anything is sent) and the server's plan of it
(`check_plan`, before it runs). What either of them does not accept is refused.
"""

from collections.abc import Iterator, Mapping, Sequence
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
"""Brackets in brackets: a server did not answer any more to 200 (measured on 2026.08.1)."""
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
    depth = 0
    for token in tokens:
        if token.kind != "sign":
            continue
        if token.text == ";":
            msg = "`;` separates statements, and one is run at a time"
            raise _refused(msg)
        if "~" in token.text:
            raise _refused(_REGEX)
        depth += (token.text in "([{") - (token.text in ")]}")
        if depth > _MAX_DEPTH:
            msg = f"its brackets are more than {_MAX_DEPTH} deep"
            raise _refused(msg)


def _why_not(tokens: Sequence[CypherToken], place: int) -> str:
    """Return why what begins at a token is not accepted; nothing where it is."""
    token = tokens[place]
    before = tokens[place - 1].text.upper() if place else ""
    after = tokens[place + 1] if place + 1 < len(tokens) else None
    if not token.is_name or before == ".":
        return ""
    match token.word:
        case "LOAD" if after is not None and after.word == "CSV":
            return "LOAD CSV reads files and addresses, and is not accepted"
        case "USE" if before in _CLAUSE_BEGINS and after is not None and after.is_name:
            return _BEGINNINGS["USE"]
        case "TRANSACTION" | "TRANSACTIONS" if before in ("IN", "CONCURRENT"):
            return "CALL { } IN TRANSACTIONS commits by itself, and is not accepted"
        case "CALL" if after is not None and after.is_name:
            return _not_callable(_dotted(tokens, place + 1)[0])
        case _:
            name, end = _dotted(tokens, place)
            is_call = end < len(tokens) and tokens[end].text == "(" and tokens[end].kind == "sign"
            called = before == "CALL"
            return _no_function(name) if is_call and not called else ""


def _dotted(tokens: Sequence[CypherToken], place: int) -> tuple[str, int]:
    """Return the name with dots in it that begins at a token, and the place after it."""
    name = tokens[place].text
    place += 1
    while place + 1 < len(tokens) and tokens[place].text == "." and tokens[place + 1].is_name:
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
