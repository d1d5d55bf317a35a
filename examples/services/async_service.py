"""A search service on the asynchronous face: one store and one searcher for all requests, on the event loop.

    $ SERVICE_KEYS=keys.json uvicorn --app-dir examples/services --factory async_service:create_app

It is the one to take for a new service: a request that waits for the database holds no thread.
"""

import os
from asyncio import Semaphore
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from pathlib import Path
from typing import Annotated, TypedDict

from access import AccessList
from answers import ChunkAnswer, DocumentAnswer, HealthAnswer, SearchAnswer
from fastapi import Depends, FastAPI, Header, Query, Request
from faults import ANSWERS, HiddenError, UnknownKeyError, install

from graphrag import (
    AsyncNeo4jStore,
    AsyncSearcher,
    Document,
    Embedder,
    Refinement,
    Settings,
    TextSimilaritySearchRequest,
    load_settings,
    open_async_store,
)
from graphrag.filters import Scope
from graphrag.search import SearchMode

AT_ONCE = 16
"""Searches that run at the same time; others wait in line. More would only wait for the database's processors."""


class State(TypedDict):
    """What is open while the service runs."""

    store: AsyncNeo4jStore
    searcher: AsyncSearcher
    places: Semaphore


def make_app(settings: Settings, access: AccessList, *, embedder: Embedder | None = None) -> FastAPI:
    """Return the service.

    Args:
        settings: Which store, with its limits.
        access: The keys that are known.
        embedder: By default the one that the settings name.
    """

    @asynccontextmanager
    async def lifespan(_app: FastAPI) -> AsyncIterator[State]:
        async with open_async_store(settings=settings, embedder=embedder) as store:
            yield State(store=store, searcher=AsyncSearcher(store, settings=settings), places=Semaphore(AT_ONCE))

    app = FastAPI(title="Search", lifespan=lifespan)
    install(app)

    def scope_of(x_api_key: Annotated[str | None, Header()] = None) -> Scope:
        scope = access.scope_of(x_api_key)
        if scope is None:
            raise UnknownKeyError
        return scope

    Scoped = Annotated[Scope, Depends(scope_of)]  # noqa: N806 - a type

    @app.get("/health", responses={503: ANSWERS[503]})
    async def health(request: Request) -> HealthAnswer:
        """Tell whether the database answers."""
        await store_of(request).find_by_id("health")
        return HealthAnswer(status="ok")

    @app.get("/search", responses=ANSWERS)
    async def search(
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
        searcher: AsyncSearcher = request.state.searcher
        async with request.state.places:
            return SearchAnswer.of(await searcher.search(asked, mode, scope=scope, refine=refine))

    @app.get("/documents", responses=ANSWERS)
    async def documents(
        *,
        request: Request,
        scope: Scoped,
        limit: Annotated[int, Query(ge=1, le=100)] = 20,
        offset: Annotated[int, Query(ge=0)] = 0,
    ) -> list[DocumentAnswer]:
        """Return the documents that the key opens."""
        return DocumentAnswer.of_all(await store_of(request).list_documents(scope=scope, limit=limit, offset=offset))

    @app.get("/documents/{document_id}", responses=ANSWERS)
    async def document(request: Request, scope: Scoped, document_id: str) -> DocumentAnswer:
        """Return a document."""
        found = await store_of(request).find_by_id(document_id, scope=scope)
        if not isinstance(found, Document):
            raise HiddenError
        return DocumentAnswer.of(found)

    @app.get("/documents/{document_id}/chunks", responses=ANSWERS)
    async def chunks(
        *,
        request: Request,
        scope: Scoped,
        document_id: str,
        limit: Annotated[int, Query(ge=1, le=100)] = 20,
        offset: Annotated[int, Query(ge=0)] = 0,
    ) -> list[ChunkAnswer]:
        """Return a document's text in pieces; none for an unknown document."""
        held = await store_of(request).list_chunks(document_id, scope=scope, limit=limit, offset=offset)
        return [ChunkAnswer.of(chunk) for chunk in held]

    return app


def store_of(request: Request) -> AsyncNeo4jStore:
    """Return the store that is open."""
    store: AsyncNeo4jStore = request.state.store
    return store


def create_app() -> FastAPI:
    """Return the service as the environment sets it up: the package's own settings, and `SERVICE_KEYS`, a file."""
    return make_app(load_settings(), AccessList.read(Path(os.environ["SERVICE_KEYS"])))
