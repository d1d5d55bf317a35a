// Documents, by collection, then URI.
// $collections: list of str, where the slot `where` uses it.
// $offset: int, how many to pass over.
// $limit: int, most rows.
// Slots: where (a predicate over d).
// Returns a row a document: properties (map).
// Needs the index document_collection where collections are given. Oldest server: 5.0.
MATCH (d:Document&Datum)
WHERE d.id IS NOT NULL AND /*<where*/ true /*where>*/
RETURN properties(d) AS properties
ORDER BY d.collection, d.uri, d.id
SKIP $offset LIMIT $limit
