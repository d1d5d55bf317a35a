"""What transformers put before a chunk's text, and what they may not do."""

from collections.abc import Mapping
from datetime import UTC, datetime

import pytest
from hypothesis import given, settings, strategies as st

from graphrag.errors import IngestionError, InvalidRequestError
from graphrag.ingestion.transformers import (
    AbstractChunkTransformer,
    AddSectionTitleChunkTransformer,
    AddTitlesChunkTransformer,
    ChainedChunkTransformer,
    ChunkTransformationContext,
    ChunkTransformer,
    IdentityChunkTransformer,
    LineBudget,
)
from graphrag.model import Chunk, Document, LeafSection
from tests.unit.ingestion.chunker.documents import WordPieces, chunk, chunks_of, document, section

TEXT = "This approach improves performance by 40% compared to the baseline."


def transformed(
    transformer: ChunkTransformer,
    *,
    title: str = "Performance Optimization Guide",
    uri: str = "https://docs.example.com/performance",
    path: tuple[str, ...] = ("Caching Strategies",),
    budget: LineBudget | None = None,
) -> str:
    root = Document(id="d", uri=uri, title=title)
    part = LeafSection(id="s", document_id="d", parent_id="d", title=path[-1], section_path=path) if path else None
    context = ChunkTransformationContext(part, root, budget or LineBudget())
    bare = Chunk(id="c", document_id="d", parent_id="s", sequence_number=0, text=TEXT, urtext=TEXT)
    return transformer.transform(bare, context).text


class TestAddTitles:
    def test_the_example_of_the_reference(self) -> None:
        assert transformed(AddTitlesChunkTransformer()) == (
            "# Title: Performance Optimization Guide\n"
            "# URI: https://docs.example.com/performance\n"
            "# Section: Caching Strategies\n"
            "\n"
            "This approach improves performance by 40% compared to the baseline."
        )

    def test_the_section_line_is_the_true_path(self) -> None:
        text = transformed(AddTitlesChunkTransformer(), path=("Deployment", "Caching", "Redis"))
        assert "\n# Section: Deployment > Caching > Redis\n\n" in text

    def test_text_right_under_the_document_has_no_section_line(self) -> None:
        assert "# Section" not in transformed(AddTitlesChunkTransformer(), path=())

    def test_a_long_uri_is_cut_from_the_left(self) -> None:
        text = transformed(AddTitlesChunkTransformer(), uri="file:///" + "folder/" * 60 + "report.pdf")
        (line,) = (line for line in text.splitlines() if line.startswith("# URI: "))
        assert len(line) == len("# URI: ") + 120
        assert line.startswith("# URI: …")
        assert line.endswith("/report.pdf")

    def test_titles_never_break_a_line(self) -> None:
        text = transformed(AddTitlesChunkTransformer(), title="Two\nlines\u2028three")
        assert text.startswith("# Title: Two lines three\n# URI:")

    def test_a_path_over_the_budget_loses_titles_from_the_left(self) -> None:
        path = tuple(f"Heading number {number}" for number in range(12))
        text = transformed(AddTitlesChunkTransformer(), path=path, budget=LineBudget(max_chars=200))
        lines = text.split("\n\n")[0]
        assert len(lines) <= 200
        assert "# Section: … > Heading number 7 > " in lines
        assert lines.endswith("Heading number 11")

    @given(
        st.text(min_size=1, max_size=400),
        st.text(min_size=1, max_size=400),
        st.lists(st.text(min_size=1, max_size=300), max_size=15),
        st.integers(0, 90),
        st.integers(0, 600),
    )
    @settings(print_blob=True)
    def test_lines_keep_within_any_budget(self, title: str, uri: str, path: list[str], tokens: int, chars: int) -> None:
        budget = LineBudget(WordPieces(), max_tokens=tokens, max_chars=chars)
        text = transformed(AddTitlesChunkTransformer(), title=title, uri=uri, path=tuple(path), budget=budget)
        assert text.endswith(TEXT)
        lines = text.removesuffix(TEXT).removesuffix("\n\n")
        assert budget.fits(lines)

    def test_with_little_room_the_last_title_is_what_remains(self) -> None:
        text = transformed(AddTitlesChunkTransformer(), path=("Far", "Near"), budget=LineBudget(max_chars=20))
        assert text == f"# Section: Near\n\n{TEXT}"

    def test_lines_take_at_most_a_third_of_the_model(self) -> None:
        tokenizer = WordPieces(90)
        parsed = document(sections=[section("A heading " * 40, "Body of words. " * 60)], title="Long title " * 30)
        for part in chunks_of(chunk(parsed, tokenizer=tokenizer, transformer=AddTitlesChunkTransformer())):
            lines = part.text.removesuffix(part.urtext)
            assert lines.startswith("# ")
            assert len(tokenizer.token_offsets(lines)) <= 30


class TestSectionTitle:
    def test_it_acts_where_no_title_transformer_is_in_the_chain(self) -> None:
        parsed = document("Root.", sections=[section("Caching", "Text.")])
        plain = chunk(parsed, include_section_title_in_chunk=True)
        assert [part.text for part in chunks_of(plain)] == ["Root.", "Caching\n\nText."]
        titled = chunk(parsed, include_section_title_in_chunk=True, transformer=AddTitlesChunkTransformer())
        assert chunks_of(titled)[1].text.count("Caching") == 1
        assert [part.urtext for part in chunks_of(plain)] == ["Root.", "Text."]

    def test_a_long_title_is_cut(self) -> None:
        text = transformed(AddSectionTitleChunkTransformer(), path=("word " * 100,), budget=LineBudget(max_chars=50))
        title, _, rest = text.partition("\n\n")
        assert rest == TEXT
        assert len(title) <= 40
        assert title.endswith("…")


class Enriching(AbstractChunkTransformer):
    """The example of the reference."""

    reads_metadata = True

    def additional_metadata(self, chunk: Chunk, context: ChunkTransformationContext) -> Mapping[str, object]:
        return {"documentType": context.document.metadata.get("type"), "seen": datetime(2026, 1, 1, tzinfo=UTC)}


class Shouting(AbstractChunkTransformer):
    def new_text(self, chunk: Chunk, context: ChunkTransformationContext) -> str:
        return chunk.text.upper()


class TestChain:
    def test_each_gets_what_the_one_before_it_gave(self) -> None:
        first = ChainedChunkTransformer([AddSectionTitleChunkTransformer(), Shouting()])
        second = ChainedChunkTransformer([Shouting(), AddSectionTitleChunkTransformer()])
        assert transformed(first).startswith("CACHING STRATEGIES\n\nTHIS")
        assert transformed(second).startswith("Caching Strategies\n\nTHIS")

    def test_it_declares_what_its_parts_declare_and_names_them(self) -> None:
        chain = ChainedChunkTransformer([IdentityChunkTransformer(), Enriching()])
        assert (chain.reads_metadata, chain.adds_titles) == (True, False)
        assert ChainedChunkTransformer([AddTitlesChunkTransformer()]).adds_titles
        assert chain.name == "IdentityChunkTransformer 1 | Enriching 1"

    def test_an_empty_chain_changes_nothing(self) -> None:
        assert transformed(ChainedChunkTransformer([])) == TEXT


class TestApplicationsOwn:
    def test_metadata_of_a_transformer_is_added_to_the_chunk_alone(self) -> None:
        result = chunk(document("text"), transformer=Enriching(), metadata={"type": "memo"})
        expected = {"type": "memo", "documentType": "memo", "seen": datetime(2026, 1, 1, tzinfo=UTC)}
        assert chunks_of(result)[0].metadata == expected
        assert result.materialized.document.metadata == {"type": "memo"}

    def test_none_is_absent_there_too(self) -> None:
        assert "documentType" not in chunks_of(chunk(document("text"), transformer=Enriching()))[0].metadata

    def test_urtext_and_place_are_not_a_transformers_to_change(self) -> None:
        class Forging(AbstractChunkTransformer):
            def transform(self, chunk: Chunk, context: ChunkTransformationContext) -> Chunk:
                return chunk.model_copy(update={"text": "new", "urtext": "forged", "id": "x", "collection": "other"})

        (part,) = chunks_of(chunk(document("text"), transformer=Forging()))
        assert (part.text, part.urtext, part.collection) == ("new", "text", "default")
        assert len(part.id) == 32

    def test_it_cannot_change_what_the_application_says_of_the_document(self) -> None:
        class Widening(AbstractChunkTransformer):
            def additional_metadata(self, chunk: Chunk, context: ChunkTransformationContext) -> Mapping[str, object]:
                return {"owner": "everyone"}

        with pytest.raises(IngestionError, match="`Widening` changed `owner`, which is metadata of the document"):
            chunk(document("text"), transformer=Widening(), metadata={"owner": "ada"})
        assert chunks_of(chunk(document("text"), transformer=Widening()))[0].metadata == {"owner": "everyone"}

    def test_it_cannot_drop_it_either(self) -> None:
        class Dropping(AbstractChunkTransformer):
            def transform(self, chunk: Chunk, context: ChunkTransformationContext) -> Chunk:
                return chunk.model_copy(update={"metadata": {}})

        with pytest.raises(IngestionError, match="`Dropping` changed `owner`"):
            chunk(document("text"), transformer=Dropping(), metadata={"owner": "ada"})

    def test_reserved_names_are_refused(self) -> None:
        class Reserved(AbstractChunkTransformer):
            def additional_metadata(self, chunk: Chunk, context: ChunkTransformationContext) -> Mapping[str, object]:
                return {"embedding": [0.0]}

        with pytest.raises(InvalidRequestError, match="metadata name `embedding` is reserved"):
            chunk(document("text"), transformer=Reserved())

    def test_a_failure_is_a_typed_error_that_names_it(self) -> None:
        class Failing(AbstractChunkTransformer):
            def new_text(self, chunk: Chunk, context: ChunkTransformationContext) -> str:
                return str(1 / 0)

        with pytest.raises(IngestionError, match="`Failing` failed on chunk 0: ZeroDivisionError") as caught:
            chunk(document("text"), transformer=Failing())
        assert caught.value.stage == "chunk"
        assert isinstance(caught.value.__cause__, ZeroDivisionError)

    def test_a_text_that_is_too_long_is_a_typed_error(self) -> None:
        class Endless(AbstractChunkTransformer):
            def new_text(self, chunk: Chunk, context: ChunkTransformationContext) -> str:
                return "x" * 60_000

        with pytest.raises(IngestionError, match="made a text of 60000 characters; at most 50000"):
            chunk(document("text"), transformer=Endless())

    def test_its_text_is_cleaned(self) -> None:
        class Dirty(AbstractChunkTransformer):
            def new_text(self, chunk: Chunk, context: ChunkTransformationContext) -> str:
                return "a\0b\ud800"

        assert chunks_of(chunk(document("text"), transformer=Dirty()))[0].text == "ab\ufffd"

    def test_what_holds_for_a_section_is_computed_once(self) -> None:
        calls: list[str] = []

        class Slow(AbstractChunkTransformer):
            def new_text(self, chunk: Chunk, context: ChunkTransformationContext) -> str:
                return context.once(self.name, lambda: calls.append("call") or "head") + chunk.text

        chunk(document("a b c ", sections=[section("S", "d e f ")]), 2, transformer=Slow())
        assert len(calls) == 2
