// Gives chunks that stay another vector.
// $rows: list of maps {id, embedding (list or vector), embedding_model, embedding_hash}.
// $property: str, the property that holds the vector.
// Returns nothing.
// Needs the constraint datum_id. Oldest server: 2025.10 (vector values).
UNWIND $rows AS row
MATCH (c:Datum {id: row.id})
SET c.embedding_model = row.embedding_model, c.embedding_hash = row.embedding_hash
WITH c, row
CALL db.create.setNodeVectorProperty(c, $property, row.embedding)
