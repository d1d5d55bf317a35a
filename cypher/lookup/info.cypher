// How many documents there are in each collection.
// Returns a row a collection, by name: collection, documents (int), chunks (int).
// Oldest server: 5.0.
MATCH (d:Document&Datum)
RETURN d.collection AS collection, count(d) AS documents, coalesce(sum(d.chunk_count), 0) AS chunks
ORDER BY collection
