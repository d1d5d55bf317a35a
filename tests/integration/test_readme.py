"""What the README shows is run."""

import re
from pathlib import Path

import pytest

from graphrag import TextSimilaritySearchRequest, open_store
from graphrag.config import Neo4jSettings, Settings

REPOSITORY = Path(__file__).parents[2]
README = (REPOSITORY / "README.md").read_text(encoding="utf-8")


@pytest.mark.model
def test_the_first_search_finds_who_built_the_mill(
    neo4j_server: Neo4jSettings, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    settings = Settings(neo4j=neo4j_server)
    with open_store(neo4j_server.uri, settings=settings) as store:
        store.clear()
        store.drop_schema()
    monkeypatch.chdir(REPOSITORY)
    monkeypatch.setenv("NEO4J_URI", neo4j_server.uri)
    monkeypatch.setenv("NEO4J_USERNAME", neo4j_server.username)
    monkeypatch.setenv("NEO4J_PASSWORD", neo4j_server.password.get_secret_value())
    (sample,) = re.findall(r"```python\n(.*?)```", README, re.DOTALL)
    exec(compile(sample, "README.md", "exec"), {})  # noqa: S102 - our own README
    printed = capsys.readouterr().out
    assert len(re.findall(r"^0\.\d\d ", printed, re.MULTILINE)) == 3
    with open_store(neo4j_server.uri, settings=settings) as store:
        assert store.text_search(TextSimilaritySearchRequest("sluice gates"))
    assert "Marrable Mill and the Harbour Tramway \N{SINGLE RIGHT-POINTING ANGLE QUOTATION MARK} A mill" in printed


def test_the_lead_says_the_two_commands_first() -> None:
    first = README.index("## Two commands")
    assert first < README.index("\n## ", first + 1)
    assert README.find("\n## ") == first - 1
    assert "$ make demo" in README
    assert "$ make test" in README
