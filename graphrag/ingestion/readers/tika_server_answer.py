"""What a Tika server answered, brought into the form in which our own workers answer.

The server lists the file and, each by itself, all that is embedded in it; a worker gives one text in which each
embedded file stands in an element of its own. The server tells a failure as a Java trace in the file's metadata.

Source: Apache Tika 3.3, `RecursiveMetadataResource`, `RecursiveParserWrapper`, `TikaCoreProperties`.
"""

import json
import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from html import escape
from typing import Final

from graphrag.ingestion.readers.dom import MAX_DEPTH, estimated_depth, parse_html
from graphrag.ingestion.readers.slides import Slide, slides_of
from graphrag.ingestion.readers.tika_pool import TikaAnswer
from graphrag.jvm.tika_bridge import (
    EMBEDDED_CLASS,
    MAX_EMBEDDED_DEPTH,
    MAX_EMBEDDED_FILES,
    MAX_METADATA_CHARS,
    MAX_METADATA_VALUES,
)

__all__ = ["NoTikaAnswerError", "answer_of", "failure", "failure_of_trace"]

_CONTENT: Final = "X-TIKA:content"
_EXCEPTIONS: Final = "X-TIKA:EXCEPTION:"
_EXCEPTION: Final = f"{_EXCEPTIONS}container_exception"
_WRITE_LIMIT: Final = f"{_EXCEPTIONS}write_limit_reached"
_RESOURCE_LIMIT: Final = f"{_EXCEPTIONS}embedded_resource_limit_reached"
_DEPTH: Final = "X-TIKA:embedded_depth"
_ID_PATH: Final = "X-TIKA:embedded_id_path"
_PARSED_BY: Final = "X-TIKA:Parsed-By"
_EMPTY_PARSER: Final = "org.apache.tika.parser.EmptyParser"
_OF_THE_REQUEST: Final = frozenset({_CONTENT, "Content-Length"})
"""What is no metadata of the file: its text, and what we told the server ourselves."""

_PPTX: Final = "application/vnd.openxmlformats-officedocument.presentationml."
_SLIDE: Final = '<div class="slide-content">'
_BY_RELATION: Final = "org.apache.tika.parser.microsoft.ooxml.xslf.XSLFEventBasedPowerPointExtractor"
_MEDIA: Final = ("image/", "audio/", "video/")
_NAME_OF_EMBEDDED: Final = re.compile(r'<div class="package-entry">\s*(?:<h1>[^<]*</h1>\s*)?(?:</div>)?')
"""What the server leaves where a file is embedded, whose text it gives by itself: a heading that is none."""

_END: Final = re.compile(r"</body>\s*(?:</html>\s*)?\Z")
_CLASS: Final = re.compile(r"(?:\A|^Caused by: )((?:[A-Za-z_$][\w$]*\.)+[\w$]+)(?=:|\s|\Z)", re.MULTILINE)
_KINDS: Final[Mapping[str, str]] = {
    "org.apache.tika.exception.EncryptedDocumentException": "encrypted",
    "org.apache.tika.exception.ZeroByteFileException": "empty",
    "org.apache.tika.exception.UnsupportedFormatException": "unsupported",
    "java.lang.OutOfMemoryError": "memory",
}
_OUT_OF_PROPORTION: Final = "output out of all proportion to the file"


class NoTikaAnswerError(Exception):
    """What came is not what a Tika server of version 3 answers."""


@dataclass(slots=True)
class _Entry:
    """The file, or one that is embedded in it."""

    metadata: Mapping[str, Sequence[str]]
    content: str
    children: list["_Entry"] = field(default_factory=list)

    def first(self, name: str) -> str:
        """Return the first value under a name; empty where there is none."""
        return next(iter(self.metadata.get(name, ())), "")

    @property
    def is_cut(self) -> bool:
        """Whether parsing may have ended before the end."""
        return any(name.startswith(_EXCEPTIONS) for name in self.metadata)

    @property
    def is_media(self) -> bool:
        return self.first("Content-Type").startswith(_MEDIA)


@dataclass(slots=True)
class _Seen:
    """Counts of what is embedded."""

    opened: int = 0
    media: int = 0
    left_out: int = 0


def answer_of(content: bytes, data: bytes) -> TikaAnswer:
    """Return a server's answer as a worker would have given it.

    Args:
        content: The body that it answered with: JSON, a list of the file and what is embedded in it.
        data: The file that it was asked about.

    Raises:
        NoTikaAnswerError: The body is something else.
    """
    entries = _entries(content)
    if not entries or _DEPTH not in entries[0].metadata:
        raise NoTikaAnswerError
    file = entries[0]
    damaged = ""
    if trace := file.first(_EXCEPTION):
        failed = failure_of_trace(trace)
        if failed is not None:
            return failed
        damaged = _names(trace)[-1].rpartition(".")[2]
    kind = file.first("Content-Type").partition(";")[0].strip()
    if not damaged and _EMPTY_PARSER in file.metadata.get(_PARSED_BY, ()):
        return failure("unsupported", kind or "application/octet-stream")
    _attach(file, entries[1:])
    seen = _Seen(left_out=1 if file.first(_RESOURCE_LIMIT) == "true" else 0)
    body, slide_titles = _body(file), list[str]()
    if kind.startswith(_PPTX):
        body, slide_titles = _in_order(body, slides_of(data), file)
    xhtml = f"<html><body>{body}{_embedded(file, seen)}</body></html>"
    header: dict[str, object] = {
        "status": "ok",
        "metadata": {name: values for name, values in file.metadata.items() if name not in _OF_THE_REQUEST},
        "truncated": file.first(_WRITE_LIMIT) == "true",
        "damaged": damaged,
        "embedded_media": seen.media,
        "embedded_left_out": seen.left_out,
        "slide_titles": slide_titles,
    }
    return TikaAnswer(header, xhtml.encode("utf-8", "replace"))


def failure(kind: str, message: str) -> TikaAnswer:
    """Return the answer of a worker that could read nothing (`kind`: `graphrag.jvm.tika_bridge.FailureKind`)."""
    return TikaAnswer({"status": "failed", "kind": kind, "message": message}, b"")


def failure_of_trace(trace: str) -> TikaAnswer | None:
    """Return the answer to a file of which a Java trace says that there is nothing to keep; None for any other."""
    names = _names(trace)
    for name in names:
        if name in _KINDS:
            return failure(_KINDS[name], name.rpartition(".")[2])
        if "SecureSAXException" in name:
            return failure("bomb", _OUT_OF_PROPORTION)
    if "bomb" in trace.partition("\n")[0].lower():
        return failure("bomb", _OUT_OF_PROPORTION)
    return None


def _names(trace: str) -> list[str]:
    """Return the class of a Java error and of all that caused it, outermost first."""
    return [found[1] for found in _CLASS.finditer(trace)] or ["Exception"]


def _entries(content: bytes) -> list[_Entry]:
    try:
        listed = json.loads(content)
    except (ValueError, RecursionError) as error:
        raise NoTikaAnswerError from error
    if not isinstance(listed, list) or not all(isinstance(item, dict) for item in listed):
        raise NoTikaAnswerError
    return [_entry(item) for item in listed]


def _entry(told: Mapping[str, object]) -> _Entry:
    text = told.get(_CONTENT, "")
    metadata: dict[str, list[str]] = {}
    for name, value in told.items():
        if name == _CONTENT or len(metadata) >= MAX_METADATA_VALUES:
            continue
        values = value if isinstance(value, list) else [value]
        metadata[name] = [str(one)[:MAX_METADATA_CHARS] for one in values[:MAX_METADATA_VALUES]]
    return _Entry(metadata, text if isinstance(text, str) else "")


def _attach(file: _Entry, embedded: Sequence[_Entry]) -> None:
    """Give each embedded file to the one that it is embedded in. Those within one file are listed in their order."""
    by_path = {path: entry for entry in embedded if (path := entry.first(_ID_PATH))}
    for entry in embedded:
        holder = by_path.get(entry.first(_ID_PATH).rpartition("/")[0])
        (file if holder is None or holder is entry else holder).children.append(entry)


def _in_order(body: str, slides: Sequence[Slide], file: _Entry) -> tuple[str, list[str]]:
    """Return the text of a presentation with its slides in the order of the show, and their titles.

    Tika 3.3.2 takes the slides by the identifiers of their relations, as texts: `rId10` stands before `rId2`. Where
    the numbers do not fit there is no telling which title is whose, and there are none.
    """
    start, *given = body.split(_SLIDE)
    if len(given) != len(slides):
        return body, []
    if _BY_RELATION in file.metadata.get(_PARSED_BY, ()):
        places = sorted(range(len(slides)), key=lambda place: slides[place].relation)
        texts = dict(zip(places, given, strict=True))
        given = [texts[place] for place in range(len(slides))]
    return _SLIDE.join([start, *given]), [slide.title for slide in slides]


def _embedded(file: _Entry, seen: _Seen) -> str:
    """Return all that is embedded in a file, without recursion: how deep that goes is not ours to choose."""
    parts: list[str] = []
    # What is still to be written: a file with its depth, or the end of one.
    ahead: list[tuple[_Entry, int] | None] = [(child, 1) for child in reversed(file.children)]
    while ahead:
        item = ahead.pop()
        if item is None:
            parts.append("</div>")
            continue
        entry, depth = item
        if entry.is_media:
            seen.media += 1
        elif depth > MAX_EMBEDDED_DEPTH or seen.opened >= MAX_EMBEDDED_FILES:
            seen.left_out += 1
        else:
            seen.opened += 1
            name = escape(entry.first("resourceName"))
            parts += [f'<div class="{EMBEDDED_CLASS}" title="{name}">', _body(entry)]
            ahead.append(None)
            ahead.extend((child, depth + 1) for child in reversed(entry.children))
    return "".join(parts)


def _body(entry: _Entry) -> str:
    """Return what stands in the body of a page, with every element closed."""
    inner = _NAME_OF_EMBEDDED.sub("", entry.content.partition("<body")[2].partition(">")[2])
    end = _END.search(inner)
    if end is not None and not entry.is_cut:
        return inner[: end.start()]
    # What was left open would swallow what is put behind it.
    if estimated_depth(inner) > MAX_DEPTH:
        return inner  # the reader refuses it
    body = parse_html(inner).body
    return (body.inner_html or "") if body is not None else ""
