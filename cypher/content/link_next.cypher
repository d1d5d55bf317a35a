// Joins chunks to their successors; none of them has one before.
// $rows: list of maps {id, next_id}.
// Returns nothing.
// Needs the constraint datum_id. Oldest server: 5.0.
UNWIND $rows AS row
MATCH (c:Datum {id: row.id})
MATCH (n:Datum {id: row.next_id})
CREATE (c)-[:NEXT]->(n)
