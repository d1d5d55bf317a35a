"""Text search by queries with operators, on a real server."""

import random
from concurrent.futures import ThreadPoolExecutor

import pytest

from graphrag.errors import InvalidRequestError
from graphrag.filters.properties import prop
from graphrag.model import Chunk, ResultList, SimilarityResult, TextMode, TextSimilaritySearchRequest
from graphrag.query.lucene import ONLY_EXCLUDES, SYNTAX, SYNTAX_NOTES
from graphrag.query.terms import NO_WORDS
from graphrag.query.wildcards import MAX_EXPANSIONS
from graphrag.stores import AsyncNeo4jStore, Neo4jStore
from graphrag.testing.embedder import DeterministicEmbedder
from tests.integration.neo4j.documents import SINGLE, make_document
from tests.integration.neo4j.graph import Graph

EMBEDDER = DeterministicEmbedder(Graph.DIMENSIONS)
C1, C2, C3, C4, C5 = "the quick brown fox", "price rose 5% in C++ shops", "see a/b testing and tb-303", (
    "NORD EBITDA report OR summary"
), "unrelated weather note"  # fmt: skip
SPECIALS = ["+", "-", "&&", "||", "!", "(", ")", "{", "}", "[", "]", "^", '"', "~", "*", "?", ":", "\\", "/"]
LITERALLY = "the query was searched as plain words: "


@pytest.fixture
def standing(store: Neo4jStore) -> Neo4jStore:
    """Fixture F of the cases: D1 with c1 to c4, D2 with c5."""
    store.write_documents(
        [
            make_document(EMBEDDER, metadata={"year": 2020}),
            make_document(EMBEDDER, "file:///b/report.md", SINGLE, title="Weather", metadata={"year": 2024}),
        ]
    )
    return store


def ask(query: str, top_k: int = 10) -> TextSimilaritySearchRequest:
    return TextSimilaritySearchRequest(query, None, top_k)


def search(store: Neo4jStore, query: str) -> ResultList[SimilarityResult[Chunk]]:
    return store.text_search(ask(query), mode="lucene")


def texts(store: Neo4jStore, query: str) -> set[str]:
    return {result.match.urtext for result in search(store, query)}


def test_operators_are_at_work(standing: Neo4jStore) -> None:
    expected = {
        "fox weather": {C1, C5},
        "+fox weather": {C1},
        "+fox +weather": set(),
        "fox AND weather": set(),
        "fox OR weather": {C1, C5},
        "fox weather -quick": {C5},
        "fox weather NOT quick": {C5},
        "(fox weather) AND (brown note)": {C1, C5},
        "(fox OR weather) AND NOT (note OR price)": {C1},
        "+(fox weather) -note": {C1},
        "fox - quick": {C1},
        '"quick brown"': {C1},
        '"brown quick"': set(),
        '"quick fox"': set(),
        '"quick fox"~2': {C1},
        "weath*": {C5},
        "testing*": {C3},
        "we?ther": {C5},
        "wea?er": set(),
        "wether~": {C5},
        "wether": set(),
        "NORD": {C4},
        "nord EBIT*": {C4},
        "+tb-303": {C3},
        "C++": {C2},
        "a/b": {C3},
        "fox tb-303 -C++": {C1, C3},
    }  # fmt: skip
    assert {query: texts(standing, query) for query in expected} == expected


@pytest.mark.parametrize("special", SPECIALS)
def test_a_special_character_raises_nothing(standing: Neo4jStore, special: str) -> None:
    """CASES 1: alone, before and behind a word. Only `-fox` asks for no fox."""
    for query in (special, f"{special}fox", f"fox{special}", f"{special} fox", f"fox {special}"):
        found = search(standing, query)
        wanted = [] if query in (special, "-fox") else [C1]
        assert [result.match.urtext for result in found] == wanted, query
        assert found or found.notes
        standing.hybrid_search(ask(query), text_mode="lucene")


def test_slashes_are_no_regular_expression(standing: Neo4jStore) -> None:
    """CASES 2."""
    assert C3 in texts(standing, "/b testing")
    assert C3 in texts(standing, "a/b testing")
    assert texts(standing, "/solutions.") == set()
    assert texts(standing, "/f.x/") == set()
    assert texts(standing, "see /") == {C3}


def test_fuzzy_words_and_what_only_looks_like_one(standing: Neo4jStore) -> None:
    """CASES 4: in this mode three are of the syntax; all four find c1 in both modes."""
    for query in ("~fox", "fox~", "fox~1", '"quick fox"~2'):
        found = search(standing, query)
        assert C1 in {result.match.urtext for result in found}
        assert any(note.startswith(LITERALLY) for note in found.notes) == (query == "~fox")
        assert C1 in {result.match.urtext for result in standing.text_search(ask(query))}


def test_words_like_operators(standing: Neo4jStore) -> None:
    """CASES 6."""
    assert texts(standing, "NORD") == texts(standing, "EBITDA") == texts(standing, "report OR") == {C4}
    assert search(standing, "NOT summary").notes == (ONLY_EXCLUDES,)
    for query in ("OR", "AND AND", "report OR"):
        assert search(standing, query).notes[0].startswith(LITERALLY)


@pytest.mark.parametrize("many", [" ".join(f"word{n}" for n in range(1_500)), "y" * 100_000], ids=["words", "chars"])
def test_an_over_long_query_is_cut_with_a_note(standing: Neo4jStore, many: str) -> None:
    """CASES 7."""
    found = search(standing, f"+fox {many}")
    assert [result.match.urtext for result in found] == [C1]
    assert any("was cut" in note for note in found.notes)


@pytest.mark.parametrize("query", ["", "   ", "\n", "!!!", "*", "*:*", "()", "the", "+the", "-fox", "\0", "\ud800"])
def test_a_query_that_finds_nothing_says_why(standing: Neo4jStore, query: str) -> None:
    """CASES 8, THREATS 38, 39."""
    found = search(standing, query)
    assert list(found) == []
    assert len(found.notes) == 1


def test_fields_select_nothing(standing: Neo4jStore) -> None:
    """THREATS 38: what stands before a colon is a word."""
    for query in ("collection:default", "id:fox", "text:weather AND fox", "*:fox"):
        found = search(standing, query)
        assert any("names a field" in note for note in found.notes)
    assert texts(standing, "text:weather AND fox") == {C1}
    assert texts(standing, "*:fox") == {C1}
    assert texts(standing, "collection:default") == set()


def test_the_most_that_a_query_may_hold_is_taken_by_the_server(standing: Neo4jStore) -> None:
    """THREATS 26, 39: 256 terms, as many of them fuzzy as may be, over an index where each has 50 like it."""
    alike = [f"foxes{a}{b}" for a in "abcdefgh" for b in "abcdefgh"]
    standing.write_document(make_document(EMBEDDER, "file:///c", [" ".join(alike), "+".join(alike)]))
    fuzzy = [f"foxes{a}{a}~2" for a in "abcdefgh"]
    assert len(fuzzy) == MAX_EXPANSIONS
    words = [f"word{n}" for n in range(256 - 2 * len(fuzzy))]
    found = search(standing, " ".join([*fuzzy, *words]))
    assert found.notes == ()
    assert len(found) == 2
    patterns = [
        "fo*e*a*",
        "fo?e?a?",
        "fo*?a*",
        "fo" + "x" * 58 + "*a*",
        "f" * 60 + "*",
        "x" * 64 + "~2",
        "🦊" * 60 + "~2",
    ]
    for pattern in [*patterns, "漢" * 60 + "?漢", "e\u0301" * 30 + "*"]:
        assert search(standing, f"fox {pattern}").notes == (), pattern


def test_filters_and_limits_hold(standing: Neo4jStore) -> None:
    found = standing.text_search(ask("fox OR weath*"), mode="lucene", where=prop("year") > 2_020, explain=True)
    assert [result.match.urtext for result in found] == [C5]
    assert found.explanations[0].path == "over_fetch"
    assert len(standing.text_search(ask("fox OR weath*", 1), mode="lucene")) == 1
    nothing = standing.text_search(ask("+fox +note"), mode="lucene", where=prop("year") > 2_020)
    assert nothing.notes == ("no chunk that the filter lets through holds what the query asks for (stop words are not indexed)",)  # fmt: skip  # noqa: E501


def test_identifiers_as_they_stand_come_first(store: Neo4jStore) -> None:
    store.write_document(make_document(EMBEDDER, chunks=["tb 303 tb 303", "the tb-303 of one kind", "303 and tb"]))
    assert [result.match.urtext for result in search(store, "+tb-303")] == ["the tb-303 of one kind"]
    assert [result.match.urtext for result in search(store, "tb-303 tb")] == [
        "the tb-303 of one kind", "tb 303 tb 303", "303 and tb"
    ]  # fmt: skip


def test_hybrid_search_reads_its_text_leg_by_the_mode(standing: Neo4jStore) -> None:
    plain = standing.hybrid_search(ask("weather -note"))
    assert "text" in {r.match.urtext: r for r in plain}[C5].breakdown
    excluded = standing.hybrid_search(ask("weather -note"), text_mode="lucene")
    assert "text" not in {r.match.urtext: r for r in excluded}[C5].breakdown
    assert "vector" in {r.match.urtext: r for r in excluded}[C5].breakdown


@pytest.mark.parametrize("mode", ["regex", "", None, "Lucene"])
def test_another_mode_is_refused(store: Neo4jStore, mode: TextMode) -> None:
    for call in (
        lambda: store.text_search(ask("fox"), mode=mode),
        lambda: store.hybrid_search(ask("fox"), text_mode=mode),
    ):
        with pytest.raises(InvalidRequestError, match=r"the mode of a text search is .*`literal` or `lucene`"):
            call()


def test_the_notes_promise_what_is_found(store: Neo4jStore) -> None:
    """Each example of the notes finds what its meaning says."""
    mill, wind, river = "the tide mill at the river", "a windmill and a wind mill", "mill with three oak gates"
    grain, sluice, symbols = "grain for the waterwheel", "sluices open", "tb-303 in C++ for a/b"
    everything = [mill, wind, river, grain, sluice, symbols, "another thing"]
    store.write_document(make_document(EMBEDDER, chunks=everything))
    expected = {
        "tide mill": {mill, wind, river},
        "+mill tide": {mill, wind, river},
        "mill -wind": {mill, river},
        "mill AND (tide OR river) NOT wind": {mill},
        '"tide mill"': {mill},
        '"mill gates"~3': {river},
        "sluic*": {sluice},
        "gra?n wat*wheel": {grain},
        "sluise~": {sluice},
        "tb-303 C++ a/b": {symbols},
        r"\+mill \(tide\)": {mill, wind, river},
    }
    assert {form.example: texts(store, form.example) for form in SYNTAX} == expected
    assert store.lucene_syntax_notes == SYNTAX_NOTES


@pytest.mark.anyio
async def test_the_asynchronous_face_has_the_mode(async_store: AsyncNeo4jStore) -> None:
    await async_store.write_document(make_document(EMBEDDER))
    found = await async_store.text_search(ask("fox price -quick"), mode="lucene")
    assert [result.match.urtext for result in found] == [C2]


PIECES = [
    *("fox", "quick", "brown", "weather", "tb-303", "C++", "a/b", "the", "漢字", "🦊", "e\u0301", "ß", "İ", "x" * 70),
    *("AND", "OR", "NOT", "TO", "title", "1.5", "http", "fo*", "f?x", "*ox", "we*th?r", "quick~", "fox~1", "brwn~2"),
    *'+-&|!(){}[]^"~*?:\\/<>=@#.,;\'',
    *("\t", "\n", "\u3000", "\u00a0", "\u2028", "\0", "\ud800", "&&", "||", "~1", "~2", "~0.5", "^2", "[1 TO 2]"),
    *("*:*", '"quick fox"', '"quick fox"~2', "(quick fox)", "\\*", "\\ ", "-(", "+(", ")", "AND NOT", "\\u0041"),
    *" " * 30,
]  # fmt: skip


def random_text(chance: random.Random) -> str:
    if chance.random() < 0.25:
        return "".join(chr(chance.randrange(0x11_0000)) for _ in range(chance.randrange(30)))
    return "".join(chance.choice(PIECES) for _ in range(chance.randrange(1, 40)))


def test_no_text_raises(standing: Neo4jStore) -> None:
    """2,000 random texts, three in four of pieces of the syntax: the server takes all that is sent."""
    seed = random.SystemRandom().randrange(2**32)
    chance = random.Random(seed)  # noqa: S311 - no cryptography

    def run(text: str) -> tuple[str, bool, bool]:
        try:
            found = search(standing, text)
        except Exception as error:
            msg = f"{text!r} raised (seed {seed})"
            raise AssertionError(msg) from error
        assert found or found.notes, text
        return text, any(note.startswith(LITERALLY) for note in found.notes), NO_WORDS in found.notes

    with ThreadPoolExecutor(4) as threads:
        outcomes = list(threads.map(run, [random_text(chance) for _ in range(2_000)]))
    # The run means something: many of the texts went to the server with operators.
    assert sum(not literal and not empty for _, literal, empty in outcomes) > 300
