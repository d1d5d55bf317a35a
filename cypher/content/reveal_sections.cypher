// Gives staged sections their labels.
// $run_id: str, this write's own.
// $containers: list of str, ids of those that have sections below them.
// Returns one row: revealed (int).
// Needs the index staged_run_id. Oldest server: 5.26 (dynamic labels).
MATCH (s:Staged {run_id: $run_id})
WHERE s.level IS NOT NULL
SET s:Datum:ContentElement:Section:$(CASE WHEN s.id IN $containers THEN 'ContainerSection' ELSE 'LeafSection' END)
REMOVE s:Staged, s.run_id, s.staged_at
RETURN count(s) AS revealed
