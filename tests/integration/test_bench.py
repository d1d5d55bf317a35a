"""The benchmark runs, and what it compares is the same. How fast it is depends on the machine: no time is asserted."""

import json
from pathlib import Path
from typing import Any

import pytest

from bench.__main__ import main
from bench.data import SMALL_COLLECTION, Sizes, make_corpus, make_documents
from bench.plain import WRITES, PlainWrite
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
        "write, 20 documents": ">= 0.9",
        "write, one document of 2,000 chunks": ">= 0.7",
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


def _sorted(rows: list[dict[str, Any]]) -> list[dict[str, Any]]:
    return [
        {
            "labels": sorted(row["labels"]),
            "properties": {k: v for k, v in row["properties"].items() if k != "ingested_at"},
            "links": sorted(row["links"], key=lambda link: (link[0], link[1])),
        }
        for row in rows
    ]
