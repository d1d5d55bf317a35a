// Number of documents.
// $collections: list of str, where the slot `where` uses it.
// Slots: where (a predicate over d).
// Returns one row: count (int).
// Needs the index document_collection where collections are given. Oldest server: 5.0.
MATCH (d:Document&Datum)
WHERE /*<where*/ true /*where>*/
RETURN count(d) AS count
