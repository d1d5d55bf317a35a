// Gives chunks that stay another vector.
// $rows: list of maps {id, embedding (list or vector)}.
// $property: str, the property that holds the vector.
// Returns nothing.
// Needs the constraint datum_id. Oldest server: 2025.10 (vector values).
UNWIND $rows AS row
MATCH (c:Datum {id: row.id})
CALL db.create.setNodeVectorProperty(c, $property, row.embedding)
