"""Whether the server answers on its Bolt port, and is ours."""

from dataclasses import dataclass

import neo4j
from neo4j.exceptions import AuthError, DriverError, Neo4jError
from pydantic import SecretStr

from graphrag.local_neo4j.settings import HOST, USERNAME

__all__ = ["Answer", "ask"]


@dataclass(frozen=True, slots=True)
class Answer:
    """What came back on a Bolt port. `authenticated` is true only where the kept password was accepted."""

    authenticated: bool
    version: str | None = None
    reason: str = ""


def ask(bolt_port: int, password: SecretStr, *, timeout_s: float = 5.0) -> Answer:
    """Log in with the kept password and ask for the version. Never raises for a server that is down."""
    auth = (USERNAME, password.get_secret_value())
    try:
        with neo4j.GraphDatabase.driver(
            f"bolt://{HOST}:{bolt_port}",
            auth=auth,
            connection_timeout=timeout_s,
            connection_acquisition_timeout=timeout_s,
            max_transaction_retry_time=0,
            notifications_min_severity="OFF",
            telemetry_disabled=True,
        ) as driver:
            record = driver.execute_query(
                "CALL dbms.components() YIELD name, versions WHERE name = 'Neo4j Kernel' RETURN versions[0] AS version",
                database_="system",
                result_transformer_=neo4j.Result.single,
            )
    except AuthError:
        return Answer(authenticated=False, reason="the kept password is refused")
    except (DriverError, Neo4jError, OSError) as error:
        return Answer(authenticated=False, reason=f"no answer ({type(error).__name__})")
    return Answer(authenticated=True, version=str(record["version"]) if record else None)
