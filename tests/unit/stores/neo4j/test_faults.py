"""Every exception of the driver becomes one of ours, and its text stays out of the message."""

import contextlib
import inspect
import socket
import ssl
import threading

import neo4j.exceptions
import pytest
from neo4j.exceptions import DriverError, GqlError, Neo4jError
from pydantic import SecretStr

from graphrag.config import Neo4jSettings
from graphrag.errors import (
    BusyError,
    ConfigurationError,
    GraphRagError,
    SchemaError,
    StatementError,
    StoreError,
    StoreUnavailableError,
    TimeoutExceededError,
)
from graphrag.stores.neo4j.faults import is_retryable, translate

SECRET = "MATCH (n {name: 'CANARY'})"
CLASSES = sorted(
    (
        kind
        for _, kind in inspect.getmembers(neo4j.exceptions, inspect.isclass)
        if issubclass(kind, Exception) and kind.__module__.startswith("neo4j") and kind is not GqlError
    ),
    key=lambda kind: kind.__name__,
)
OF_SERVER = [kind for kind in CLASSES if issubclass(kind, Neo4jError)]
OF_DRIVER = [kind for kind in CLASSES if issubclass(kind, DriverError)]


def of_server(code: str, message: str = SECRET, gql_status: str | None = None) -> Neo4jError:
    error = Neo4jError._hydrate_neo4j(code=code, message=message)
    if gql_status is not None:
        error._gql_status = gql_status
    return error


def instance(kind: type[Exception]) -> Exception:
    try:
        return kind(SECRET)
    except TypeError:  # ResultError and its like name what they are about
        return kind(None, SECRET)


def test_the_drivers_exceptions_have_two_roots() -> None:
    """So what the store catches is all that there is."""
    assert len(CLASSES) > 25
    assert {kind for kind in CLASSES if kind not in OF_SERVER and kind not in OF_DRIVER} == set()


@pytest.mark.parametrize("kind", CLASSES, ids=lambda kind: kind.__name__)
def test_every_class_is_mapped(kind: type[Neo4jError | DriverError]) -> None:
    ours = translate(instance(kind), where="bolt://db:7687", statement="chunk/by_ids")  # type: ignore[arg-type]
    assert isinstance(ours, GraphRagError)
    assert "CANARY" not in str(ours)
    assert "MATCH" not in str(ours)
    assert "bolt://db:7687" in str(ours)


@pytest.mark.parametrize(
    "code, expected, message",
    [
        ("Neo.ClientError.Security.Unauthorized", StoreUnavailableError, "refuses these credentials"),
        ("Neo.ClientError.Security.TokenExpired", StoreUnavailableError, "refuses these credentials"),
        ("Neo.ClientError.Security.CredentialsExpired", StoreUnavailableError, "refuses these credentials"),
        ("Neo.ClientError.Security.AuthenticationRateLimit", StoreUnavailableError, "too many wrong passwords"),
        ("Neo.ClientError.Security.Forbidden", StatementError, "is not permitted to this user"),
        ("Neo.ClientError.General.ForbiddenOnReadOnlyDatabase", StatementError, "`chunk/by_ids`"),
        ("Neo.ClientError.Database.DatabaseNotFound", StoreUnavailableError, "check NEO4J_DATABASE"),
        ("Neo.TransientError.General.DatabaseUnavailable", StoreUnavailableError, "is not available now"),
        ("Neo.ClientError.Transaction.TransactionTimedOut", TimeoutExceededError, "longer than its deadline"),
        ("Neo.ClientError.Transaction.TransactionTimedOutClientConfiguration", TimeoutExceededError, "deadline"),
        ("Neo.TransientError.Transaction.Terminated", TimeoutExceededError, "deadline"),
        ("Neo.ClientError.Schema.ConstraintValidationFailed", StatementError, "another node has that id"),
        ("Neo.ClientError.Schema.IndexNotFound", SchemaError, "graphrag schema apply"),
        ("Neo.ClientError.Schema.IndexAlreadyExists", SchemaError, "in the way"),
        ("Neo.DatabaseError.Schema.ConstraintCreationFailed", SchemaError, "graphrag schema status"),
        ("Neo.TransientError.Transaction.DeadlockDetected", StatementError, "for a passing reason"),
        ("Neo.TransientError.General.OutOfMemoryError", StatementError, "for a passing reason"),
        ("Neo.ClientError.Statement.SyntaxError", StatementError, "Neo.ClientError.Statement.SyntaxError"),
        ("Neo.DatabaseError.Statement.ExecutionFailed", StatementError, "server's log has the details"),
        ("something of a future server", StatementError, "server's log"),
    ],
)
def test_what_a_servers_code_means(code: str, expected: type[StoreError], message: str) -> None:
    ours = translate(of_server(code), where="bolt://db:7687", statement="chunk/by_ids")
    assert type(ours) is expected
    assert message in str(ours)
    assert "CANARY" not in str(ours)


def test_an_index_that_is_being_built_may_be_tried_again() -> None:
    ours = translate(
        of_server("Neo.ClientError.Schema.IndexNotFound", gql_status="51N63"),
        where="here",
        statement="chunk/vector_search",
    )
    assert isinstance(ours, SchemaError)
    assert ours.retryable


@pytest.mark.parametrize(
    "message, expected",
    [
        ("Failed to invoke procedure: Caused by: java.lang.X: There is no such fulltext schema index: x", SchemaError),
        ("Failed to invoke procedure: Index 'x' is in FAILED state", SchemaError),
        ("this IndexReader is closed", SchemaError),
        ("Failed to invoke procedure: org.apache.lucene.search.IndexSearcher$TooManyClauses", StatementError),
        ("Failed to invoke procedure: org.apache.lucene.queryparser.classic.ParseException: index", StatementError),
    ],
)  # fmt: skip
def test_a_procedures_error_is_of_the_schema_only_where_an_index_is_at_fault(
    message: str, expected: type[StoreError]
) -> None:
    error = of_server("Neo.ClientError.Procedure.ProcedureCallFailed", message)
    assert type(translate(error, where="here", statement="chunk/text_candidates")) is expected


@pytest.mark.parametrize(
    "kind, expected, retryable",
    [
        (neo4j.exceptions.ServiceUnavailable, StoreUnavailableError, True),
        (neo4j.exceptions.SessionExpired, StoreUnavailableError, True),
        (neo4j.exceptions.IncompleteCommit, StoreUnavailableError, True),
        (neo4j.exceptions.RoutingServiceUnavailable, StoreUnavailableError, True),
        (neo4j.exceptions.ConnectionAcquisitionTimeoutError, BusyError, None),
        (neo4j.exceptions.ConfigurationError, ConfigurationError, None),
        (neo4j.exceptions.CertificateConfigurationError, ConfigurationError, None),
        (neo4j.exceptions.AuthConfigurationError, ConfigurationError, None),
        (neo4j.exceptions.ResultConsumedError, StatementError, False),
    ],
)
def test_what_the_drivers_own_errors_mean(
    kind: type[DriverError], expected: type[GraphRagError], retryable: bool | None
) -> None:
    ours = translate(instance(kind), where="here", statement="x/y")  # type: ignore[arg-type]
    assert type(ours) is expected
    assert getattr(ours, "retryable", None) == retryable


@pytest.mark.parametrize(
    "code, settings, told",
    [
        (
            "Neo.ClientError.Database.DatabaseNotFound",
            Neo4jSettings(database="elsewhere"),
            "has no database `elsewhere`; check NEO4J_DATABASE",
        ),
        ("Neo.ClientError.Database.HomeDatabaseNotFound", Neo4jSettings(), "has no such database"),
        (
            "Neo.ClientError.Statement.SyntaxError",
            Neo4jSettings(database="System"),
            "database `system` of the server at here holds no documents",
        ),
        ("Neo.ClientError.Security.Unauthorized", Neo4jSettings(), "no password is set (NEO4J_PASSWORD)"),
        (
            "Neo.ClientError.Security.Unauthorized",
            Neo4jSettings(password=SecretStr("CANARY")),
            "refuses these credentials",
        ),
        ("Neo.ClientError.Security.Unauthorized", Neo4jSettings(password=SecretStr("x"), database="system"), "refuses"),
        ("Neo.ClientError.Security.AuthenticationRateLimit", Neo4jSettings(), "too many wrong passwords"),
        ("Neo.ClientError.Security.Forbidden", Neo4jSettings(), "is not permitted to this user"),
    ],
)
def test_the_setting_that_is_wrong_is_named(code: str, settings: Neo4jSettings, told: str) -> None:
    ours = translate(of_server(code), where="here", statement="x/y", settings=settings)
    assert told in str(ours)
    assert "CANARY" not in str(ours)


def answer_each(listener: socket.socket, answer: bytes) -> None:
    with contextlib.suppress(OSError):
        while True:
            connection, _ = listener.accept()
            with connection:
                connection.recv(4096)
                connection.sendall(answer)


@pytest.mark.parametrize(
    "scheme, answer, told",
    [
        ("bolt", b"HTTP/1.1 400 Bad Request\r\n\r\n", "not by this scheme: it looks like HTTP"),
        ("neo4j", b"HTTP/1.1 400 Bad Request\r\n\r\n", "not by this scheme: it looks like HTTP"),
        ("bolt+s", b"plain words", "not by this scheme: no TLS is spoken there"),
        ("neo4j+ssc", b"plain words", "not by this scheme: no TLS is spoken there"),
        ("bolt+s", b"", "not by this scheme: no TLS is spoken there"),
        ("bolt", b"", "no Neo4j server answers"),
    ],
)
@pytest.mark.filterwarnings("ignore::DeprecationWarning")
def test_a_server_of_another_scheme_is_told_from_none(scheme: str, answer: bytes, told: str) -> None:
    """By the driver's real errors, of a port that answers in another way."""
    with socket.create_server(("127.0.0.1", 0)) as listener:
        threading.Thread(target=answer_each, args=(listener, answer), daemon=True).start()
        uri = f"{scheme}://127.0.0.1:{listener.getsockname()[1]}"
        with (
            neo4j.GraphDatabase.driver(uri, auth=("neo4j", "x"), connection_timeout=5) as driver,
            pytest.raises(neo4j.exceptions.ServiceUnavailable) as caught,
        ):
            driver.verify_connectivity()
    ours = translate(caught.value, where=uri)
    assert isinstance(ours, StoreUnavailableError)
    assert told in str(ours)


def test_a_certificate_that_is_not_accepted_is_told() -> None:
    error = neo4j.exceptions.ServiceUnavailable()
    error.__cause__ = ssl.SSLCertVerificationError("CANARY")
    ours = translate(error, where="here")
    assert "the certificate of the server at here is not accepted" in str(ours)
    assert "CANARY" not in str(ours)


def test_only_passing_errors_are_tried_again() -> None:
    assert is_retryable(of_server("Neo.TransientError.Transaction.DeadlockDetected"))
    assert is_retryable(neo4j.exceptions.ServiceUnavailable())
    assert not is_retryable(of_server("Neo.ClientError.Security.Unauthorized"))
    assert not is_retryable(of_server("Neo.ClientError.Statement.SyntaxError"))
