// Ids of documents, for work that goes through all of them.
// $collections: list of str, or null for all.
// $limit: int.
// Returns a row a document, by id: id.
// Needs the index document_collection where collections are given. Oldest server: 5.0.
MATCH (d:Document)
WHERE $collections IS NULL OR d.collection IN $collections
RETURN d.id AS id ORDER BY id LIMIT $limit
