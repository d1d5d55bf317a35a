"""Every error that a caller of this package can meet.

The whole tree:

    GraphRagError
    ├── ConfigurationError         a setting is missing or wrong, or two settings disagree
    ├── FilterError
    │   ├── InvalidFilterError     also a ValueError: a filter that means nothing; `place` tells where in it
    │   └── UnsupportedFilterError this store or compiler cannot run that node
    ├── StoreError                 `retryable` says if trying again makes sense
    │   ├── StoreUnavailableError  no connection, wrong credentials, unknown database
    │   ├── SchemaError            constraint or index absent, of another shape, or of another version
    │   └── StatementError         a statement failed; its name is told, its parameters are not
    ├── InvalidRequestError        also a ValueError: sizes, ids, queries, metadata out of bounds
    │   ├── InvalidPatternError    a regular expression that is refused; `position` tells where in it
    │   ├── MissingCapabilityError the store lacks the search that is asked for; its others are named
    │   └── MissingEmbeddingError  chunks have no embedding, and the store has none of them
    ├── NotFoundError              also a LookupError: nothing visible has that id or URI
    ├── TimeoutExceededError       also a TimeoutError: a deadline of ours passed
    ├── BusyError                  a bounded queue is full; try again later
    ├── IngestionError             carries the URI and the stage: fetch, read, chunk, embed, write
    │   ├── FetchError                 a URL could not be fetched; `status` is what the server answered, if it did
    │   │   └── RefusedAddressError    a URL that is not asked: its scheme, its host, its address, or robots.txt
    │   ├── UnreadableDocumentError    the file is damaged, or its reader failed
    │   ├── ReaderServiceError         the server that reads is down or failed; `retryable`
    │   ├── UnsupportedDocumentError   no reader knows the format
    │   └── PasswordRequiredError      the file is encrypted; the password is absent or wrong
    ├── DatasetError               also a ValueError: a broken data set of an evaluation; `path`, `line` tell where
    ├── ModelCallError             a model is missing, failed, or gave a vector that cannot be stored
    ├── MissingExtraError          an optional dependency is absent; carries the install command
    └── LocalServerError           carries the log's path and its last lines

A message says what failed and on which value, what is accepted, and what to do next.
No foreign exception crosses a public call: the original stands in `__cause__`.
"""

from collections.abc import Sequence
from pathlib import Path
from typing import ClassVar, Literal

__all__ = [
    "BusyError",
    "ConfigurationError",
    "DatasetError",
    "FetchError",
    "FilterError",
    "GraphRagError",
    "IngestionError",
    "InvalidFilterError",
    "InvalidPatternError",
    "InvalidRequestError",
    "LocalServerError",
    "MissingCapabilityError",
    "MissingEmbeddingError",
    "MissingExtraError",
    "ModelCallError",
    "NotFoundError",
    "PasswordRequiredError",
    "ReaderServiceError",
    "RefusedAddressError",
    "SchemaError",
    "Stage",
    "StatementError",
    "StoreError",
    "StoreUnavailableError",
    "TimeoutExceededError",
    "UnreadableDocumentError",
    "UnsupportedDocumentError",
    "UnsupportedFilterError",
]

Stage = Literal["fetch", "read", "chunk", "embed", "write"]


class GraphRagError(Exception):
    """Base of all errors of this package. `code` is stable and may be shown to anyone."""

    code: ClassVar[str] = "error"


class ConfigurationError(GraphRagError):
    """A setting is missing or wrong; the message names it, and what is accepted."""

    code = "configuration"


class FilterError(GraphRagError):
    """Something is wrong with a filter."""

    code = "filter"


class InvalidFilterError(FilterError, ValueError):
    """A filter has no meaning; the message says what is accepted.

    Attributes:
        place: Where in the filter: `$.$and[1].year.$gte` in the JSON form, `character 17` in the text form, a key or an
            operator for one that is built in Python.
    """

    code = "invalid_filter"

    def __init__(self, message: str, *, place: str = "") -> None:
        super().__init__(f"at {place}: {message}" if place else message)
        self.message = message
        self.place = place


class UnsupportedFilterError(FilterError):
    """This store or compiler cannot run one node of a filter. `node` names its kind, `store` who cannot."""

    code = "unsupported_filter"

    def __init__(self, message: str, *, node: str, store: str) -> None:
        super().__init__(message)
        self.node = node
        self.store = store


class StoreError(GraphRagError):
    """A store could not do what was asked. `retryable` says if trying again makes sense."""

    code = "store"

    def __init__(self, message: str, *, retryable: bool = False) -> None:
        super().__init__(message)
        self.retryable = retryable


class StoreUnavailableError(StoreError):
    """The store cannot be reached, or refuses the credentials or the database's name."""

    code = "store_unavailable"


class SchemaError(StoreError):
    """A constraint or index is absent, failed, of another shape, or of another version."""

    code = "schema"


class StatementError(StoreError):
    """One statement failed. Parameters and stored text never stand in the message."""

    code = "statement"

    def __init__(self, message: str, *, statement: str, retryable: bool = False) -> None:
        super().__init__(message, retryable=retryable)
        self.statement = statement


class InvalidRequestError(GraphRagError, ValueError):
    """An argument is out of its bounds; the message names it, its value and its bounds."""

    code = "invalid_request"


class InvalidPatternError(InvalidRequestError):
    """A regular expression is refused; the message says why, and what is accepted.

    Attributes:
        position: Where in the pattern it is at fault, in characters from 0; None where no one place is.
    """

    code = "invalid_pattern"

    def __init__(self, message: str, *, position: int | None = None) -> None:
        super().__init__(message if position is None else f"at character {position + 1} of the pattern: {message}")
        self.message = message
        self.position = position


class MissingCapabilityError(InvalidRequestError):
    """The store cannot do what a call asks for. `capability` names what it lacks, `has` what it has."""

    code = "missing_capability"

    def __init__(self, message: str, *, capability: str, has: tuple[str, ...] = ()) -> None:
        super().__init__(message)
        self.capability = capability
        self.has = has


class MissingEmbeddingError(InvalidRequestError):
    """Chunks have no embedding, and the store has none of them. `chunk_ids` names them."""

    code = "missing_embedding"

    def __init__(self, message: str, *, chunk_ids: frozenset[str] = frozenset()) -> None:
        super().__init__(message)
        self.chunk_ids: frozenset[str] = chunk_ids


class NotFoundError(GraphRagError, LookupError):
    """Nothing visible has that id or URI. A hidden thing and a missing one look the same."""

    code = "not_found"


class TimeoutExceededError(GraphRagError, TimeoutError):
    """A deadline passed; the message tells which one and how to raise it."""

    code = "timeout"


class BusyError(GraphRagError):
    """A bounded queue is full. Trying again later makes sense."""

    code = "busy"


class IngestionError(GraphRagError):
    """One document could not be ingested; others are not affected."""

    code = "ingestion"

    def __init__(self, message: str, *, uri: str, stage: Stage) -> None:
        super().__init__(message)
        self.uri = uri
        self.stage: Stage = stage


class FetchError(IngestionError):
    """A URL could not be fetched: no connection, too slow, too long, or an answer that is no document.

    Attributes:
        status: The HTTP status that the server answered with; None where it did not come to that.
    """

    code = "fetch"

    def __init__(self, message: str, *, uri: str, status: int | None = None) -> None:
        super().__init__(message, uri=uri, stage="fetch")
        self.status = status


class RefusedAddressError(FetchError):
    """A URL that is not asked: its scheme, its host, its address or a redirect is refused, or robots.txt forbids it."""

    code = "refused_address"


class UnreadableDocumentError(IngestionError):
    """The file is damaged or its reader failed on it."""

    code = "unreadable"

    def __init__(self, message: str, *, uri: str, stage: Stage = "read") -> None:
        super().__init__(message, uri=uri, stage=stage)


class ReaderServiceError(UnreadableDocumentError):
    """The server that the file was given to is down, or failed. `retryable` says if trying again makes sense."""

    code = "reader_service"

    def __init__(self, message: str, *, uri: str, retryable: bool) -> None:
        super().__init__(message, uri=uri)
        self.retryable = retryable


class UnsupportedDocumentError(UnreadableDocumentError):
    """No reader knows this format."""

    code = "unsupported"


class PasswordRequiredError(UnreadableDocumentError):
    """The file is encrypted, and no password or a wrong one was given."""

    code = "needs_password"


class DatasetError(GraphRagError, ValueError):
    """A data set for an evaluation is broken; the message says what is accepted.

    Attributes:
        path: The file, or the folder where that is at fault.
        line: Its line, from 1; None where no one line is.
    """

    code = "dataset"

    def __init__(self, message: str, *, path: Path, line: int | None = None) -> None:
        place = f"`{path}`" if line is None else f"`{path}`, line {line}"
        super().__init__(f"{place}: {message}")
        self.message = message
        self.path = path
        self.line = line


class ModelCallError(GraphRagError):
    """An embedding model is missing or failed, or gave a vector that cannot be stored."""

    code = "model_call"


class MissingExtraError(GraphRagError, ImportError):
    """An optional dependency is not installed. `command` installs it."""

    code = "missing_extra"

    def __init__(self, feature: str, *, extra: str) -> None:
        self.extra = extra
        self.command: str = f"pip install 'graphrag-service[{extra}]'"
        super().__init__(f"{feature} needs the extra `{extra}`: run `{self.command}`")


class LocalServerError(GraphRagError):
    """The local Neo4j server could not be installed, started, found or stopped."""

    code = "local_server"

    def __init__(self, message: str, *, log_path: str | None = None, log_tail: Sequence[str] = ()) -> None:
        super().__init__(message)
        self.log_path = log_path
        self.log_tail: tuple[str, ...] = tuple(log_tail)
