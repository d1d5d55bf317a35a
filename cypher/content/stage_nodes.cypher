// Writes new sections and chunks out of sight: they bear the label Staged alone, so no index sees them.
// $rows: list of maps {properties, embedding (list, vector or null)}.
// $run_id: str, this write's own.
// $property: str, the property that holds the vector.
// Returns nothing.
// Oldest server: 2025.10 (vector values).
UNWIND $rows AS row
CREATE (s:Staged)
SET s = row.properties, s.run_id = $run_id, s.staged_at = datetime()
WITH s, row.embedding AS embedding
WHERE embedding IS NOT NULL
CALL db.create.setNodeVectorProperty(s, $property, embedding)
