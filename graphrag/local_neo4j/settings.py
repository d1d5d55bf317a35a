"""Where the server's files stand, and the text of its configuration."""

from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path

from graphrag.config import LocalServerSettings

__all__ = ["HOST", "USERNAME", "Ports", "ServerFiles", "jvm_options", "render_configuration"]

HOST = "127.0.0.1"
USERNAME = "neo4j"

_JVM_OPTIONS = (
    # As the server's own distribution sets them, but for the vector module, which the runtime has not.
    "--add-opens=java.base/java.nio=ALL-UNNAMED",
    "--add-opens=java.base/java.io=ALL-UNNAMED",
    "--add-opens=java.base/sun.nio.ch=ALL-UNNAMED",
    "--sun-misc-unsafe-memory-access=allow",
    "-XX:-OmitStackTraceInFastThrow",
    "-XX:+DisableExplicitGC",
    "-Djdk.nio.maxCachedBufferSize=1024",
    "-Dio.netty.tryReflectionSetAccessible=true",
    "-Dlog4j2.disable.jmx=true",
    "-Djava.awt.headless=true",
    "-XX:+DisableAttachMechanism",  # no socket and no file of ours in the shared folder for temporary files
    "-XX:-UsePerfData",
    "-Djava.net.preferIPv4Stack=true",  # loopback is 127.0.0.1 alone
    "-Dfile.encoding=UTF-8",
)


@dataclass(frozen=True, slots=True)
class Ports:
    """The two ports that the server listens on, on loopback."""

    bolt: int
    http: int


@dataclass(frozen=True, slots=True)
class ServerFiles:
    """The files of one server, all below `home`; folders have mode 0700, files 0600."""

    home: Path

    @property
    def configuration(self) -> Path:
        """The server's own configuration, written anew at each start."""
        return self.home / "conf" / "neo4j.conf"

    @property
    def data(self) -> Path:
        """Databases, transaction logs and the system database with its users."""
        return self.home / "data"

    @property
    def system_database(self) -> Path:
        """Exists from the first start on."""
        return self.data / "databases" / "system"

    @property
    def password(self) -> Path:
        """The password of the user `neo4j`, made before the first start."""
        return self.home / "password"

    @property
    def state(self) -> Path:
        """Which process serves this home, or did last, and on which ports."""
        return self.home / "server.json"

    @property
    def start_lock(self) -> Path:
        """Held by whoever starts, stops or resets the server."""
        return self.home / "start.lock"

    @property
    def process_lock(self) -> Path:
        """Held by the server's process as long as it lives."""
        return self.home / "process.lock"

    @property
    def log(self) -> Path:
        """What the server's process prints."""
        return self.home / "logs" / "server.log"


def render_configuration(settings: LocalServerSettings, ports: Ports) -> str:
    """Return the text of `neo4j.conf`: loopback only, authenticated, silent to its maker."""
    values = {
        **_directories(settings.home),
        **_connectors(ports),
        **_SAFETY,
        "server.memory.pagecache.size": f"{settings.page_cache_mb}m",
        **_PATIENCE,
        **_INDEXES,
        "db.tx_log.rotation.retention_policy": "200M size",
        "db.tx_log.rotation.size": "50M",
        "db.logs.query.enabled": "OFF",
        "dbms.db.timezone": "UTC",
    }
    return "".join(f"{name}={value}\n" for name, value in values.items())


_INDEXES: Mapping[str, str] = {
    # A commit builds one graph of all its new vectors, at a cost that grows faster than their number; in pieces of
    # 500 one of 6,000 chunks took less than half the server's time (docs/benchmarks.md).
    "internal.dbms.index.lucene.writer_max_buffered_docs": "500",
}

_PATIENCE: Mapping[str, str] = {
    # What a client left open must not hold locks for ever,
    "db.transaction.timeout": "30m",
    "db.lock.acquisition.timeout": "2m",
    # and must not hold up a stop. The defaults of the last four add up to more than ten seconds.
    "db.shutdown_transaction_end_timeout": "2s",
    "internal.db.transaction.shutdown_terminated_transaction_wait_timeout": "2s",
    "internal.dbms.bolt.netty_server_shutdown_quiet_period_duration": "0s",
    "internal.dbms.bolt.netty_server_shutdown_timeout": "1s",
    "internal.server.bolt.connection_shutdown_wait_time": "2s",
    "internal.server.bolt.thread_pool_shutdown_wait_time": "2s",
}

_SAFETY: Mapping[str, str] = {
    "dbms.security.auth_enabled": "true",
    "dbms.security.auth_minimum_password_length": "20",
    # LOAD CSV reads neither files nor addresses: every address is on the list of those that are blocked.
    "dbms.security.allow_csv_import_from_file_urls": "false",
    "internal.dbms.cypher_ip_blocklist": "0.0.0.0/0,::/0",
    # Nothing is loaded from a plug-in folder, and nothing that is there gets at the internals.
    "dbms.security.procedures.allowlist": "",
    "dbms.security.procedures.unrestricted": "",
    "dbms.usage_report.enabled": "false",
    "client.allow_telemetry": "false",
    "server.bolt.telemetry.enabled": "false",
    "server.fleet_discovery.enabled": "false",
    "dbms.fleet_manager.enabled": "false",
    "server.http.x_forward.enabled": "false",
    "browser.remote_content_hostname_whitelist": "",
    "server.http_enabled_modules": "TRANSACTIONAL_ENDPOINTS,QUERY_API_ENDPOINTS,BROWSER",
}


def _directories(home: Path) -> dict[str, str]:
    return {
        "server.directories.data": str(home / "data"),
        "server.directories.logs": str(home / "logs"),
        "server.directories.import": str(home / "import"),
        "server.directories.plugins": str(home / "plugins"),
    }


def _connectors(ports: Ports) -> dict[str, str]:
    bolt, http = f"{HOST}:{ports.bolt}", f"{HOST}:{ports.http}"
    return {
        "server.default_listen_address": HOST,
        "server.default_advertised_address": HOST,
        "server.bolt.enabled": "true",
        "server.bolt.tls_level": "DISABLED",
        "server.bolt.listen_address": bolt,
        "server.bolt.advertised_address": bolt,
        "server.http.enabled": "true",
        "server.http.listen_address": http,
        "server.http.advertised_address": http,
        "server.https.enabled": "false",
        "dbms.routing.enabled": "false",
        # Pages of other sites, open in the same web browser, get no answer from this server.
        "dbms.security.http_access_control_allow_origin": f"http://{http}",
        "dbms.security.http_static_content_security_policy_header": (
            "default-src 'self'; script-src 'self'; img-src 'self' data: blob:; style-src 'self' 'unsafe-inline'; "
            "font-src 'self' data:; base-uri 'none'; object-src 'none'; frame-ancestors 'none'; "
            f"connect-src 'self' ws://{bolt} ws://localhost:{ports.bolt}"
        ),
    }


def jvm_options(settings: LocalServerSettings) -> tuple[str, ...]:
    """Return the options of the server's Java machine; those of the settings come last, so they win."""
    return (
        f"-Xms{min(256, settings.heap_mb)}m",
        f"-Xmx{settings.heap_mb}m",
        f"-XX:ErrorFile={settings.home / 'logs' / 'java-crash-%p.log'}",
        *_JVM_OPTIONS,
        *settings.jvm_options,
    )
