// Deletes documents by id with all that stands below them, each under its write lock: what a writer that came
// before has added is seen, and one that comes after begins anew. A document of which the predicate is not true
// any more by then stays, and in a scope one that has a chunk which is not visible.
// $document_ids: list of str, sorted.
// $scoped: bool, whether the slot `visible` limits what is visible.
// Slots: where (a predicate over d); visible (a predicate over c, true of all chunks of a document that goes).
// Returns one row: documents, sections, chunks (int).
// Needs the constraint datum_id and the index datum_document_id. Oldest server: 5.0.
UNWIND $document_ids AS document_id
MATCH (d:Document&Datum {id: document_id})
SET d.write_lock = true
WITH d, document_id, /*<where*/ true /*where>*/ AND (
  NOT $scoped
  OR d.chunk_count = COUNT { MATCH (c:Chunk&Datum {document_id: document_id}) WHERE /*<visible*/ true /*visible>*/ }
) AS chosen
REMOVE d.write_lock
WITH d, document_id WHERE chosen
CALL (d, document_id) {
  OPTIONAL MATCH (n:Datum {document_id: document_id})
  WITH n, n:Chunk AS chunk, n:Section AS section
  DETACH DELETE n
  RETURN count(CASE WHEN chunk THEN 1 END) AS chunks, count(CASE WHEN section THEN 1 END) AS sections
}
WITH d, chunks, sections
DETACH DELETE d
RETURN count(*) AS documents, sum(sections) AS sections, sum(chunks) AS chunks
