// Number of documents.
// $collections: list of str, or null for all.
// Returns one row: count (int).
// Needs the index document_collection where collections are given. Oldest server: 5.0.
MATCH (d:Document)
WHERE $collections IS NULL OR d.collection IN $collections
RETURN count(d) AS count
