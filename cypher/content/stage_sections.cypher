// Writes new sections out of sight: they bear the label Staged alone, so no index of a search sees them.
// $rows: list of maps {properties}.
// $run_id: str, this write's own.
// Returns a row a section: id, place (str: its element id, which holds until the write ends).
// Oldest server: 5.0.
UNWIND $rows AS row
CREATE (s:Staged)
SET s = row.properties, s.run_id = $run_id, s.staged_at = datetime()
RETURN s.id AS id, elementId(s) AS place
