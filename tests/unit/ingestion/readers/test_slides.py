"""Titles and order of slides, read from the file: bounded, and nothing raises."""

import io
import zipfile
from pathlib import Path
from unittest import mock

import pytest

from graphrag.ingestion.readers.slides import slides_of

SHOW = Path(__file__).parents[4] / "examples" / "documents" / "open-day-talk-2025.pptx"
P = "http://schemas.openxmlformats.org/presentationml/2006/main"
A = "http://schemas.openxmlformats.org/drawingml/2006/main"
R = "http://schemas.openxmlformats.org/officeDocument/2006/relationships"
RELATIONS = "http://schemas.openxmlformats.org/package/2006/relationships"


def shape(kind: str, *paragraphs: str) -> str:
    body = "".join(f"<a:p>{paragraph}</a:p>" for paragraph in paragraphs)
    placeholder = f"<p:nvPr><p:ph{f' type={kind!r}' if kind else ''}/></p:nvPr>"
    return f"<p:sp><p:nvSpPr>{placeholder}</p:nvSpPr><p:txBody>{body}</p:txBody></p:sp>"


def run(text: str) -> str:
    return f"<a:r><a:t>{text}</a:t></a:r>"


def slide(*shapes: str, prolog: str = "") -> str:
    return f'{prolog}<p:sld xmlns:p="{P}" xmlns:a="{A}"><p:cSld><p:spTree>{"".join(shapes)}</p:spTree></p:cSld></p:sld>'


def show(*slides: str, order: tuple[int, ...] | None = None, target: str = "slides/slide{}.xml") -> bytes:
    numbers = range(1, len(slides) + 1)
    references = "".join(f'<p:sldId id="{255 + number}" r:id="rId{number}"/>' for number in order or numbers)
    relations = "".join(
        f'<Relationship Id="rId{number}" Type="{R}/slide" Target="{target.format(number)}"/>' for number in numbers
    )
    return package(
        {
            "_rels/.rels": f'<Relationships xmlns="{RELATIONS}"><Relationship Id="r" Type="{R}/officeDocument" '
            'Target="ppt/presentation.xml"/></Relationships>',
            "ppt/presentation.xml": f'<p:presentation xmlns:p="{P}" xmlns:r="{R}"><p:sldIdLst>{references}'
            "</p:sldIdLst></p:presentation>",
            "ppt/_rels/presentation.xml.rels": f'<Relationships xmlns="{RELATIONS}">{relations}</Relationships>',
            **{f"ppt/slides/slide{number}.xml": text for number, text in zip(numbers, slides, strict=True)},
        }
    )


def package(files: dict[str, str]) -> bytes:
    buffer = io.BytesIO()
    with zipfile.ZipFile(buffer, "w", zipfile.ZIP_DEFLATED) as target:
        for name, content in files.items():
            target.writestr(name, content)
    return buffer.getvalue()


def titles(data: bytes) -> list[str]:
    return [found.title for found in slides_of(data)]


def test_titles_of_a_real_show() -> None:
    slides = slides_of(SHOW.read_bytes())
    assert [found.title for found in slides][:2] == ["The sea does the work", "A mill without a river"]
    assert [found.relation for found in slides][:3] == ["rId7", "rId9", "rId10"]


@pytest.mark.parametrize(
    "shapes, title",
    [
        ((shape("title", run("One")),), "One"),
        ((shape("ctrTitle", run("Centred")),), "Centred"),
        ((shape("body", run("text")), shape("title", run("Later"))), "Later"),
        ((shape("title", run("First")), shape("title", run("Second"))), "First"),
        ((shape("title"), shape("title", run("Second"))), ""),
        ((shape("subTitle", run("Sub")), shape("", run("text"))), ""),
        ((shape("title", run("a") + "<a:br/>" + run("b"), f"<a:fld>{'<a:t>3</a:t>'}</a:fld>"),), "a\nb\n3"),
        ((f"<p:grpSp>{shape('title', run('in a group'))}</p:grpSp>",), ""),
        ((), ""),
    ],
)
def test_the_first_title_of_a_slide_counts(shapes: tuple[str, ...], title: str) -> None:
    assert titles(show(slide(*shapes))) == [title]


def test_the_order_is_that_of_the_show() -> None:
    slides = [slide(shape("title", run(name))) for name in "abc"]
    assert titles(show(*slides, order=(3, 1, 2))) == ["c", "a", "b"]
    assert titles(show(*slides, order=(2, 9))) == ["b"]


@pytest.mark.parametrize("target", ["/ppt/slides/slide{}.xml", "../ppt/./slides/slide{}.xml"])
def test_targets_are_addresses_within_the_package(target: str) -> None:
    assert titles(show(slide(shape("title", run("a"))), target=target)) == ["a"]


@pytest.mark.parametrize("target", ["../../../../etc/passwd", "file:///etc/passwd", "", "slides/none.xml"])
def test_what_is_not_in_the_package_is_not_read(target: str) -> None:
    """THREATS 54."""
    assert titles(show(slide(shape("title", run("a"))), target=target)) == []


@pytest.mark.parametrize(
    "prolog",
    [
        '<!DOCTYPE x [<!ENTITY e SYSTEM "file:///etc/passwd">]>',
        '<!DOCTYPE x [<!ENTITY a "aaaa"><!ENTITY b "&a;&a;&a;">]>',
        "<!DOCTYPE x>",
    ],
)
def test_a_document_type_is_refused(prolog: str) -> None:
    """THREATS 55, 56."""
    assert titles(show(slide(shape("title", run("a")), prolog=prolog))) == []


def test_a_part_that_unpacks_to_much_more_is_refused() -> None:
    """THREATS 57."""
    with mock.patch("graphrag.ingestion.readers.slides._MAX_PART_BYTES", 100_000):
        assert titles(show(slide(shape("title", run("a"))) + " " * 50_000)) == ["a"]
        assert titles(show(slide(shape("title", run("a"))) + " " * 150_000)) == []


def test_depth_is_refused() -> None:
    """THREATS 59."""
    assert titles(show(slide("<p:x>" * 1_000 + "</p:x>" * 1_000))) == []


def test_a_number_of_slides_is_bounded() -> None:
    with mock.patch("graphrag.ingestion.readers.slides._MAX_SLIDES", 2):
        assert titles(show(*[slide()] * 3)) == ["", ""]


@pytest.mark.parametrize("data", [b"", b"PK", b"no zip", package({}), package({"_rels/.rels": "<x"})])
def test_what_is_no_presentation_has_no_slides(data: bytes) -> None:
    assert slides_of(data) == []


@pytest.mark.parametrize("step", range(0, 90, 5))
def test_a_cut_file_has_no_slides_and_raises_nothing(step: int) -> None:
    data = SHOW.read_bytes()
    assert slides_of(data[: len(data) * step // 100]) == []


def test_an_encrypted_entry_has_no_slides() -> None:
    data = bytearray(show(slide(shape("title", run("a")))))
    place = 0
    while (place := data.find(b"PK\x01\x02", place)) >= 0:
        data[place + 8] |= 1
        place += 4
    assert slides_of(bytes(data)) == []
