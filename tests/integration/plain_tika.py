"""Apache Tika as it reads a file by default, in a process of its own: what ours is held against for mutated files.

The titles of a PDF's outline are no text: they would count where the pages cannot be read.

It reads a path a line from standard input, and answers each by a line of JSON: `text` (how many letters and digits, or
null where it failed) and `error` (the class).
"""

import json
import sys
import tempfile
from pathlib import Path

from graphrag.jvm.jars import resolve_jars
from graphrag.jvm.runtime import JavaObject, java_class, java_exception, start_jvm

__all__ = ["main"]

_UNREADABLE_SHARE = 20


def main() -> None:
    """Answer until standard input ends."""
    with tempfile.TemporaryDirectory(prefix="plain-tika-") as folder:
        start_jvm(resolve_jars("tika"), ("-Xmx512m", f"-Djava.io.tmpdir={folder}", "-Djava.awt.headless=true"))
        java_class("java.util.logging.LogManager").getLogManager().reset()
        parser = java_class("org.apache.tika.Tika")().getParser()
        pdf = java_class("org.apache.tika.parser.pdf.PDFParserConfig")()
        pdf.setExtractBookmarksText(False)
        for line in sys.stdin:
            answer: dict[str, object] = {"text": None, "error": ""}
            try:
                answer["text"] = _letters(_text(parser, pdf, line.rstrip("\n")))
            except java_exception() as error:
                answer["error"] = type(error).__name__
            sys.stdout.write(json.dumps(answer) + "\n")
            sys.stdout.flush()


def _letters(text: str) -> int:
    """Return how many letters and digits a text has; none where one character in twenty is none that is written."""
    unreadable = sum(char == "\ufffd" or (not char.isprintable() and not char.isspace()) for char in text)
    return 0 if unreadable * _UNREADABLE_SHARE > len(text) else sum(map(str.isalnum, text))


def _text(parser: JavaObject, pdf: JavaObject, path: str) -> str:
    handler = java_class("org.apache.tika.sax.BodyContentHandler")(-1)
    context = java_class("org.apache.tika.parser.ParseContext")()
    context.set(java_class("org.apache.tika.parser.pdf.PDFParserConfig"), pdf)
    metadata = java_class("org.apache.tika.metadata.Metadata")()
    # This also notes the file's name, which is a hint on its type.
    stream = java_class("org.apache.tika.io.TikaInputStream").get(java_class("java.nio.file.Path").of(path), metadata)
    try:
        parser.parse(stream, handler, metadata, context)
    finally:
        stream.close()
    return str(handler.toString())


if __name__ == "__main__":
    sys.path[:] = [str(Path(__file__).parents[2]), *sys.path]
    main()
