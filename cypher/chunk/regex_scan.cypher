// As regex_candidates, without an index to ask: a page of all chunks that match a filter, in order.
// $clauses: list of lists of str; of each list one is in the text. Empty where nothing is known of a match.
// $after_document: str, id of the document of the last chunk seen; empty before the first page.
// $after_number: int, its sequence number; -1 before the first page.
// $limit: int, most chunks of the page.
// Slots: where (a predicate over c).
// Returns a row a chunk, by document id, then sequence number: id, document_id, sequence_number, urtext.
// Needs the range index datum_document_id, which gives that order without a sort. Oldest server: 5.0.
MATCH (c:Chunk&Datum)
WHERE c.document_id >= $after_document
  AND (c.document_id > $after_document OR c.sequence_number > $after_number)
  AND all(clause IN $clauses WHERE any(string IN clause WHERE c.urtext CONTAINS string))
  AND /*<where*/ true /*where>*/
WITH c
ORDER BY c.document_id ASC, c.sequence_number ASC
LIMIT $limit
RETURN c.id AS id, c.document_id AS document_id, c.sequence_number AS sequence_number, c.urtext AS urtext
