// What stands below some documents now: enough to know what a new version changes.
// $document_ids: list of str.
// Returns a row a node, in no order: document_id, id, chunk (bool), digest, parent_id, position,
// sequence_number, embedding_model, embedding_hash.
// Needs the index datum_document_id. Oldest server: 5.0.
UNWIND $document_ids AS document_id
MATCH (n:Datum {document_id: document_id})
RETURN n.document_id AS document_id, n.id AS id, n:Chunk AS chunk, n.digest AS digest, n.parent_id AS parent_id,
       n.position AS position, n.sequence_number AS sequence_number, n.embedding_model AS embedding_model,
       n.embedding_hash AS embedding_hash
