// Hangs chunks and sections on their parents; none of them hangs on one before.
// $rows: list of maps {parent_id, id, position}.
// Returns nothing.
// Needs the constraint datum_id. Oldest server: 5.0.
UNWIND $rows AS row
MATCH (p:Datum {id: row.parent_id})
MATCH (c:Datum {id: row.id})
CREATE (p)-[:HAS_CHILD {position: row.position}]->(c)
