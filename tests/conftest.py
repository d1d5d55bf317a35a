"""What every test may use: a clean environment, the shared data, a Neo4j server, and no model by accident."""

import pytest


@pytest.fixture(scope="session")
def anyio_backend() -> str:
    """Asynchronous tests (`pytest.mark.anyio`) run on asyncio, as the driver does."""
    return "asyncio"
