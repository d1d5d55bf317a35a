"""The driver's exceptions as ours. No message holds parameters, credentials, or text of the server's."""

import ssl
from collections.abc import Iterator

from neo4j.exceptions import (
    AuthConfigurationError,
    AuthError,
    CertificateConfigurationError,
    ConfigurationError as DriverConfigurationError,
    ConnectionAcquisitionTimeoutError,
    ConstraintError,
    DatabaseUnavailable,
    DriverError,
    Forbidden,
    ForbiddenOnReadOnlyDatabase,
    IncompleteCommit,
    Neo4jError,
    ReadServiceUnavailable,
    RoutingServiceUnavailable,
    ServiceUnavailable,
    SessionExpired,
    TokenExpired,
    TransientError,
    WriteServiceUnavailable,
)

from graphrag.config import Neo4jSettings
from graphrag.errors import (
    BusyError,
    ConfigurationError,
    GraphRagError,
    SchemaError,
    StatementError,
    StoreUnavailableError,
    TimeoutExceededError,
)

__all__ = ["is_retryable", "translate"]

_NO_DATABASE = frozenset({
    "Neo.ClientError.Database.DatabaseNotFound",
    "Neo.ClientError.Database.HomeDatabaseNotFound",
    "Neo.ClientError.Database.GraphNotFound",
})  # fmt: skip
_TIMED_OUT = frozenset({
    "Neo.ClientError.Transaction.TransactionTimedOut",
    "Neo.ClientError.Transaction.TransactionTimedOutClientConfiguration",
    "Neo.TransientError.Transaction.TransactionTimedOut",
})  # fmt: skip
_TERMINATED = frozenset({
    "Neo.ClientError.Transaction.TransactionTerminated",
    "Neo.ClientError.Transaction.Terminated",  # as the driver rewrites the next one
    "Neo.TransientError.Transaction.Terminated",
})  # fmt: skip
_POPULATING = "51N63"
_SCHEMA_CODES = ("Neo.ClientError.Schema.", "Neo.DatabaseError.Schema.")
_INDEX_PHRASES = (
    "no such fulltext schema index",
    "FAILED state",
    "is not online",
    "state=FAILED",
    "IndexReader is closed",  # dropped while a search read it
)
"""How the server tells of an index where its error has no code of its own."""
_SYSTEM = "system"
"""The server's own database, which holds no documents."""
_HTTP = "looks like HTTP"
"""How the driver tells that an HTTP server answered; its error has no code."""
_RATE_LIMIT = "Neo.ClientError.Security.AuthenticationRateLimit"


def is_retryable(error: Neo4jError | DriverError) -> bool:
    """Tell whether the same call may succeed later without any change."""
    return error.is_retryable() or isinstance(
        error, ServiceUnavailable | SessionExpired | ConnectionAcquisitionTimeoutError
    )


def translate(
    error: Neo4jError | DriverError, *, where: str, statement: str = "", settings: Neo4jSettings | None = None
) -> GraphRagError:
    """Return the error of ours that a driver's exception means.

    Args:
        error: What the driver raised.
        where: Host and port, without credentials.
        statement: The name of the statement that was running, if one was.
        settings: What the connection was made by, to name the database and to see that a password is missing.
    """
    if isinstance(error, DriverError):
        return _of_driver(error, where, statement)
    return _of_settings(error, where, settings) or _of_server(error, where, statement)


def _of_settings(error: Neo4jError, where: str, settings: Neo4jSettings | None) -> GraphRagError | None:
    """Return the error where a setting is the cause; None where none is known to be."""
    code = error.code or ""
    database = settings.database if settings else None
    if code in _NO_DATABASE:
        name = f"database `{database}`" if database else "such database"
        return StoreUnavailableError(
            f"the server at {where} has no {name}; check NEO4J_DATABASE (Community edition has one, `neo4j`)"
        )
    if (database or "").lower() == _SYSTEM and not isinstance(error, TransientError) and ".Security." not in code:
        return StoreUnavailableError(
            f"database `{_SYSTEM}` of the server at {where} holds no documents; name another in NEO4J_DATABASE "
            "(Community edition has one, `neo4j`)"
        )
    refused = isinstance(error, AuthError) and code != _RATE_LIMIT and not isinstance(error, Forbidden)
    if settings is not None and refused and not settings.password.get_secret_value():
        return StoreUnavailableError(
            f"the server at {where} asks for a password, and no password is set (NEO4J_PASSWORD)"
        )
    return None


def _of_server(error: Neo4jError, where: str, statement: str) -> GraphRagError:  # noqa: PLR0911 - one a kind
    code = error.code or ""
    if code == _RATE_LIMIT:
        return StoreUnavailableError(
            f"the server at {where} refuses logins for a while after too many wrong passwords; "
            "wait some seconds, and check NEO4J_USERNAME and NEO4J_PASSWORD",
            retryable=True,
        )
    if isinstance(error, AuthError | TokenExpired | AuthConfigurationError) or ".Security." in code:
        if isinstance(error, Forbidden | ForbiddenOnReadOnlyDatabase):
            return StatementError(
                f"statement `{statement}` is not permitted to this user on {where}; grant it, or use another user",
                statement=statement,
            )
        return StoreUnavailableError(
            f"the server at {where} refuses these credentials; check NEO4J_USERNAME and NEO4J_PASSWORD"
        )
    if isinstance(error, DatabaseUnavailable):
        return StoreUnavailableError(f"the database at {where} is not available now; try again later", retryable=True)
    if code in _TIMED_OUT or code in _TERMINATED:
        return TimeoutExceededError(
            f"statement `{statement}` took longer than its deadline on {where}; ask for less, or raise "
            "`neo4j.call_timeout_s` (reads) or `neo4j.write_timeout_s` (writes)"
        )
    if isinstance(error, ConstraintError):
        return StatementError(
            f"statement `{statement}` met a constraint of the database at {where}: another node has that id",
            statement=statement,
            retryable=True,
        )
    return _of_statement(error, where, statement)


def _of_statement(error: Neo4jError, where: str, statement: str) -> GraphRagError:
    code = error.code or "unknown"
    if error.gql_status == _POPULATING:
        return SchemaError(
            f"statement `{statement}` needs an index that is still being built on {where}; wait and try again "
            "(`graphrag schema status` tells how far it is)",
            retryable=True,
        )
    if code.startswith(_SCHEMA_CODES) or any(phrase in (error.message or "") for phrase in _INDEX_PHRASES):
        return SchemaError(
            f"statement `{statement}` met an index or constraint that is missing, failed or in the way on {where} "
            f"({code}); `graphrag schema status` tells which, `graphrag schema apply` makes what is missing"
        )
    if isinstance(error, TransientError):
        return StatementError(
            f"statement `{statement}` failed on {where} for a passing reason ({code}); try again",
            statement=statement,
            retryable=True,
        )
    return StatementError(
        f"statement `{statement}` failed on {where} ({code}); the server's log has the details",
        statement=statement,
        retryable=is_retryable(error),
    )


def _of_driver(error: DriverError, where: str, statement: str) -> GraphRagError:
    if isinstance(error, ConnectionAcquisitionTimeoutError):
        return BusyError(
            f"no connection to {where} came free in time; lower the number of parallel calls, or raise "
            "`neo4j.max_pool_size`"
        )
    if isinstance(error, CertificateConfigurationError | DriverConfigurationError | AuthConfigurationError):
        return ConfigurationError(
            f"the driver refuses the settings for {where}: {type(error).__name__}; check NEO4J_URI"
        )
    if isinstance(error, IncompleteCommit):
        return StoreUnavailableError(
            f"the connection to {where} broke during a commit, so whether it took place is not known; "
            "every write of this package may be run again",
            retryable=True,
        )
    if isinstance(
        error,
        ServiceUnavailable
        | SessionExpired
        | ReadServiceUnavailable
        | WriteServiceUnavailable
        | RoutingServiceUnavailable,
    ):
        return _of_no_connection(error, where)
    return StatementError(
        f"the driver failed at {where}: {type(error).__name__}" + (f" in statement `{statement}`" if statement else ""),
        statement=statement,
        retryable=is_retryable(error),
    )


def _of_no_connection(error: DriverError, where: str) -> GraphRagError:
    causes = tuple(_causes(error))
    for cause in causes:
        if isinstance(cause, ssl.SSLCertVerificationError):
            return StoreUnavailableError(
                f"the certificate of the server at {where} is not accepted: it is expired, of another host, or signed "
                "by nobody this machine trusts; +ssc instead of +s takes one that signs itself"
            )
    # The driver's own class for this is private; a server that speaks plainly ends a TLS greeting in one of two ways.
    if any(isinstance(cause, ssl.SSLError) or type(cause).__name__ == "BoltSecurityError" for cause in causes):
        return StoreUnavailableError(
            f"{where} answers, but not by this scheme: no TLS is spoken there; check NEO4J_URI: scheme without +s or "
            "+ssc, or the port of a server that has TLS",
            retryable=True,
        )
    if any(_HTTP in str(cause) for cause in causes):
        return StoreUnavailableError(
            f"{where} answers, but not by this scheme: it looks like HTTP; check NEO4J_URI: the port for drivers is "
            "another one (7687 where nothing else is set)"
        )
    return StoreUnavailableError(
        f"no Neo4j server answers at {where}; start one (`graphrag db start`), or check NEO4J_URI: scheme "
        "(neo4j://, bolt://, or with +s for TLS), host and port",
        retryable=True,
    )


def _causes(error: BaseException | None) -> Iterator[BaseException]:
    """Yield an error, what it came from, and what those in groups came from."""
    while error is not None:
        yield error
        if isinstance(error, BaseExceptionGroup):
            for inner in error.exceptions:
                yield from _causes(inner)
        error = error.__cause__ or error.__context__
