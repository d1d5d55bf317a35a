"""`graphrag config`: what counts is shown without secrets, and a file is written that can be read."""

import json
import stat
import tomllib
from pathlib import Path

import pytest
from click.testing import CliRunner, Result

from graphrag.cli import main
from graphrag.cli._settings_file import redact, render_settings_file
from graphrag.config import Settings, load_settings

CANARY = "CANARY-3f9a"


def run(*arguments: str, env: dict[str, str] | None = None) -> Result:
    return CliRunner().invoke(main, arguments, env=env)


def test_no_secret_is_shown_wherever_it_stands() -> None:
    """THREATS 70, 71."""
    env = {
        "NEO4J_PASSWORD": CANARY,
        "NEO4J_URI": f"bolt://user:{CANARY}@host:7687",
        "GRAPHRAG_STORE": f"neo4j://:{CANARY}@host",
        "GRAPHRAG_EMBEDDING_API_KEY": CANARY,
        "GRAPHRAG_EMBEDDING_ENDPOINT_URL": f"https://user:{CANARY}@host/v1?api_key={CANARY}",
        "TIKA_SERVER_ENDPOINT": f"http://{CANARY}@host:9998",
        "GRAPHRAG_LOCAL_JVM_OPTIONS": f"-Dx.password={CANARY} -Xss1m",
    }
    for arguments in (["config", "show"], ["--store", f"bolt://u:{CANARY}@h", "config", "show", "--json"]):
        result = run(*arguments, env=env)
        assert result.exit_code == 0
        assert CANARY not in result.output
        assert "host" in result.output
        assert "-Xss1m" in result.output


def test_what_is_shown_is_toml_and_json_of_the_settings_that_count(tmp_path: Path) -> None:
    file = tmp_path / "own.toml"
    file.write_text("collection = 'mine'\n[chunker]\noverlap_size = 7\nmax_chunk_size = 900\n", encoding="utf-8")
    env = {"GRAPHRAG_CHUNKER_OVERLAP_SIZE": "50"}
    shown = tomllib.loads(run("--config", str(file), "config", "show", env=env).stdout)
    assert shown == {
        name: {inner: value for inner, value in values.items() if value is not None}
        if isinstance(values, dict)
        else values
        for name, values in json.loads(run("--config", str(file), "config", "show", "--json", env=env).stdout).items()
        if values is not None
    }
    assert shown["collection"] == "mine"
    assert (shown["chunker"]["overlap_size"], shown["chunker"]["max_chunk_size"]) == (50, 900)


def test_init_writes_a_file_for_its_owner_alone_and_never_over_another(tmp_path: Path) -> None:
    """THREATS 72."""
    path = tmp_path / "graphrag.toml"
    assert json.loads(run("config", "init", str(path), "--json").stdout) == {"path": str(path)}
    assert stat.S_IMODE(path.stat().st_mode) == 0o600
    path.write_text("collection = 'mine'\n", encoding="utf-8")
    refused = run("config", "init", str(path))
    assert (refused.exit_code, refused.stderr) == (1, f"Error: `{path}` exists; --force replaces it\n")
    assert path.read_text(encoding="utf-8") == "collection = 'mine'\n"
    assert run("config", "init", str(path), "--force").exit_code == 0
    assert path.read_text(encoding="utf-8") == render_settings_file()


def test_init_where_nothing_can_be_written_is_one_line(tmp_path: Path) -> None:
    path = tmp_path / "absent" / "graphrag.toml"
    result = run("config", "init", str(path))
    assert (result.exit_code, result.stderr) == (1, f"Error: `{path}` cannot be written: No such file or directory\n")


def test_the_file_as_it_is_written_changes_nothing(tmp_path: Path) -> None:
    path = tmp_path / "graphrag.toml"
    path.write_text(render_settings_file(), encoding="utf-8")
    assert load_settings(config_file=path, environ={}) == Settings()


def test_every_setting_stands_in_the_file_and_may_be_set_there(tmp_path: Path) -> None:
    path = tmp_path / "graphrag.toml"
    lines = render_settings_file().splitlines()
    path.write_text("\n".join(line[1:] if line[:2] not in {"# ", "#"} and line[:1] == "#" else line for line in lines))
    loaded = load_settings(config_file=path, environ={})
    examples = {"store", "neo4j", "embedding", "tika", "local", "neo4j_uri_given"}
    without = dict.fromkeys(examples, True) | {"web": {"ca_file"}}
    assert loaded.model_dump(exclude=without) == Settings().model_dump(exclude=without)
    for name, field in Settings.model_fields.items():
        if name == "neo4j_uri_given":
            continue
        assert name in loaded.model_fields_set
        subject = getattr(loaded, name)
        assert set(getattr(type(subject), "model_fields", {})) <= getattr(subject, "model_fields_set", set()), field


@pytest.mark.parametrize(
    "text, shown",
    [
        ("bolt://host:7687", "bolt://host:7687"),
        ("bolt://u:p@host", "bolt://**********@host"),
        ("https://host/v1?key=x#y", "https://host/v1?**********#y"),
        ("is this ok?", "is this ok?"),
        ("-Dtrust.storePassword=x", "-Dtrust.storePassword=**********"),
    ],
)
def test_what_may_be_a_secret_is_hidden_and_all_else_is_shown(text: str, shown: str) -> None:
    assert redact(text) == shown
