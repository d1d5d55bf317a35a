"""The rules that the fixtures of all tests keep."""

import importlib
import importlib.util
import os

import pytest

INSTALLED = [
    name for name in ("onnxruntime", "openvino", "sentence_transformers", "torch") if importlib.util.find_spec(name)
]


def test_the_environment_of_a_test_is_clean() -> None:
    ours = {name for name in os.environ if name.startswith(("GRAPHRAG_", "NEO4J_", "TIKA_"))}
    assert ours == {"GRAPHRAG_HOME"}
    assert "graphrag-home" in os.environ["GRAPHRAG_HOME"]


@pytest.mark.skipif(not INSTALLED, reason="no package that loads models is installed")
def test_a_model_cannot_be_loaded_by_accident() -> None:
    name = INSTALLED[0]
    assert importlib.util.find_spec(name) is not None
    module = importlib.import_module(name)
    with pytest.raises(pytest.fail.Exception, match=f"`{name}.Core` would load a model; mark the test"):
        module.Core()


@pytest.mark.model
@pytest.mark.skipif(not INSTALLED, reason="no package that loads models is installed")
def test_a_marked_test_gets_the_real_package() -> None:
    assert type(importlib.import_module(INSTALLED[0])).__name__ == "module"
