"""Asks the libraries that we are compared with. Runs in their environment, and imports nothing of ours.

It speaks JSON, a line each way. The first line says where the server is; the answer names the libraries. Each
line after it asks one of them; the answer has the ids that it found, best first, and the milliseconds that the
library's own call took.
"""

import contextlib
import json
import logging
import sys
import time
from collections.abc import Callable, Mapping, Sequence
from importlib import import_module
from importlib.metadata import version
from typing import Any

Ask = Callable[[Sequence[float], int, Mapping[str, object]], tuple[list[str], float]]


class _GivenVectors:
    """What langchain asks for an embedding model; the benchmark brings vectors."""

    def __init__(self, dimensions: int) -> None:
        self._dimensions = dimensions

    def embed_query(self, _: str) -> list[float]:
        return [0.0] * self._dimensions

    def embed_documents(self, texts: list[str]) -> list[list[float]]:
        return [self.embed_query(text) for text in texts]


def main() -> None:
    """Answer until the input ends."""
    # They warn with each search of what they cannot push into the index; writing that would cost them time.
    logging.disable(logging.ERROR)
    asks = _libraries(json.loads(sys.stdin.readline()))
    _answer({"libraries": {name: _version(name) for name in asks}})
    for line in sys.stdin:
        question = json.loads(line)
        try:
            ids, ms = asks[question["library"]](question["vector"], question["top_k"], question["filter"])
        except Exception as error:  # noqa: BLE001 - a library that cannot answer is a result
            _answer({"error": f"{type(error).__name__}: {error}"})
        else:
            _answer({"ids": ids, "ms": ms})


def _libraries(server: Mapping[str, Any]) -> dict[str, Ask]:
    asks = {
        "neo4j-graphrag": _neo4j_graphrag(server, told=False),
        "neo4j-graphrag, told": _neo4j_graphrag(server, told=True),
        "langchain-neo4j": _langchain_neo4j(server),
    }
    return {name: ask for name, ask in asks.items() if name in server["libraries"]}


def _neo4j_graphrag(server: Mapping[str, Any], *, told: bool) -> Ask:
    driver = import_module("neo4j").GraphDatabase.driver(
        server["uri"], auth=(server["username"], server["password"]), notifications_min_severity="OFF"
    )
    item = import_module("neo4j_graphrag.types").RetrieverResultItem
    retriever = import_module("neo4j_graphrag.retrievers").VectorRetriever(
        driver,
        server["index"],
        result_formatter=lambda record: item(
            content=record["node"]["text"], metadata={"id": record["node"]["id"], "score": record["score"]}
        ),
    )
    if told:
        # It looks for them under a name that the server does not use, so it takes the index to filter by nothing.
        retriever._filterable_properties = list(server["filter_properties"])  # noqa: SLF001 - there is no other way

    def ask(vector: Sequence[float], top_k: int, filters: Mapping[str, object]) -> tuple[list[str], float]:
        started = time.perf_counter()
        found = retriever.search(query_vector=vector, top_k=top_k, filters=filters)
        return [item.metadata["id"] for item in found.items], _ms_since(started)

    return ask


def _langchain_neo4j(server: Mapping[str, Any]) -> Ask:
    store = import_module("langchain_neo4j").Neo4jVector.from_existing_index(
        _GivenVectors(server["dimensions"]),
        server["index"],
        url=server["uri"],
        username=server["username"],
        password=server["password"],
        node_label="Chunk",
        embedding_node_property="embedding",
        text_node_property="text",
    )

    def ask(vector: Sequence[float], top_k: int, filters: Mapping[str, object]) -> tuple[list[str], float]:
        started = time.perf_counter()
        found = store.similarity_search_by_vector(vector, k=top_k, filter=filters)
        ms = _ms_since(started)
        return [document.metadata["id"] for document in found], ms

    return ask


def _ms_since(started: float) -> float:
    return (time.perf_counter() - started) * 1_000


def _version(name: str) -> str:
    return version(name.partition(",")[0])


def _answer(answer: Mapping[str, object]) -> None:
    print(json.dumps(answer), flush=True)


if __name__ == "__main__":
    with contextlib.suppress(KeyboardInterrupt):
        main()
