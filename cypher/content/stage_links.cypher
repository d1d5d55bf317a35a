// Links nodes that are still out of sight, so that the last transaction has less to do.
// $children: list of maps {parent_id, id, position}.
// $next: list of maps {id, next_id}.
// $run_id: str, this write's own.
// Returns nothing.
// Needs the index staged_id. Oldest server: 5.0.
CALL () {
  UNWIND $children AS row
  MATCH (p:Staged {id: row.parent_id}) WHERE p.run_id = $run_id
  MATCH (c:Staged {id: row.id}) WHERE c.run_id = $run_id
  CREATE (p)-[:HAS_CHILD {position: row.position}]->(c)
}
CALL () {
  UNWIND $next AS row
  MATCH (c:Staged {id: row.id}) WHERE c.run_id = $run_id
  MATCH (n:Staged {id: row.next_id}) WHERE n.run_id = $run_id
  CREATE (c)-[:NEXT]->(n)
}
