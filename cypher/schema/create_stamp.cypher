// Writes the schema's stamp where there is none yet.
// $properties: map, the whole stamp but its id.
// Returns one row: stamp (map, what stands there now: of two first writers the first one's).
// Needs the constraint schema_id. Oldest server: 5.0.
MERGE (s:GraphragSchema {id: 'graphrag'})
  ON CREATE SET s += $properties
RETURN properties(s) AS stamp
