"""The slides of a presentation, out of the file itself: their titles and their order.

Tika gives titles as paragraphs like all others, and a Tika server cannot be asked for more, as our own workers can
(`graphrag.jvm.tika_bridge`). Read by expat as a stream of elements; a document type is refused before anything in it
is read, so there are no entities to expand and none to fetch.

Source: ECMA-376-1, 13 (packages of PresentationML), 19.3 (slides), 19.7.10 (types of placeholders).
"""

import io
import posixpath
import zipfile
import zlib
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Final, NoReturn, TypeAlias
from xml.parsers import expat

__all__ = ["Slide", "slides_of"]

_Path: TypeAlias = tuple[str, ...]
"""Local names of elements, from the root downwards."""

_MAX_PART_BYTES: Final = 16 * 1024 * 1024
_MAX_SLIDES: Final = 2_000
_MAX_DEPTH: Final = 200
_MAX_TITLE_CHARS: Final = 10_000
_COPY_BYTES: Final = 64 * 1024
_RELATION: Final = ("Relationships", "Relationship")
_REFERENCE: Final = ("presentation", "sldIdLst", "sldId")
_SHAPE: Final = ("sld", "cSld", "spTree", "sp")
_PLACEHOLDER: Final = (*_SHAPE, "nvSpPr", "nvPr", "ph")
_PARAGRAPH: Final = (*_SHAPE, "txBody", "p")
_TITLES: Final = frozenset({"title", "ctrTitle"})


@dataclass(frozen=True, slots=True)
class Slide:
    """A slide.

    Attributes:
        title: The text of its first shape that is a title; empty where it has none.
        relation: Under which identifier the show refers to it.
    """

    title: str
    relation: str


def slides_of(data: bytes) -> list[Slide]:
    """Return the slides of a presentation, in the order of the show.

    A file that is none of PresentationML, or is damaged or encrypted, gives none: its text stands without titles.
    """
    try:
        with zipfile.ZipFile(io.BytesIO(data)) as package:
            return _slides(package)
    except (
        _NoPresentationError,
        expat.ExpatError,
        zipfile.BadZipFile,
        zlib.error,
        EOFError,
        NotImplementedError,  # a compression that the standard library does not know
        OSError,
        RuntimeError,  # an encrypted entry
        ValueError,
    ):
        return []


class _NoPresentationError(Exception):
    """The file, or a part of it, is not what its name says."""


def _slides(package: zipfile.ZipFile) -> list[Slide]:
    main = "ppt/presentation.xml"
    for kind, target in _Relations(package, "").found.values():
        if kind.endswith("/officeDocument"):
            main = target
    relations = _Relations(package, main).found
    shown = [id_ for id_ in _Show(package, main).relations if id_ in relations]
    return [Slide(_Title(package, relations[id_][1]).title, id_) for id_ in shown[:_MAX_SLIDES]]


class _Part:
    """A part of the package, read when this is made. What is done at each element is for subclasses to say."""

    def __init__(self, package: zipfile.ZipFile, name: str) -> None:
        self._path: _Path = ()
        parser = expat.ParserCreate(namespace_separator=" ")
        parser.buffer_text = True
        parser.StartDoctypeDeclHandler = _refuse
        parser.StartElementHandler = self._start
        parser.EndElementHandler = self._end
        parser.CharacterDataHandler = self._text
        left = _MAX_PART_BYTES
        try:
            entry = package.open(name)
        except KeyError as error:
            raise _NoPresentationError from error
        with entry:
            while piece := entry.read(_COPY_BYTES):
                left -= len(piece)
                if left < 0:
                    raise _NoPresentationError
                parser.Parse(piece, False)
        parser.Parse(b"", True)

    def _start(self, name: str, attributes: Mapping[str, str]) -> None:
        self._path = (*self._path, name.rpartition(" ")[2])
        if len(self._path) > _MAX_DEPTH:
            raise _NoPresentationError
        self.open(self._path, attributes)

    def _end(self, _name: str) -> None:
        self.close(self._path)
        self._path = self._path[:-1]

    def _text(self, text: str) -> None:
        self.text(self._path, text)

    def open(self, path: _Path, attributes: Mapping[str, str]) -> None:
        """Take notice of an element that begins."""

    def close(self, path: _Path) -> None:
        """Take notice of an element that ends."""

    def text(self, path: _Path, text: str) -> None:
        """Take notice of text in an element."""


def _refuse(*_: object) -> NoReturn:
    raise _NoPresentationError


class _Relations(_Part):
    """What a part refers to, or the package where the name is empty: by identifier, its kind and its name."""

    def __init__(self, package: zipfile.ZipFile, name: str) -> None:
        self.found: dict[str, tuple[str, str]] = {}
        self._folder, base = posixpath.split(name)
        super().__init__(package, posixpath.join(self._folder, "_rels", f"{base}.rels"))

    def open(self, path: _Path, attributes: Mapping[str, str]) -> None:
        if path == _RELATION and attributes.get("TargetMode") != "External":
            # A target that begins with a stroke is one of the package; all others stand beside the part.
            target = posixpath.normpath(posixpath.join("/", self._folder, attributes.get("Target", ""))).lstrip("/")
            self.found[attributes.get("Id", "")] = (attributes.get("Type", ""), target)


class _Show(_Part):
    """The order of the slides."""

    def __init__(self, package: zipfile.ZipFile, name: str) -> None:
        self.relations: list[str] = []
        super().__init__(package, name)

    def open(self, path: _Path, attributes: Mapping[str, str]) -> None:
        if path == _REFERENCE:
            # Of the namespace of relations; `id` without one is a number of the slide.
            self.relations += [value for name, value in attributes.items() if name.endswith(" id")][:1]


class _Title(_Part):
    """The text of the first title on a slide. Shapes in groups count for nothing, as they do for Apache POI."""

    def __init__(self, package: zipfile.ZipFile, name: str) -> None:
        self.title = ""
        self._found = False
        self._is_title = False
        self._parts: list[str] = []
        super().__init__(package, name)

    def open(self, path: _Path, attributes: Mapping[str, str]) -> None:
        if path == _SHAPE:
            self._is_title = False
            self._parts = []
        elif path == _PLACEHOLDER:
            self._is_title = attributes.get("type") in _TITLES
        elif path == (*_PARAGRAPH, "br"):
            self._parts.append("\n")

    def close(self, path: _Path) -> None:
        if path == _PARAGRAPH:
            self._parts.append("\n")
        elif path == _SHAPE and self._is_title and not self._found:
            self._found = True
            self.title = "".join(self._parts).strip()[:_MAX_TITLE_CHARS]

    def text(self, path: _Path, text: str) -> None:
        if not self._found and path[-1] == "t" and path[: len(_PARAGRAPH)] == _PARAGRAPH:
            self._parts.append(text)
