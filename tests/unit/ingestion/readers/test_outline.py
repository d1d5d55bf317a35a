"""The tree of sections."""

from hypothesis import given, strategies as st

from graphrag.ingestion.readers.outline import OutlineBuilder
from graphrag.model.parsed import Block, ParsedSection


@given(st.lists(st.tuples(st.integers(1, 6), st.booleans()), max_size=60))
def test_tree_keeps_order_and_levels(parts: list[tuple[int, bool]]) -> None:
    """Document order survives, a child is deeper than its parent, and nothing is lost."""
    outline = OutlineBuilder()
    expected: list[str] = []
    for number, (level, heading) in enumerate(parts):
        if heading:
            outline.add_heading(f"h{number}", level=level)
        else:
            outline.add_block(Block(f"b{number}\n\n"))
        expected.append(f"{'h' if heading else 'b'}{number}")
    blocks, sections = outline.finish()
    found = [block.text.strip() for block in blocks]
    stack: list[tuple[int, ParsedSection]] = [(0, section) for section in reversed(sections)]
    while stack:
        above, section = stack.pop()
        assert section.level > above
        found += [section.title, *(block.text.strip() for block in section.blocks)]
        stack.extend((section.level, child) for child in reversed(section.sections))
    assert found == expected


def test_thousands_of_levels_need_no_recursion() -> None:
    outline = OutlineBuilder()
    for level in range(1, 20_001):
        outline.add_heading("h", level=level)
    _, sections = outline.finish()
    depth = 0
    while sections:
        depth += 1
        sections = sections[0].sections
    assert depth == 20_000


def test_heading_without_text_opens_nothing() -> None:
    outline = OutlineBuilder()
    assert not outline.add_heading(" \n", level=1)
    assert outline.headings == []
