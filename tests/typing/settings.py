"""Settings as an application reads and makes them. Only type-checked."""

from pathlib import Path
from typing import assert_type

from pydantic import SecretStr

from graphrag.config import ChunkerSettings, Limits, Neo4jSettings, Settings, load_settings

assert_type(load_settings(), Settings)
assert_type(load_settings({"chunker.overlap_size": 100}, config_file=Path("graphrag.toml"), environ={}), Settings)
assert_type(load_settings().neo4j.password, SecretStr)
assert_type(load_settings().schema_.filter_properties, tuple[str, ...])
assert_type(load_settings().limits, Limits)

Neo4jSettings(uri="bolt://localhost:7687", password=SecretStr("x"), call_timeout_s=5)
ChunkerSettings(max_chunk_size=800, overlap_size=80)
Settings(collection="books").collection = "other"  # type: ignore[misc]  # pyright: ignore[reportAttributeAccessIssue]
Limits(max_topk=5)  # type: ignore[call-arg]  # pyright: ignore[reportCallIssue]
