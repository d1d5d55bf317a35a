// The schema's stamp: version and the settings that must not drift.
// Returns at most one row: stamp (a map of all its properties).
// Needs the constraint schema_id. Oldest server: 5.0.
MATCH (s:GraphragSchema {id: 'graphrag'})
RETURN properties(s) AS stamp
