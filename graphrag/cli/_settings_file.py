"""Settings as text: those that count, without secrets, and a file to write one's own into."""

import json
import re
from collections.abc import Iterator, Mapping
from typing import TYPE_CHECKING, cast

from graphrag.cli._output import jsonable

if TYPE_CHECKING:
    from graphrag.config import Settings

__all__ = ["effective_settings", "redact", "render_settings_file", "toml_lines"]

_HIDDEN = "**********"
_USER_INFO = re.compile(r"(?<=//)[^/?#]*@")
_QUERY = re.compile(r"(?<=\?)[^#]+")
_SECRET_OPTION = re.compile(r"(?i)((?:password|passwd|secret|token|key)\w*=).+")

_HEAD = """\
# Settings of graphrag. An option of a command stands over the environment, the environment over this file.
# What is commented out has the value that is shown here, or is an example where it says so.
# Names in the environment: GRAPHRAG_<SUBJECT>_<NAME>, such as GRAPHRAG_CHUNKER_OVERLAP_SIZE.
"""
_EXAMPLES: Mapping[str, object] = {
    "store": "local:",
    "neo4j.password": "",
    "neo4j.database": "neo4j",
    "embedding.endpoint_url": "http://localhost:8080/v1",
    "embedding.api_key": "",
    "embedding.dimensions": 384,
    "embedding.max_tokens": 256,
    "tika.server_endpoint": "http://localhost:9998",
    "local.home": "~/.local/share/graphrag/neo4j",
    "web.ca_file": "/etc/ssl/certs/corp.pem",
}
"""For settings without a default that could be written down."""
_SUBJECTS = {
    "neo4j": "The server, where one is used that is not the local one.",
    "schema": "What is stamped into the database and must not drift.",
    "search": "How results are found and ranked.",
    "embedding": "Which model embeds, and how.",
    "chunker": "Sizes of chunks, in characters.",
    "tika": "Worker processes that parse with Apache Tika, or a server that does.",
    "ingestion": "How many documents move through the pipeline at once.",
    "web": "What is fetched by URL, from where, and how much of it.",
    "local": "The Neo4j server that `graphrag db start` starts.",
    "limits": "Bounds on what one call may ask for or give back.",
}
_COMMENTS = {
    "store": "Address of the store: neo4j://…, bolt://…, or local: (an example).",
    "collection": "Where documents go, and where they are looked for by path.",
    "neo4j.password": "Better kept in NEO4J_PASSWORD.",
    "neo4j.database": "An example; without it, the user's home database.",
    "neo4j.allow_plaintext_bolt": "Permit unencrypted Bolt to another host, on a private network.",
    "schema.filter_properties": "Metadata that the vector index is to filter by.",
    "search.text_weight": "Weight of the search by words in a hybrid one; the search by meaning has the rest.",
    "embedding.model": "A folder, or the default model's name.",
    "embedding.endpoint_url": "An example: an OpenAI-compatible endpoint; `model` is the name sent to it.",
    "embedding.api_key": "Better kept in GRAPHRAG_EMBEDDING_API_KEY.",
    "embedding.dimensions": "An example; a local model tells its own.",
    "embedding.max_tokens": "An example; without it, what the model says.",
    "chunker.allow_truncation": "Let chunks exceed the embedding model's token limit.",
    "tika.server_endpoint": "An example; without it, worker processes parse.",
    "web.allowed_hosts": "Hosts and networks that may be asked although they are not public, such as 10.1.0.0/16.",
    "web.timeout_s": "Of one fetch from the look-up of its name to the last byte, with all redirects.",
    "web.max_expansion": "How many times as long a body may be decompressed as compressed.",
    "web.ca_file": "An example: certificates of further authorities.",
    "local.bolt_port": "0 takes a free one at the first start and keeps it.",
}


def effective_settings(settings: "Settings") -> dict[str, object]:
    """Return settings by subject and name, without any secret."""
    values = cast("dict[str, object]", jsonable(settings.model_dump(by_alias=True, exclude={"neo4j_uri_given"})))
    return cast("dict[str, object]", _redacted(values))


def redact(text: str) -> str:
    """Return the text without what may be a secret in it: user and password of an address, its query, options."""
    text = _USER_INFO.sub(f"{_HIDDEN}@", text)
    if "://" in text:
        text = _QUERY.sub(_HIDDEN, text)
    return _SECRET_OPTION.sub(rf"\1{_HIDDEN}", text)


def toml_lines(values: Mapping[str, object]) -> Iterator[str]:
    """Yield TOML: plain settings first, then one table a subject; what is not set is a comment."""
    for name, value in values.items():
        if not isinstance(value, Mapping):
            yield _line(name, value)
    for subject, inner in values.items():
        if isinstance(inner, Mapping):
            yield ""
            yield f"[{subject}]"
            for name, value in cast("Mapping[str, object]", inner).items():
                yield _line(name, value)


def render_settings_file() -> str:
    """Return a file of all settings with their defaults, commented out."""
    from graphrag.config import Settings

    defaults = cast("dict[str, object]", jsonable(Settings().model_dump(by_alias=True, exclude={"neo4j_uri_given"})))
    lines = [_HEAD]
    lines += _commented(defaults, "")
    for subject, inner in defaults.items():
        if isinstance(inner, Mapping):
            lines += ["", f"# {_SUBJECTS[subject]}", f"[{subject}]"]
            lines += _commented(cast("Mapping[str, object]", inner), f"{subject}.")
    return "\n".join(lines) + "\n"


def _commented(values: Mapping[str, object], prefix: str) -> Iterator[str]:
    for name, default in values.items():
        if isinstance(default, Mapping):
            continue
        dotted = f"{prefix}{name}"
        if dotted in _COMMENTS:
            yield f"# {_COMMENTS[dotted]}"
        yield f"#{name} = {_toml(_EXAMPLES.get(dotted, default))}"


def _line(name: str, value: object) -> str:
    return f"# {name} is not set" if value is None else f"{name} = {_toml(value)}"


def _toml(value: object) -> str:
    """Return a scalar or a list of scalars; JSON writes these as TOML does, but for DEL, which it leaves bare."""
    return json.dumps(value, ensure_ascii=False).replace("\x7f", "\\u007f")


def _redacted(value: object) -> object:
    if isinstance(value, str):
        return redact(value)
    if isinstance(value, Mapping):
        return {name: _redacted(item) for name, item in cast("Mapping[str, object]", value).items()}
    if isinstance(value, list):
        return [_redacted(item) for item in cast("list[object]", value)]
    return value
