import sys
from pathlib import Path
from types import ModuleType

import pytest

from graphrag.embedding.optional import import_optional, is_installed
from graphrag.errors import MissingExtraError


def test_a_package_that_is_there_is_returned() -> None:
    assert import_optional("json", feature="x").loads("1") == 1
    assert is_installed("json")


def test_a_missing_package_is_an_error_with_the_install_command() -> None:
    assert not is_installed("no_such_package")
    with pytest.raises(MissingExtraError, match=r"^speech needs the extra `voice`: run `pip install .*\[voice\]'`$"):
        import_optional("no_such_package", feature="speech", extra="voice")


@pytest.fixture
def reporting(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """A package that tells whether it could import what sends usage reports."""
    (tmp_path / "openvino_telemetry.py").write_text("", encoding="utf-8")
    (tmp_path / "reporting_package.py").write_text(
        "try:\n    import openvino_telemetry\n    REPORTS = True\nexcept ImportError:\n    REPORTS = False\n",
        encoding="utf-8",
    )
    monkeypatch.syspath_prepend(tmp_path)
    monkeypatch.delitem(sys.modules, "openvino_telemetry", raising=False)
    monkeypatch.delitem(sys.modules, "reporting_package", raising=False)


def test_usage_reports_are_kept_out_of_an_import(reporting: None, monkeypatch: pytest.MonkeyPatch) -> None:
    assert import_optional("reporting_package", feature="x").REPORTS is False
    assert "openvino_telemetry" not in sys.modules
    monkeypatch.delitem(sys.modules, "reporting_package")


def test_an_application_that_reports_itself_keeps_its_module(reporting: None, monkeypatch: pytest.MonkeyPatch) -> None:
    own = ModuleType("openvino_telemetry")
    monkeypatch.setitem(sys.modules, "openvino_telemetry", own)
    assert import_optional("reporting_package", feature="x").REPORTS is True
    assert sys.modules["openvino_telemetry"] is own
    monkeypatch.delitem(sys.modules, "reporting_package")
