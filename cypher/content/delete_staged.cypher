// Removes what writes left out of sight when they were cut off: those of one document, and all old ones.
// $run_prefix: str, the beginning of all runs of one document; null for none.
// $older_than_s: int, seconds; a write of that age is taken for dead.
// $limit: int, most nodes to delete at once.
// Returns one row: deleted (int).
// Needs the index staged_run_id. Oldest server: 5.0.
CALL () {
  MATCH (s:Staged) WHERE s.run_id STARTS WITH $run_prefix
  RETURN s
  UNION
  MATCH (s:Staged) WHERE s.staged_at < datetime() - duration({seconds: $older_than_s})
  RETURN s
}
WITH s LIMIT $limit
DETACH DELETE s
RETURN count(*) AS deleted
