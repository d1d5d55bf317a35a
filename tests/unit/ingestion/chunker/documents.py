"""Documents, tokenizers and laws that the chunker's tests share."""

import re
from collections.abc import Sequence
from dataclasses import dataclass
from itertools import pairwise

from hypothesis import strategies as st

from graphrag.config import LIMITS, ChunkerSettings, Limits
from graphrag.ingestion.chunker import Chunker, ChunkResult
from graphrag.ingestion.chunker.boundaries import is_grapheme_border
from graphrag.ingestion.transformers import AddTitlesChunkTransformer, ChunkTransformer, IdentityChunkTransformer
from graphrag.model import Block, Chunk, ParsedDocument, ParsedSection

_PIECE = re.compile(r"\w+|[^\w\s]")
_LONGEST_WORD = 30

TABLE_HEADER = "|h|\n|-|\n"


@dataclass(frozen=True)
class WordPieces:
    """Counts like WordPiece: words in pieces of four characters, and one token for a word that is too long.

    That last rule makes counts not additive: half of a long word can have more tokens than all of it.
    """

    max_tokens: int = 256

    def token_offsets(self, text: str) -> Sequence[tuple[int, int]]:
        offsets: list[tuple[int, int]] = []
        for match in _PIECE.finditer(text):
            start, end = match.span()
            step = 4 if end - start <= _LONGEST_WORD else end - start
            offsets.extend((place, min(place + step, end)) for place in range(start, end, step))
        return offsets


@dataclass(frozen=True)
class Bytes:
    """Counts bytes, several for one character, as byte-level models do."""

    max_tokens: int = 256

    def token_offsets(self, text: str) -> Sequence[tuple[int, int]]:
        return [(place, place + 1) for place, character in enumerate(text) for _ in character.encode()]


Tokens = WordPieces | Bytes


def document(*blocks: Block | str, sections: Sequence[ParsedSection] = (), title: str = "Guide") -> ParsedDocument:
    return ParsedDocument(title, "text/plain", blocks=_blocks(blocks), sections=tuple(sections))


def section(title: str, *blocks: Block | str, sections: Sequence[ParsedSection] = (), level: int = 1) -> ParsedSection:
    return ParsedSection(title, level, _blocks(blocks), tuple(sections))


def _blocks(blocks: Sequence[Block | str]) -> tuple[Block, ...]:
    return tuple(Block(block) if isinstance(block, str) else block for block in blocks)


def table(rows: int, *, width: int = 20) -> Block:
    header = "| name | value |\n| --- | --- |\n"
    lines = "".join(f"| row {number} | {'v' * width} |\n" for number in range(rows))
    return Block(header + lines + "\n", kind="table", table_header=header)


def chunk(
    parsed: ParsedDocument,
    size: int = 1_500,
    overlap: int = 0,
    *,
    tokenizer: Tokens | None = None,
    transformer: ChunkTransformer | None = None,
    limits: Limits = LIMITS,
    metadata: dict[str, object] | None = None,
    collection: str = "default",
    allow_truncation: bool = False,
    include_section_title_in_chunk: bool = False,
    pack_small_leaves: bool = False,
) -> ChunkResult:
    """Chunk without titles, unless a transformer is given."""
    settings = ChunkerSettings(
        max_chunk_size=size,
        overlap_size=overlap,
        allow_truncation=allow_truncation,
        include_section_title_in_chunk=include_section_title_in_chunk,
        pack_small_leaves=pack_small_leaves,
    )
    chunker = Chunker(
        settings, tokenizer=tokenizer, transformer=transformer or IdentityChunkTransformer(), limits=limits
    )
    return chunker.chunk(parsed, uri="https://docs.example.com/guide", metadata=metadata, collection=collection)


def chunks_of(result: ChunkResult) -> tuple[Chunk, ...]:
    return result.materialized.chunks


def urtexts(result: ChunkResult) -> list[str]:
    return [part.urtext for part in chunks_of(result)]


def laid_together(chunks: Sequence[Chunk]) -> str:
    """Return the text of the chunks without their overlaps; fails where there is a gap."""
    text, end = "", 0
    for part in chunks:
        assert part.start <= end < part.end, (part.start, end, part.end)
        assert part.end - part.start == len(part.urtext)
        text += part.urtext[end - part.start :]
        end = part.end
    return text


def assert_laws(
    parsed: ParsedDocument, result: ChunkResult, settings: tuple[int, int], tokenizer: Tokens | None
) -> None:
    """Everything that holds for any document: cover, order, sizes, overlap, ids, places."""
    chunks, size, overlap = chunks_of(result), *settings
    text = laid_together(chunks)
    assert text == parsed.canonical_text().replace("\0", "")
    assert [part.sequence_number for part in chunks] == list(range(len(chunks)))
    assert result.materialized.document.chunk_count == len(chunks)
    assert len({part.id for part in chunks}) == len(chunks)
    for part in chunks:
        assert 1 <= len(part.urtext) <= size
        assert part.urtext == text[part.start : part.end]
        assert tokenizer is None or len(tokenizer.token_offsets(part.text)) <= tokenizer.max_tokens
    for before, after in pairwise(chunks):
        shared = before.end - after.start
        assert 0 <= shared <= overlap
        assert after.start > before.start
        if shared:
            assert before.parent_id == after.parent_id
            assert is_grapheme_border(text, after.start)
    _assert_tree(result)


def _assert_tree(result: ChunkResult) -> None:
    """Siblings have positions 0, 1, 2, ... in document order, chunks before sections; paths and ids agree."""
    children: dict[str, list[tuple[int, str]]] = {}
    root, known = result.materialized.document, {result.materialized.document.id: ()}
    for element in result.materialized.sections:
        assert element.parent_id in known, "parents come before their children"
        known[element.id] = element.section_path
        assert element.section_path == (*known[element.parent_id], element.title)
        children.setdefault(element.parent_id, []).append((element.position, "section"))
    assert len(known) == len(result.materialized.sections) + 1, "ids of sections are unique"
    for part in result.materialized.chunks:
        assert part.section_path == known[part.parent_id]
        assert (part.section_ids[-1] if part.section_ids else root.id) == part.parent_id
        children.setdefault(part.parent_id, []).append((part.position, "chunk"))
    for found in children.values():
        assert sorted(place for place, _ in found) == list(range(len(found)))


words = st.sampled_from(
    [
        "alpha",
        "beta.",
        "It's",
        "e.g.",
        "Dr.",
        "e\u0301te\u0301",
        "漢字。",
        "かな",
        "👩\u200d💻",
        "🇩🇪",
        "x" * 45,
        "\u0915\u094d\u0937",
        "…",
        "a\r\n",
        "\n\n",
        "\t",
    ]
)
prose = st.lists(words, min_size=1, max_size=40).map(" ".join)
noise = st.text(st.characters(codec="utf-8"), min_size=1, max_size=60)
texts = (prose | noise).map(lambda text: "." + text + "\n\n")
rows = st.lists(st.sampled_from(["w", "One. Two", "漢字", "e.g."]), max_size=30).map(" ".join)
tables = st.lists(rows, min_size=1, max_size=12).map(
    lambda rows: Block(TABLE_HEADER + "".join(f"|{row}|\n" for row in rows) + "\n", "table", table_header=TABLE_HEADER)
)
blocks = st.builds(Block, texts, st.sampled_from(["paragraph", "list", "code", "quote"])) | tables
titles = st.sampled_from(["Intro", "Setup", "日本語", "A very long title that goes on and on until nobody reads it"])
sections = st.recursive(
    st.builds(ParsedSection, titles, st.just(3), st.lists(blocks, max_size=3).map(tuple)),
    lambda inner: st.builds(
        ParsedSection,
        titles,
        st.just(1),
        st.lists(blocks, max_size=2).map(tuple),
        st.lists(inner, max_size=3).map(tuple),
    ),
    max_leaves=6,
)
documents = st.builds(
    ParsedDocument,
    titles,
    st.just("text/plain"),
    st.lists(blocks, max_size=3).map(tuple),
    st.lists(sections, max_size=3).map(tuple),
)
sizes = st.tuples(st.integers(1, 300), st.integers(0, 299)).filter(lambda pair: pair[1] < pair[0])
tokenizers = st.none() | st.builds(WordPieces, st.integers(12, 120)) | st.builds(Bytes, st.integers(12, 120))
transformers = st.sampled_from([IdentityChunkTransformer(), AddTitlesChunkTransformer()])
