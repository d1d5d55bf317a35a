"""How documents are dealt out to transactions."""

from types import SimpleNamespace
from typing import cast

from hypothesis import given, strategies as st

from graphrag.stores.neo4j.batches import GROUP_CHUNKS, groups, waves
from graphrag.stores.neo4j.plan import PreparedDocument


def prepared(name: str, chunks: int) -> PreparedDocument:
    return cast("PreparedDocument", SimpleNamespace(id=name, chunks=range(chunks)))


documents = st.lists(st.tuples(st.sampled_from("abcdefgh"), st.integers(0, GROUP_CHUNKS + 1)), max_size=30)


@given(documents)
def test_every_document_is_in_one_group_in_order_and_none_twice_in_one(given_documents: list[tuple[str, int]]) -> None:
    items = [(index, prepared(name, chunks)) for index, (name, chunks) in enumerate(given_documents)]
    dealt = list(groups(items))
    assert [item for group in dealt for item in group] == items
    for group in dealt:
        ids = [document.id for _, document in group]
        assert len(set(ids)) == len(ids)
        assert len(group) == 1 or sum(len(document.chunks) for _, document in group) <= GROUP_CHUNKS


@given(documents, st.integers(1, 4))
def test_groups_that_are_written_at_once_share_no_document(given_documents: list[tuple[str, int]], width: int) -> None:
    """Two versions of one document are written one after the other, in their order."""
    items = [(index, prepared(name, chunks)) for index, (name, chunks) in enumerate(given_documents)]
    dealt = list(waves(groups(items), width=width))
    assert [item for wave in dealt for group in wave for item in group] == items
    for wave in dealt:
        assert 1 <= len(wave) <= width
        ids = [document.id for group in wave for _, document in group]
        assert len(set(ids)) == len(ids)
