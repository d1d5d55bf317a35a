// Gives staged chunks their labels: from the commit on, searches see them.
// $run_id: str, this write's own.
// Returns one row: revealed (int).
// Needs the index staged_run_id. Oldest server: 5.0.
MATCH (s:Staged {run_id: $run_id})
WHERE s.sequence_number IS NOT NULL
SET s:Datum:Retrievable:Chunk
REMOVE s:Staged, s.run_id, s.staged_at
RETURN count(s) AS revealed
