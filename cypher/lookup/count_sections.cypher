// Number of sections.
// $collections: list of str, where the slot `where` uses it.
// Slots: where (a predicate over d).
// Returns one row: count (int).
// Needs the indexes document_collection and datum_document_id. Oldest server: 5.0.
MATCH (d:Document&Datum)
WHERE /*<where*/ true /*where>*/
MATCH (s:Section&Datum {document_id: d.id})
RETURN count(s) AS count
