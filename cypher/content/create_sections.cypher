// Creates sections. Their relationships come after, when all of them are there.
// $rows: list of maps {properties, container (bool)}.
// Returns nothing.
// Oldest server: 5.26 (dynamic labels).
UNWIND $rows AS row
CREATE (s:Datum:ContentElement:Section:$(CASE WHEN row.container THEN 'ContainerSection' ELSE 'LeafSection' END))
SET s = row.properties
