// Hangs staged sections on their staged parents, so that the last transaction has less to do.
// $rows: list of maps {parent, child (element ids), position}.
// $run_id: str, this write's own: an element id that now means another node is not taken.
// The label is left out: the planner takes Staged for empty, and would scan it for each row.
// Returns nothing.
// Needs no index. Oldest server: 5.0.
UNWIND $rows AS row
MATCH (p) WHERE elementId(p) = row.parent AND p.run_id = $run_id
MATCH (s) WHERE elementId(s) = row.child AND s.run_id = $run_id
CREATE (p)-[:HAS_CHILD {position: row.position}]->(s)
