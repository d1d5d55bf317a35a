// A document's chunks, in document order.
// $document_id: str.
// $offset: int, how many to pass over.
// $limit: int, most rows.
// Slots: where (a predicate over c); hidden.
// Returns a row a chunk: chunk (map without vectors).
// Needs the index datum_document_id. Oldest server: 5.0.
MATCH (c:Chunk&Datum {document_id: $document_id})
WHERE /*<where*/ true /*where>*/
WITH c ORDER BY c.sequence_number SKIP $offset LIMIT $limit
RETURN c {.*, /*<hidden*/ embedding: null /*hidden>*/} AS chunk
