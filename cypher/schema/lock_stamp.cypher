// Takes the lock of the schema's stamp, so that two who change it follow each other; read after the lock.
// Returns at most one row: stamp (a map of all its properties).
// Needs the constraint schema_id. Oldest server: 5.0.
MATCH (s:GraphragSchema {id: 'graphrag'})
SET s.write_lock = true
WITH s
REMOVE s.write_lock
RETURN properties(s) AS stamp
