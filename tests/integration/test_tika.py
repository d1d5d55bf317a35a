"""Tika workers: hostile files, time, memory, and the end of processes."""

import io
import os
import random
import signal
import subprocess
import sys
import threading
import time
import zipfile
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from http.server import BaseHTTPRequestHandler, HTTPServer
from pathlib import Path
from unittest import mock

import psutil
import pytest

from graphrag.config import TikaSettings
from graphrag.errors import ConfigurationError, UnreadableDocumentError, UnsupportedDocumentError
from graphrag.ingestion.readers import AutoReader, SourceBytes, TikaPool, TikaReader
from graphrag.ingestion.readers.tika_pool import WorkerTimeoutError
from graphrag.model.parsed import ParsedDocument

pytest.importorskip("jpype", reason="the extra `tika` is not installed")

WORD = "http://schemas.openxmlformats.org/wordprocessingml/2006/main"
TYPES = "http://schemas.openxmlformats.org/package/2006/content-types"
RELATIONS = "http://schemas.openxmlformats.org/package/2006/relationships"
OFFICE = "http://schemas.openxmlformats.org/officeDocument/2006/relationships"
EXAMPLES = Path(__file__).parents[2] / "examples" / "documents"
MARKER = "MARKER-of-a-local-file"


@pytest.fixture(scope="module", autouse=True)
def own_home(tmp_path_factory: pytest.TempPathFactory) -> Iterator[None]:
    with mock.patch.dict(os.environ, {"GRAPHRAG_HOME": str(tmp_path_factory.mktemp("home"))}):
        yield


@pytest.fixture(scope="module")
def pool(own_home: None) -> Iterator[TikaPool]:
    with TikaPool(TikaSettings(timeout_s=60)) as pool:
        yield pool


def read(pool: TikaPool, data: bytes, name: str) -> ParsedDocument:
    return AutoReader(TikaReader(pool)).read(SourceBytes(uri=f"file:///{name}", data=data, name=name))


def whole_text(document: ParsedDocument) -> str:
    return "\n".join([document.title, *(section.title for section in document.walk()), document.canonical_text()])


def archive(files: dict[str, str | bytes]) -> bytes:
    buffer = io.BytesIO()
    with zipfile.ZipFile(buffer, "w", zipfile.ZIP_DEFLATED) as target:
        for name, content in files.items():
            target.writestr(name, content)
    return buffer.getvalue()


def docx(body: str, *, prolog: str = "", extra: dict[str, str | bytes] | None = None) -> bytes:
    return archive(
        {
            "[Content_Types].xml": f'<Types xmlns="{TYPES}"><Default Extension="xml" ContentType="application/xml"/>'
            '<Default Extension="rels" ContentType="application/vnd.openxmlformats-package.relationships+xml"/>'
            '<Override PartName="/word/document.xml" ContentType="application/vnd.openxmlformats-officedocument.'
            'wordprocessingml.document.main+xml"/></Types>',
            "_rels/.rels": f'<Relationships xmlns="{RELATIONS}"><Relationship Id="r1" Type="{OFFICE}/officeDocument" '
            'Target="word/document.xml"/></Relationships>',
            "word/document.xml": f'<?xml version="1.0"?>{prolog}<w:document xmlns:w="{WORD}"><w:body><w:p><w:r><w:t>'
            f"{body}</w:t></w:r></w:p></w:body></w:document>",
            **(extra or {}),
        }
    )


def odt(body: str, *, prolog: str = "") -> bytes:
    namespace = "urn:oasis:names:tc:opendocument:xmlns"
    return archive(
        {
            "mimetype": "application/vnd.oasis.opendocument.text",
            "content.xml": f'<?xml version="1.0"?>{prolog}<o:document-content xmlns:o="{namespace}:office:1.0" '
            f'xmlns:t="{namespace}:text:1.0"><o:body><o:text><t:p>{body}</t:p></o:text></o:body></o:document-content>',
        }
    )


def xlsx(body: str, *, prolog: str = "") -> bytes:
    sheet = "http://schemas.openxmlformats.org/spreadsheetml/2006/main"
    kind = "application/vnd.openxmlformats-officedocument.spreadsheetml"
    return archive(
        {
            "[Content_Types].xml": f'<Types xmlns="{TYPES}"><Default Extension="xml" ContentType="application/xml"/>'
            '<Default Extension="rels" ContentType="application/vnd.openxmlformats-package.relationships+xml"/>'
            f'<Override PartName="/xl/workbook.xml" ContentType="{kind}.sheet.main+xml"/>'
            f'<Override PartName="/xl/worksheets/sheet1.xml" ContentType="{kind}.worksheet+xml"/></Types>',
            "_rels/.rels": f'<Relationships xmlns="{RELATIONS}"><Relationship Id="r1" Type="{OFFICE}/officeDocument" '
            'Target="xl/workbook.xml"/></Relationships>',
            "xl/workbook.xml": f'<workbook xmlns="{sheet}" xmlns:r="{OFFICE}"><sheets><sheet name="S" sheetId="1" '
            'r:id="r1"/></sheets></workbook>',
            "xl/_rels/workbook.xml.rels": f'<Relationships xmlns="{RELATIONS}"><Relationship Id="r1" '
            f'Type="{OFFICE}/worksheet" Target="worksheets/sheet1.xml"/></Relationships>',
            "xl/worksheets/sheet1.xml": f'<?xml version="1.0"?>{prolog}<worksheet xmlns="{sheet}"><sheetData>'
            f'<row r="1"><c r="A1" t="inlineStr"><is><t>{body}</t></is></c></row></sheetData></worksheet>',
        }
    )


def svg(body: str, *, prolog: str = "") -> bytes:
    start = f'<?xml version="1.0"?>{prolog}<svg xmlns="http://www.w3.org/2000/svg"><text>'
    return f"{start}{body}</text></svg>".encode()


def plain_xml(body: str, *, prolog: str = "") -> bytes:
    return f'<?xml version="1.0"?>{prolog}<doc><p>{body}</p></doc>'.encode()


def xfa_pdf(body: str, *, prolog: str = "") -> bytes:
    field = f'<field name="f"><value><text>{body}</text></value></field>'
    template = f'<template xmlns="http://www.xfa.org/schema/xfa-template/3.0/"><subform>{field}</subform></template>'
    form = f'<?xml version="1.0"?>{prolog}<xdp:xdp xmlns:xdp="http://ns.adobe.com/xdp/">{template}</xdp:xdp>'
    objects = [
        "<</Type/Catalog/Pages 2 0 R/AcroForm<</XFA 4 0 R/Fields[]>>>>",
        "<</Type/Pages/Kids[3 0 R]/Count 1>>",
        "<</Type/Page/Parent 2 0 R/MediaBox[0 0 9 9]>>",
        f"<</Length {len(form)}>>stream\n{form}\nendstream",
    ]
    out, places = "%PDF-1.7\n", []
    for number, content in enumerate(objects, start=1):
        places.append(len(out))
        out += f"{number} 0 obj\n{content}\nendobj\n"
    table = "".join(f"{place:010d} 00000 n \n" for place in places)
    end = f"xref\n0 5\n0000000000 65535 f \n{table}trailer<</Size 5/Root 1 0 R>>\nstartxref\n{len(out)}\n%%EOF"
    return (out + end).encode()


FORMATS: dict[str, Callable[..., bytes]] = {
    "a.docx": docx,
    "a.odt": odt,
    "a.xlsx": xlsx,
    "a.svg": svg,
    "a.xml": plain_xml,
    "a.pdf": xfa_pdf,
}


@pytest.mark.parametrize("name", FORMATS)
def test_made_up_files_are_real_ones(pool: TikaPool, name: str) -> None:
    """Without this the tests of hostile files below would prove nothing."""
    # Of a form in a PDF, Tika gives the fields, not their preset values.
    expected = "f:" if name == "a.pdf" else "harmless"
    assert expected in whole_text(read(pool, FORMATS[name]("harmless"), name))


@contextmanager
def canary() -> Iterator[tuple[str, list[str]]]:
    """A server on loopback that records who calls."""
    calls: list[str] = []

    class Handler(BaseHTTPRequestHandler):
        def do_GET(self) -> None:
            calls.append(self.path)
            self.send_response(200)
            self.end_headers()
            self.wfile.write(b"<!ENTITY from-outside 'MARKER-from-outside'>")

        def log_message(self, *arguments: object) -> None:
            """Silent."""

    server = HTTPServer(("127.0.0.1", 0), Handler)
    thread = threading.Thread(target=server.serve_forever, daemon=True)
    thread.start()
    try:
        yield f"http://127.0.0.1:{server.server_port}", calls
    finally:
        server.shutdown()
        server.server_close()
        thread.join()


@pytest.mark.parametrize("name", FORMATS)
def test_external_entities_are_neither_called_nor_read(pool: TikaPool, tmp_path: Path, name: str) -> None:
    """THREATS 55: no request reaches the canary, and no local file's text reaches the document."""
    (tmp_path / "secret.txt").write_text(MARKER)
    with canary() as (address, calls):
        for target in (f"{address}/entity", f"file://{tmp_path}/secret.txt"):
            prolog = f'<!DOCTYPE x [<!ENTITY e SYSTEM "{target}"><!ENTITY % p SYSTEM "{address}/parameter"> %p;]>'
            try:
                text = whole_text(read(pool, FORMATS[name]("&e;", prolog=prolog), name))
            except UnreadableDocumentError as error:
                text = str(error)
            assert "MARKER" not in text
    assert calls == []


@pytest.mark.parametrize("name", FORMATS)
def test_entity_bombs_are_refused(pool: TikaPool, name: str) -> None:
    """THREATS 56: entities nested to 10^9 copies; refused, or left out, at once."""
    entities = "".join(f'<!ENTITY e{n} "{f"&e{n - 1};" * 10}">' for n in range(1, 10))
    prolog = f'<!DOCTYPE x [<!ENTITY e0 "BOMB">{entities}]>'
    started = time.monotonic()
    try:
        text = whole_text(read(pool, FORMATS[name]("&e9;", prolog=prolog), name))
    except UnreadableDocumentError as error:
        text = str(error)
    assert text.count("BOMB") < 100_000
    assert time.monotonic() - started < 20


def test_zip_bomb_inside_a_document_is_refused(pool: TikaPool) -> None:
    """THREATS 57: 60 MB of one letter in a few kilobytes."""
    bomb = docx("x" * 60_000_000)
    assert len(bomb) < 200_000
    with pytest.raises(UnreadableDocumentError, match=r"was refused|is damaged|needs more memory"):
        read(pool, bomb, "bomb.docx")


def test_nested_archives_end_at_a_depth(pool: TikaPool) -> None:
    """THREATS 57: eleven archives in each other."""
    data = b"innermost text"
    for level in range(11):
        data = archive({f"level{level}.{'zip' if level else 'txt'}": data, f"note{level}.txt": f"note {level}"})
    document = read(pool, data, "nested.zip")
    text = whole_text(document)
    assert "note 10" in text
    assert "innermost" not in text
    assert document.partial
    assert "embedded files left out, for their number or depth: 2" in document.notes


def test_archive_of_many_files_ends_at_a_number(pool: TikaPool) -> None:
    """THREATS 57: embedded files beyond 2,000 are left out and counted."""
    document = read(pool, archive({f"f{n}.txt": f"text {n}" for n in range(2_100)}), "many.zip")
    assert len(document.sections) == 2_000
    assert document.notes == ("embedded files left out, for their number or depth: 100",)


def test_names_of_embedded_files_open_no_path(pool: TikaPool, tmp_path: Path) -> None:
    """THREATS 54: a name with dots is a title, nothing else."""
    document = read(pool, archive({"../../../../tmp/graphrag-escaped.txt": "inside"}), "a.zip")
    assert "inside" in whole_text(document)
    assert not Path("/tmp/graphrag-escaped.txt").exists()


def test_text_over_the_limit_is_cut_and_told(own_home: None) -> None:
    with TikaPool(TikaSettings(max_output_chars=1_000)) as pool:
        document = read(pool, docx("word " * 5_000), "long.docx")
        assert document.partial
        assert 500 < len(document.canonical_text()) <= 1_002
        assert document.notes == ("the text is longer than `tika.max_output_chars`; its end was cut",)
        inner = read(pool, archive({"a.txt": "word " * 150, "b.txt": "word " * 150}), "long.zip")
        assert inner.partial
        assert [section.title for section in inner.sections] == ["a.txt", "b.txt"]


def test_executable_is_unsupported_and_damage_is_an_error(pool: TikaPool) -> None:
    """THREATS 65."""
    with pytest.raises(UnreadableDocumentError, match="which holds no text that can be read"):
        read(pool, Path(sys.executable).resolve().read_bytes()[:200_000], "program.txt")
    with pytest.raises(UnreadableDocumentError, match="is damaged"):
        read(pool, docx("text")[:400], "cut.docx")


def test_a_book_whose_archive_lost_its_end_is_read_as_far_as_it_goes(pool: TikaPool) -> None:
    """Its pages then come whole, with the language on their roots: by a prefix, `xml`, that nobody declares."""
    page = "<html xmlns='http://www.w3.org/1999/xhtml' xml:lang='en'><body><p xml:lang='en'>{}</p></body></html>"
    container = "urn:oasis:names:tc:opendocument:xmlns:container"
    book = archive({
        "mimetype": "application/epub+zip",
        "META-INF/container.xml": f"<container xmlns='{container}'><rootfiles>"
        "<rootfile full-path='c.opf' media-type='application/oebps-package+xml'/></rootfiles></container>",
        "a.xhtml": page.format("the tide mill"),
        "b.xhtml": page.format("the gate keeper"),
        "c.opf": "<package xmlns='http://www.idpf.org/2007/opf'/>",
    })  # fmt: skip
    text = read(pool, book[:-40], "book.epub").canonical_text()
    assert "the tide mill" in text
    assert "the gate keeper" in text


def test_cut_pdf_is_damaged(pool: TikaPool) -> None:
    """CASES 48: PDFBox finds the pages of a cut file, but not what stands on them; that is no scan."""
    data = (EXAMPLES / "gate-survey-2022.pdf").read_bytes()
    with pytest.raises(UnreadableDocumentError, match=r"is damaged \(its end is missing\): no text of it can be read"):
        read(pool, data[:2_000], "cut.pdf")
    half = read(pool, data[: len(data) * 3 // 4], "half.pdf")
    assert half.partial
    assert "Marrable Mill" in whole_text(half)
    assert not read(pool, data, "whole.pdf").partial


@pytest.mark.parametrize("name", ["a.md", "a.txt", "a.csv", "a.html", "a.c", "a"])
def test_random_bytes_are_unsupported_whatever_their_name(pool: TikaPool, name: str) -> None:
    """THREATS 65: by its name alone Tika takes such a file for text."""
    data = random.Random(1).randbytes(200_000)  # noqa: S311 - the same bytes in every run, no secret
    with pytest.raises(UnsupportedDocumentError, match="is binary data of an unknown kind|is of type"):
        read(pool, data, name)


def test_picture_only_pdf_has_no_text_layer(pool: TikaPool, test_data: Path) -> None:
    document = read(pool, (test_data / "documents" / "ocr_test.pdf").read_bytes(), "scan.pdf")
    assert document.no_text_layer
    assert not document.partial


def test_pdf_under_another_name_is_read_by_its_content(pool: TikaPool) -> None:
    """THREATS 65."""
    from reportlab.pdfgen.canvas import Canvas

    buffer = io.BytesIO()
    canvas = Canvas(buffer)
    canvas.drawString(100, 700, "inside of a PDF")
    canvas.save()
    document = read(pool, buffer.getvalue(), "notes.txt")
    assert document.content_type == "application/pdf"
    assert "inside of a PDF" in document.canonical_text()


def workers() -> list[psutil.Process]:
    return [child for child in psutil.Process().children() if "tika_worker" in " ".join(child.cmdline())]


def test_worker_that_hangs_is_killed_and_replaced(own_home: None) -> None:
    """CASES 48: a time-out costs one file; the next one is read by another worker."""
    before = {child.pid for child in workers()}
    with TikaPool(TikaSettings()) as pool:
        assert "one" in whole_text(read(pool, docx("one"), "a.docx"))
        (worker,) = [child for child in workers() if child.pid not in before]
        worker.suspend()
        with mock.patch.object(pool, "_settings", TikaSettings(timeout_s=1)), pytest.raises(WorkerTimeoutError):
            pool.parse(docx("two"), name="a.docx")
        assert not worker.is_running()
        assert "three" in whole_text(read(pool, docx("three"), "a.docx"))
        assert len([child for child in workers() if child.pid not in before]) == 1
    assert {child.pid for child in workers()} == before


def test_worker_that_dies_costs_one_file(own_home: None) -> None:
    with TikaPool(TikaSettings()) as pool:
        pool.prepare()
        (worker,) = pool._idle
        os.kill(worker.process.pid, signal.SIGSTOP)
        killer = threading.Timer(0.5, worker.process.kill)
        killer.start()
        with pytest.raises(UnreadableDocumentError, match="ended the Tika worker"):
            read(pool, docx("one"), "a.docx")
        killer.join()
        assert "two" in whole_text(read(pool, docx("two"), "a.docx"))


def test_file_that_needs_more_memory_than_a_worker_has_costs_one_file(own_home: None) -> None:
    """The machine's bound holds, and the worker is replaced: what else it lost nobody knows."""
    big = docx("</w:t></w:r></w:p>" + "<w:p><w:r><w:t>word</w:t></w:r></w:p>" * 300_000 + "<w:p><w:r><w:t>")
    with TikaPool(TikaSettings(heap_mb=64)) as pool:
        pool.prepare()
        first = pool._idle[0].process.pid
        with pytest.raises(UnreadableDocumentError, match=r"needs more memory than a worker has; raise `tika.heap_mb`"):
            read(pool, big, "big.docx")
        assert "small" in whole_text(read(pool, docx("small"), "a.docx"))
        assert pool._idle[0].process.pid != first


def test_workers_leave_nothing_behind(own_home: None) -> None:
    pool = TikaPool(TikaSettings())
    read(pool, docx("x"), "a.docx")
    (worker,) = pool._idle
    assert worker.folder.is_dir()
    pool.close()
    assert not worker.folder.exists()
    assert not psutil.pid_exists(worker.process.pid)
    with pytest.raises(ConfigurationError, match="the Tika pool is closed"):
        pool.parse(b"x", name="a")


def test_several_threads_share_the_workers(own_home: None) -> None:
    """No more processes than set, and every file gets its own answer."""
    before = {child.pid for child in workers()}
    found: dict[int, str] = {}
    most = 0
    with TikaPool(TikaSettings(workers=2)) as pool:

        def run(number: int) -> None:
            nonlocal most
            found[number] = read(pool, docx(f"text {number}"), "a.docx").canonical_text()
            most = max(most, len([child for child in workers() if child.pid not in before]))

        threads = [threading.Thread(target=run, args=(number,)) for number in range(8)]
        for thread in threads:
            thread.start()
        for thread in threads:
            thread.join()
    assert found == {number: f"text {number}\n\n" for number in range(8)}
    assert 1 <= most <= 2


def test_worker_that_cannot_start_is_one_clear_error(own_home: None) -> None:
    """CASES 48: told before any file is touched."""
    with (
        mock.patch("graphrag.ingestion.readers.tika_pool.sys.executable", "/nowhere/python"),
        TikaPool(TikaSettings()) as pool,
        pytest.raises(ConfigurationError, match="the Tika worker cannot be started: .*No such file"),
    ):
        TikaReader(pool).prepare()
    with (
        mock.patch("graphrag.ingestion.readers.tika_pool._LAUNCH", "raise SystemExit('no luck')"),
        TikaPool(TikaSettings()) as pool,
        pytest.raises(ConfigurationError, match="it ended at once. Its last lines: no luck"),
    ):
        TikaReader(pool).prepare()
    with (
        mock.patch("graphrag.ingestion.readers.tika_pool._LAUNCH", "import time; time.sleep(60)"),
        TikaPool(TikaSettings(start_timeout_s=0.5)) as pool,
        pytest.raises(ConfigurationError, match="it was not ready within 0.5 s"),
    ):
        TikaReader(pool).prepare()


PARENT = """
import sys, threading
sys.path[:] = {path!r}
from graphrag.config import TikaSettings
from graphrag.ingestion.readers import TikaPool
pool = TikaPool(TikaSettings())
pool.prepare()
print(pool._idle[0].process.pid, pool._idle[0].folder, flush=True)
threading.Event().wait()
"""


@pytest.mark.parametrize("how", ["kill", "terminate"])
def test_worker_ends_with_its_parent(own_home: None, how: str) -> None:
    """A parent that is killed cannot clean up; its workers end by themselves, and leave no file."""
    path = [entry or str(Path.cwd()) for entry in sys.path]
    with subprocess.Popen([sys.executable, "-c", PARENT.format(path=path)], stdout=subprocess.PIPE) as parent:
        assert parent.stdout is not None
        pid, folder = parent.stdout.readline().decode().split()
        worker = psutil.Process(int(pid))
        assert Path(folder).is_dir()
        getattr(parent, how)()
        parent.wait()
        worker.wait(timeout=10)
    assert not worker.is_running()
    assert not Path(folder).exists()
