"""`graphrag eval` on a real server: what it measures, what it leaves behind, and what it never touches."""

import json
import random
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest
from click.testing import CliRunner, Result

from graphrag.cli import main
from graphrag.config import EmbeddingSettings, Neo4jSettings, SearchSettings, Settings
from graphrag.errors import MissingCapabilityError, StoreError
from graphrag.evaluation import evaluate, load_dataset
from graphrag.evaluation.legs import FusionSetting, collect_legs, fused_hits
from graphrag.evaluation.running import evaluated_corpus
from graphrag.evaluation.searching import DEPTH, run_mode
from graphrag.ingestion import GivenChunk, Ingestor
from graphrag.ingestion.readers import MarkdownReader
from graphrag.model import Document
from graphrag.stores import Neo4jStore
from graphrag.testing.embedder import DeterministicEmbedder
from tests.integration.neo4j.graph import Graph

CORPUS = {
    "otters/1": ("Otters", "They eat fish in the river."),
    "badgers": ("Badgers", "They dig in the woods."),
    "herons": ("Herons", "They stand in the shallows and wait for fish."),
}
QUERIES = {"fish": "who eats fish in the river?", "dig": "who digs in the woods?"}
RELEVANT = [("fish", "otters/1"), ("fish", "herons"), ("dig", "badgers")]
COLLECTION = "eval-animals-whole"

Run = Callable[..., Result]


@pytest.fixture(scope="module")
def database(neo4j_server: Neo4jSettings) -> Iterator[Graph]:
    with Graph(neo4j_server) as graph:
        graph.drop_everything()
        yield graph


@pytest.fixture
def graph(database: Graph) -> Graph:
    database.run("MATCH (n) WHERE NOT n:GraphragSchema DETACH DELETE n")
    return database


@pytest.fixture
def embedder() -> DeterministicEmbedder:
    return DeterministicEmbedder(mode="words")


@pytest.fixture
def run(graph: Graph, embedder: DeterministicEmbedder, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Run:
    """Run a command in a folder of its own, with an embedder that needs no model."""
    monkeypatch.chdir(tmp_path)

    def opened(_settings: EmbeddingSettings) -> DeterministicEmbedder:
        return embedder

    monkeypatch.setattr("graphrag.evaluation.caching.open_embedder", opened)
    env = {
        "NEO4J_URI": graph.settings.uri,
        "NEO4J_USERNAME": graph.settings.username,
        "NEO4J_PASSWORD": graph.settings.password.get_secret_value(),
        "GRAPHRAG_HOME": str(tmp_path / "home"),
    }

    def call(*arguments: str) -> Result:
        result = CliRunner().invoke(main, arguments, env=env, prog_name="graphrag")
        if result.exception is not None and not isinstance(result.exception, SystemExit):
            raise result.exception
        assert env["NEO4J_PASSWORD"] not in result.output
        return result

    return call


@pytest.fixture
def store(graph: Graph, embedder: DeterministicEmbedder) -> Iterator[Neo4jStore]:
    with Neo4jStore(graph.settings, embedder) as store:
        store.apply_schema()
        yield store


@pytest.fixture
def animals(tmp_path: Path) -> Path:
    return write_animals(tmp_path / "animals", CORPUS)


def write_animals(folder: Path, corpus: dict[str, tuple[str, str]]) -> Path:
    folder.mkdir(exist_ok=True)
    rows = [{"id": id_, "title": title, "text": text} for id_, (title, text) in corpus.items()]
    write_lines(folder / "corpus.jsonl", rows)
    write_lines(folder / "queries.jsonl", [{"id": id_, "text": text} for id_, text in QUERIES.items()])
    judged = "".join(f"{query}\t{document}\t1\n" for query, document in RELEVANT if document in corpus)
    (folder / "qrels.tsv").write_text("query-id\tcorpus-id\tscore\n" + judged, encoding="utf-8")
    return folder


def write_lines(path: Path, rows: list[dict[str, str]]) -> None:
    path.write_text("".join(json.dumps(row) + "\n" for row in rows), encoding="utf-8")


def data(result: Result) -> Any:
    assert result.exit_code == 0, result.output
    return json.loads(result.stdout)


def test_judged_documents_are_measured_and_gone_at_the_end(run: Run, animals: Path, store: Neo4jStore) -> None:
    """Both chunkings, all modes; the store is as before, and the second run embeds nothing."""
    before = store.graph_hash()
    told = data(run("eval", str(animals), "--json"))
    assert [each["collection"] for each in told["runs"]] == [COLLECTION, "eval-animals-default"]
    for each in told["runs"]:
        assert (each["documents"], each["chunks"], each["queries"], each["written"]) == (3, 3, 2, 3)
        assert list(each["means"]) == ["text", "vector", "hybrid"]
        for mode in ("text", "vector", "hybrid"):
            assert each["means"][mode]["recall@5"] == 1.0
            assert each["means"][mode]["all_evidence@8"] == 1.0
            assert each["by_query"][mode]["MRR@10"] == {"fish": 1.0, "dig": 1.0}
        assert {(d["first"], d["second"]) for d in each["differences"]} == {
            ("hybrid", "vector"),
            ("hybrid", "text"),
            ("vector", "text"),
        }
    assert told["search"] == {"fusion": "z_score", "text_weight": 0.5}
    assert told["cache"]["embedded"] == 3 + 3 + 2
    assert store.graph_hash() == before
    again = data(run("eval", str(animals), "--json"))
    assert (again["cache"]["embedded"], again["cache"]["damaged"]) == (0, [])
    assert [each["means"] for each in again["runs"]] == [each["means"] for each in told["runs"]]
    assert store.graph_hash() == before


def test_the_table_goes_to_standard_output_and_messages_to_standard_error(run: Run, animals: Path) -> None:
    result = run("eval", str(animals), "--mode", "text", "--mode", "hybrid", "--chunking", "whole", "--seed", "3")
    lines = result.stdout.splitlines()
    assert lines[:4] == [
        "animals, chunking whole: 3 documents, 3 chunks, 2 queries",
        "hybrid: z_score, weight of text 0.5",
        "intervals: 95 %, paired bootstrap, seed 3",
        "",
    ]
    assert lines[4] == "| measure | text | hybrid | hybrid - text |"
    assert lines[6].startswith("| nDCG@10 | 1.000 | 1.000 | +0.000 [+0.000, +0.000] |")
    assert f"Collection `{COLLECTION}`: 3 documents written, 0 unchanged, 0 removed." in result.stderr
    assert "Embeddings: 0 from the cache, 5 made." in result.stderr


def test_what_is_kept_is_written_again_only_where_it_changed(
    run: Run, animals: Path, store: Neo4jStore, embedder: DeterministicEmbedder
) -> None:
    """A document that left the data set goes, as does one without text; a changed one is written; the rest stays."""
    options = ("eval", str(animals), "--chunking", "whole", "--json")
    assert data(run(*options, "--keep"))["runs"][0]["written"] == 3
    (kept,) = data(run(*options))["runs"]
    assert (kept["written"], kept["unchanged"], kept["removed"], kept["chunks"]) == (0, 3, 0, 3)
    (note,) = kept["notes"]
    assert note.endswith(f"so all of them stay; `graphrag clear --collection {COLLECTION}` takes them away")
    changed = {id_: each for id_, each in CORPUS.items() if id_ != "herons"}
    changed["badgers"] = ("Badgers", "They dig setts in the woods.")
    write_animals(animals, changed)
    embedded = embedder.embedded_count
    (now,) = data(run(*options))["runs"]
    assert (now["written"], now["unchanged"], now["removed"], now["chunks"]) == (1, 1, 1, 2)
    assert embedder.embedded_count == embedded + 1
    assert sorted(each.title for each in store.list_documents(collections=[COLLECTION])) == ["Badgers", "Otters"]
    changed["otters/1"] = ("", " \n")
    write_animals(animals, changed)
    (now,) = data(run(*options))["runs"]
    assert (now["written"], now["unchanged"], now["removed"], now["chunks"]) == (0, 1, 1, 1)
    assert "documents without text, left out: 1" in now["notes"]
    assert [each.title for each in store.list_documents(collections=[COLLECTION])] == ["Badgers"]
    data(run("clear", "--collection", COLLECTION, "--yes", "--json"))
    assert store.count(Document) == 0


def test_other_collections_are_neither_found_nor_touched_and_a_note_tells_of_them(
    run: Run, animals: Path, store: Neo4jStore, embedder: DeterministicEmbedder
) -> None:
    ingestor = Ingestor(store, embedder, reader=MarkdownReader())
    text = "who eats fish in the river? who digs in the woods?"
    ingestor.ingest_text(text, "note:1", collection="default")
    before = store.graph_hash()
    (told,) = data(run("eval", str(animals), "--chunking", "whole", "--json"))["runs"]
    assert told["means"]["text"]["MRR@10"] == told["means"]["vector"]["MRR@10"] == 1.0
    (note,) = told["notes"]
    assert note.startswith(
        "the store holds 1 documents in other collections (1); searches do not find them, but the full"
    )
    assert store.graph_hash() == before


def test_a_collection_of_that_name_with_other_documents_is_refused(
    run: Run, animals: Path, store: Neo4jStore, embedder: DeterministicEmbedder
) -> None:
    ingestor = Ingestor(store, embedder, reader=MarkdownReader())
    ingestor.ingest_chunks("note:1", [GivenChunk("mine")], title="Mine", collection=COLLECTION)
    before = store.graph_hash()
    result = run("eval", str(animals), "--chunking", "whole")
    assert result.exit_code == 1
    assert result.stderr.startswith(
        f"Error: collection `{COLLECTION}` holds 1 documents that no evaluation of `animals`"
    )
    assert store.graph_hash() == before


def test_what_was_written_goes_when_a_search_fails(
    animals: Path, store: Neo4jStore, embedder: DeterministicEmbedder, monkeypatch: pytest.MonkeyPatch
) -> None:
    before = store.graph_hash()
    dataset = load_dataset(animals)

    def fail(*_: object, **__: object) -> None:
        assert store.count(Document, collections=[COLLECTION]) == 3
        msg = "the search failed"
        raise StoreError(msg)

    monkeypatch.setattr(store, "text_search", fail)
    with pytest.raises(StoreError, match="the search failed"):
        evaluate(store, dataset, embedder, chunking="whole")
    assert store.graph_hash() == before


def test_a_store_without_a_search_is_refused_before_anything_is_written(
    animals: Path, store: Neo4jStore, embedder: DeterministicEmbedder
) -> None:
    class Neither:
        """Has no capability at all."""

    with pytest.raises(
        MissingCapabilityError, match="this store has no text search; it has none that can be evaluated"
    ):
        evaluate(Neither(), load_dataset(animals), embedder)  # type: ignore[arg-type]
    assert store.count(Document) == 0


def test_spans_are_measured_in_the_characters_of_the_file(run: Run, tmp_path: Path) -> None:
    """The chunk that answers is the best one: all wanted characters are found, among those of five chunks."""
    folder = tmp_path / "marked"
    (folder / "docs").mkdir(parents=True)
    places = [f"place{number}" for number in range(12)]
    text = "".join(f"## Section {place}\r\n\r\nThe {place} 🦦 holds {place}.\r\n\r\n" for place in places)
    (folder / "docs" / "map.md").write_bytes(text.encode())
    write_lines(folder / "queries.jsonl", [{"id": "q", "text": "what does place7 hold", "doc": "map"}])
    start = text.index("place7 🦦")
    (folder / "spans.tsv").write_text(
        f"query-id\tdoc-id\tstart\tend\nq\tmap\t{start}\t{start + 22}\n", encoding="utf-8"
    )
    (told,) = data(run("eval", str(folder), "--max-chunk-size", "60", "--overlap-size", "0", "--json"))["runs"]
    assert (told["form"], told["chunking"], told["chunks"]) == ("marked_spans", "default", 12)
    for mode in ("text", "vector", "hybrid"):
        assert told["means"][mode]["char_recall@5"] == 1.0
        assert 0 < told["means"][mode]["iou@10"] <= told["means"][mode]["iou@5"] < 1
    result = run("eval", str(folder), "--chunking", "whole")
    assert (result.exit_code, result.stdout) == (1, "")
    assert "take the chunking `default`" in result.stderr


def test_a_broken_data_set_is_one_line_that_tells_the_place(run: Run, animals: Path, store: Neo4jStore) -> None:
    (animals / "qrels.tsv").write_text("query-id\tcorpus-id\tscore\nfish\tunknown\t1\n", encoding="utf-8")
    result = run("eval", str(animals))
    assert (result.exit_code, result.stdout) == (1, "")
    told = f"Error: `{animals / 'qrels.tsv'}`, line 2: `corpus-id` is 'unknown', which the data set does not hold\n"
    assert result.stderr == told
    assert store.count(Document) == 0


def test_a_damaged_cache_is_told_and_made_again(run: Run, animals: Path, tmp_path: Path) -> None:
    options = ("eval", str(animals), "--chunking", "whole", "--cache", str(tmp_path / "cache"))
    assert run(*options).exit_code == 0
    (path,) = (tmp_path / "cache").rglob("*.vectors")
    path.write_bytes(path.read_bytes()[:-5])
    result = run(*options)
    assert f"Note: the cache file cache/{path.parent.name}/{path.name} was damaged and is removed" in result.stderr
    # Both searches with a vector embed the queries: the second one finds them there.
    assert "Embeddings: 2 from the cache, 5 made." in result.stderr
    assert "Embeddings: 7 from the cache, 0 made." in run(*options).stderr


@pytest.mark.parametrize("strategy", ["z_score", "reciprocal_rank"])
def test_fusing_the_legs_gives_what_the_hybrid_search_gives(
    graph: Graph, embedder: DeterministicEmbedder, tmp_path: Path, strategy: Any
) -> None:
    """Over more chunks than a leg brings, with queries of which many and of which few chunks hold a word."""
    generator = random.Random(5)  # noqa: S311 - test data
    words = [f"word{number}" for number in range(40)]
    folder = tmp_path / "many"
    folder.mkdir()
    texts = [" ".join(generator.choices(words, k=12)) for _ in range(DEPTH * 3)]
    write_lines(folder / "corpus.jsonl", [{"id": f"d{n}", "title": "", "text": text} for n, text in enumerate(texts)])
    asked = ["word1 word2 word3 word4 word5 word6", "word7", "word8 rare", "the of", "nothing here", "word9 word10"]
    write_lines(folder / "queries.jsonl", [{"id": f"q{n}", "text": text} for n, text in enumerate(asked)])
    judged = "".join(f"q{number}\td0\t1\n" for number in range(len(asked)))
    (folder / "qrels.tsv").write_text("query-id\tcorpus-id\tscore\n" + judged, encoding="utf-8")
    dataset = load_dataset(folder)
    compared = 0
    for weight in (0.0, 0.3, 0.5, 1.0):
        setting = FusionSetting(strategy, weight)
        search = SearchSettings(fusion=strategy, text_weight=weight)
        with Neo4jStore(graph.settings, embedder, settings=Settings(search=search)) as store:
            store.apply_schema()
            with evaluated_corpus(store, dataset, embedder, chunking="whole", keep=True) as corpus:
                legs = collect_legs(store, dataset, corpus)
                run = run_mode(store, dataset, corpus, "hybrid")
        for query, found in run.hits.items():
            assert fused_hits(legs[query], setting) == found, (query, setting)
            compared += len(found)
    assert compared > 4 * 3 * DEPTH
