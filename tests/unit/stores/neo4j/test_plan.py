"""The diff of a stored tree and a new one."""

from graphrag.stores.neo4j.plan import states_by_document

_ROW: dict[str, object] = {
    "document_id": "d",
    "id": "c1",
    "chunk": True,
    "digest": "0" * 48,
    "parent_id": "d",
    "position": 0,
    "sequence_number": 0,
    "embedding_model": "m",
    "embedding_hash": "h",
}


def test_a_node_that_is_deleted_while_its_row_is_made_counts_as_gone() -> None:
    """Fault 16: a read without the document's lock meets nodes that another writer deletes."""
    gone: dict[str, object] = {**dict.fromkeys(_ROW), "document_id": "d"}
    wholly_gone: dict[str, object] = dict.fromkeys(_ROW)
    states = states_by_document([_ROW, gone, wholly_gone])
    assert {id_: [node.id for node in nodes] for id_, nodes in states.items()} == {"d": ["c1"]}
