"""Sections: tables of contents, finding by title, reading as one text, and the way down from the document."""

import pytest

from graphrag.config import Limits, Settings
from graphrag.errors import InvalidRequestError
from graphrag.filters.nodes import Eq
from graphrag.filters.scope import Scope
from graphrag.ingestion.given import GivenChunk
from graphrag.model import Chunk, Document, LeafSection, Section, SectionChoice, SectionText
from graphrag.stores import AsyncNeo4jStore, Neo4jStore
from graphrag.testing.embedder import DeterministicEmbedder
from tests.integration.neo4j.documents import SECTIONED, make_document
from tests.integration.neo4j.graph import Graph

EMBEDDER = DeterministicEmbedder(Graph.DIMENSIONS)
MISSING = "z" * 32
A, B = {"owner": "a"}, {"owner": "b"}
MIXED = (
    GivenChunk("foreword\n", metadata=A),
    GivenChunk("of one\n", section_path=("One",), metadata=A),
    GivenChunk("of inner\n", section_path=("One", "Inner"), metadata=B),
    GivenChunk("more of inner\n", section_path=("One", "Inner"), metadata=A),
    GivenChunk("secret\n", section_path=("One", "Closed"), metadata=B),
    GivenChunk("of two\n", section_path=("Two",), metadata=B),
)
SEES_A = Scope().with_metadata_filter(Eq("owner", "a"))
SEES_NOTHING = Scope().with_metadata_filter(Eq("owner", "nobody"))


def read(store: Neo4jStore, section: str, **options: object) -> SectionText:
    found = store.read_section(section, **options)  # type: ignore[arg-type]
    assert isinstance(found, SectionText)
    return found


def test_the_way_from_the_root_leads_from_the_document_to_the_element(store: Neo4jStore) -> None:
    document = make_document(EMBEDDER, chunks=MIXED)
    store.write_document(document)
    one, inner = document.sections[0], document.sections[1]
    inner_chunk = document.chunks[2]
    way = store.path_from_root(inner_chunk.id)
    assert [element.id for element in way] == [document.document.id, one.id, inner.id, inner_chunk.id]
    assert [type(element) for element in way[:1] + way[2:]] == [Document, LeafSection, Chunk]
    assert inner_chunk.path_from_root() == tuple(element.id for element in way)
    assert [e.id for e in store.path_from_root(inner.id)] == [document.document.id, one.id, inner.id]
    assert [e.id for e in store.path_from_root(document.document.id)] == [document.document.id]
    assert [e.id for e in store.path_from_root(document.chunks[0].id)] == [document.document.id, document.chunks[0].id]


def test_the_way_from_the_root_is_empty_for_what_is_not_visible(store: Neo4jStore, graph: Graph) -> None:
    """THREATS 19 and 23: a foreign, a hidden and a missing id get the same answer."""
    document = make_document(EMBEDDER, chunks=MIXED, collection="theirs")
    store.write_document(document)
    graph.run(
        "CREATE (:User {id: 'u1'}), (:Datum:Retrievable:NamedEntity {id: 'e1', name: 'E', origin: 'application'})"
    )
    hidden = [document.chunks[2].id, document.chunks[4].id, document.sections[2].id, document.sections[3].id]
    for id_ in (MISSING, "u1", "e1", "graphrag", *hidden):
        assert store.path_from_root(id_, scope=SEES_A) == [], id_
    for id_ in (document.document.id, document.sections[0].id, document.chunks[0].id):
        assert store.path_from_root(id_, collections=["mine"]) == []
        assert store.path_from_root(id_, scope=SEES_NOTHING) == []
        root = store.path_from_root(id_, scope=SEES_A)[0]
        assert isinstance(root, Document)
        assert root.chunk_count == 3
    with pytest.raises(InvalidRequestError, match="`id` is ''; it must be 1 to 512 printable characters"):
        store.path_from_root("")


def test_a_section_is_found_by_its_title_whatever_its_case(store: Neo4jStore) -> None:
    titles = ("Straße ÉTÉ", "straSSe été", "STRASSE ÉTÉ", "ΟΔΟΣ", "***", "x" * 9_000, "two  blanks")
    chunks = [GivenChunk(f"text {number}", section_path=(title,)) for number, title in enumerate(titles)]
    store.write_document(make_document(EMBEDDER, chunks=chunks))

    def found(title: str) -> list[str]:
        return sorted(entry.section.title for entry in store.find_sections(title))

    assert found(" straße été ") == ["Straße ÉTÉ"]  # toLower leaves the sharp s alone
    assert found("strasse été") == ["STRASSE ÉTÉ", "straSSe été"]
    assert found("οδος") == ["ΟΔΟΣ"]
    assert found("***") == ["***"]
    assert found("X" * 9_000) == ["x" * 9_000]
    assert found("two blanks") == found("strass") == found("text 1") == []


def test_sections_of_one_title_come_in_order_with_a_note_where_there_are_more(store: Neo4jStore) -> None:
    for number in (3, 1, 2):
        chunks = [GivenChunk("x", section_path=("Intro",)), GivenChunk("y", section_path=("Part", "INTRO"))]
        store.write_document(make_document(EMBEDDER, f"file:///{number}", chunks, title=f"Title {number}"))
    found = store.find_sections("intro")
    assert [(entry.document_title, entry.section.section_path) for entry in found] == [
        (f"Title {number}", path) for number in (1, 2, 3) for path in (("Intro",), ("Part", "INTRO"))
    ]
    assert found.notes == ()
    assert found[1].path == ("Title 1", "Part", "INTRO")
    assert [entry.chunk_count for entry in found] == [1] * 6
    few = store.find_sections("intro", limit=4)
    assert list(few) == list(found)[:4]
    assert few.notes == ("more sections bear this title; the first 4 are listed",)
    assert [e.uri for e in store.find_sections("intro", document_title="TITLE 2")] == ["file:///2"] * 2
    assert [e.uri for e in store.find_sections("intro", document_title="itle")] == [e.uri for e in found]
    assert [e.uri for e in store.find_sections("intro", document_id=found[0].section.document_id)] == ["file:///1"] * 2
    assert store.find_sections("intro", document_id=MISSING) == []


def test_a_section_is_read_with_the_headings_below_it(store: Neo4jStore) -> None:
    document = make_document(EMBEDDER, chunks=MIXED)
    store.write_document(document)
    whole = read(store, "one")
    assert whole.text == "of one\n## Inner\n\nof inner\nmore of inner\n## Closed\n\nsecret"
    assert (whole.truncated, whole.notes) == (False, ())
    assert whole == read(store, whole.entry.id)
    assert whole.entry.chunk_count == 4
    assert isinstance(whole.entry.section, Section)
    assert whole.entry.path == ("Report", "One")


def test_a_scope_reads_the_visible_chunks_alone(store: Neo4jStore) -> None:
    """THREATS 9: text, headings and counts are those of visible chunks."""
    document = make_document(EMBEDDER, chunks=MIXED)
    store.write_document(document)
    seen = read(store, "ONE", scope=SEES_A)
    assert seen.text == "of one\n## Inner\n\nmore of inner"
    assert seen.entry.chunk_count == 2
    closed = document.sections[2]
    for section in ("Closed", closed.id, "nothing", MISSING, "two", document.document.id, document.chunks[0].id):
        assert store.read_section(section, scope=SEES_A) is None, section
        assert store.find_sections(section, scope=SEES_A) == []
    assert store.read_section("One", collections=["other"]) is None
    assert store.read_section("One", scope=SEES_NOTHING) is None


def test_hidden_text_does_not_use_up_the_limit(store: Neo4jStore) -> None:
    """What stands behind much hidden text, or in chunks that overlap, is read all the same."""
    hidden = [GivenChunk(f"secret {n} " * 5, section_path=("One",), metadata=B) for n in range(20)]
    mine = [GivenChunk(text, section_path=("One",), metadata=A) for text in ("before ", "behind")]
    document = make_document(EMBEDDER, chunks=[mine[0], *hidden, mine[1]])
    store.write_document(document)
    section = document.sections[0].id
    found = read(store, section, scope=SEES_A, max_chars=13)
    assert (found.text, found.truncated) == ("before behind", False)
    found = read(store, section, scope=SEES_A, max_chars=12)
    assert (found.text, found.truncated) == ("before", True)


def test_a_title_that_several_sections_bear_is_answered_by_a_choice(store: Neo4jStore) -> None:
    for name in ("first", "second"):
        store.write_document(make_document(EMBEDDER, f"file:///{name}", [
            GivenChunk(f"intro of {name}", section_path=("Intro",), metadata={"owner": name[0]})
        ], title=name.title()))  # fmt: skip
    choice = store.read_section("intro")
    assert isinstance(choice, SectionChoice)
    assert choice.title == "intro"
    assert [(entry.document_title, entry.section.title) for entry in choice.candidates] == [
        ("First", "Intro"),
        ("Second", "Intro"),
    ]
    assert [read(store, entry.id).text for entry in choice.candidates] == ["intro of first", "intro of second"]
    assert read(store, "intro", document_title="second").text == "intro of second"
    # What is hidden is no candidate, so nothing is left to choose.
    assert read(store, "intro", scope=Scope().with_metadata_filter(Eq("owner", "f"))).text == "intro of first"


def test_a_choice_lists_so_many_and_says_that_there_are_more(store: Neo4jStore) -> None:
    for number in range(22):
        store.write_document(make_document(EMBEDDER, f"file:///{number}", [GivenChunk("x", section_path=("Same",))]))
    choice = store.read_section("same")
    assert isinstance(choice, SectionChoice)
    assert len(choice.candidates) == 20
    assert choice.notes == ("more sections bear this title; the first 20 are listed",)


def test_a_long_section_is_cut_between_two_chunks(store: Neo4jStore, graph: Graph) -> None:
    chunks = [GivenChunk(f"{n:03d} " * 10, section_path=("Long", f"Part {n // 3}")) for n in range(9)]
    document = make_document(EMBEDDER, chunks=chunks)
    store.write_document(document)
    lengths = [len(chunk.urtext) for chunk in document.chunks]
    assert lengths == [40] * 9
    heading = len("## Part 0\n\n")
    cut = read(store, "Long", max_chars=heading + 40 * 3 + heading + 39)
    assert cut.text == "## Part 0\n\n" + "".join(chunk.urtext for chunk in document.chunks[:3]).rstrip()
    assert cut.truncated
    assert cut.notes == ("the text was cut at 181 characters; its subsections can be read one by one, and its chunks",)
    assert len(read(store, "Long", max_chars=20).text) == 20  # a first chunk that does not fit is cut all the same
    whole = read(store, "Long")
    assert not whole.truncated
    assert read(store, "Long", max_chars=len(whole.text) + 1).text == whole.text
    with Neo4jStore(graph.settings, EMBEDDER, settings=Settings(limits=Limits(max_answer_chars=100))) as small:
        assert read(small, "Long").truncated
        with pytest.raises(InvalidRequestError, match="`max_chars` is 101; it must be a whole number from 1 to 100"):
            small.read_section("Long", max_chars=101)


def test_tables_of_contents_count_what_is_visible(store: Neo4jStore) -> None:
    store.write_document(make_document(EMBEDDER, "file:///a", MIXED, title="Annual report"))
    store.write_document(make_document(EMBEDDER, "file:///b", SECTIONED, title="Other"))
    store.write_document(make_document(EMBEDDER, "file:///c", ["plain"], title="Annual letter", collection="two"))

    def told(**options: object) -> list[tuple[str, int, list[tuple[tuple[str, ...], int]]]]:
        return [
            (outline.document.title, outline.document.chunk_count,
             [(entry.section.section_path, entry.chunk_count) for entry in outline.sections])
            for outline in store.table_of_contents(**options)  # type: ignore[arg-type]
        ]  # fmt: skip

    report = ("Annual report", 6, [(("One",), 4), (("One", "Inner"), 2), (("One", "Closed"), 1), (("Two",), 1)])
    assert told(document_title="annual") == [report, ("Annual letter", 1, [])]
    assert [title for title, _, _ in told()] == ["Annual report", "Other", "Annual letter"]
    assert told(document_title="REPORT") == [report]
    assert told(document_id=MISSING) == told(document_title="nothing") == told(scope=SEES_NOTHING) == []
    assert told(scope=SEES_A) == [("Annual report", 3, [(("One",), 2), (("One", "Inner"), 1)])]
    assert told(collections=["two"]) == [("Annual letter", 1, [])]
    [outline] = store.table_of_contents("report")
    assert told(document_id=outline.document.id) == [report]
    assert {entry.uri for entry in outline.sections} == {"file:///a"}
    few = store.table_of_contents(limit=2)
    assert len(few) == 2
    assert few.notes == ("there are more documents; the first 2 are listed, others by a narrower title",)


@pytest.mark.anyio
async def test_both_faces_read_the_same(async_store: AsyncNeo4jStore, graph: Graph) -> None:
    document = make_document(EMBEDDER, chunks=MIXED)
    await async_store.write_document(document)
    chunk = document.chunks[3].id
    with Neo4jStore(graph.settings, EMBEDDER) as store:
        assert await async_store.read_section("one", scope=SEES_A) == store.read_section("one", scope=SEES_A)
        assert await async_store.table_of_contents() == store.table_of_contents()
        assert await async_store.path_from_root(chunk) == store.path_from_root(chunk)
        assert list(await async_store.follow_links(chunk)) == list(store.follow_links(chunk)) == []


def test_tables_of_contents_end_at_a_number_of_sections(store: Neo4jStore, monkeypatch: pytest.MonkeyPatch) -> None:
    from graphrag.stores.neo4j._sync import sections

    monkeypatch.setattr(sections, "MAX_OUTLINE_SECTIONS", 3)
    store.write_document(make_document(EMBEDDER, "file:///a", MIXED, title="A"))
    store.write_document(make_document(EMBEDDER, "file:///b", SECTIONED, title="B"))
    cut = store.table_of_contents()
    assert [len(outline.sections) for outline in cut] == [3, 0]
    assert cut.notes == ("there are more sections; the first 3 are listed",)


@pytest.mark.parametrize("wrong", ["", "  ", None, 7, "x" * 10_001])
def test_a_title_is_text(store: Neo4jStore, wrong: object) -> None:
    with pytest.raises(InvalidRequestError, match="`title` is .*; it must be text that is not blank, of at most"):
        store.find_sections(wrong)  # type: ignore[arg-type]
    with pytest.raises(InvalidRequestError, match="`section` is "):
        store.read_section(wrong)  # type: ignore[arg-type]
    if wrong is not None:
        with pytest.raises(InvalidRequestError, match="`document_title` is "):
            store.table_of_contents(wrong)  # type: ignore[arg-type]


@pytest.mark.parametrize("wrong", [0, -1, True, 2.0, "1", None, 10**9])
def test_numbers_are_bounded(store: Neo4jStore, wrong: object) -> None:
    """THREATS 6."""
    with pytest.raises(InvalidRequestError, match="`limit` is .*; it must be a whole number from 1 to 1000"):
        store.find_sections("x", limit=wrong)  # type: ignore[arg-type]
    with pytest.raises(InvalidRequestError, match="`limit` is .*; it must be a whole number from 1 to 100"):
        store.table_of_contents(limit=wrong)  # type: ignore[arg-type]


def test_any_title_is_looked_for(store: Neo4jStore) -> None:
    """THREATS 1: no text of a caller is a query, and none fails."""
    store.write_document(make_document(EMBEDDER, chunks=[GivenChunk("x", section_path=("Real",))]))
    for title in ("' OR 1=1 //", "a\0b", "\ud800", "\U0010ffff", "*", "}) RETURN 1", "`"):
        assert store.find_sections(title, document_title=title) == []
        assert store.read_section(title) is None
        assert store.table_of_contents(title) == []


def test_sections_of_an_older_schema_are_found_without_an_index_and_by_one_after_it_is_applied(
    store: Neo4jStore, graph: Graph
) -> None:
    """A database of an older package goes on working; `schema apply` gives it keys and index."""
    store.write_document(make_document(EMBEDDER, chunks=MIXED))
    before = store.graph_hash()
    graph.run("DROP INDEX section_title_key")
    graph.run("MATCH (s:Section) REMOVE s.title_key")
    graph.run("MATCH (s:GraphragSchema) REMOVE s.section_titles")
    with Neo4jStore(graph.settings, EMBEDDER) as old:
        old.write_document(make_document(EMBEDDER, "file:///new", [GivenChunk("x", section_path=("Inner",))]))
        assert [entry.section.title for entry in old.find_sections("INNER")] == ["Inner", "Inner"]
        assert read(old, "two").text == "of two"
        assert all(finding.state == "ok" for finding in old.schema_status()[1])
        assert {f.name: f.state for f in old.apply_schema()}["section_title_key"] == "missing"
        assert graph.value("MATCH (s:Section) WHERE s.title_key IS NULL RETURN count(s)") == 0
        assert graph.value("MATCH (s:GraphragSchema) RETURN s.section_titles") is True
        assert [entry.section.title for entry in old.find_sections("INNER")] == ["Inner", "Inner"]
        old.delete_document("file:///new", collection="default")
        assert old.graph_hash() == before
        assert all(finding.state == "ok" for finding in old.apply_schema())
