"""The text of a subtree, and where it is cut."""

from hypothesis import given, strategies as st

from graphrag.stores.neo4j.subtree import Row, render_subtree


def section(id_: str, parent: str, position: int, title: str, level: int = 1) -> Row:
    return {"id": id_, "parent_id": parent, "position": position, "title": title, "level": level, "urtext": None,
            "start": None, "end": None}  # fmt: skip


def chunk(parent: str, position: int, text: str, start: int) -> Row:
    return {"id": f"{parent}{position}", "parent_id": parent, "position": position, "title": None, "level": None,
            "urtext": text, "start": start, "end": start + len(text)}  # fmt: skip


ROWS = (
    section("b", "root", 2, "B", 2),
    section("a", "root", 1, "A", 9),
    chunk("root", 0, "own. ", 0),
    chunk("a", 0, "in a. ", 5),
    chunk("a", 1, "a. more. ", 8),
    chunk("b", 0, "in b. ", 17),
)


def test_headings_and_chunks_come_in_order_and_overlaps_once() -> None:
    assert render_subtree("root", ROWS, limit=1_000) == ("own. ###### A\n\nin a. more. ## B\n\nin b.", False)
    assert render_subtree("a", ROWS, limit=1_000) == ("in a. more.", False)
    assert render_subtree("nothing", ROWS, limit=1_000) == ("", False)


def test_a_text_is_cut_at_the_limit_or_before_the_chunk_that_does_not_fit() -> None:
    assert render_subtree("root", ROWS, limit=12) == ("own. ###### ", True)
    assert render_subtree("root", ROWS, limit=20, between_chunks=True) == ("own. ###### A\n\nin a."[:5].rstrip(), True)
    assert render_subtree("root", ROWS, limit=21, between_chunks=True) == ("own. ###### A\n\nin a.", True)
    assert render_subtree("root", ROWS, limit=3, between_chunks=True) == ("own", True)


@given(st.integers(1, 60))
def test_a_text_that_is_cut_between_chunks_is_a_beginning_of_the_whole(limit: int) -> None:
    whole, _ = render_subtree("root", ROWS, limit=1_000)
    text, cut = render_subtree("root", ROWS, limit=limit, between_chunks=True)
    assert whole.startswith(text)
    assert len(text) <= limit
    assert cut == (text != whole)
