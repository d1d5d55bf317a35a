// Rewrites the properties of chunks that stay, all but their vectors.
// $rows: list of maps {id, properties}; what properties do not name is taken away.
// Returns nothing.
// Needs the constraint datum_id. Oldest server: 5.24 (dynamic properties).
UNWIND $rows AS row
MATCH (c:Datum {id: row.id})
FOREACH (name IN [key IN keys(c) WHERE row.properties[key] IS NULL AND NOT key STARTS WITH 'embedding'] |
  SET c[name] = null)
SET c += row.properties
