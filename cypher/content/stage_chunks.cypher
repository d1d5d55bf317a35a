// Writes new chunks out of sight, with their vectors, below those parents that are out of sight too, and chains
// neighbours in the list.
// $rows: list of maps {properties, embedding (list or vector), parent (element id of a staged section, or null),
//   position, chained (bool: its predecessor in the document is the row before it)}.
// $previous: str, element id of the last chunk of the batch before; null for none.
// $run_id: str, this write's own: an element id that now means another node is not taken.
// $property: str, the property that holds the vector.
// The label is left out where nodes are found by element id: the planner takes Staged for empty, and would scan it.
// Returns one row: last (str: the element id of the last chunk).
// Needs no index. Oldest server: 2025.10 (vector values).
UNWIND $rows AS row
CREATE (c:Staged)
SET c = row.properties, c.run_id = $run_id, c.staged_at = datetime()
WITH c, row.parent AS parent, row.position AS position, row.chained AS chained, row.embedding AS embedding
CALL db.create.setNodeVectorProperty(c, $property, embedding)
CALL (c, parent, position) {
  MATCH (p) WHERE elementId(p) = parent AND p.run_id = $run_id
  CREATE (p)-[:HAS_CHILD {position: position}]->(c)
}
WITH collect({node: c, chained: chained}) AS made
CALL (made) {
  MATCH (p) WHERE elementId(p) = $previous AND p.run_id = $run_id AND made[0].chained
  WITH p, made[0].node AS first
  CREATE (p)-[:NEXT]->(first)
}
CALL (made) {
  UNWIND range(1, size(made) - 1) AS place
  WITH made[place - 1].node AS previous, made[place].node AS next, made[place].chained AS chained
  WHERE chained
  CREATE (previous)-[:NEXT]->(next)
}
RETURN elementId(made[size(made) - 1].node) AS last
