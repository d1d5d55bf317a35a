// Deletes nodes of ours that belong to no document: entities, staged nodes, remains of an older schema.
// $limit: int, most nodes to delete at once.
// Returns one row: deleted (int).
// Oldest server: 5.0.
MATCH (n:Datum|Staged)
WITH n LIMIT $limit
DETACH DELETE n
RETURN count(*) AS deleted
