"""The judgement of licences, and the list of the ones that are installed."""

import importlib.util
import sys
from importlib.metadata import Distribution
from pathlib import Path
from types import ModuleType

import pytest

REPOSITORY = Path(__file__).parents[3]


@pytest.fixture(scope="module")
def tool() -> ModuleType:
    spec = importlib.util.spec_from_file_location("check_licences", REPOSITORY / "tools" / "check_licences.py")
    assert spec is not None
    assert spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    sys.modules[spec.name] = module  # dataclasses look their module up
    spec.loader.exec_module(module)
    return module


@pytest.mark.parametrize(
    "licence, in_core, complaint",
    [
        ("MIT", True, ""),
        ("Apache-2.0 AND MIT", True, ""),
        ("LGPL-3.0-or-later", True, ""),
        ("GNU Lesser General Public License v3 or later (LGPLv3+)", True, ""),
        ("GPL-3.0-only OR Apache-2.0", True, ""),
        ("GPL-3.0-only", True, "the core needs it"),
        ("AGPL-3.0", True, "the core needs it"),
        ("MIT AND GPL-2.0", True, "the core needs it"),
        ("GNU General Public License v2 (GPLv2)", True, "the core needs it"),
        ("GNU Affero General Public License v3", True, "the core needs it"),
        ("GPLv3", False, "name it in GPL_IN_EXTRAS"),
        ("", True, "tells no licence"),
        ("", False, "tells no licence"),
    ],
)
def test_gpl_alone_is_refused_and_a_choice_is_not(
    tool: ModuleType, licence: str, in_core: bool, complaint: str
) -> None:
    found = tool.Package(name="some-package", licence=licence, in_core=in_core).complaint()
    assert complaint in found
    assert bool(found) == bool(complaint)


def test_a_named_package_may_be_in_an_extra_but_not_in_the_core(tool: ModuleType) -> None:
    for name in tool.GPL_IN_EXTRAS:
        assert tool.Package(name=name, licence="GPL-2.0-only", in_core=False).complaint() == ""
        assert "the core needs it" in tool.Package(name=name, licence="GPL-2.0-only", in_core=True).complaint()


@pytest.mark.parametrize(
    "metadata, expected",
    [
        ("License-Expression: MIT OR BSD-3-Clause\nLicense: other\n", "MIT OR BSD-3-Clause"),
        ("License: BSD-3-Clause\nClassifier: License :: OSI Approved :: MIT License\n", "BSD-3-Clause"),
        (
            "Classifier: License :: OSI Approved :: MIT License\nClassifier: License :: Public Domain\n",
            "MIT License OR Public Domain",
        ),
        ("License: " + "a whole text " * 20 + "\nClassifier: License :: OSI Approved :: MIT License\n", "MIT License"),
        ("Name: bare\n", ""),
    ],
)
def test_a_licence_is_read_the_newest_way_first(tool: ModuleType, tmp_path: Path, metadata: str, expected: str) -> None:
    folder = tmp_path / "x-1.0.dist-info"
    folder.mkdir()
    (folder / "METADATA").write_text("Metadata-Version: 2.1\nName: x\nVersion: 1.0\n" + metadata)
    assert tool.licence(Distribution.at(folder)) == expected


def test_pins_for_other_platforms_are_left_out(tool: ModuleType) -> None:
    text = "# a==1\nSome_Name==1.0 \\\n    --hash=sha256:aa==\nother==2 ; sys_platform == 'never' \\\n    --hash=b\n"
    assert list(tool.pinned(text)) == ["some-name"]
