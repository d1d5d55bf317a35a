"""Search by regular expression on a real server: equal to RE2 over all chunks, within its budget."""

# ruff: noqa: RUF001 - letters of other scripts are a subject here

import asyncio
import random
import time
from contextlib import nullcontext

import pytest
import re2

from graphrag.config import SearchSettings, Settings
from graphrag.errors import InvalidPatternError, InvalidRequestError
from graphrag.filters.nodes import Eq
from graphrag.filters.properties import prop
from graphrag.filters.scope import Scope
from graphrag.model import Chunk, NamedEntityData
from graphrag.stores import AsyncNeo4jStore, Neo4jStore
from graphrag.stores.protocols import AsyncRegexSearchOperations, RegexSearchOperations
from graphrag.testing.embedder import DeterministicEmbedder
from tests.conftest import ENVIRON
from tests.integration.neo4j.documents import make_document
from tests.integration.neo4j.graph import Graph

SEED = int(ENVIRON.get("GRAPHRAG_TEST_SEED", "0")) or random.SystemRandom().randrange(1, 10**6)
EMBEDDER = DeterministicEmbedder(Graph.DIMENSIONS)
WORDS = [
    *("error", "Error", "ERROR", "привет", "Привет", "мир", "quick", "fox", "tb-303", "C++", "a.b", "x", "kelvin"),
    *("\N{KELVIN SIGN}elvin", "straße", "日本語", "1984", "1985", "\n", "end", "colour", "color", "ab", "🦊nit"),
]


def found(store: Neo4jStore, pattern: str, top_k: int = 1_000, **more: object) -> list[str]:
    results = store.regex_search(pattern, top_k, **more)  # type: ignore[arg-type]
    assert not any("cut" in note for note in results.notes)
    assert {result.score for result in results} <= {1.0}
    return [result.match.id for result in results]


def all_chunks(store: Neo4jStore) -> list[Chunk]:
    documents = sorted(document.id for document in store.list_documents(limit=1_000))
    return [chunk for id_ in documents for chunk in store.list_chunks(id_, limit=1_000)]


def expected(chunks: list[Chunk], pattern: str) -> list[str]:
    compiled = re2.compile("(?m)" + pattern)
    return [chunk.id for chunk in chunks if compiled.search(chunk.urtext)]


@pytest.fixture
def chunks(store: Neo4jStore) -> list[Chunk]:
    """Sixty documents of eight chunks of random words."""
    print(f"seed {SEED}: GRAPHRAG_TEST_SEED={SEED} repeats it")  # noqa: T201 - shown on failure
    chance = random.Random(SEED)  # noqa: S311 - tests
    documents = [
        make_document(
            EMBEDDER,
            f"file:///{number}",
            [f"{number}.{place} " + " ".join(chance.choices(WORDS, k=6)) for place in range(8)],
            collection=chance.choice(["one", "two"]),
            metadata={"owner": chance.choice(["a", "b"])},
        )
        for number in range(60)
    ]
    store.write_documents(documents)
    return all_chunks(store)


def make_pattern(chance: random.Random) -> str:
    """Return a pattern of the words' parts, with and without text that the index knows."""
    parts: list[str] = []
    for _ in range(chance.randrange(1, 4)):
        word = re2.escape(chance.choice(WORDS)) if chance.random() < 0.8 else chance.choice([r"\d+", "[a-z]", r"\pL+"])
        cut = word[chance.randrange(2) :] if len(word) > 1 and word.isalpha() else word
        parts.append(chance.choice(["{}", "({})?", "(?i:{})", "({}|fox)", "{}.*", "(?:{})+", "^{}", "{}$", ".{}"])
                     .format(cut))  # fmt: skip
    return chance.choice(["", "", "(?i)", "(?s)"]) + chance.choice(["", " ", ".*"]).join(parts)


def test_hits_are_those_of_re2_over_all_chunks(
    store: Neo4jStore, chunks: list[Chunk], monkeypatch: pytest.MonkeyPatch
) -> None:
    """Generated patterns: the same chunks in the same order, with every filter, whatever the index was asked for."""
    from graphrag.stores.neo4j._sync import regex

    chance = random.Random(SEED)  # noqa: S311 - tests
    hits, paths = 0, set()
    for number in range(150):
        # Without a look at the first chunks, with a look that ends within the store, and with one at all of it.
        monkeypatch.setattr(regex, "_LOOKS", [(), (5, 20, 60), (256, 1_024)][number % 3])
        pattern = make_pattern(chance)
        wanted = expected(chunks, pattern)
        results = store.regex_search(pattern, 1_000, explain=True)
        assert [result.match.id for result in results] == wanted, pattern
        assert found(store, pattern, 3) == wanted[:3], pattern
        mine = [chunk.id for chunk in chunks if chunk.metadata["owner"] == "a" and chunk.collection == "one"]
        scope = Scope().with_metadata_filter(Eq("owner", "a"))
        assert found(store, pattern, scope=scope, collections=["one"]) == [id_ for id_ in wanted if id_ in set(mine)]
        hits += len(wanted)
        paths.add(results.explanations[0].path)
    assert hits > 500
    assert paths == {"text_index", "scan"}


@pytest.mark.parametrize("looks", [(), (1,), (2, 3, 4), (7, 500)])
def test_pages_follow_each_other_without_gaps(
    store: Neo4jStore, chunks: list[Chunk], monkeypatch: pytest.MonkeyPatch, looks: tuple[int, ...]
) -> None:
    """Whatever the pages' sizes, and where the search goes on by a scan: all hits, once each, in order."""
    from graphrag.stores.neo4j._sync import regex

    monkeypatch.setattr(regex, "_PAGES", (3, 7, 5))
    monkeypatch.setattr(regex, "_LOOKS", looks)
    for pattern in ("fox", r"\d", "(?i)error", "fox|quick", "x"):
        results = store.regex_search(pattern, 1_000, explain=True)
        assert [result.match.id for result in results] == expected(chunks, pattern), pattern
        assert results.explanations[0].rounds > (1 if 500 in looks else 3)


def test_the_index_is_asked_where_a_match_must_contain_text(
    store: Neo4jStore, chunks: list[Chunk], monkeypatch: pytest.MonkeyPatch
) -> None:
    """Only what holds the text is matched; without regard to case too, by the ways to write three or four letters."""
    from graphrag.stores.neo4j._sync import regex

    monkeypatch.setattr(regex, "_LOOKS", ())
    for pattern, path in [("colou?r", "text_index"), ("(?i)ERROR", "text_index"), ("fo.", "scan"), (".*", "scan")]:
        explanation = store.regex_search(pattern, 1_000, explain=True).explanations[0]
        assert (explanation.leg, explanation.path) == ("regex", path)
        assert path == "scan" or 0 < explanation.candidates < len(chunks)
    results = store.regex_search("fox", where=prop("owner") == "a", explain=True)
    assert "owner" in results.explanations[0].predicate
    assert store.regex_search("fox", where=prop("year").in_([]), explain=True).explanations[0].path == "nothing"


def test_the_index_is_asked_for_what_few_hold_alone(
    store: Neo4jStore, chunks: list[Chunk], monkeypatch: pytest.MonkeyPatch
) -> None:
    """What many chunks hold is found among the first of them; what few hold, by the index."""
    from graphrag.stores.neo4j._sync import regex

    monkeypatch.setattr(regex, "_LOOKS", (50, 100, 200))
    dense = store.regex_search("[a-z]*fox|quick", 3, explain=True)
    assert (dense.explanations[0].path, len(dense)) == ("scan", 3)
    assert dense.explanations[0].rounds == 1
    last = chunks[-1]
    sparse = store.regex_search(re2.escape(last.urtext), explain=True)
    assert [result.match.id for result in sparse] == [last.id]
    assert (sparse.explanations[0].path, sparse.explanations[0].candidates) == ("text_index", 1)
    # Few chunks of a filter among the first ones say nothing of the others.
    rare = prop("owner") == "nobody"
    assert found(store, "fox", where=rare) == []
    assert store.regex_search("fox", where=rare, explain=True).explanations[0].path == "text_index"


def test_the_dialect_on_a_chunk(store: Neo4jStore) -> None:
    """CASE 10: unanchored; the anchors and the dot by line; case over all of Unicode."""
    document = make_document(EMBEDDER, chunks=["first line\nПривет мир\nend", "a" * 30 + "b"])
    store.write_document(document)
    first = document.chunks[0].id
    for pattern in ("line", "(?s)first.*end", "(?i)привет", "(?i)ПРИВЕТ", "^end$", r"end\z", "^Привет"):
        assert found(store, pattern) == [first], pattern
    for pattern in ("first.*end", "ПРИВЕТ", r"\Aend", "(?-m)^end$", "(a+)+$"):
        assert found(store, pattern) == [], pattern
    with pytest.raises(InvalidPatternError, match=r"at character 1 of the pattern: missing \)"):
        store.regex_search("(")


@pytest.mark.parametrize("pattern", ["", "   ", "\n"])
def test_a_blank_pattern_finds_nothing_and_says_so(store: Neo4jStore, pattern: str) -> None:
    """CASE 8."""
    results = store.regex_search(pattern)
    assert results == []
    assert results.notes == ("the pattern is blank, so nothing was searched",)


def test_what_is_out_of_bounds_is_told(store: Neo4jStore) -> None:
    with pytest.raises(InvalidRequestError, match="`top_k` is 0"):
        store.regex_search("x", 0)
    with pytest.raises(InvalidRequestError, match="finds chunks only"):
        store.regex_search("x", kind=NamedEntityData)
    with pytest.raises(InvalidRequestError, match="of type NoneType"):
        store.regex_search(None)  # type: ignore[arg-type]
    assert isinstance(store, RegexSearchOperations)
    assert not isinstance(store, AsyncRegexSearchOperations)


def test_a_cut_search_says_so(graph: Graph, store: Neo4jStore, chunks: list[Chunk]) -> None:
    """THREATS 44: rows, bytes and time are bounded, and hits are never left out in silence."""
    budgets = {
        "regex_max_rows": (100, "100 chunks"),
        "regex_max_bytes": (4_000, "4,000 bytes of text"),
        "regex_timeout_s": (1e-6, "1e-06 s"),
    }
    for name, (value, told) in budgets.items():
        settings = Settings(search=SearchSettings.model_validate({name: value}))
        with Neo4jStore(graph.settings, settings=settings) as narrow:
            results = narrow.regex_search(".", 1_000)
            assert len(results) < len(chunks)
            assert [result.match.id for result in results] == [chunk.id for chunk in chunks[: len(results)]]
            assert f"cut at its limit of {told} (`search.{name}`)" in results.notes[0]
    with Neo4jStore(graph.settings, settings=Settings(search=SearchSettings(regex_max_rows=100))) as narrow:
        assert len(narrow.regex_search(".", 100)) == 100
        assert narrow.regex_search(".", 100).notes == ()


EXPLODING = [
    "(.*a){12}",
    "(.*a){30}b",
    r"(\w*)*\1b",
    "((((a{0,100}){0,100}){0,100}){0,100})",
    "(a+)+$",
    "(x+x+)+y",
    "(a|a)*b",
    "(a|aa)+$",
    "(.*)*b$",
    "([a-z]+)*[0-9]$",
    r"(?s)(a|b|ab|ba|.b|b.){1,150}[^q]{900}Z",
    r"(?i)(\pL{1,100}a)+b",
    "(?=(a+))a*b",
    r"\pL{1000}\pL{1000}",
]

REFUSED = {
    r"(\w*)*\1b",
    "((((a{0,100}){0,100}){0,100}){0,100})",
    "(?=(a+))a*b",
    r"\pL{1000}\pL{1000}",
}
"""RE2 has no back references and no look-around, and bounds repetitions and memory."""


@pytest.mark.parametrize("pattern", EXPLODING)
def test_patterns_that_explode_elsewhere_end_here(store: Neo4jStore, pattern: str) -> None:
    """THREATS 1, 11, 41: each ends within its budget or is a typed error; none reaches the server's `=~`."""
    store.write_document(
        make_document(EMBEDDER, chunks=["a" * 41, "Z" + "ab" * 3_000, "yZb" + "x" * 7_000, "b" + "a" * 7_000 + "!"])
    )
    started = time.monotonic()
    with pytest.raises(InvalidPatternError) if pattern in REFUSED else nullcontext():
        store.regex_search(pattern)
    assert time.monotonic() - started < 12


@pytest.mark.anyio
async def test_the_event_loop_stays_free_while_a_pattern_is_matched(async_store: AsyncNeo4jStore) -> None:
    """THREATS 41: matching goes on in a thread that lets others run."""
    await async_store.write_document(make_document(EMBEDDER, chunks=[f"Z{n}" + "ab" * 3_500 for n in range(8)]))
    slow = asyncio.create_task(async_store.regex_search(r"(?s)(a|b|ab|ba|.b|b.){1,150}[^q]{900}Z"))
    pauses: list[float] = []
    while not slow.done():
        before = time.monotonic()
        await asyncio.sleep(0.005)
        pauses.append(time.monotonic() - before)
    assert await slow == []
    assert len(pauses) > 5
    assert max(pauses) < 1
