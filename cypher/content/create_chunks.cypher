// Creates chunks below parents that are there, with their vectors, and chains neighbours in the list.
// $rows: list of maps {properties, parent_id, position, embedding (list or vector), chained (bool: its
//   predecessor in the document is the row before it)}.
// $property: str, the property that holds the vector.
// Returns nothing.
// Needs the constraint datum_id. Oldest server: 2025.10 (vector values).
UNWIND $rows AS row
MATCH (p:Datum {id: row.parent_id})
CREATE (p)-[:HAS_CHILD {position: row.position}]->(c:Datum:Retrievable:Chunk)
SET c = row.properties
WITH c, row.chained AS chained, row.embedding AS embedding
CALL db.create.setNodeVectorProperty(c, $property, embedding)
WITH collect({node: c, chained: chained}) AS made
UNWIND range(1, size(made) - 1) AS place
WITH made[place - 1].node AS previous, made[place].node AS next, made[place].chained AS chained
WHERE chained
CREATE (previous)-[:NEXT]->(next)
