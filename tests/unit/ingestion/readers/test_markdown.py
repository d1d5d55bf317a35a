"""Markdown files: only true headings are sections, and every block is a slice of the file."""

import re

import pytest
from hypothesis import given, strategies as st

from graphrag.ingestion.readers import MarkdownReader, SourceBytes
from graphrag.model.parsed import Block, ParsedDocument


def read(text: str, *, name: str = "note.md") -> ParsedDocument:
    return MarkdownReader().read(SourceBytes(uri="file:///note.md", data=text.encode(), name=name))


def headings(document: ParsedDocument) -> list[tuple[int, str]]:
    return [(section.level, section.title) for section in document.walk()]


def all_blocks(document: ParsedDocument) -> list[Block]:
    return [*document.blocks, *(block for section in document.walk() for block in section.blocks)]


CASE_54 = """Before the first heading.

# One

```sh
# comment
```

~~~
# another
~~~

    # indented

#hashtag

#

Setext one
==========

Setext two
----------

# One

#### Four

last
"""


def test_only_true_headings_are_sections() -> None:
    """CASES 54: fences, indented code, hashtags and empty headings open no section; Setext headings do."""
    document = read(CASE_54)
    assert headings(document) == [(1, "One"), (1, "Setext one"), (2, "Setext two"), (1, "One"), (4, "Four")]
    assert document.canonical_text().startswith("Before the first heading.\n\n```sh\n# comment\n```\n\n")
    assert "#hashtag" in document.canonical_text()


def test_level_jump_nests_under_the_nearest_higher_heading() -> None:
    """CASES 54: level 4 under level 1 is its child, and a later level 2 is a sibling of neither."""
    document = read("# A\n\n#### B\n\n## C\n\n# D\n")
    assert [section.title for section in document.sections] == ["A", "D"]
    assert [section.title for section in document.sections[0].sections] == ["B", "C"]


def test_equal_headings_are_two_sections() -> None:
    """CASES 54."""
    document = read("# Same\n\none\n\n# Same\n\ntwo\n")
    assert [section.blocks[0].text for section in document.sections] == ["one\n\n", "two\n\n"]


def test_text_before_the_first_heading_is_the_documents_own() -> None:
    """CASES 54."""
    assert [block.text for block in read("intro\n\n# A\n").blocks] == ["intro\n\n"]


def test_headings_only_give_sections_without_blocks() -> None:
    """CASES 49."""
    document = read("# A\n\n## B\n")
    assert headings(document) == [(1, "A"), (2, "B")]
    assert document.canonical_text() == ""


def test_heading_title_is_plain_text_on_one_line() -> None:
    document = read("# A *b* `c` [d](http://x) &amp; ![e](f.png) <i>g</i>\n")
    assert headings(document) == [(1, "A b c d & e g")]


def test_heading_may_refer_to_a_link_defined_elsewhere_whose_definition_stays_text() -> None:
    document = read("# See [this][ref]\n\n[ref]: http://host/page\n")
    assert headings(document) == [(1, "See this")]
    assert document.canonical_text() == "[ref]: http://host/page\n\n"


def test_headings_in_lists_and_quotes_open_no_section() -> None:
    document = read("- # in a list\n\n> # in a quote\n")
    assert headings(document) == []
    assert [block.kind for block in document.blocks] == ["list", "quote"]


def test_heading_longer_than_any_heading_is_a_paragraph() -> None:
    """A section's title is a property with a bound; text that is over it is kept as text."""
    document = read("# " + "x" * 501 + "\n")
    assert headings(document) == []
    assert document.canonical_text() == "x" * 501 + "\n\n"


def test_html_block_that_is_one_heading_is_a_heading() -> None:
    assert headings(read('<h1 align="center">The <b>tool</b></h1>\n\ntext\n')) == [(1, "The tool")]


def test_table_repeats_its_header_and_delimiter_line() -> None:
    (block,) = read("| a | b |\n| - | - |\n| 1 | 2 |\n").blocks
    assert block.kind == "table"
    assert block.table_header == "| a | b |\n| - | - |\n"
    assert block.text.startswith(block.table_header)


@pytest.mark.parametrize("ending", ["\n", "\r\n", "\r"])
def test_kinds_and_line_ends(ending: str) -> None:
    """Line ends of every kind keep the blocks and the slices exact."""
    source = "para\n\n- a\n- b\n\n> q\n\n```\ncode\n```\n\n| a |\n| - |\n| 1 |\n".replace("\n", ending)
    document = read(source)
    assert [block.kind for block in document.blocks] == ["paragraph", "list", "quote", "code", "table"]
    assert_exact(document, source)


def test_comments_scripts_and_styles_are_cut_out() -> None:
    source = (
        "a <!-- secret --> b `<!-- code -->`\n\n<!-- secret\nsecret -->\n\n<script>\nsecret()\n</script>\n\n"
        "> q\n> <!-- secret\n> secret -->\n> r\n\n<style>secret</style>\n\n```\n<!-- kept -->\n```\n"
    )
    document = read(source)
    text = document.canonical_text()
    assert "secret" not in text
    assert "`<!-- code -->`" in text
    assert "<!-- kept -->" in text
    assert text.count("> q") == 1
    assert "r\n" in text
    assert_exact(document, source)


def test_front_matter_goes_through_the_fixed_mapping() -> None:
    """A file can set no property but those of the mapping; the rest is kept apart."""
    document = read(
        "---\ntitle: 'It''s'\nauthor: [A, B]\ndate: 2024-01-31\nlang: en\ntenant: acme\n"
        "tags:\n  - x\n  - y\ndraft: true\nweight: 3\n---\ntext\n"
    )
    assert document.title == "It's"
    assert document.language == "en"
    assert {name: str(value) for name, value in document.document_properties.items()} == {
        "doc_content_type": "text/markdown",
        "doc_title": "It's",
        "doc_author": "A, B",
        "doc_created": "2024-01-31",
        "doc_language": "en",
    }
    assert document.source_metadata == {
        "tenant": "acme",
        "tags": ["x", "y"],
        "draft": True,
        "weight": 3,
        "charset": "utf-8",
    }
    assert document.blocks[0].text == "text\n\n"
    assert document.blocks[0].source_start == 117


@pytest.mark.parametrize(
    "source",
    ["---\nno key here\n---\n\ntext\n", "---\n- item\n---\n\ntext\n", "---\ntitle: x\n\ntext without an end\n"],
)
def test_front_matter_that_does_not_read_stays_text(source: str) -> None:
    document = read(source)
    assert set(document.document_properties) == {"doc_content_type"}
    words = re.findall(r"\w+", document.canonical_text() + " ".join(title for _, title in headings(document)))
    assert sorted(words) == sorted(re.findall(r"\w+", source))


def test_front_matter_of_deeper_structure_is_kept_as_written() -> None:
    document = read("---\nmap:\n  a: 1\n  b: [2]\nnote: |\n  one\n  two\n---\nx\n")
    assert document.source_metadata["map"] == "  a: 1\n  b: [2]"
    assert document.source_metadata["note"] == "one\ntwo"


def test_title_is_told_else_first_heading_else_name() -> None:
    assert read("---\ntitle: T\n---\n# H\n").title == "T"
    assert read("# H\n").title == "H"
    assert read("text\n", name="n.md").title == "n.md"


def test_nul_is_removed_and_counted() -> None:
    """CASES 52: offsets of the source then do not hold, and none are given."""
    document = read("a\0b\n\n# c\0d\n")
    assert document.canonical_text() == "ab\n\n"
    assert headings(document) == [(1, "cd")]
    assert document.notes == ("NUL characters removed: 2",)
    assert document.blocks[0].source_start is None


def test_byte_order_mark_is_no_text() -> None:
    document = read("\ufeff# A\n\nb\n")
    assert headings(document) == [(1, "A")]
    assert document.sections[0].blocks[0].source_start == 5


MARKDOWN_LINES = st.sampled_from(
    [
        "# a",
        "## b c",
        "text",
        "  more",
        "- item",
        "  - sub",
        "1. one",
        "> quote",
        "```",
        "~~~",
        "    code",
        "",
        "\t",
        "---",
        "===",
        "| a | b |",
        "|---|---|",
        "| 1 | 2 |",
        "<!-- c -->",
        "<div>",
        "</div>",
        "<script>",
        "</script>",
        "[r]: x",
        "\x0b",
        "\x85",
        "\u2028",
        "é",
        "👨",
        "<!--",
        "-->",
        "#",
        "title: x",
    ]
)


@given(st.lists(MARKDOWN_LINES, max_size=30), st.sampled_from(["\n", "\r\n", "\r"]))
def test_blocks_are_exact_slices_in_order(lines: list[str], ending: str) -> None:
    """Whatever the file, blocks are slices of it, none overlaps another, and they stand in its order."""
    source = ending.join(lines)
    assert_exact(read(source), source)


def assert_exact(document: ParsedDocument, source: str) -> None:
    end = 0
    for block in all_blocks(document):
        assert block.source_start is not None
        assert block.source_start >= end
        kept = block.text.removesuffix("\n\n")
        assert kept == kept.rstrip()
        assert source[block.source_start : block.source_start + len(kept)] == kept
        end = block.source_start + len(kept)


@given(st.lists(MARKDOWN_LINES.filter(lambda line: "<" not in line and "-->" not in line), max_size=30))
def test_no_word_of_a_file_without_html_is_lost(lines: list[str]) -> None:
    """All words stand in the text, a heading or the metadata, once each."""
    source = "\n".join(lines)
    document = read(source)
    kept = [document.canonical_text(), *(title for _, title in headings(document))]
    kept += [
        f"{key} {value}" for key, value in (*document.document_properties.items(), *document.source_metadata.items())
    ]
    words = re.findall(r"\w+", " ".join(kept))
    for word in re.findall(r"\w+", source):
        assert word in words


@pytest.mark.parametrize(
    "source", ["> " * 20_000, "- " * 20_000, "[" * 50_000, "*a **b " * 20_000, "# " + "[" * 30_000]
)
def test_hostile_nesting_ends(source: str) -> None:
    """THREATS 59: no RecursionError, whatever is nested."""
    read(source)
