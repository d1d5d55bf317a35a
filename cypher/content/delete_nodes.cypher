// Deletes sections and chunks by id, with their relationships.
// $ids: list of str.
// Returns nothing.
// Needs the constraint datum_id. Oldest server: 5.0.
UNWIND $ids AS id
MATCH (n:Datum {id: id})
DETACH DELETE n
