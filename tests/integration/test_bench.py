"""The benchmark runs, and what it compares is the same. How fast it is depends on the machine: no time is asserted."""

import asyncio
import json
import sys
import threading
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from bench.__main__ import main
from bench.clients import Driven, drive, drive_tasks
from bench.data import SMALL_COLLECTION, Sizes, make_corpus, make_documents
from bench.filter_data import SHAPES, SHARES, filter_cases, store_chunks
from bench.filter_report import filter_table
from bench.filtering import compare_filters
from bench.peers import Answer, open_peers
from bench.plain import WRITES, PlainWrite
from bench.serving import CLIENTS, KINDS, QUICK, compare_serving
from bench.serving_data import OWNER_SHARES, PATTERNS
from bench.serving_report import serving_table
from bench.setting import open_setting
from graphrag.config import Neo4jSettings

SIZES = Sizes(chunks=60, documents=3, queries=2)

CONTENT = """CYPHER 25
MATCH (n:Datum)
RETURN labels(n) AS labels, properties(n) AS properties,
       COLLECT { MATCH (n)-[r]->(m:Datum) RETURN [type(r), m.id, properties(r)] } AS links
ORDER BY n.id"""


@pytest.mark.slow
def test_a_quick_run_gives_every_line(
    neo4j_server: Neo4jSettings, monkeypatch: pytest.MonkeyPatch, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setenv("NEO4J_URI", neo4j_server.uri)
    monkeypatch.setenv("NEO4J_USERNAME", neo4j_server.username)
    monkeypatch.setenv("NEO4J_PASSWORD", neo4j_server.password.get_secret_value())
    report = tmp_path / "result.json"
    assert main(["--quick", "--server", "--json", str(report)]) == 0
    lines = {line["what"]: line for line in json.loads(report.read_text(encoding="utf-8"))["lines"]}
    targets = {what: line["target"] for what, line in lines.items() if line["target"]}
    assert targets == {
        "write, 10 documents": ">= 0.9",
        "write, one document of 1,000 chunks": ">= 0.7",
        "vector search, p50": "<= 1.15",
        "vector search, recall@10": "ours >= 0.99",
    }
    assert lines["vector search, recall@10"]["holds"]
    assert lines["vector search in 1 %, recall@10"]["ours"] == 1
    printed = capsys.readouterr().out
    assert all(what in printed for what in lines)


@pytest.mark.slow
@pytest.mark.parametrize("way", WRITES, ids=lambda way: way.name)
def test_a_plain_write_writes_what_ours_writes(neo4j_server: Neo4jSettings, way: PlainWrite) -> None:
    """Labels, properties, vectors and relationships of the two are equal: the comparison is of one thing."""
    corpus = make_corpus(SIZES)
    with open_setting(corpus, neo4j_server, None) as setting:
        documents = make_documents(corpus, name="same", model=setting.model)
        assert {document.document.collection for document in documents} == {SMALL_COLLECTION, "default"}
        setting.start_afresh()
        setting.store.write_documents(documents)
        ours = [record.data() for record in setting.driver.execute_query(CONTENT).records]
        setting.start_afresh()
        way.run(setting.driver, setting.plain_rows(documents), batch=17)
        plain = [record.data() for record in setting.driver.execute_query(CONTENT).records]
        setting.start_afresh()
    assert len(plain) == len(ours) > SIZES.chunks
    for mine, other in zip(_sorted(ours), _sorted(plain), strict=True):
        assert other == mine


@pytest.mark.slow
def test_every_filter_lets_the_same_chunks_through_in_cypher_and_in_numbers(neo4j_server: Neo4jSettings) -> None:
    with open_setting(make_corpus(SIZES), neo4j_server, None) as setting:
        chunks = store_chunks(setting)
        ids = {place: id_ for id_, place in chunks.places.items()}
        for case in filter_cases(chunks):
            query = f"MATCH (c:Chunk) WHERE {case.condition} RETURN c.id AS id"
            found = setting.driver.execute_query(query, dict(case.parameters)).records
            assert {record["id"] for record in found} == {ids[int(place)] for place in case.among} != set(), case.name
        setting.start_afresh()


@pytest.mark.slow
def test_filtered_searches_are_compared_with_an_exact_scan_where_no_library_is_there(
    neo4j_server: Neo4jSettings,
) -> None:
    """Each line has its recall and its number of results; the way that is measured by finds all."""
    with open_setting(make_corpus(SIZES), neo4j_server, None) as setting:
        lines = list(compare_filters(setting, neo4j_server, sizes=[300], rounds=2, recall_queries=3))
    assert [(line.details["shape"], line.details["share"]) for line in lines] == [
        (shape, share) for shape in SHAPES for share in SHARES
    ]
    for line in lines:
        matches: Any = line.details["matches"]
        sides: Any = line.details["sides"]
        assert sides["exact scan"]["recall"] == sides["ours"]["recall"] == 1, line.what
        assert line.details["results"] == [min(10, matches)] * 2, line.what
        assert line.note == "exact scan"
    assert {line.details["matches"] for line in lines} >= {300, 30, 3}
    assert all(line.what.removeprefix("filter ") in filter_table(lines) for line in lines)


@pytest.mark.slow
def test_every_kind_of_search_is_compared_by_every_number_of_clients(neo4j_server: Neo4jSettings) -> None:
    """Both sides find as many, and what ours has to find is there; without libraries plain Cypher is the measure."""
    lines = list(compare_serving(neo4j_server, None, sizes=[400], pace=QUICK))
    kinds = [
        (search, share.name)
        for kind in KINDS
        for search in (PATTERNS if kind == "regex" else (kind,))
        for share in (OWNER_SHARES if kind == "vector" else OWNER_SHARES[:2])
    ]
    cells = [(line.details["kind"], line.details["share"], line.details["clients"]) for line in lines]
    assert cells == [(*kind, clients) for kind in kinds for clients in CLIENTS]
    by_cell = dict(zip(cells, lines, strict=True))
    for (kind, _, clients), line in by_cell.items():
        sides: Any = line.details["sides"]
        assert {"ours", "plain"} <= set(sides) <= {"ours", "plain", "ours, asynchronous"}, line.what
        assert ("ours, asynchronous" in sides) == (clients > 1 and kind not in PATTERNS), line.what
        assert all(side["rate"] > 0 and side["p50_ms"] <= side["p99_ms"] for side in sides.values())
        assert ("recall >= 0.99" in line.target) == (kind == "vector")
    alone: Any = [by_cell["vector", share.name, 1].details for share in OWNER_SHARES]
    assert all(side["recall"] >= 0.99 for one in alone for side in one["sides"].values())
    assert [one["results"] for one in alone] == [[10, 10], [10, 10], [4, 4]]
    assert by_cell["selective literal", "all", 1].details["results"] == [4, 4]
    assert by_cell["selective literal", "all", 1].target == "p50 < 10 searches by words"
    assert by_cell["vector", "all", 16].target.startswith("p50 <= 1.15 of plain; rate >= 0.9 of plain")
    assert all(line.what in serving_table(lines) for line in lines)


def test_clients_ask_at_once_and_each_once_at_least() -> None:
    """Four threads meet in their first search; all queries are asked in turn; an error of one ends it."""
    together = threading.Barrier(4)
    meeting = threading.local()

    def ask(number: int) -> Sequence[str]:
        if not getattr(meeting, "over", False):
            together.wait(timeout=10)
            meeting.over = True
        return [str(number)]

    seen = drive(ask, clients=4, seconds=0.01, queries=3, first=2)
    assert seen.answers == {0: ["0"], 1: ["1"], 2: ["2"]}
    assert len(seen.times_ms) >= 4
    assert seen.rate > 0

    def fails(number: int) -> Sequence[str]:
        raise KeyError(number)

    with pytest.raises(KeyError, match="0"):
        drive(fails, clients=2, seconds=0, queries=1)


def test_tasks_ask_at_once_and_each_once_at_least() -> None:
    async def ask_all() -> Driven:
        together = asyncio.Barrier(3)

        async def ask(number: int) -> Sequence[str]:
            async with asyncio.timeout(10):
                await together.wait()
            return [str(number)]

        return await drive_tasks(ask, clients=3, seconds=0, queries=3)

    seen = asyncio.run(ask_all())
    assert seen.answers == {0: ["0"], 1: ["1"], 2: ["2"]}
    assert len(seen.times_ms) == 3


LIBRARY = """
import json, sys
server = json.loads(sys.stdin.readline())
print(json.dumps({"libraries": dict.fromkeys(server["libraries"], "1.0")}), flush=True)
for line in sys.stdin:
    asked = json.loads(line)
    if "texts" in asked:
        texts = asked["texts"]
        print("{}", flush=True)
        continue
    if asked["library"] == "ends":
        break
    if "clients" in asked:
        window = {"rate": 2.0, "times_ms": [1.0] * asked["clients"], "answers": {asked["first"]: texts}}
        print(json.dumps(window if asked["search"] == "hybrid" else {"error": "ValueError"}), flush=True)
        continue
    known = asked["filter"] == {"bucket": {"$lt": 3}} and asked["vector"] == [0.0, 1.0]
    answer = {"ids": [server["index"], str(asked["top_k"])], "ms": 1.5} if known else {"error": "ValueError"}
    print(json.dumps(answer), flush=True)
"""


def test_libraries_are_asked_in_a_process_of_their_own(tmp_path: Path) -> None:
    """An error is an answer; the end of the process is none."""
    script = tmp_path / "library.py"
    script.write_text(LIBRARY, encoding="utf-8")
    with open_peers(
        [sys.executable, script],
        Neo4jSettings(),
        index="i",
        dimensions=2,
        filter_properties=["bucket"],
        libraries=["a"],
    ) as peers:
        assert peers.versions == {"a": "1.0"}
        assert peers.ask("a", [0.0, 1.0], top_k=20, where={"bucket": {"$lt": 3}}) == Answer(["i", "20"], 1.5)
        assert peers.ask("a", [0.0, 1.0], top_k=20, where={"bucket": {"$like": 3}}) is None
        peers.bring(np.zeros((1, 2), dtype=np.float32), ["one"])
        window = peers.drive("a", "hybrid", top_k=10, where={}, clients=2, seconds=1.0, first=7)
        assert window == Driven(2.0, [1.0, 1.0], {7: ["one"]})
        assert peers.drive("a", "text", top_k=10, where={}, clients=2, seconds=1.0) is None
        with pytest.raises(RuntimeError, match="the process of the libraries that are compared with ended"):
            peers.ask("ends", [0.0, 1.0], top_k=20, where={})


def _sorted(rows: list[dict[str, Any]]) -> list[dict[str, Any]]:
    return [
        {
            "labels": sorted(row["labels"]),
            "properties": {k: v for k, v in row["properties"].items() if k != "ingested_at"},
            "links": sorted(row["links"], key=lambda link: (link[0], link[1])),
        }
        for row in rows
    ]
