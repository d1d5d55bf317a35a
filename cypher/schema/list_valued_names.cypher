// The names under which a document, or a chunk with metadata of its own, has a list. Chunks inherit the rest.
// Reads all documents, and looks at all chunks: only where the stamp does not tell.
// Returns a row a name, in no order: name (names of this package's own among them).
// Needs no index. Oldest server: 5.13 (IS ::).
MATCH (n:Document|Chunk)
WHERE n:Document OR n.own_metadata IS NOT NULL
UNWIND keys(n) AS name
WITH n, name
WHERE n[name] IS :: LIST<ANY>
RETURN DISTINCT name
