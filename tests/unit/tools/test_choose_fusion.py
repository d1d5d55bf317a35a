"""The tool that chooses how hybrid search joins its legs: what it reads, and what it says."""

import json
from contextlib import nullcontext
from pathlib import Path
from types import SimpleNamespace

import pytest

from graphrag.config import SearchSettings
from graphrag.evaluation.choosing import Scored, Target
from graphrag.evaluation.legs import FusionSetting
from tools import choose_fusion

QUERIES = [f"q{number}" for number in range(8)]


@pytest.fixture
def asked(monkeypatch: pytest.MonkeyPatch) -> list[choose_fusion.Wanted]:
    """Make the differences of each data set up: a weight of 0.35 is best by far; note what is asked."""
    wanted: list[choose_fusion.Wanted] = []

    def scored(
        _store: object, _embedder: object, one: choose_fusion.Wanted, grid: list[FusionSetting], **_: object
    ) -> Scored:
        wanted.append(one)
        differences = {
            setting: dict.fromkeys(
                QUERIES, 0.05 - abs(setting.text_weight - 0.35) - 0.01 * (setting.fusion != "z_score")
            )
            for setting in grid
        }
        return Scored(one.folder.name, one.target, {"text": 0.6, "vector": 0.5}, "text", differences)

    monkeypatch.setattr(choose_fusion, "_scored", scored)
    monkeypatch.setattr(choose_fusion, "open_store", lambda **_: nullcontext(SimpleNamespace()))
    monkeypatch.setattr(choose_fusion, "open_cache", lambda *_: nullcontext(SimpleNamespace()))
    return wanted


def test_it_tells_all_settings_the_chosen_one_and_whether_targets_hold(
    asked: list[choose_fusion.Wanted], capsys: pytest.CaptureFixture[str], tmp_path: Path
) -> None:
    report = tmp_path / "report.json"
    arguments = ["sets/one:nDCG@10:+0.02", "sets/two:char_recall@5:0.2:1000", "--json", str(report)]
    assert choose_fusion.main(arguments) == 0
    assert asked == [
        choose_fusion.Wanted(Path("sets/one"), Target("nDCG@10", 0.02), None),
        choose_fusion.Wanted(Path("sets/two"), Target("char_recall@5", 0.2), 1000),
    ]
    lines = capsys.readouterr().out.splitlines()
    assert "| setting | one nDCG@10 (wanted: +0.02) | two char_recall@5 (wanted: +0.2) |" in lines
    assert "| text alone | 0.6000 | 0.6000 |" in lines
    default = FusionSetting(SearchSettings().fusion, SearchSettings().text_weight)
    assert [line for line in lines if line.startswith(f"| {default} (default) |")] != []
    assert "| z_score, weight of text 0.45 | -0.0500 | -0.0500 |" in lines
    pooled = "| chosen, pooled | +0.0500 [+0.0500, +0.0500], holds | +0.0500 [+0.0500, +0.0500], missed |"
    assert pooled in lines
    assert lines[-1] == f"`SearchSettings` has {default}, which is not what is chosen on all queries."
    told = json.loads(report.read_text(encoding="utf-8"))
    assert (told["chosen_on_all"], told["seed"]) == ("z_score, weight of text 0.35", 0)
    assert told["data_sets"]["two"]["pooled"]["mean"] == pytest.approx(0.05)


@pytest.mark.parametrize(
    "text", ["folder", "folder:nDCG@10", "folder:nDCG@10:much", "folder:nDCG@10:0:many", "a:b:0:1:2"]
)
def test_an_argument_of_another_form_is_refused(text: str, capsys: pytest.CaptureFixture[str]) -> None:
    with pytest.raises(SystemExit) as caught:
        choose_fusion.main([text])
    assert caught.value.code == 2
    assert "is none of the form FOLDER:MEASURE:LEAST or FOLDER:MEASURE:LEAST:SIZE" in capsys.readouterr().err
