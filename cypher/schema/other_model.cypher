// A model other than the given one whose vectors stand in the database. Reads all chunks: only for a database
// whose schema has no stamp.
// $model_id: str.
// Returns at most one row: model.
// Needs no index. Oldest server: 5.0.
MATCH (c:Chunk)
WHERE c.embedding_model <> $model_id
RETURN c.embedding_model AS model LIMIT 1
