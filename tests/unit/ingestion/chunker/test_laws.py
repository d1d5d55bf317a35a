"""Laws that hold for any document, any sizes, any tokenizer and any transformer."""

from collections.abc import Iterator

from hypothesis import given, settings, strategies as st

from graphrag.ingestion.transformers import ChunkTransformer
from graphrag.model import Block, ParsedDocument
from tests.unit.ingestion.chunker.documents import (
    TABLE_HEADER,
    Tokens,
    assert_laws,
    blocks,
    chunk,
    chunks_of,
    documents,
    laid_together,
    sizes,
    tables,
    tokenizers,
    transformers,
    urtexts,
)


def has_text(parsed: ParsedDocument) -> bool:
    return bool(parsed.canonical_text())


def has_table(found: list[Block]) -> bool:
    return any(block.kind == "table" for block in found)


@given(documents.filter(has_text), sizes, tokenizers, transformers, st.booleans())
@settings(print_blob=True, deadline=None, max_examples=80)
def test_cover_sizes_tokens_overlap_ids_and_tree(
    parsed: ParsedDocument,
    bounds: tuple[int, int],
    tokenizer: Tokens | None,
    transformer: ChunkTransformer,
    title: bool,
) -> None:
    """CASES 41, 50."""
    size, overlap = bounds
    result = chunk(
        parsed, size, overlap, tokenizer=tokenizer, transformer=transformer, include_section_title_in_chunk=title
    )
    assert_laws(parsed, result, bounds, tokenizer)


@given(st.lists(tables | blocks, min_size=1, max_size=4).filter(has_table), sizes)
@settings(print_blob=True, deadline=None, max_examples=150)
def test_a_row_that_fits_alone_is_never_cut_and_a_header_stays_with_its_first_row(
    found: list[Block], bounds: tuple[int, int]
) -> None:
    chunks = chunks_of(chunk(ParsedDocument("t", "text/plain", blocks=tuple(found)), *bounds))
    borders = {place for part in chunks for place in (part.start, part.end)}
    for low, high in _rows(found):
        if high - low <= bounds[0]:
            assert not borders & set(range(low + 1, high))


def _rows(found: list[Block]) -> Iterator[tuple[int, int]]:
    """Yield where rows stand in the document; a table's header and first row are one, its end takes the blank line."""
    place = 0
    for block in found:
        if block.kind == "table":
            first, *others = block.text.removeprefix(TABLE_HEADER).removesuffix("\n").splitlines(keepends=True)
            rows = [TABLE_HEADER + first, *others]
            rows[-1] += "\n"
            low = place
            for row in rows:
                yield low, low + len(row)
                low += len(row)
        place += len(block.text.replace("\0", ""))


@given(documents, sizes, tokenizers)
@settings(print_blob=True, deadline=None, max_examples=25)
def test_the_same_input_gives_the_same_output(
    parsed: ParsedDocument, bounds: tuple[int, int], tokenizer: Tokens | None
) -> None:
    assert chunk(parsed, *bounds, tokenizer=tokenizer) == chunk(parsed, *bounds, tokenizer=tokenizer)


@given(documents.filter(has_text), sizes)
@settings(print_blob=True, deadline=None, max_examples=25)
def test_urtext_does_not_depend_on_the_transformer_where_tokens_do_not_bind(
    parsed: ParsedDocument, bounds: tuple[int, int]
) -> None:
    titled = chunk(parsed, *bounds, include_section_title_in_chunk=True)
    assert urtexts(titled) == urtexts(chunk(parsed, *bounds))


@given(documents.filter(has_text), sizes, tokenizers)
@settings(print_blob=True, deadline=None, max_examples=30)
def test_packed_leaves_keep_cover_size_tokens_and_tree(
    parsed: ParsedDocument, bounds: tuple[int, int], tokenizer: Tokens | None
) -> None:
    result = chunk(parsed, *bounds, tokenizer=tokenizer, pack_small_leaves=True)
    assert_laws(parsed, result, bounds, tokenizer)
    assert len(chunks_of(result)) <= len(chunks_of(chunk(parsed, *bounds, tokenizer=tokenizer)))


@given(st.text(st.characters(exclude_categories=())), sizes)
@settings(print_blob=True, deadline=None)
def test_any_text_at_all_is_covered_after_cleaning(text: str, bounds: tuple[int, int]) -> None:
    """CASES 52, THREATS 61."""
    result = chunk(ParsedDocument("t", "text/plain", blocks=(Block("a" + text),)), *bounds)
    whole = laid_together(chunks_of(result))
    assert whole == "a" + _clean(text)
    assert result.nul_removed == text.count("\0")


def _clean(text: str) -> str:
    return "".join("\ufffd" if "\ud800" <= character <= "\udfff" else character for character in text.replace("\0", ""))
