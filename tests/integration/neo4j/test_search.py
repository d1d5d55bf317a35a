"""Search by meaning, by words and by both, on a real server."""

import math

import numpy as np
import pytest

from graphrag.config import SearchSettings, Settings
from graphrag.errors import ConfigurationError, InvalidRequestError
from graphrag.ingestion.given import GivenChunk
from graphrag.model import Chunk, Document, TextSimilaritySearchRequest
from graphrag.stores import Neo4jStore
from graphrag.testing.embedder import DeterministicEmbedder
from tests.integration.neo4j.documents import SINGLE, make_document, words
from tests.integration.neo4j.graph import Graph

EMBEDDER = DeterministicEmbedder(Graph.DIMENSIONS)
SPECIALS = ["+", "-", "&&", "||", "!", "(", ")", "{", "}", "[", "]", "^", '"', "~", "*", "?", ":", "\\", "/"]
OTHERS = [*list("<>=@#$%&;,.`'|"), "—", "…", "“", "„", "«", "。", "\uff01"]


@pytest.fixture
def standing(store: Neo4jStore) -> Neo4jStore:
    """Fixture F of the cases: D1 with c1 to c4, D2 with c5."""
    store.write_documents(
        [make_document(EMBEDDER), make_document(EMBEDDER, "file:///b/report.md", SINGLE, title="Weather")]
    )
    return store


def ask(query: str, top_k: int = 10, threshold: float | None = None) -> TextSimilaritySearchRequest:
    return TextSimilaritySearchRequest(query, threshold, top_k)


def texts(store: Neo4jStore, query: str) -> list[str]:
    return [result.match.urtext for result in store.text_search(ask(query))]


# -- by meaning


def at_angle(cosine: float) -> list[float]:
    return [cosine, math.sqrt(max(0.0, 1 - cosine * cosine)), *[0.0] * (Graph.DIMENSIONS - 2)]


def test_vector_scores_are_exact_ordered_and_bounded_inclusively(store: Neo4jStore) -> None:
    """CASES 43: (1 + cosine) / 2 on one scale; the threshold is inclusive; float noise at 1.0 drops nothing."""
    cosines = [-1.0, 0.5, 1.0, 0.0, -0.5]
    chunks = [GivenChunk(f"at {cosine}", embedding=np.asarray(at_angle(cosine), np.float32)) for cosine in cosines]
    store.write_document(make_document(EMBEDDER, chunks=chunks))
    found = store.vector_search_by_embedding(at_angle(1.0))
    assert [result.match.urtext for result in found] == ["at 1.0", "at 0.5", "at 0.0", "at -0.5", "at -1.0"]
    assert [result.score for result in found] == pytest.approx([1, 0.75, 0.5, 0.25, 0], abs=1e-6)
    assert all(0 <= result.score <= 1 for result in found)
    for threshold, count in ((0, 5), (0.25, 4), (0.5, 3), (0.75, 2), (1.0, 1)):
        assert len(store.vector_search_by_embedding(at_angle(1.0), similarity_threshold=threshold)) == count, threshold
    assert [r.breakdown["vector_rank"] for r in found] == [1, 2, 3, 4, 5]


def test_a_search_for_a_chunks_own_text_finds_it_with_score_one(standing: Neo4jStore) -> None:
    found = standing.vector_search(ask("price rose 5% in C++ shops", threshold=1.0))
    assert [result.match.urtext for result in found] == ["price rose 5% in C++ shops"]


def test_equal_scores_are_ordered_by_id(store: Neo4jStore) -> None:
    """CASES 46: 20 equal chunks and 5 others; three runs agree, scores never rise, no id comes twice."""
    same = [GivenChunk(f"same {n}", text="same") for n in range(20)]
    store.write_document(make_document(EMBEDDER, chunks=[*same, *words(5, "other")]))
    for search in (store.vector_search, store.text_search, store.hybrid_search):
        runs = [search(ask("same")) for _ in range(3)]
        ids = [[result.match.id for result in run] for run in runs]
        assert ids[0] == ids[1] == ids[2] == sorted(ids[0])
        assert len(set(ids[0])) == 10
        scores = [result.score for result in runs[0]]
        assert scores == sorted(scores, reverse=True)


def test_results_equal_brute_force_over_many_chunks(store: Neo4jStore) -> None:
    """Over-fetching makes up for the quantized index."""
    document = make_document(EMBEDDER, chunks=words(600))
    store.write_document(document)
    matrix = np.stack([document.vectors[chunk.id] for chunk in document.chunks])
    for query in ("w1 stands alone", "something else", "third"):
        vector = EMBEDDER.embed_query(query)
        exact = {
            chunk.id: (1 + float(cosine)) / 2 for chunk, cosine in zip(document.chunks, matrix @ vector, strict=True)
        }
        best = sorted(exact, key=lambda id_: (-exact[id_], id_))[:5]
        found = store.vector_search(ask(query, top_k=5))
        assert [result.match.id for result in found] == best
        assert [result.score for result in found] == pytest.approx([exact[id_] for id_ in best], abs=1e-5)


@pytest.mark.parametrize("over", [None, 1, 3])
def test_an_index_without_exact_scores_is_not_believed(store: Neo4jStore, graph: Graph, over: int | None) -> None:
    """An index that is made to compare no vector exactly orders its candidates by one bit a dimension.

    That is seen by the first search, which is run again, and remembered for the next ones. Nor does it tell what is
    over a threshold.
    """
    document = make_document(EMBEDDER, chunks=words(600))
    store.write_document(document)
    graph.run("DROP INDEX chunk_embedding")
    graph.run(
        "CYPHER 25 CREATE VECTOR INDEX chunk_embedding FOR (n:Chunk) ON n.embedding WITH [n.collection] "
        "OPTIONS {indexConfig: {`vector.dimensions`: 16, `vector.similarity_function`: 'cosine', "
        "`vector.default_search_expansion_factor`: 1.0}}"
    )
    graph.run("CALL db.awaitIndexes(60)")
    query = EMBEDDER.embed_query("w3 stands alone")
    raw = graph.run(
        "CYPHER 25 MATCH (c:Chunk) SEARCH c IN (VECTOR INDEX chunk_embedding FOR $vector LIMIT 50) SCORE AS given "
        "RETURN given, vector.similarity.cosine(c.embedding, $vector) AS exact",
        vector=query.tolist(),
    )
    assert max(abs(row["given"] - row["exact"]) for row in raw) > 0.01
    best = sorted(row["exact"] for row in raw)[:-6:-1][:over]
    threshold = best[-1] - 1e-6 if over else None
    rounds: list[int] = []
    for _ in range(2):
        found = store.vector_search_by_embedding(query, similarity_threshold=threshold, top_k=5, explain=True)
        assert [result.score for result in found] == pytest.approx(best, abs=1e-6)
        rounds.append(found.explanations[0].rounds)
    assert rounds == [2, 1]


@pytest.mark.parametrize("wrong", [0, -1, 2147483647, 2147483648, 1001, 2.5, 2.0, "3", math.nan, math.inf, True, None])
def test_top_k_is_a_whole_number_in_bounds(store: Neo4jStore, wrong: object) -> None:
    """THREATS 6 and 25."""
    with pytest.raises(InvalidRequestError, match=r"`top_k` is .*; it must be a whole number from 1 to 1000"):
        store.vector_search_by_embedding(at_angle(1.0), top_k=wrong)  # type: ignore[arg-type]


def test_the_largest_top_k_is_taken(standing: Neo4jStore) -> None:
    for search in (standing.vector_search, standing.text_search, standing.hybrid_search):
        assert 1 <= len(search(ask("fox price report note", top_k=1000))) <= 5


@pytest.mark.parametrize(
    "vector, message",
    [
        ([1.0] * 15, r"shape \(15,\); the index takes \(16,\)"),
        ([], r"shape \(0,\)"),
        ([[1.0] * 16], r"shape \(1, 16\)"),
        ([0.0] * 16, "all zeros or holds NaN"),
        ([math.nan] * 16, "all zeros or holds NaN"),
        ([math.inf] * 16, "all zeros or holds NaN"),
    ],
)
def test_a_query_vector_that_cannot_be_compared_is_refused(store: Neo4jStore, vector: object, message: str) -> None:
    """THREATS 45: before the call."""
    with pytest.raises(InvalidRequestError, match=message):
        store.vector_search_by_embedding(vector)  # type: ignore[arg-type]


def test_collections_limit_every_search_and_give_all_that_match(store: Neo4jStore) -> None:
    """CASES 17: nearer chunks of another collection do not starve the result: it is min(k, matches)."""
    near = [GivenChunk(f"near {n}", text="fox") for n in range(300)]
    far = [GivenChunk(f"far {n}", text=f"fox number {n}") for n in range(3)]
    store.write_documents(
        [
            make_document(EMBEDDER, "file:///x", near, collection="x"),
            make_document(EMBEDDER, "file:///y", far, collection="y"),
        ]
    )
    for search in (store.vector_search, store.text_search, store.hybrid_search):
        found = search(ask("fox"), collections=["y"])
        assert {result.match.urtext for result in found} == {"far 0", "far 1", "far 2"}, search
        assert len(search(ask("fox"), collections=["x", "y"])) == 10
        assert list(search(ask("fox"), collections=[])) == []
        assert list(search(ask("fox"), collections=["none there"])) == []
        with pytest.raises(InvalidRequestError, match="`collection` is"):
            search(ask("fox"), collections=[" bad "])


def test_no_result_carries_a_vector(standing: Neo4jStore) -> None:
    """CASES 70."""
    found = [
        *standing.vector_search(ask("fox")),
        *standing.text_search(ask("fox")),
        *standing.hybrid_search(ask("fox")),
    ]
    assert len(found) > 6
    assert all(result.match.embedding is None for result in found)
    chunk = found[0].match
    assert (chunk.uri, chunk.document_title, chunk.collection) != ("", "", "")
    assert chunk.embedding_model == EMBEDDER.model_id


def test_searching_by_meaning_without_an_embedder_is_told(graph: Graph, standing: Neo4jStore) -> None:
    with Neo4jStore(graph.settings) as store:
        assert len(store.text_search(ask("fox"))) == 1
        with pytest.raises(ConfigurationError, match="opened without an embedder; pass `embedder=`"):
            store.vector_search(ask("fox"))


def test_other_kinds_are_refused(standing: Neo4jStore) -> None:
    with pytest.raises(InvalidRequestError, match="finds chunks only; `kind` is `ContentRoot`"):
        standing.vector_search(ask("fox"), Document)  # type: ignore[type-var]


# -- by words


@pytest.mark.parametrize("mark", [*SPECIALS, *OTHERS])
def test_a_mark_never_raises_and_hides_no_word(standing: Neo4jStore, mark: str) -> None:
    """CASES 1, 2 and 6, THREATS 37: alone, before, after and beside a word."""
    assert texts(standing, mark) == []
    for query in (mark + "fox", "fox" + mark, f"fox {mark}", f"{mark} fox", f"{mark}fox{mark}", mark * 3 + "fox"):
        assert "the quick brown fox" in texts(standing, query), query
    assert standing.hybrid_search(ask("fox" + mark))[0].breakdown


@pytest.mark.parametrize(
    "query",
    ['"', "(", "AND", "a AND", "[1 TO", "a:b:c", "foo\\", "/b x", "~", "^5", "!", "", "OR OR", "AND AND", "NOT", "*:*",
     "nosuch:x", "tenant:B", "text:fox AND", "/solutions.", "see /", "(" * 5000, "fox~", "x" * 9_000, "\\" * 99,
     "a" * 300, "{!func}x", "_val_:1", "fox^1e400", '"fox', "fox\0bar", "\ud800", "fox\ud800", "\u202e", "🦊", "*a*",
     "a~2 " * 500],
)  # fmt: skip
def test_no_text_raises(standing: Neo4jStore, query: str) -> None:
    """CASES 2, THREATS 26, 37, 38, 39 and 61: any text is words."""
    for search in (standing.text_search, standing.vector_search, standing.hybrid_search):
        search(ask(query))


@pytest.mark.parametrize(
    "query, expected",
    [
        ("/b testing", "see a/b testing and tb-303"),
        ("a/b testing", "see a/b testing and tb-303"),
        ("~fox", "the quick brown fox"),
        ("fox~", "the quick brown fox"),
        ("fox~1", "the quick brown fox"),
        ('"quick fox"~2', "the quick brown fox"),
        ("NORD", "NORD EBITDA report OR summary"),
        ("EBITDA", "NORD EBITDA report OR summary"),
        ("report OR", "NORD EBITDA report OR summary"),
        ("NOT summary", "NORD EBITDA report OR summary"),
        ("C++", "price rose 5% in C++ shops"),
        ("c++", "price rose 5% in C++ shops"),
        ("tb-303", "see a/b testing and tb-303"),
        ("TB-303?", "see a/b testing and tb-303"),
        ("a/b", "see a/b testing and tb-303"),
        ("5%", "price rose 5% in C++ shops"),
        ("shops", "price rose 5% in C++ shops"),
        ("weather notes", "unrelated weather note"),
        ("fox" + " \ud800\0", "the quick brown fox"),
    ],
)
def test_words_and_identifiers_are_found_first(standing: Neo4jStore, query: str, expected: str) -> None:
    """CASES 2, 4 (its literal part) and 6; identifiers with symbols."""
    assert texts(standing, query)[0] == expected


def test_an_identifier_comes_before_chunks_that_lack_its_symbols(store: Neo4jStore) -> None:
    store.write_document(
        make_document(
            EMBEDDER, chunks=["c c c grades of c", "written in C++ by hand", "tb 303 and 303 tb", "the tb-303"]
        )
    )
    assert texts(store, "C++") == ["written in C++ by hand"]
    assert texts(store, "tb-303") == ["the tb-303"]
    found = store.text_search(ask("c--"))
    assert {result.match.urtext for result in found} == {"c c c grades of c", "written in C++ by hand"}
    assert found.notes == ("no chunk holds the query with its symbols, so its words alone were searched",)


def test_an_identifier_counts_as_its_share_of_the_query(store: Neo4jStore) -> None:
    """Alone it decides; in a sentence it adds to what the other words say, and does not outweigh them."""
    near, number = "prices of grain rose in dry summers", "in spring 5% of the millers left, and nobody knew why"
    store.write_document(make_document(EMBEDDER, chunks=[near, number, *(f"filler {name}" for name in "bcdefghij")]))
    assert texts(store, "5%") == [number]
    assert texts(store, "did prices of grain rise by 5% when all summers were dry")[0] == near
    (whole,) = store.text_search(ask("5%"))
    (_, in_ten) = store.text_search(ask("grain 5% uu vv ww xx yy zz qq kk"))
    plain = store.text_search(ask("grain 5 uu vv ww xx yy zz qq kk"))
    without = {each.match.urtext: each.breakdown["text_raw"] for each in plain}[number]
    assert in_ten.match.urtext == number
    assert in_ten.breakdown["text_raw"] == pytest.approx(without * 1.1)
    assert whole.breakdown["text_raw"] == pytest.approx(without * 2)


@pytest.mark.parametrize("query", ["", "   ", "\n", "\t\u00a0", "!!!", "—…", "。", "_", "+-*", "\0", "\ud800"])
def test_text_without_words_embeds_nothing_and_says_so(graph: Graph, standing: Neo4jStore, query: str) -> None:
    """CASES 8."""
    embedder = DeterministicEmbedder(Graph.DIMENSIONS)
    with Neo4jStore(graph.settings, embedder) as store:
        for search in (store.text_search, store.vector_search, store.hybrid_search):
            found = search(ask(query))
            assert list(found) == []
            assert any("no words" in note for note in found.notes)
    assert embedder.calls == []


def test_stop_words_alone_are_an_empty_result_with_a_note(standing: Neo4jStore) -> None:
    found = standing.text_search(ask("the"))
    assert (list(found), len(found.notes)) == ([], 1)
    assert "stop words are not indexed" in found.notes[0]


def test_a_run_of_letters_counts_as_the_analyzer_cuts_it(standing: Neo4jStore) -> None:
    """Eleven terms of at most 255 letters, so nothing is cut."""
    found = standing.text_search(ask("fox " + "가나다" * 900))
    assert [result.match.urtext for result in found] == ["the quick brown fox"]
    assert found.notes == ()


def test_a_query_that_is_no_text_is_a_typed_error() -> None:
    with pytest.raises(InvalidRequestError, match="`query` is of type NoneType; it must be text"):
        TextSimilaritySearchRequest(None)  # type: ignore[arg-type]


@pytest.mark.parametrize(
    "query",
    [
        "fox " + " ".join(f"word{n}" for n in range(1_500)),
        "fox " + "y" * 100_000,
        "fox " + "漢字" * 3_000,
        "fox " + "-".join(["ab"] * 3_000),
        "fox " + "🦊" * 3_000,
        "fox " + "ひらがなカタカナ" * 500,
    ],
    ids=["words", "characters", "han", "hyphens", "pictures", "kana"],
)
def test_an_over_long_query_is_cut_with_a_note(standing: Neo4jStore, query: str) -> None:
    """CASES 7, THREATS 26: never silently empty, never too many clauses."""
    found = standing.text_search(ask(query))
    assert [result.match.urtext for result in found] == ["the quick brown fox"]
    assert any("was cut" in note for note in found.notes)
    hybrid = standing.hybrid_search(ask(query))
    assert any("was cut" in note for note in hybrid.notes)
    assert len(hybrid.notes) == len(set(hybrid.notes))


def test_a_query_beyond_the_models_tokens_says_so(graph: Graph, standing: Neo4jStore) -> None:
    """CASES 7 and 41: 1,500 words to a search by meaning."""
    with Neo4jStore(graph.settings, DeterministicEmbedder(Graph.DIMENSIONS, max_tokens=256)) as store:
        found = store.vector_search(ask(" ".join(["fox"] * 1_500)))
    assert found.notes == ("the model reads the first 256 tokens of the query (it has 1500)",)
    assert len(found) == 5


def test_a_text_threshold_is_inclusive(standing: Neo4jStore) -> None:
    score = standing.text_search(ask("fox"))[0].score
    assert 0 < score < 1
    assert len(standing.text_search(ask("fox", threshold=score))) == 1
    assert len(standing.text_search(ask("fox", threshold=min(1.0, score + 0.01)))) == 0
    assert len(standing.text_search(ask("fox", threshold=1.0))) == 0


# -- by both


def test_hybrid_finds_what_either_leg_finds(standing: Neo4jStore) -> None:
    found = standing.hybrid_search(ask("the quick brown fox"))
    best = found[0]
    assert best.match.urtext == "the quick brown fox"
    assert best.breakdown["vector"] == pytest.approx(1, abs=1e-6)
    assert best.breakdown["vector_rank"] == best.breakdown["text_rank"] == 1
    assert {"text", "text_raw"} <= best.breakdown.keys()
    assert all(0 <= result.score <= 1 for result in found)
    assert [result.score for result in found] == sorted((r.score for r in found), reverse=True)
    assert len(found) == 5


def test_a_hybrid_threshold_applies_to_the_vector_leg(standing: Neo4jStore) -> None:
    found = standing.hybrid_search(ask("weather fox", threshold=1.0))
    assert {result.match.urtext for result in found} == {"the quick brown fox", "unrelated weather note"}
    assert all("vector" not in result.breakdown for result in found)


def test_hybrid_gives_k_results_where_each_leg_gives_fewer(graph: Graph, standing: Neo4jStore) -> None:
    """CASES 46: a leg's size does not limit the fused list."""
    settings = Settings(search=SearchSettings(leg_candidates=4))
    with Neo4jStore(graph.settings, EMBEDDER, settings=settings) as store:
        store.write_document(make_document(EMBEDDER, "file:///many", words(30)))
        assert len(store.hybrid_search(ask("w1 stands alone", top_k=10))) == 10


@pytest.mark.parametrize("weight", [0.0, 1.0])
def test_a_weight_of_nothing_silences_its_leg(graph: Graph, standing: Neo4jStore, weight: float) -> None:
    settings = Settings(search=SearchSettings(text_weight=weight))
    with Neo4jStore(graph.settings, EMBEDDER, settings=settings) as store:
        found = store.hybrid_search(ask("fox"))
    assert len(found) == (1 if weight else 5)


def test_hybrid_over_an_empty_store_is_empty(store: Neo4jStore) -> None:
    assert list(store.hybrid_search(ask("fox"))) == []
    assert store.count(Chunk) == 0
