// Writes the schema's stamp, in one node.
// $properties: map, the whole stamp but its id.
// Returns nothing.
// Needs the constraint schema_id. Oldest server: 5.0.
MERGE (s:GraphragSchema {id: 'graphrag'})
SET s += $properties
