// Documents by id.
// $ids: list of str.
// Returns a row a document, in no order: properties (map).
// Needs the constraint datum_id. Oldest server: 5.0.
UNWIND $ids AS id
MATCH (d:Document&Datum {id: id})
RETURN properties(d) AS properties
