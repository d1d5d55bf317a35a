// As regex_candidates, without an index of texts: what holds the literal text among the next so many chunks.
// $clauses: list of lists of str; of each list one is in the text.
// $after_document: str, id of the document of the last chunk seen; empty before the first page.
// $after_number: int, its sequence number; -1 before the first page.
// $looked_at: int, how many chunks to look at, whatever they hold.
// Slots: where (a predicate over c).
// Returns one row: seen (int, chunks that were looked at), last_document (str or null) and last_number (int or null) of
// the last of them, found (list of maps {id, document_id, sequence_number, urtext}, in that order).
// Needs the range index datum_document_id, which gives that order without a sort. Oldest server: 5.23 (CALL scope).
MATCH (c:Chunk&Datum)
WHERE c.document_id >= $after_document
  AND (c.document_id > $after_document OR c.sequence_number > $after_number)
WITH c
ORDER BY c.document_id ASC, c.sequence_number ASC
LIMIT $looked_at
WITH collect(c) AS page
CALL (page) {
  UNWIND page AS c
  WITH c
  WHERE all(clause IN $clauses WHERE any(string IN clause WHERE c.urtext CONTAINS string))
    AND /*<where*/ true /*where>*/
  RETURN collect({id: c.id, document_id: c.document_id, sequence_number: c.sequence_number, urtext: c.urtext}) AS found
}
RETURN size(page) AS seen, last(page).document_id AS last_document, last(page).sequence_number AS last_number, found
