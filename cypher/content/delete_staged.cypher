// Removes what writes left out of sight when they were cut off: some runs, and all old ones.
// $run_prefix: str, the beginning of the runs; null for none. Other runs of one document may be taken away
//   under its lock alone, or a writer could be revealing them at this very moment.
// $keep: str, a run that stays.
// $older_than_s: int, seconds; a write of that age is taken for dead.
// $limit: int, most nodes to delete at once.
// Returns one row: deleted (int).
// Needs the index staged_run_id. Oldest server: 5.0.
CALL () {
  MATCH (s:Staged) WHERE s.run_id STARTS WITH $run_prefix AND s.run_id <> $keep
  RETURN s
  UNION
  MATCH (s:Staged) WHERE s.staged_at < datetime() - duration({seconds: $older_than_s}) AND s.run_id <> $keep
  RETURN s
}
WITH s LIMIT $limit
DETACH DELETE s
RETURN count(*) AS deleted
