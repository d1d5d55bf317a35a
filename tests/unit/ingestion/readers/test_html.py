"""HTML pages: the page's text with its structure, without what stands around it."""

import pytest
from hypothesis import given, strategies as st

from graphrag.errors import UnreadableDocumentError
from graphrag.ingestion.readers import HtmlReader, SourceBytes
from graphrag.model.parsed import ParsedDocument


def read(html: str | bytes, *, charset: str | None = None, name: str = "page.html") -> ParsedDocument:
    data = html if isinstance(html, bytes) else html.encode()
    return HtmlReader().read(SourceBytes(uri="https://host/page", data=data, name=name, charset=charset))


def headings(document: ParsedDocument) -> list[tuple[int, str]]:
    return [(section.level, section.title) for section in document.walk()]


def kinds(document: ParsedDocument) -> list[tuple[str, str]]:
    return [(block.kind, block.text) for block in document.blocks]


def test_tables_lists_entities_and_a_title_that_is_the_heading() -> None:
    """CASES 55: cells and nested items are kept, scripts are not, and the title is not repeated."""
    document = read(
        "<title>Fish &amp; Chips</title><script>bad()</script><style>bad</style><h1>Fish &amp; Chips</h1>"
        "<p>a &lt; b &amp;amp; c</p><table><tr><th>x<th>y<th>z<tr><td>1<td>2<td>3<tr><td>4<td>5<td>6</table>"
        "<ul><li>one<ol start=3><li>two<p>more</p></ol><li>three</ul>"
    )
    assert document.title == "Fish & Chips"
    assert headings(document) == []
    assert kinds(document) == [
        ("paragraph", "a < b &amp; c\n\n"),
        ("table", "x | y | z\n1 | 2 | 3\n4 | 5 | 6\n\n"),
        ("list", "- one\n  3. two\n    more\n- three\n\n"),
    ]
    assert document.blocks[1].table_header == "x | y | z\n"


def test_heading_that_says_something_else_than_the_title_is_a_section() -> None:
    assert headings(read("<title>Fish - Site</title><h1>Fish</h1><p>x")) == [(1, "Fish")]


def test_page_of_a_repeated_title_only_keeps_its_heading() -> None:
    assert headings(read("<title>T</title><h1>T</h1>")) == [(1, "T")]


def test_text_before_the_first_heading_and_level_jumps() -> None:
    document = read("before<h1>A</h1>x<h4>B</h4>y<h2>C</h2>z")
    assert document.blocks[0].text == "before\n\n"
    assert headings(document) == [(1, "A"), (4, "B"), (2, "C")]
    assert [section.title for section in document.sections[0].sections] == ["B", "C"]


def test_preformatted_text_stays_as_it_is() -> None:
    (block,) = read("<pre>\ndef f():\n    <b>return</b> 1\n\n  x</pre>").blocks
    assert (block.kind, block.text) == ("code", "def f():\n    return 1\n\n  x\n\n")


def test_quotes_breaks_and_hard_blanks() -> None:
    document = read("<blockquote><p>q&nbsp;r</p></blockquote><p>a<br>\n b   c</p>")
    assert kinds(document) == [("quote", "q r\n\n"), ("paragraph", "a\nb c\n\n")]


@pytest.mark.parametrize(
    "hidden",
    [
        "<div hidden>no</div>",
        "<div style='color:red; DISPLAY : none'>no</div>",
        "<span aria-hidden=true>no</span>",
        "<noscript>no</noscript>",
        "<template>no</template>",
        "<svg><title>no</title><text>no</text></svg>",
        "<!-- no -->",
        "<nav>no</nav>",
        "<div role=navigation>no</div>",
        "<footer>no</footer>",
        "<aside>no</aside>",
        "<button>no</button>",
        "<select><option>no</select>",
        "<div class='site-menu'><a href=x>no</a> <a href=y>no</a></div>",
    ],
)
def test_what_is_hidden_or_stands_around_the_text_is_left_out(hidden: str) -> None:
    assert read(f"<p>yes</p>{hidden}").canonical_text() == "yes\n\n"


@pytest.mark.parametrize(
    "kept",
    [
        "<main><aside>kept</aside></main>",
        "<article><footer>kept</footer></article>",
        "<div hidden=until-found>kept</div>",
        "<div class='menu'>kept: soup, fish and a long description with one <a href=x>link</a></div>",
        "<details><summary>kept</summary></details>",
    ],
)
def test_what_only_looks_like_it_is_kept(kept: str) -> None:
    assert "kept" in read(f"<p>yes</p>{kept}").canonical_text()


def test_heading_in_a_button_is_kept_and_its_link_marks_are_not() -> None:
    document = read("<h2><button>Question?</button></h2>a<h2>Name <a class=headerlink href=#n>¶</a></h2>b")
    assert headings(document) == [(2, "Question?"), (2, "Name")]


def test_main_part_is_preferred() -> None:
    document = read("<div>around</div><main><h2>A</h2>" + "text " * 20 + "</main>")
    assert "around" not in document.canonical_text()


def test_main_part_that_holds_little_does_not_hide_the_rest() -> None:
    document = read("<main>x</main><div>" + "text " * 20 + "</div>")
    assert "text" in document.canonical_text()


def test_top_heading_before_the_main_part_is_kept() -> None:
    document = read("<header><h1>Name</h1></header><main><h2>A</h2>" + "text " * 20 + "</main>")
    assert headings(document) == [(1, "Name"), (2, "A")]


def test_page_of_menus_only_is_taken_whole() -> None:
    assert "only" in read("<nav>only</nav>").canonical_text()


def test_tables_that_place_things_are_read_through() -> None:
    document = read(
        "<table><tr><td><h2>A</h2><p>one</p><td><table><tr><td>1<td>2<tr><td>3<td>4</table></table>"
        "<table role=presentation><tr><td>left<td>right</table>"
    )
    assert headings(document) == [(2, "A")]
    assert [(b.kind, b.text) for b in document.sections[0].blocks] == [
        ("paragraph", "one\n\n"),
        ("table", "1 | 2\n3 | 4\n\n"),
        ("paragraph", "left\n\n"),
        ("paragraph", "right\n\n"),
    ]


def test_table_caption_stands_before_its_table() -> None:
    document = read("<table><caption>Prices</caption><thead><tr><td>a<td>b<tbody><tr><td>1<td></table>")
    assert kinds(document) == [("paragraph", "Prices\n\n"), ("table", "a | b\n1\n\n")]
    assert document.blocks[1].table_header == "a | b\n"


def test_metadata_of_the_page() -> None:
    document = read(
        "<html lang=de-AT><title> A\n B </title><meta name=author content='N. N.'><meta name=description content=d>"
        "<meta property=article:published_time content=2024-05-06T07:08:09Z><meta name=viewport content=w>x"
    )
    assert document.title == "A B"
    assert document.language == "de-AT"
    assert document.document_properties["doc_author"] == "N. N."
    assert str(document.document_properties["doc_created"]) == "2024-05-06 07:08:09+00:00"
    assert document.source_metadata == {"description": "d", "charset": "utf-8"}


@pytest.mark.parametrize(
    "data, charset",
    [
        ("<p>“ä€”".encode("cp1252"), "ISO-8859-1"),
        (b"<meta charset=iso-8859-1>" + "<p>“ä€”".encode("cp1252"), None),
        (
            b"<meta http-equiv=content-type content='text/html; charset=windows-1252'>" + "<p>“ä€”".encode("cp1252"),
            None,
        ),
        ("\ufeff<p>“ä€”".encode(), "iso-8859-1"),
        ("\ufeff<meta charset=iso-8859-1><p>“ä€”".encode("utf-16-le"), None),
        (b"<meta charset=utf-16>" + "<p>“ä€”".encode(), None),
        ("<?xml version='1.0' encoding='utf-8'?><html><p>“ä€”".encode(), None),
        (b"<meta charset=rot13>" + "<p>“ä€”".encode(), "no-such-charset"),
        ("<p>“ä€”".encode(), None),
    ],
)
def test_charset_by_mark_header_and_declaration(data: bytes, charset: str | None) -> None:
    """A byte-order mark stands over the header, the header over the page, and latin-1 means windows-1252."""
    assert read(data, charset=charset).canonical_text() == "“ä€”\n\n"


DEEP = {
    "div": "<div>x",
    "list": "<ul><li>x",
    "table": "<table><tr><td>x",
    "bold": "<b>x",
    "quote": "<blockquote>x",
    "menu": "<div class=menu><a>x",
    "heading": "<h1>x<div>",
}


@pytest.mark.parametrize("element", DEEP.values(), ids=DEEP.keys())
def test_ten_thousand_nested_elements_are_read(element: str) -> None:
    """THREATS 59: flattened text, no RecursionError."""
    document = read(element * 10_000)
    kept = document.canonical_text() + "".join(title for _, title in headings(document))
    assert kept.count("x") == 10_000


def test_deeper_nesting_than_can_be_parsed_in_time_is_refused() -> None:
    """THREATS 59: the parser's time grows with the square of the depth."""
    with pytest.raises(
        UnreadableDocumentError, match=r"`https://host/page` nests elements 30000 levels deep; at most 20000"
    ):
        read("<div>" * 30_000)


_WITHOUT_END = "the page's title has no end, so what stands behind it was taken for text"


def test_a_title_without_an_end_does_not_take_the_page() -> None:
    """As browsers read it, all that follows is the title, and the page has no text."""
    page = "<html><head><TITLE lang=en>Otters</titl></head><body><h1>Food</h1><p>They eat fish.</p></body></html>"
    document = read(page)
    assert "They eat fish." in document.canonical_text()
    assert [section.title for section in document.sections] == ["Food"]
    assert document.notes == (_WITHOUT_END,)
    for whole in ("<title>Otters</title>", "<title>Otters</TITLE ><p>fish</p>", "<p>fish</p>", "<title>"):
        assert read(whole).notes == ()


def test_nul_is_removed_and_counted() -> None:
    """CASES 52."""
    document = read("<p>a\0b")
    assert document.canonical_text() == "ab\n\n"
    assert document.notes == ("NUL characters removed: 1",)


FRAGMENTS = st.sampled_from(
    [
        "<p>",
        "</p>",
        "<table>",
        "<tr>",
        "<td>",
        "</table>",
        "<ul>",
        "<li>",
        "</ul>",
        "<h1>",
        "</h1>",
        "<h3>",
        "</h3>",
        "<pre>",
        "</pre>",
        "<blockquote>",
        "</blockquote>",
        "<br>",
        "<caption>",
        "<thead>",
        "<dl><dt>",
        "<title>",
        "</title>",
        "<a>",
        "</a>",
        "&amp;",
        "<",
        ">",
        "\0",
    ]
)


@given(st.lists(st.one_of(FRAGMENTS, st.integers(1000, 9999).map(lambda number: f" w{number} ")), max_size=40))
def test_no_word_is_lost_and_none_doubled(parts: list[str]) -> None:
    """Whatever the markup, without a main part: what a browser shows is text, heading or title.

    A title without an end is one in which a browser hides all that follows; there the tag does not count.
    """
    from selectolax.lexbor import LexborHTMLParser

    source = "".join(parts)
    document = read(source)
    if _WITHOUT_END in document.notes:
        source = source.replace("<title>", "", 1)
    body = LexborHTMLParser(source.replace("\0", "")).body
    shown = sorted(
        word for word in (body.text(separator=" ") if body is not None else "").split() if word.startswith("w")
    )
    kept = [document.canonical_text(), *(title for _, title in headings(document))]
    found = sorted(word for word in " ".join(kept).replace("|", " ").split() if word.startswith("w"))
    repeated = str(document.document_properties.get("doc_title", "")).split()
    # A heading that repeats the page's title is borne by the document.
    assert found == shown or sorted([*found, *(word for word in repeated if word.startswith("w"))]) == shown
