// Sets labels and all properties of documents.
// $rows: list of maps {id, properties}; properties are the whole set, the id included.
// Returns nothing.
// Needs the constraint datum_id. Oldest server: 5.0.
UNWIND $rows AS row
MATCH (d:Datum {id: row.id})
SET d:ContentElement:ContentRoot:Document
SET d = row.properties
