"""Asks the libraries that we are compared with. Runs in their environment, and imports nothing of the package.

It speaks JSON, a line each way. The first line says where the server is; the answer names the libraries. Each
line after it is a question:

- `library`, `vector`, `top_k`, `filter`: one search; the answer has the ids that it found, best first, and the
  milliseconds that the library's own call took.
- `vectors`, `texts`: queries to keep, by number.
- `library`, `search` (`vector` or `hybrid`), `top_k`, `filter`, `clients`, `seconds`, `first`: the kept queries, from
  that many threads; the answer has the searches a second, each call's milliseconds and the ids by number of the query.
"""

import contextlib
import json
import logging
import sys
import time
from collections.abc import Callable, Mapping, Sequence
from dataclasses import asdict, dataclass
from importlib import import_module
from importlib.metadata import version
from typing import Any

from bench.clients import drive

Filters = Mapping[str, object]
Search = Callable[[Sequence[float], str, int, Filters], Sequence[str]]
"""Takes a vector, a text, how many are wanted and a filter; returns ids."""


@dataclass(frozen=True, slots=True)
class _Library:
    """What a library can be asked.

    Attributes:
        vector: By the vector alone.
        hybrid: By both; None where no full-text index was named.
    """

    vector: Search
    hybrid: Search | None = None


@dataclass(slots=True)
class _Queries:
    vectors: Sequence[Sequence[float]] = ()
    texts: Sequence[str] = ()


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
    libraries = _libraries(json.loads(sys.stdin.readline()))
    _answer({"libraries": {name: _version(name) for name in libraries}})
    queries = _Queries()
    for line in sys.stdin:
        question = json.loads(line)
        if "texts" in question:
            queries = _Queries(question["vectors"], question["texts"])
            _answer({})
            continue
        ask = _many if "clients" in question else _once
        try:
            answer = ask(libraries[question["library"]], question, queries)
        except Exception as error:  # noqa: BLE001 - a library that cannot answer is a result
            answer = {"error": f"{type(error).__name__}: {error}"}
        _answer(answer)


def _once(library: _Library, question: Mapping[str, Any], _: _Queries) -> Mapping[str, object]:
    started = time.perf_counter()
    ids = library.vector(question["vector"], "", question["top_k"], question["filter"])
    return {"ids": ids, "ms": (time.perf_counter() - started) * 1_000}


def _many(library: _Library, question: Mapping[str, Any], queries: _Queries) -> Mapping[str, object]:
    search = library.vector if question["search"] == "vector" else library.hybrid
    if search is None:
        msg = "no full-text index was named"
        raise ValueError(msg)

    def ask(number: int) -> Sequence[str]:
        return search(queries.vectors[number], queries.texts[number], question["top_k"], question["filter"])

    seen = drive(
        ask,
        clients=question["clients"],
        seconds=question["seconds"],
        queries=len(queries.texts),
        first=question["first"],
    )
    return asdict(seen)


def _libraries(server: Mapping[str, Any]) -> dict[str, _Library]:
    makers: dict[str, Callable[[], _Library]] = {
        "neo4j-graphrag": lambda: _neo4j_graphrag(server, told=False),
        "neo4j-graphrag, told": lambda: _neo4j_graphrag(server, told=True),
        "langchain-neo4j": lambda: _langchain_neo4j(server),
    }
    return {name: make() for name, make in makers.items() if name in server["libraries"]}


def _neo4j_graphrag(server: Mapping[str, Any], *, told: bool) -> _Library:
    driver = import_module("neo4j").GraphDatabase.driver(
        server["uri"], auth=(server["username"], server["password"]), notifications_min_severity="OFF"
    )
    item = import_module("neo4j_graphrag.types").RetrieverResultItem
    retrievers = import_module("neo4j_graphrag.retrievers")

    form = {
        "result_formatter": lambda record: item(
            content=record["node"]["text"], metadata={"id": record["node"]["id"], "score": record["score"]}
        )
    }
    retriever = retrievers.VectorRetriever(driver, server["index"], **form)
    if told:
        # It looks for them under a name that the server does not use, so it takes the index to filter by nothing.
        retriever._filterable_properties = list(server["filter_properties"])  # noqa: SLF001 - there is no other way

    def vector(query: Sequence[float], _: str, top_k: int, filters: Filters) -> Sequence[str]:
        found = retriever.search(query_vector=query, top_k=top_k, filters=filters or None)
        return [item.metadata["id"] for item in found.items]

    if server["text_index"] is None:
        return _Library(vector)
    both = retrievers.HybridRetriever(driver, server["index"], server["text_index"], **form)

    def hybrid(query: Sequence[float], text: str, top_k: int, filters: Filters) -> Sequence[str]:
        if filters:
            msg = "its hybrid search takes no filter"
            raise ValueError(msg)
        found = both.search(query_text=text, query_vector=query, top_k=top_k)
        return [item.metadata["id"] for item in found.items]

    return _Library(vector, hybrid)


def _langchain_neo4j(server: Mapping[str, Any]) -> _Library:
    kind = import_module("langchain_neo4j").Neo4jVector
    where = {name: server[name] for name in ("username", "password")} | {
        "url": server["uri"],
        "node_label": "Chunk",
        "embedding_node_property": "embedding",
        "text_node_property": "text",
    }
    vectors = _GivenVectors(server["dimensions"])
    store = kind.from_existing_index(vectors, server["index"], **where)

    def vector(query: Sequence[float], _: str, top_k: int, filters: Filters) -> Sequence[str]:
        found = store.similarity_search_by_vector(query, k=top_k, filter=filters or None)
        return [document.metadata["id"] for document in found]

    if server["text_index"] is None:
        return _Library(vector)
    both = kind.from_existing_index(
        vectors, server["index"], search_type="hybrid", keyword_index_name=server["text_index"], **where
    )

    def hybrid(query: Sequence[float], text: str, top_k: int, filters: Filters) -> Sequence[str]:
        found = both.similarity_search_by_vector(query, k=top_k, query=text, filter=filters or None)
        return [document.metadata["id"] for document in found]

    return _Library(vector, hybrid)


def _version(name: str) -> str:
    return version(name.partition(",")[0])


def _answer(answer: Mapping[str, object]) -> None:
    print(json.dumps(answer), flush=True)


if __name__ == "__main__":
    with contextlib.suppress(KeyboardInterrupt):
        main()
