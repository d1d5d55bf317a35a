// A page of the chunks that hold literal text which every match of a regular expression contains.
// $literals: list of str, of at least 3 characters each; one of them is in the text.
// $clauses: list of lists of str; of each list one is in the text.
// $after_document: str, id of the document of the last chunk seen; empty before the first page.
// $after_number: int, its sequence number; -1 before the first page.
// $limit: int, most chunks of the page.
// Slots: where (a predicate over c).
// Returns a row a chunk, by document id, then sequence number: id, document_id, sequence_number, urtext.
// Needs the text index chunk_urtext. Oldest server: 5.0. Source: Neo4j Cypher Manual, text indexes.
UNWIND $literals AS literal
MATCH (c:Chunk)
USING TEXT INDEX c:Chunk(urtext)
WHERE c.urtext CONTAINS literal
  AND c:Datum
  AND (c.document_id > $after_document
       OR (c.document_id = $after_document AND c.sequence_number > $after_number))
  AND all(clause IN $clauses WHERE any(string IN clause WHERE c.urtext CONTAINS string))
  AND /*<where*/ true /*where>*/
WITH DISTINCT c
ORDER BY c.document_id ASC, c.sequence_number ASC
LIMIT $limit
RETURN c.id AS id, c.document_id AS document_id, c.sequence_number AS sequence_number, c.urtext AS urtext
