"""A search service on the synchronous face: one store and one searcher for all requests, called in threads.

    $ SERVICE_KEYS=keys.json uvicorn --app-dir examples/services --factory sync_service:create_app

FastAPI runs plain functions in a pool of threads, so nothing here blocks its event loop. It is the one to take where
the rest of an application is not asynchronous either; the paths and answers are those of `async_service.py`.
"""

import os
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from pathlib import Path
from typing import Annotated, TypedDict

from access import AccessList
from answers import ChunkAnswer, DocumentAnswer, HealthAnswer, SearchAnswer
from anyio.to_thread import current_default_thread_limiter
from fastapi import Depends, FastAPI, Header, Query, Request
from faults import ANSWERS, HiddenError, UnknownKeyError, install

from graphrag import (
    Document,
    Embedder,
    Neo4jStore,
    Refinement,
    Searcher,
    Settings,
    TextSimilaritySearchRequest,
    load_settings,
    open_store,
)
from graphrag.filters import Scope
from graphrag.search import SearchMode

AT_ONCE = 16
"""Threads, and so requests that run at the same time; others wait in line."""


class State(TypedDict):
    """What is open while the service runs."""

    store: Neo4jStore
    searcher: Searcher


def make_app(settings: Settings, access: AccessList, *, embedder: Embedder | None = None) -> FastAPI:
    """Return the service.

    Args:
        settings: Which store, with its limits.
        access: The keys that are known.
        embedder: By default the one that the settings name.
    """

    @asynccontextmanager
    async def lifespan(_app: FastAPI) -> AsyncIterator[State]:
        current_default_thread_limiter().total_tokens = AT_ONCE
        with open_store(settings=settings, embedder=embedder) as store:  # before the first request: nobody waits
            yield State(store=store, searcher=Searcher(store, settings=settings))

    app = FastAPI(title="Search", lifespan=lifespan)
    install(app)

    def scope_of(x_api_key: Annotated[str | None, Header()] = None) -> Scope:
        scope = access.scope_of(x_api_key)
        if scope is None:
            raise UnknownKeyError
        return scope

    Scoped = Annotated[Scope, Depends(scope_of)]  # noqa: N806 - a type

    @app.get("/health", responses={503: ANSWERS[503]})
    def health(request: Request) -> HealthAnswer:
        """Tell whether the database answers."""
        store_of(request).find_by_id("health")
        return HealthAnswer(status="ok")

    @app.get("/search", responses=ANSWERS)
    def search(
        *,
        request: Request,
        scope: Scoped,
        q: Annotated[str, Query(min_length=1, max_length=1_000)],
        mode: SearchMode = "hybrid",
        top_k: Annotated[int, Query(ge=1, le=50)] = 10,
        per_document: Annotated[int | None, Query(ge=1, le=50)] = None,
        neighbours: Annotated[int, Query(ge=0, le=3)] = 0,
    ) -> SearchAnswer:
        """Return the best results among what the key opens."""
        asked = TextSimilaritySearchRequest(q, top_k=top_k)
        refine = Refinement(per_document=per_document, neighbours=neighbours)
        searcher: Searcher = request.state.searcher
        return SearchAnswer.of(searcher.search(asked, mode, scope=scope, refine=refine))

    @app.get("/documents", responses=ANSWERS)
    def documents(
        *,
        request: Request,
        scope: Scoped,
        limit: Annotated[int, Query(ge=1, le=100)] = 20,
        offset: Annotated[int, Query(ge=0)] = 0,
    ) -> list[DocumentAnswer]:
        """Return the documents that the key opens."""
        return DocumentAnswer.of_all(store_of(request).list_documents(scope=scope, limit=limit, offset=offset))

    @app.get("/documents/{document_id}", responses=ANSWERS)
    def document(request: Request, scope: Scoped, document_id: str) -> DocumentAnswer:
        """Return a document."""
        found = store_of(request).find_by_id(document_id, scope=scope)
        if not isinstance(found, Document):
            raise HiddenError
        return DocumentAnswer.of(found)

    @app.get("/documents/{document_id}/chunks", responses=ANSWERS)
    def chunks(
        *,
        request: Request,
        scope: Scoped,
        document_id: str,
        limit: Annotated[int, Query(ge=1, le=100)] = 20,
        offset: Annotated[int, Query(ge=0)] = 0,
    ) -> list[ChunkAnswer]:
        """Return a document's text in pieces; none for an unknown document."""
        held = store_of(request).list_chunks(document_id, scope=scope, limit=limit, offset=offset)
        return [ChunkAnswer.of(chunk) for chunk in held]

    return app


def store_of(request: Request) -> Neo4jStore:
    """Return the store that is open."""
    store: Neo4jStore = request.state.store
    return store


def create_app() -> FastAPI:
    """Return the service as the environment sets it up: the package's own settings, and `SERVICE_KEYS`, a file."""
    return make_app(load_settings(), AccessList.read(Path(os.environ["SERVICE_KEYS"])))
