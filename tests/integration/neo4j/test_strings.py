"""Any text at all: none raises, and none that holds an indexed term comes back empty (a small run of the tool)."""

import os
import random
import subprocess
import sys
from pathlib import Path

import pytest

from tests.conftest import ENVIRON
from tests.integration.neo4j.graph import Graph

REPOSITORY = Path(__file__).parents[3]
SEED = int(ENVIRON.get("GRAPHRAG_TEST_SEED", "0")) or random.SystemRandom().randrange(1, 10**6)


@pytest.mark.slow
def test_no_text_raises_and_none_with_an_indexed_term_comes_back_empty(graph: Graph) -> None:
    """THREATS 26, 37 to 39: 2,000 texts in both modes; what a term is, Lucene's own analyzer says."""
    pytest.importorskip("jpype")
    settings = graph.settings
    connection = {
        "NEO4J_URI": settings.uri,
        "NEO4J_USERNAME": settings.username,
        "NEO4J_PASSWORD": settings.password.get_secret_value(),
    }
    command = [sys.executable, "-m", "tools.strings", "2000", "--seed", str(SEED), "--server"]
    done = subprocess.run(
        command,
        cwd=REPOSITORY,
        env={**os.environ, **connection},
        capture_output=True,
        text=True,
        check=False,
        timeout=280,
    )
    assert done.returncode == 0, f"seed {SEED}\n{done.stdout}\n{done.stderr}"
    assert "2,000 texts" in done.stdout
