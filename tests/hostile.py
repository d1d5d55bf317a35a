"""Strings that are made to get out of the place where a query takes a name or a value."""

import random

from graphrag.cypher import is_plain_word

__all__ = ["NEVER_IN_TEXT", "hostile_strings"]

_BY_HAND = (
    "`", "``", "a`b", "x`]->() DETACH DELETE n //", "x`) MATCH (n) DETACH DELETE n WITH 1 AS a MATCH (b:`", "\\u0060",
    "x\\u0060) MATCH (n) DETACH DELETE n //", "x\\u0060]", "x\uff40", "x\u2018", "tenant IS NOT NULL OR true //",
    "a = 1 OR 1 = 1", "1' OR '1'='1", "'; DROP TABLE chunk; --", '" OR ""="', "$_filter_0", "$param", "{a: 1}", "]",
    ")", "}", "*/", "/*", "/* x */ OR true", "--", "//", "# x", ";", "a;b", "owner\n", "owner\r\n", "owner\t", " owner",
    "owner ", "\u00a0owner", "owner\u2028", "own\u200ber", "\u202eowner", "\ufeffowner", "öwner", "\u017f", "K\u212a",
    "a-b",
    "a.b", "a b", "1a", "a$", "$(x)", "%s", "%(x)s", "{}", "{0}", "\\", "\\'", '\\"', "\\n", "HAS*0..9]->(m)//", "A|B",
    "!A", "A&B", "%", "_%", "CALL dbms.shutdown()", "😀", "日本", "\x01", "\x7f", "'", '"', "?", ":x", "@x", "a::b",
    "(?i)x", "->>", "#>>", "'$.a'", "[0]", "null OR true", "e\u0301",
)  # fmt: skip
_PIECES = (
    *_BY_HAND, "owner", "x", " OR ", " AND ", "true", "1", "=", "n.", "MATCH (n)", "DELETE", "DROP", "\n", " ", "\\u",
    "0060",
)  # fmt: skip

NEVER_IN_TEXT = ("`", "\\", "//", "/*", "*/", "--", ";", '"', "DELETE", "DROP", "OR true", "\n", "\r", "\t", "%")
"""Pieces of these strings of which none is ever part of a compiled text."""


def hostile_strings(count: int, *, seed: int, longest: int = 64) -> list[str]:
    """Return so many different strings, none of them a plain word: some written by hand, the others put together."""
    # Cryptography is not what these numbers are for.
    source = random.Random(seed)  # noqa: S311
    found = dict.fromkeys(text for text in _BY_HAND if len(text) <= longest)
    while len(found) < count:
        text = "".join(source.choice(_PIECES) for _ in range(source.randint(2, 6)))[:longest]
        if text and not is_plain_word(text):
            found[text] = None
    return list(found)[:count]
