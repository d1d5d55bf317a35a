// The chunks of a document that have metadata of their own.
// $document_id: str.
// Returns a row a chunk, in no order: chunk (map, without vectors of the first generation).
// Needs the index datum_document_id. Oldest server: 5.0.
MATCH (c:Chunk&Datum {document_id: $document_id})
WHERE c.own_metadata IS NOT NULL
RETURN c {.*, embedding: null} AS chunk
