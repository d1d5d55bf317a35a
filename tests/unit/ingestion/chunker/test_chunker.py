"""What a chunk holds, where it hangs, and what is refused."""

import base64
import hashlib

import pytest

from graphrag.config import LIMITS, ChunkerSettings, Limits
from graphrag.errors import ConfigurationError, IngestionError, InvalidRequestError
from graphrag.ingestion.chunker import MAX_TITLE_CHARS, Chunker
from graphrag.ingestion.transformers import (
    AbstractChunkTransformer,
    AddTitlesChunkTransformer,
    ChunkTransformationContext,
    IdentityChunkTransformer,
)
from graphrag.model import Block, Chunk, ContainerSection, LeafSection, ParsedDocument
from graphrag.model.identity import chunk_id, document_id
from tests.unit.ingestion.chunker.documents import (
    WordPieces,
    assert_laws,
    chunk,
    chunks_of,
    document,
    laid_together,
    section,
    table,
    urtexts,
)

BASE64 = base64.b64encode(hashlib.shake_128(b"seed").digest(37_500)).decode()
URI = "https://docs.example.com/guide"


class TestBreaks:
    def test_a_text_that_fits_is_one_chunk(self) -> None:
        assert urtexts(chunk(document("One.\n\n", "Two.\n\n"))) == ["One.\n\nTwo.\n\n"]

    def test_paragraphs_come_first(self) -> None:
        paragraphs = ["First one. Of two.\n\n", "Second here.\n\n", "Third.\n\n"]
        assert urtexts(chunk(document(*paragraphs), 35)) == [paragraphs[0] + paragraphs[1], paragraphs[2]]

    def test_then_sentences(self) -> None:
        assert urtexts(chunk(document("One two. Three four. Five six."), 22)) == ["One two. Three four. ", "Five six."]

    def test_then_words(self) -> None:
        assert urtexts(chunk(document("alpha beta gamma delta"), 12)) == ["alpha beta ", "gamma delta"]

    def test_then_graphemes(self) -> None:
        assert urtexts(chunk(document("👩\u200d💻" * 3), 4)) == ["👩\u200d💻"] * 3

    def test_a_border_that_would_leave_a_nearly_empty_chunk_gives_way_to_a_finer_one(self) -> None:
        first, second = urtexts(chunk(document("Ok.\n\n", "word " * 30), 100))[:2]
        assert len(first) > 90
        assert second.startswith("word")

    def test_lines_of_code_stay_whole(self) -> None:
        code = Block("first = call(a, b)\nsecond = call(c, d)\nthird = 3\n", "code")
        assert urtexts(chunk(document(code), 42)) == ["first = call(a, b)\nsecond = call(c, d)\n", "third = 3\n"]

    def test_no_chunk_of_blanks_remains_at_the_end(self) -> None:
        assert urtexts(chunk(document("x" * 10 + "\n\n"), 10)) == ["x" * 9, "x\n\n"]

    @pytest.mark.parametrize(
        "text",
        [
            "x" * 100_000,
            base64.b64encode(hashlib.shake_128(b"seed").digest(37_500)).decode(),
            "漢字かな交じり文。" * 2_200,
        ],
        ids=["one letter", "base64", "ideographs"],
    )
    @pytest.mark.parametrize("bounds", [(1_500, 200), (100, 99), (100, 0)])
    @pytest.mark.parametrize("tokenizer", [None, WordPieces(60)], ids=["characters", "tokens"])
    @pytest.mark.timeout(20)
    def test_text_without_blanks_is_cut_and_covered(
        self, text: str, bounds: tuple[int, int], tokenizer: WordPieces | None
    ) -> None:
        """CASES 50."""
        parsed = document(text)
        result = chunk(parsed, *bounds, tokenizer=tokenizer)
        assert_laws(parsed, result, bounds, tokenizer)
        assert len(chunks_of(result)) < 20_000

    def test_chunks_of_one_character(self) -> None:
        """CASES 50: (1, 0)."""
        assert urtexts(chunk(document("abc d"), 1)) == ["a", "b", "c", " ", "d"]

    @pytest.mark.parametrize("bounds", [(50, 49), (50, 26)])
    def test_short_lines_with_a_large_overlap_end(self, bounds: tuple[int, int]) -> None:
        """CASES 50."""
        parsed = document("abc\n" * 50)
        result = chunk(parsed, *bounds)
        assert_laws(parsed, result, bounds, None)
        assert len(chunks_of(result)) <= 50
        assert all(part.urtext.startswith("abc") for part in chunks_of(result))

    @pytest.mark.parametrize("size, overlap", [(100, 100), (100, 150), (0, 0), (100, -1), (8_001, 0)])
    def test_impossible_sizes_are_refused(self, size: int, overlap: int) -> None:
        """CASES 50."""
        with pytest.raises(ValueError, match="max_chunk_size|overlap_size"):
            ChunkerSettings(max_chunk_size=size, overlap_size=overlap)

    def test_sizes_over_the_limit_of_the_store_are_refused(self) -> None:
        with pytest.raises(ConfigurationError, match="`max_chunk_size` is 1500; it must be at most 1000"):
            Chunker(
                ChunkerSettings(),
                tokenizer=None,
                transformer=IdentityChunkTransformer(),
                limits=Limits(max_chunk_chars=1_000),
            )


class TestOverlap:
    def test_it_begins_where_a_sentence_begins(self) -> None:
        text = "Alpha beta. Gamma delta. Epsilon zeta. Eta theta."
        first, second = urtexts(chunk(document(text), 40, 20))
        assert first == "Alpha beta. Gamma delta. Epsilon zeta. "
        assert second == "Epsilon zeta. Eta theta."

    def test_it_begins_where_a_word_begins_if_no_sentence_does(self) -> None:
        first, second = urtexts(chunk(document("alpha beta gamma delta epsilon"), 20, 12))[:2]
        assert first == "alpha beta gamma "
        assert second.startswith("beta gamma ")

    def test_there_is_none_where_no_word_begins(self) -> None:
        parts = chunks_of(chunk(document("x" * 500), 100, 99))
        assert [(part.start, part.end) for part in parts] == [(n, n + 100) for n in range(0, 500, 100)]

    def test_it_never_crosses_a_section(self) -> None:
        parsed = document(sections=[section("A", "One two three. "), section("B", "Four five six. ")])
        assert urtexts(chunk(parsed, 100, 99)) == ["One two three. ", "Four five six. "]

    def test_it_keeps_its_share_where_tokens_end_the_chunk(self) -> None:
        """Else chunks of few tokens would overlap nearly whole, and a document be embedded many times over."""
        parts = chunks_of(chunk(document("word " * 1_000), 1_500, 200, tokenizer=WordPieces(60)))
        assert 1.1 * 5_000 < sum(len(part.urtext) for part in parts) < 1.3 * 5_000


class TestTokens:
    def test_no_transformed_text_has_more_tokens_than_the_model_takes(self) -> None:
        """CASES 41: the last sentence is in a chunk that the model reads whole."""
        parsed = document("Plain words go on. " * 500 + "zebra invoice 4711", title="A title of some words")
        tokenizer = WordPieces(64)
        result = chunk(parsed, tokenizer=tokenizer, transformer=AddTitlesChunkTransformer())
        counts = [len(tokenizer.token_offsets(part.text)) for part in chunks_of(result)]
        assert max(counts) <= 64
        assert sorted(counts)[len(counts) // 2] > 50, "chunks use the room that there is"
        assert "zebra invoice 4711" in chunks_of(result)[-1].text
        assert result.truncated_chunks == 0

    def test_truncation_may_be_allowed_and_is_counted(self) -> None:
        """CASES 41."""
        parsed = document("Plain words go on. " * 100)
        result = chunk(parsed, tokenizer=WordPieces(64), allow_truncation=True)
        assert [len(text) for text in urtexts(result)] == [1_482, 418]
        assert result.truncated_chunks == 2
        assert result.notes == ("chunks with more tokens than the embedding model reads: 2",)

    def test_each_block_is_tokenized_once_and_each_chunk_verified(self) -> None:
        seen: list[int] = []

        class Counting(WordPieces):
            def token_offsets(self, text: str) -> list[tuple[int, int]]:
                seen.append(len(text))
                return list(super().token_offsets(text))

        parsed = document(*["Some plain words of text. " * 20 + "\n\n"] * 40)
        result = chunk(parsed, tokenizer=Counting(64))
        assert sum(seen) < 2.6 * len(parsed.canonical_text())
        assert len(chunks_of(result)) > 40

    def test_a_transformer_that_leaves_no_room_is_a_typed_error(self) -> None:
        class Chatty(AbstractChunkTransformer):
            def new_text(self, chunk: Chunk, context: ChunkTransformationContext) -> str:
                return "word " * 100 + chunk.text

        with pytest.raises(
            IngestionError, match=r"what `Chatty` adds has 101 tokens, and the model takes 64: let"
        ) as caught:
            chunk(document("some text"), tokenizer=WordPieces(64), transformer=Chatty())
        assert (caught.value.stage, caught.value.uri) == ("chunk", URI)


class TestTables:
    def test_rows_stay_whole_and_the_header_is_repeated_in_text_only(self) -> None:
        result = chunk(document(table(20)), 120)
        parts = chunks_of(result)
        header = "| name | value |\n| --- | --- |\n"
        assert parts[0].text == parts[0].urtext
        assert parts[0].urtext.startswith(header + "| row 0")
        for part in parts[1:]:
            assert part.text == header + part.urtext
            assert part.urtext.startswith("| row ")
            assert part.urtext.endswith("|\n") or part is parts[-1]

    def test_rows_are_not_cut_for_a_better_fill(self) -> None:
        rows = Block("|h|\n" + "|a b c d e f g h|\n" * 3, "table", table_header="|h|\n")
        assert urtexts(chunk(document("Intro of words here.\n\n", rows), 44)) == [
            "Intro of words here.\n\n",
            "|h|\n|a b c d e f g h|\n|a b c d e f g h|\n",
            "|a b c d e f g h|\n",
        ]

    def test_a_row_over_the_limit_is_cut_like_text_under_its_header(self) -> None:
        long_row = "|" + "one two three. " * 20 + "|\n"
        block = Block("|h|\n|-|\n|short|\n" + long_row + "|last|\n", "table", table_header="|h|\n|-|\n")
        result = chunk(document(block), 100)
        assert_laws(document(block), result, (100, 0), None)
        inner = chunks_of(result)[2]
        assert inner.text == "|h|\n|-|\n" + inner.urtext
        assert inner.urtext.startswith("one two three. ")

    def test_overlap_takes_whole_rows(self) -> None:
        for part in chunks_of(chunk(document(table(30)), 150, 60))[1:]:
            assert part.urtext.startswith("| row ")

    def test_a_header_that_takes_too_much_is_cut(self) -> None:
        header = "| " + "wide column | " * 60 + "\n"
        block = Block(header + "| a row of cells |\n" * 40, "table", table_header=header)
        tokenizer = WordPieces(90)
        result = chunk(document(block), tokenizer=tokenizer)
        assert_laws(document(block), result, (1_500, 0), tokenizer)
        last = chunks_of(result)[-1]
        assert last.text.startswith("| wide column")
        assert "…\n| a row" in last.text

    def test_a_thousand_rows_keep_their_values(self) -> None:
        result = chunk(document(table(1_000)), tokenizer=WordPieces())
        assert all(any(f"| row {number} |" in part.urtext for part in chunks_of(result)) for number in range(1_000))


class TestTree:
    def test_own_text_of_containers_and_before_the_first_heading_comes_before_child_sections(self) -> None:
        parsed = document(
            "Preamble.\n\n",
            sections=[
                section("A", "Own A.\n\n", sections=[section("A1", "Leaf.\n\n", level=2), section("A2", level=2)]),
                section("B", "Last.\n\n"),
            ],
        )
        result = chunk(parsed)
        assert_laws(parsed, result, (1_500, 0), None)
        root = result.materialized.document
        a, a1, a2, b = result.materialized.sections
        assert [type(each) for each in (a, a1, a2, b)] == [ContainerSection, LeafSection, LeafSection, LeafSection]
        assert [(part.urtext, part.parent_id, part.position) for part in chunks_of(result)] == [
            ("Preamble.\n\n", root.id, 0),
            ("Own A.\n\n", a.id, 0),
            ("Leaf.\n\n", a1.id, 0),
            ("Last.\n\n", b.id, 0),
        ]
        assert [(each.position, each.level, each.section_path) for each in (a, a1, a2, b)] == [
            (1, 1, ("A",)),
            (1, 2, ("A", "A1")),
            (2, 2, ("A", "A2")),
            (2, 1, ("B",)),
        ]
        assert chunks_of(result)[2].path_from_root() == (root.id, a.id, a1.id, chunks_of(result)[2].id)

    def test_equal_headings_and_equal_texts_have_ids_of_their_own(self) -> None:
        parsed = document(sections=[section("Same", "text\n\n"), section("Same", "text\n\n")])
        first, second = chunks_of(chunk(parsed))
        root = document_id("default", URI)
        assert [first.id, second.id] == [chunk_id(root, "text\n\n", 0), chunk_id(root, "text\n\n", 1)]
        assert first.parent_id != second.parent_id

    def test_ids_of_later_chunks_survive_a_change_before_them(self) -> None:
        after = section("B", "Stays.\n\n")
        before = chunk(document(sections=[section("A", "Old.\n\n"), after]))
        again = chunk(document(sections=[section("A", "New and longer.\n\n"), after]))
        assert chunks_of(before)[1].id == chunks_of(again)[1].id
        assert chunks_of(before)[0].id != chunks_of(again)[0].id

    def test_collections_do_not_share_ids(self) -> None:
        """CASES 31."""
        one, two = chunk(document("Confidential.")), chunk(document("Confidential."), collection="other")
        assert chunks_of(one)[0].id != chunks_of(two)[0].id
        assert chunks_of(two)[0].collection == "other"

    def test_a_section_without_text_has_no_chunk(self) -> None:
        parsed = document(sections=[section("Empty"), section("Blank", " \n\n"), section("Full", "text")])
        result = chunk(parsed)
        assert urtexts(result) == ["text"]
        assert len(result.materialized.sections) == 3

    def test_a_document_of_headings_has_one_chunk_of_them(self) -> None:
        """CASES 49."""
        parsed = document(sections=[section("A", sections=[section("A1", level=2)]), section("B")])
        result = chunk(parsed)
        (only,) = chunks_of(result)
        assert only.urtext == "A\nA1\nB"
        assert (only.start, only.end, only.position) == (0, 6, 0)
        assert only.parent_id == result.materialized.document.id
        assert [each.position for each in result.materialized.sections] == [1, 0, 2]

    @pytest.mark.parametrize("parsed", [document(), document(""), document(" \n\t\n")])
    def test_an_empty_document_has_no_chunk(self, parsed: ParsedDocument) -> None:
        """CASES 49."""
        result = chunk(parsed)
        assert (chunks_of(result), result.materialized.document.chunk_count) == ((), 0)

    def test_two_hundred_levels(self) -> None:
        """CASES 57."""
        inner = section("Level 200", "text 200\n\n", level=200)
        for level in range(199, 0, -1):
            inner = section(f"Level {level}", f"text {level}\n\n", sections=[inner], level=level)
        parsed = document(sections=[inner])
        result = chunk(parsed, tokenizer=WordPieces(), transformer=AddTitlesChunkTransformer())
        assert_laws(parsed, result, (1_500, 0), WordPieces())
        assert len(chunks_of(result)[-1].section_path) == 200

    def test_ten_thousand_headings(self) -> None:
        """CASES 57."""
        parsed = document(sections=[section(f"Heading {number}", f"Text {number}.\n\n") for number in range(10_000)])
        result = chunk(parsed, transformer=AddTitlesChunkTransformer())
        last = chunks_of(result)[-1]
        assert (last.sequence_number, last.urtext, last.section_path) == (9_999, "Text 9999.\n\n", ("Heading 9999",))
        assert result.materialized.sections[-1].position == 9_999

    def test_absurd_nesting_is_a_typed_error(self) -> None:
        inner = section("x")
        for _ in range(1_001):
            inner = section("x", sections=[inner])
        with pytest.raises(IngestionError, match="nested deeper than 1000 levels"):
            chunk(document(sections=[inner]))

    def test_a_long_heading_is_cut_as_a_title_and_kept_as_text(self) -> None:
        heading = "word " * 300
        result = chunk(document(sections=[section(heading, "Own.")]))
        (part,) = result.materialized.sections
        assert len(part.title) == MAX_TITLE_CHARS
        assert part.title.endswith("…")
        assert laid_together(chunks_of(result)) == heading.strip() + "\n\nOwn."
        assert result.notes == ("headings of more than 1000 characters, cut as titles and kept as text: 1",)

    def test_too_many_chunks_are_a_typed_error_that_says_to_split(self) -> None:
        limits = LIMITS.model_copy(update={"max_document_chunks": 3})
        assert len(chunks_of(chunk(document("a b c "), 2, limits=limits))) == 3
        with pytest.raises(IngestionError, match="more than 3 chunks; split it into several") as caught:
            chunk(document("a b c d "), 2, limits=limits)
        assert caught.value.stage == "chunk"


class TestPacking:
    parsed = document(
        sections=[
            section("Top", sections=[section(f"Item {n}", f"Text {n}.\n\n", level=2) for n in range(4)]),
            section("Alone", "Other.\n\n"),
        ]
    )

    def test_small_leaves_of_one_parent_share_a_chunk_that_hangs_on_it(self) -> None:
        result = chunk(self.parsed, 30, pack_small_leaves=True)
        assert_laws(self.parsed, result, (30, 0), None)
        top, *items, _ = result.materialized.sections
        first, second = chunks_of(result)[:2]
        assert first.urtext == "Text 0.\n\nText 1.\n\nText 2.\n\n"
        assert first.text == "Item 0\n\nText 0.\n\nItem 1\n\nText 1.\n\nItem 2\n\nText 2.\n\n"
        assert (first.parent_id, first.section_path, first.position) == (top.id, ("Top",), 0)
        assert (second.urtext, second.parent_id) == ("Text 3.\n\n", items[3].id)

    def test_it_is_off_unless_asked_for(self) -> None:
        assert len(chunks_of(chunk(self.parsed, 30))) == 5

    def test_it_keeps_the_limit_of_tokens(self) -> None:
        tokenizer = WordPieces(14)
        result = chunk(self.parsed, tokenizer=tokenizer, pack_small_leaves=True)
        assert_laws(self.parsed, result, (1_500, 0), tokenizer)
        assert len(chunks_of(result)) < 5


class TestPlaces:
    def test_the_page_is_that_of_the_first_character(self) -> None:
        parsed = document(Block("One page. ", page=1), Block("Two pages. ", page=2), Block("No page. "))
        assert [part.page for part in chunks_of(chunk(parsed, 12))] == [1, 2, None]

    def test_source_offsets_lead_to_the_text_in_the_file(self) -> None:
        source = "# Head\n\nFirst para.  \n\nSecond para here."
        parsed = document(
            sections=[
                section(
                    "Head",
                    Block("First para.\n\n", source_start=source.index("First")),
                    Block("Second para here.\n\n", source_start=source.index("Second")),
                )
            ]
        )
        first, second = chunks_of(chunk(parsed, 19))
        assert source[first.source_start : first.source_end] == "First para."
        assert source[second.source_start : second.source_end] == "Second para here."
        (whole,) = chunks_of(chunk(parsed))
        assert source[whole.source_start : whole.source_end] == source[8:]

    def test_a_block_that_was_cleaned_no_longer_claims_its_place_in_the_source(self) -> None:
        (part,) = chunks_of(chunk(document(Block("a\0b", source_start=5))))
        assert (part.urtext, part.source_start, part.source_end) == ("ab", None, None)
        (kept,) = chunks_of(chunk(document(Block("a\ud800b", source_start=5))))
        assert (kept.urtext, kept.source_start, kept.source_end) == ("a\ufffdb", 5, 8)


class TestCleaning:
    def test_nul_and_lone_surrogates_are_counted_in_text_and_headings(self) -> None:
        """CASES 52, THREATS 61: other control characters stay."""
        result = chunk(document("a\0b\x0b\x1f\ufffe", sections=[section("He\0ad", "x\ud800y\n")]))
        assert urtexts(result) == ["ab\x0b\x1f\ufffe", "x\ufffdy\n"]
        assert result.materialized.sections[0].title == "Head"
        assert (result.nul_removed, result.surrogates_replaced) == (2, 1)
        assert result.notes == ("NUL characters removed: 2", "lone surrogates replaced by U+FFFD: 1")

    @pytest.mark.parametrize("uri", ["", "file:///a\0b", "file:///\ud800"])
    def test_a_uri_that_cannot_be_stored_is_refused(self, uri: str) -> None:
        chunker = Chunker(ChunkerSettings(), tokenizer=None, transformer=IdentityChunkTransformer())
        with pytest.raises(InvalidRequestError, match="`uri` is .*without NUL and lone surrogates"):
            chunker.chunk(document("a"), uri=uri)


class TestMetadata:
    def test_document_and_chunks_have_it(self) -> None:
        result = chunk(document("text"), metadata={"owner": "ada", "tags": ("a", "b"), "gone": None})
        expected = {"owner": "ada", "tags": ["a", "b"]}
        assert result.materialized.document.metadata == expected
        assert chunks_of(result)[0].metadata == expected

    def test_reserved_names_are_refused(self) -> None:
        """CASES 27."""
        with pytest.raises(InvalidRequestError, match="metadata name `text` is reserved"):
            chunk(document("text"), metadata={"text": "EVIL"})

    def test_what_the_file_says_of_itself_is_no_metadata_of_the_application(self) -> None:
        parsed = ParsedDocument(
            "T",
            "text/plain",
            blocks=(Block("x"),),
            document_properties={"doc_author": "Mallory", "doc_title": "é" * 9_000},
        )
        result = chunk(parsed, metadata={"owner": "ada"})
        assert chunks_of(result)[0].metadata == {"owner": "ada"}
        assert result.materialized.document.document_properties["doc_author"] == "Mallory"
        assert len(str(result.materialized.document.document_properties["doc_title"]).encode()) <= 8_000
