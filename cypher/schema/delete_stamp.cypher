// Removes the schema's stamp.
// Returns nothing.
// Needs the constraint schema_id. Oldest server: 5.0.
MATCH (s:GraphragSchema {id: 'graphrag'})
DELETE s
