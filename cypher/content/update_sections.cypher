// Rewrites the properties and the kind of sections that stay.
// $rows: list of maps {id, properties, container (bool)}.
// Returns nothing.
// Needs the constraint datum_id. Oldest server: 5.26 (dynamic labels).
UNWIND $rows AS row
MATCH (s:Datum {id: row.id})
REMOVE s:ContainerSection:LeafSection
SET s:$(CASE WHEN row.container THEN 'ContainerSection' ELSE 'LeafSection' END)
SET s = row.properties
