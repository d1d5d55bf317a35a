"""Where a setting comes from, what is told when it is wrong, and that secrets stay secret."""

import json
import re
from pathlib import Path

import pytest
from pydantic import ValidationError

from graphrag import config
from graphrag.config import LIMITS, Limits, Neo4jSettings, Settings, default_home, load_settings
from graphrag.errors import ConfigurationError

SECRET = "geheim-4711"


def written(folder: Path, text: str) -> Path:
    path = folder / "settings.toml"
    path.write_text(text, encoding="utf-8")
    return path


def test_defaults_are_those_of_the_contract() -> None:
    settings = load_settings(environ={})
    assert (settings.limits.default_top_k, settings.limits.max_top_k_for_model, settings.limits.max_top_k) == (
        10,
        100,
        1_000,
    )
    assert (settings.chunker.max_chunk_size, settings.chunker.overlap_size) == (1_500, 200)
    assert settings.schema_.analyzer == "english"
    assert settings.collection == "default"
    assert settings.store is None
    assert not settings.neo4j_uri_given
    assert settings.model_dump() == Settings().model_dump()


def test_an_argument_beats_the_environment_beats_the_file_beats_the_default(tmp_path: Path) -> None:
    path = written(tmp_path, "[chunker]\nmax_chunk_size = 700\noverlap_size = 70\npack_small_leaves = true\n")
    settings = load_settings(
        {"chunker.max_chunk_size": 900},
        config_file=path,
        environ={"GRAPHRAG_CHUNKER_MAX_CHUNK_SIZE": "800", "GRAPHRAG_CHUNKER_OVERLAP_SIZE": "80"},
    )
    chunker = settings.chunker
    assert (chunker.max_chunk_size, chunker.overlap_size, chunker.pack_small_leaves) == (900, 80, True)
    assert not chunker.allow_truncation


def test_an_argument_of_none_and_an_empty_variable_are_not_given() -> None:
    settings = load_settings({"collection": None}, environ={"GRAPHRAG_COLLECTION": "", "NEO4J_DATABASE": ""})
    assert settings.collection == "default"
    assert settings.neo4j.database is None


def test_the_names_that_other_programs_use_are_read() -> None:
    settings = load_settings(
        environ={
            "NEO4J_URI": "neo4j+s://graph.example",
            "NEO4J_USERNAME": "reader",
            "NEO4J_PASSWORD": SECRET,
            "NEO4J_DATABASE": "books",
            "TIKA_SERVER_ENDPOINT": "http://tika.example:9998",
            "GRAPHRAG_ALLOW_PLAINTEXT_BOLT": "1",
        }
    )
    neo4j = settings.neo4j
    assert (neo4j.uri, neo4j.username, neo4j.database) == ("neo4j+s://graph.example", "reader", "books")
    assert neo4j.password.get_secret_value() == SECRET
    assert neo4j.allow_plaintext_bolt
    assert settings.tika.server_endpoint == "http://tika.example:9998"
    assert settings.neo4j_uri_given


def test_our_own_name_beats_the_one_of_others() -> None:
    settings = load_settings(environ={"NEO4J_USERNAME": "theirs", "GRAPHRAG_NEO4J_USERNAME": "ours"})
    assert settings.neo4j.username == "ours"
    assert not settings.neo4j_uri_given


@pytest.mark.parametrize("where", ["argument", "environment", "file"])
def test_a_server_address_counts_as_given_wherever_it_stands(tmp_path: Path, where: str) -> None:
    uri = "bolt://localhost:7687"  # the default's own value, yet given
    settings = load_settings(
        {"neo4j.uri": uri} if where == "argument" else None,
        config_file=written(tmp_path, f'[neo4j]\nuri = "{uri}"\n' if where == "file" else ""),
        environ={"NEO4J_URI": uri} if where == "environment" else {},
    )
    assert settings.neo4j_uri_given


@pytest.mark.parametrize("name", ["GRAPHRAG_SCHEMA_FILTER_PROPERTIES", "file"])
def test_lists_are_read_with_commas_from_the_environment_and_as_lists_from_a_file(tmp_path: Path, name: str) -> None:
    path = written(tmp_path, '[schema]\nfilter_properties = ["year", "owner"]\n' if name == "file" else "")
    settings = load_settings(config_file=path, environ={} if name == "file" else {name: " year, owner ,"})
    assert settings.schema_.filter_properties == ("year", "owner")


def test_options_of_the_java_machine_may_hold_commas() -> None:
    settings = load_settings(environ={"GRAPHRAG_LOCAL_JVM_OPTIONS": "-Xlog:gc*,safepoint  -Xss2m"})
    assert settings.local.jvm_options == ("-Xlog:gc*,safepoint", "-Xss2m")


def test_variables_of_no_subject_are_left_alone() -> None:
    load_settings(environ={"GRAPHRAG_TEST_DATA": "/data", "GRAPHRAG_REQUIRE_SERVERS": "1", "GRAPHRAG_HOME": "/home"})
    load_settings(environ={"GRAPHRAG_NEO4J_IMAGE": "neo4j:2026.08.1", "GRAPHRAG_HEAP": "1g"})


@pytest.mark.parametrize(
    "overrides, environ, message",
    [
        (
            {"chunker.max_chunk_sise": 1},
            {},
            "setting `chunker.max_chunk_sise` (argument): is not a setting; did you mean `chunker.max_chunk_size`?",
        ),
        (
            {},
            {"GRAPHRAG_NEO4J_PASSPHRASE": SECRET},
            "setting `neo4j.passphrase` (environment GRAPHRAG_NEO4J_PASSPHRASE): is not a setting",
        ),
        (
            {},
            {"GRAPHRAG_LIMITS_MAX_TOP_K": "0"},
            (
                "setting `limits.max_top_k` (environment GRAPHRAG_LIMITS_MAX_TOP_K): Input should be greater "
                "than or equal to 1"
            ),
        ),
        (
            {},
            {"GRAPHRAG_ALLOW_PLAINTEXT_BOLT": "perhaps"},
            (
                "setting `neo4j.allow_plaintext_bolt` (environment GRAPHRAG_ALLOW_PLAINTEXT_BOLT): Input should be "
                "a valid boolean, unable to interpret input"
            ),
        ),
        (
            {"chunker.overlap_size": 900},
            {"GRAPHRAG_CHUNKER_MAX_CHUNK_SIZE": "800"},
            (
                "setting `chunker` (argument, environment GRAPHRAG_CHUNKER_MAX_CHUNK_SIZE): `overlap_size` is "
                "900; it must be below `max_chunk_size`, 800"
            ),
        ),
        (
            {"schema.filter_properties": ["a b"]},
            {},
            (
                "setting `schema.filter_properties` (argument): `a b` is not a plain word of at most 64 letters, "
                "digits and underscores"
            ),
        ),
        (
            {},
            {"GRAPHRAG_NEO4J": SECRET},
            (
                "setting `neo4j` (environment GRAPHRAG_NEO4J): Input should be a valid dictionary or instance of "
                "Neo4jSettings"
            ),
        ),
    ],
)
def test_a_wrong_setting_is_told_with_its_name_and_place(
    overrides: dict[str, object], environ: dict[str, str], message: str
) -> None:
    with pytest.raises(ConfigurationError, match=f"^{re.escape(message)}$"):
        load_settings(overrides, environ=environ)


@pytest.mark.parametrize(
    "name, meant",
    [
        ("GRAPHRAG_COLECTION", "GRAPHRAG_COLLECTION"),
        ("GRAPHRAG_CHUNKR_OVERLAP_SIZE", "GRAPHRAG_CHUNKER_OVERLAP_SIZE"),
        ("GRAPHRAG_STOR", "GRAPHRAG_STORE"),
        ("GRAPHRAG_HOMES", "GRAPHRAG_HOME"),
        ("GRAPHRAG_ALOW_PLAINTEXT_BOLT", "GRAPHRAG_ALLOW_PLAINTEXT_BOLT"),
    ],
)
def test_a_variable_that_is_nearly_one_of_ours_is_refused(name: str, meant: str) -> None:
    with pytest.raises(ConfigurationError, match=f"^environment {name} is not a setting; did you mean {meant}\\?$"):
        load_settings(environ={name: SECRET})
    assert load_settings(environ={name: ""}) == load_settings(environ={})


@pytest.mark.parametrize("name", ["GRAPHRAG_NAME", "GRAPHRAG_REQUIRE_SERVERS", "GRAPHRAG_HEAP", "GRAPHRAG_BOLT_PORT"])
def test_a_variable_of_another_program_is_left_alone(name: str) -> None:
    assert load_settings(environ={name: "1"}) == load_settings(environ={})


@pytest.mark.parametrize(
    "content, told",
    [
        ("colection = 'x'", "setting `colection` .*: is not a setting; did you mean `collection`\\?$"),
        ("[chunkr]\nx = 1", "setting `chunkr` .*: is not a setting; did you mean `chunker`\\?$"),
        ("overlap_size = 3", "setting `overlap_size` .*: is not a setting; did you mean `chunker.overlap_size`\\?$"),
        ("frobnicate = 3", "setting `frobnicate` .*: is not a setting$"),
    ],
)
def test_an_unknown_setting_is_told_with_the_nearest_names(tmp_path: Path, content: str, told: str) -> None:
    with pytest.raises(ConfigurationError, match=told):
        load_settings(config_file=written(tmp_path, content), environ={})


def test_a_wrong_setting_of_a_file_is_told_with_the_file(tmp_path: Path) -> None:
    path = written(tmp_path, '[embedding]\nbackend = "abacus"\n[unknown]\nx = 1\n')
    with pytest.raises(ConfigurationError) as caught:
        load_settings(config_file=path, environ={})
    text = str(caught.value)
    assert f"setting `embedding.backend` ({path}): Input should be 'auto', 'torch', 'openvino' or 'onnx'" in text
    assert f"setting `unknown` ({path}): is not a setting" in text


@pytest.mark.parametrize(
    "content, message",
    [
        (b"[neo4j\n", "cannot be read: .*line 1"),
        (b"[neo4j]\nuri = \xff\n", "cannot be read: .*utf-8"),
        (b"a = 1\na = 2\n", "cannot be read: "),
    ],
)
def test_a_broken_file_is_told_with_its_path(tmp_path: Path, content: bytes, message: str) -> None:
    path = tmp_path / "graphrag.toml"
    path.write_bytes(content)
    with pytest.raises(ConfigurationError, match=f"^configuration file `{re.escape(str(path))}` {message}"):
        load_settings(config_file=path, environ={})


def test_a_missing_file_is_an_error_where_it_was_named(tmp_path: Path) -> None:
    path = tmp_path / "none.toml"
    message = f"^configuration file `{re.escape(str(path))}` does not exist; `graphrag config init` writes one$"
    with pytest.raises(ConfigurationError, match=message):
        load_settings(config_file=path, environ={})
    with pytest.raises(ConfigurationError, match=message):
        load_settings(environ={"GRAPHRAG_CONFIG": str(path)})
    with pytest.raises(ConfigurationError, match="cannot be read: .*directory"):
        load_settings(config_file=tmp_path, environ={})


def test_the_file_of_the_working_folder_is_read(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    (tmp_path / config.CONFIG_FILE_NAME).write_text('collection = "here"\n', encoding="utf-8")
    monkeypatch.chdir(tmp_path)
    assert load_settings(environ={}).collection == "here"
    other = written(tmp_path, 'collection = "named"\n')
    assert load_settings(environ={"GRAPHRAG_CONFIG": str(other)}).collection == "named"


@pytest.mark.parametrize("text", ['!!python/object/apply:os.system ["true"]', "a: &a [*a]", "{{ 1 + 1 }}"])
def test_a_file_holds_data_only(tmp_path: Path, text: str) -> None:
    """THREATS 78: TOML has no tags; what another format would run is a syntax error here, or plain text."""
    with pytest.raises(ConfigurationError, match="cannot be read"):
        load_settings(config_file=written(tmp_path, text), environ={})
    quoted = written(tmp_path, f"collection = {json.dumps(text)}\n")
    assert load_settings(config_file=quoted, environ={}).collection == text


def test_secrets_neither_print_nor_serialise(tmp_path: Path) -> None:
    path = written(tmp_path, f'[embedding]\napi_key = "{SECRET}"\n')
    settings = load_settings(config_file=path, environ={"NEO4J_PASSWORD": SECRET})
    assert settings.embedding.api_key.get_secret_value() == SECRET
    for shown in (repr(settings), str(settings), settings.model_dump_json(), str(settings.model_dump())):
        assert SECRET not in shown


@pytest.mark.parametrize(
    "name", ["neo4j.password", "embedding.api_key", "neo4j", "neo4j.max_pool_size", "embedding.backend"]
)
def test_no_message_holds_a_value(name: str) -> None:
    with pytest.raises(ConfigurationError) as caught:
        load_settings({name: {SECRET: SECRET} if name.endswith(("password", "key")) else SECRET}, environ={})
    assert SECRET not in str(caught.value)
    assert caught.value.__cause__ is None


def test_settings_are_frozen_and_know_their_fields() -> None:
    with pytest.raises(ValidationError, match="frozen"):
        LIMITS.max_top_k = 5  # type: ignore[misc]
    with pytest.raises(ValidationError, match="Extra inputs are not permitted"):
        Limits(max_topk=5)  # type: ignore[call-arg]


def test_making_settings_reads_no_environment(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("GRAPHRAG_COLLECTION", "elsewhere")
    monkeypatch.setenv("NEO4J_URI", "bolt://elsewhere")
    assert Settings().collection == "default"
    assert Neo4jSettings().uri == "bolt://localhost:7687"
    assert load_settings().collection == "elsewhere"


def test_the_home_folder_follows_the_environment(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    monkeypatch.setenv("HOME", str(tmp_path))
    monkeypatch.delenv("XDG_DATA_HOME", raising=False)
    monkeypatch.delenv("GRAPHRAG_HOME", raising=False)
    assert default_home() == tmp_path / ".local/share/graphrag"
    monkeypatch.setenv("XDG_DATA_HOME", str(tmp_path / "xdg"))
    assert default_home() == tmp_path / "xdg/graphrag"
    monkeypatch.setenv("GRAPHRAG_HOME", "~/mine")
    assert default_home() == tmp_path / "mine"
    assert load_settings(environ={}).local.home == tmp_path / "mine/neo4j"


def test_only_the_settings_module_reads_the_environment() -> None:
    reads = re.compile(r"\bos\.(?:environ|getenv)|\bfrom os import .*(?:environ|getenv)")
    package = Path(config.__file__).parent
    readers = [path.relative_to(package) for path in package.rglob("*.py") if reads.search(path.read_text("utf-8"))]
    assert readers == [Path("config.py")]
