// Documents, by collection, then URI.
// $collections: list of str, or null for all.
// $offset: int, how many to pass over.
// $limit: int, most rows.
// Returns a row a document: properties (map).
// Needs the index document_collection where collections are given. Oldest server: 5.0.
MATCH (d:Document)
WHERE $collections IS NULL OR d.collection IN $collections
RETURN properties(d) AS properties
ORDER BY d.collection, d.uri, d.id
SKIP $offset LIMIT $limit
