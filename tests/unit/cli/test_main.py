"""The command line as a whole: help, what it loads, how it ends, and that its page tells all of it."""

import importlib.metadata
import importlib.util
import inspect
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path
from types import ModuleType

import click
import pytest
from click.testing import CliRunner, Result

import graphrag
from graphrag.cli import main
from graphrag.cli._session import Session
from graphrag.errors import ConfigurationError, LocalServerError

REPOSITORY = Path(__file__).parents[3]
HEAVY = {"httpx", "jpype", "neo4j", "numpy", "openvino", "psutil", "pydantic", "rich", "torch"}
CANARY = "CANARY-3f9a"


def commands(command: click.Command, context: click.Context) -> Iterator[tuple[str, click.Command]]:
    yield context.command_path, command
    if isinstance(command, click.Group):
        for name in command.list_commands(context):
            below = command.get_command(context, name)
            assert below is not None
            yield from commands(below, click.Context(below, info_name=name, parent=context))


ALL = dict(commands(main, click.Context(main, info_name="graphrag")))
LEAVES = {path: command for path, command in ALL.items() if not isinstance(command, click.Group)}


def run(*arguments: str) -> Result:
    return CliRunner().invoke(main, arguments, prog_name="graphrag")


def test_every_command_of_the_design_is_there() -> None:
    assert {path.removeprefix("graphrag ") for path in LEAVES} == {
        *("clusters", "cypher", "eval", "links", "read"),
        *("chunks", "clear", "config init", "config show", "count", "db browser", "db logs", "db reset", "db start"),
        *("db status", "db stop", "delete", "demo", "documents list", "documents set", "info", "ingest"),
        *("schema apply", "schema drop", "schema filters add", "schema filters list", "schema filters remove"),
        *("schema migrate", "schema status", "search", "sections", "show"),
    }


@pytest.mark.parametrize("path", ALL)
def test_every_command_and_every_option_has_help(path: str) -> None:
    command = ALL[path]
    assert command.help
    without = [option.name for option in command.params if isinstance(option, click.Option) and not option.help]
    assert without == []
    result = run(*path.split()[1:], "--help")
    assert result.exit_code == 0
    assert inspect.cleandoc(command.help).split(".")[0].split("\n")[0][:60] in result.stdout


@pytest.mark.parametrize("path", LEAVES)
def test_every_command_prints_json_if_asked(path: str) -> None:
    assert "--json" in {name for option in LEAVES[path].params for name in option.opts}


@pytest.mark.parametrize("path", ALL)
def test_no_option_takes_a_password(path: str) -> None:
    """THREATS 71: command lines are seen by others. `--show-password` is a flag, `--password-file` names a file."""
    options = [option for option in ALL[path].params if isinstance(option, click.Option)]
    named = {name for option in options if not option.is_flag for name in option.opts if "pass" in name}
    assert named <= {"--password-file"}


@pytest.mark.parametrize("path", ALL)
def test_no_option_takes_an_empty_value(path: str) -> None:
    """A variable that a script forgot to set must not pass for the default."""
    context = click.Context(ALL[path], info_name=path)
    for option in ALL[path].params:
        if isinstance(option, click.Option) and not option.is_flag:
            with pytest.raises(click.BadParameter):
                option.process_value(context, [""] if option.multiple else "")


@pytest.mark.parametrize("name", main.lazy_commands)  # type: ignore[attr-defined]
def test_the_short_help_is_told_without_loading_the_command_and_fits_it(name: str) -> None:
    listed = run("--help").stdout
    assert main.lazy_commands[name] in listed  # type: ignore[attr-defined]
    assert ALL[f"graphrag {name}"].name == name


@pytest.mark.parametrize("arguments", [["--help"], ["--version"], []])
def test_help_loads_nothing_heavy(arguments: list[str]) -> None:
    code = (
        "import sys\nfrom graphrag.cli import main\n"
        "try:\n    main(sys.argv[1:], prog_name='graphrag')\nexcept SystemExit:\n    pass\n"
        f"print('LOADED', sorted({HEAVY!r} & set(sys.modules)))"
    )
    done = subprocess.run([sys.executable, "-c", code, *arguments], check=True, capture_output=True, text=True)
    assert done.stdout.splitlines()[-1] == "LOADED []"


@pytest.mark.parametrize("path", [path for path in ALL if not path.startswith("graphrag db")])
def test_help_of_a_command_loads_neither_driver_nor_model(path: str) -> None:
    """CASES 68: help works where no model is, and no server."""
    code = (
        "import sys\nfrom graphrag.cli import main\n"
        "try:\n    main([*sys.argv[1:], '--help'], prog_name='graphrag')\nexcept SystemExit:\n    pass\n"
        f"print('LOADED', sorted({HEAVY!r} & set(sys.modules)))"
    )
    done = subprocess.run([sys.executable, "-c", code, *path.split()[1:]], check=True, capture_output=True, text=True)
    assert done.stdout.splitlines()[-1] == "LOADED []"


def test_version() -> None:
    assert run("--version").stdout == f"graphrag {graphrag.__version__}\n"


def test_an_unknown_command_is_a_usage_error() -> None:
    result = run("frobnicate")
    assert result.exit_code == 2
    assert "No such command 'frobnicate'" in result.stderr


@pytest.mark.parametrize(
    "error, told",
    [
        (ConfigurationError("the \x1b[31mred\nthing"), "Error: the �[31mred thing\n"),
        (LocalServerError("no start", log_tail=["one\x07", "two"]), "  | one�\n  | two\nError: no start\n"),
    ],
)
def test_an_error_of_ours_is_one_safe_line_and_exit_code_1(
    error: Exception, told: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    def fail(*_: object) -> None:
        raise error

    monkeypatch.setattr(Session, "open_store", fail)
    result = run("info")
    assert (result.exit_code, result.stdout, result.stderr) == (1, "", told)


def test_an_interrupt_is_exit_code_130_without_a_stack_trace(monkeypatch: pytest.MonkeyPatch) -> None:
    def interrupt(*_: object) -> None:
        raise KeyboardInterrupt

    monkeypatch.setattr(Session, "open_store", interrupt)
    result = run("info")
    assert (result.exit_code, result.stderr) == (130, "\nInterrupted.\n")
    monkeypatch.setattr(Session, "settings", interrupt)
    result = run("ingest", "x")
    assert (result.exit_code, result.stderr) == (130, "\nInterrupted. What was finished before is in the store.\n")


def test_an_interrupt_during_the_imports_is_exit_code_130_without_a_stack_trace() -> None:
    code = (
        "import sys\nfrom graphrag.__main__ import main\n"
        "class Interrupts:\n"
        "    def find_spec(self, name, *_):\n"
        "        if name == 'click':\n            raise KeyboardInterrupt\n"
        "sys.meta_path.insert(0, Interrupts())\nmain()"
    )
    done = subprocess.run([sys.executable, "-c", code], check=False, capture_output=True, text=True)
    assert (done.returncode, done.stdout, done.stderr) == (130, "", "")


def test_the_package_runs_as_a_program() -> None:
    done = subprocess.run([sys.executable, "-m", "graphrag", "--version"], check=True, capture_output=True, text=True)
    assert done.stdout == f"graphrag {graphrag.__version__}\n"


def test_the_other_package_of_this_name_beside_ours_is_a_clear_error(monkeypatch: pytest.MonkeyPatch) -> None:
    real = importlib.metadata.version
    monkeypatch.setattr(importlib.metadata, "version", lambda name: "2.7.0" if name == "graphrag" else real(name))
    result = run("config", "show")
    assert result.exit_code == 1
    assert "`graphrag` 2.7.0 is installed in this environment too" in result.stderr
    assert "pip uninstall graphrag graphrag-service" in result.stderr


@pytest.mark.parametrize(
    "arguments, told",
    [
        (["search", "x", "--top-k", "0"], "0 is not in the range 1<=x<=1000"),
        (["search", "x", "--top-k", "1001"], "1001 is not in the range 1<=x<=1000"),
        (["search", "x", "--top-k", "many"], "'many' is not a valid integer range"),
        (["search", "x", "--threshold", "1.5"], "1.5 is not in the range 0<=x<=1"),
        (["search", "x", "--mode", "magic"], "'magic' is not one of 'vector', 'text', 'hybrid', 'regex'"),
        (["search", "x", "--mode", "regex", "--threshold", "0.5"], "--threshold does not go with --mode regex"),
        (["search", "x", "--syntax", "magic"], "'magic' is not one of 'literal', 'lucene'"),
        (["search", "x", "--mode", "vector", "--syntax", "lucene"], "--syntax lucene does not go with --mode vector"),
        (["search"], "Missing argument 'QUERY'"),
        (["ingest"], "Missing argument 'PATH...'"),
        (["ingest", "x", "--refresh", "sometimes"], "'sometimes' is none of changed, always, never and age:DAYS"),
        (["ingest", "x", "--refresh", "age:soon"], "'age:soon' is none of changed, always, never and age:DAYS"),
        (["ingest", "x", "--meta", "novalue"], "'novalue' is not KEY=VALUE"),
        (["ingest", "x", "--meta-file", "absent.json"], "'absent.json' does not exist"),
        (["ingest", "x", "--password-file", "absent.txt"], "'absent.txt' does not exist"),
        (["ingest", "x", "--max-chunk-size", "0"], "0 is not in the range 1<=x<=8000"),
        (["ingest", "-"], "--uri goes with it"),
        (["ingest", "x", "--uri", "https://a.example/"], "--uri goes with it"),
        (["ingest", "-", "x", "--uri", "https://a.example/"], "stands alone"),
        (["ingest", "https://a.example/", "--sitemap", "--feed"], "exclude each other"),
        (["ingest", "-", "--uri", "https://a.example/", "--feed"], "go with URLs, not with standard input"),
        (["show", "x", "--expand", "1", "--zoom-out"], "exclude each other"),
        (["show", "x", "--expand", "1", "--path"], "exclude each other"),
        (["sections"], "name a DOCUMENT, or what to look for: --title, --document-title"),
        (["sections", "--title", ""], "Invalid value for '--title': it is empty"),
        (["read"], "Missing argument 'SECTION'"),
        (["links", "x", "--limit", "1001"], "1001 is not in the range 1<=x<=1000"),
        (["clusters", "--threshold", "0.4"], "0.4 is not in the range 0.5<=x<=1"),
        (["clusters", "--min-size", "1"], "1 is not in the range 2<=x<=1000"),
        (["show", "x", "--expand", "21"], "21 is not in the range 0<=x<=20"),
        (["documents", "set", "x"], "Missing argument 'KEY=VALUE...'"),
        (["documents", "--json", "list"], "put options behind the command `list`"),
        (["documents", "--limit", "0"], "0 is not in the range 1<=x<=10000"),
        (["clear"], "say what to clear: --all, or --collection NAME"),
        (["clear", "--all", "--collection", "x"], "--all and --collection exclude each other"),
        (["ingest", ""], "'' is no path; give a file, a folder or a pattern"),
        (["ingest", "x", ""], "'' is no path; give a file, a folder or a pattern"),
        (["ingest", "x", "--meta", "k=1", "--meta", "k=2"], "'k' is given twice"),
        (["--store", "", "info"], "Invalid value for '--store': it is empty"),
        (["ingest", "x", "--collection", ""], "Invalid value for '--collection': it is empty"),
        (["ingest", "x", "--meta-file", ""], "Invalid value for '--meta-file': it is empty"),
    ],
)
def test_what_is_not_understood_is_exit_code_2_before_any_store_is_asked(
    arguments: list[str], told: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(Session, "open_store", lambda *_, **__: pytest.fail("the store was opened"))
    result = run(*arguments)
    assert result.exit_code == 2
    assert told in result.stderr
    assert result.stdout == ""


@pytest.mark.parametrize(
    "address, told",
    [
        (f"bolt://u:{CANARY}@127.0.0.1:1", "holds credentials"),
        (f"http://u:{CANARY}@127.0.0.1:1", "must begin with one of neo4j://"),
        ("bolt://db.example.com", "unencrypted over the network"),
        ("bolt://127.0.0.1:1", "no Neo4j server answers at bolt://127.0.0.1:1; start one"),
        ("local:", "the local server is not running; start it with `graphrag db start`"),
    ],
)
def test_a_refused_address_is_one_line_without_its_secret(address: str, told: str) -> None:
    """THREATS 70, 74; CASES 65."""
    result = run("--store", address, "info")
    assert result.exit_code == 1
    assert told in result.stderr
    assert result.stderr.startswith("Error: ")
    assert result.stderr.count("\n") == 1
    assert CANARY not in result.output


def test_no_store_at_all_names_the_ways_to_go_on() -> None:
    result = run("info")
    assert result.exit_code == 1
    for way in ("graphrag db start", "NEO4J_URI", "--store", "GRAPHRAG_STORE"):
        assert way in result.stderr


def test_a_configuration_file_that_is_named_must_exist() -> None:
    result = run("--config", "absent.toml", "info")
    assert result.exit_code == 1
    assert (
        result.stderr == "Error: configuration file `absent.toml` does not exist; `graphrag config init` writes one\n"
    )


@pytest.fixture(scope="module")
def tool() -> ModuleType:
    spec = importlib.util.spec_from_file_location("cli_reference", REPOSITORY / "tools" / "write_cli_reference.py")
    assert spec is not None
    assert spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


def test_the_page_tells_every_command_and_option_as_it_is(tool: ModuleType) -> None:
    assert tool.main(["--check"]) == 0, "run `python tools/write_cli_reference.py`"
    text = (REPOSITORY / "docs" / "cli.md").read_text(encoding="utf-8")
    for path, command in ALL.items():
        assert f"\n## {path}\n" in text
        assert all(name in text for option in command.params for name in option.opts if name.startswith("--"))


def test_a_page_that_is_old_is_told(tool: ModuleType, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    page = tmp_path / "cli.md"
    page.write_text("By hand.\n" + tool.MARKER + "\n## graphrag gone\n", encoding="utf-8")
    monkeypatch.setattr(tool, "PAGE", page)
    assert tool.main(["--check"]) == 1
    assert tool.main([]) == 0
    assert page.read_text(encoding="utf-8").startswith("By hand.\n")
    assert "graphrag gone" not in page.read_text(encoding="utf-8")
    assert tool.main(["--check"]) == 0
