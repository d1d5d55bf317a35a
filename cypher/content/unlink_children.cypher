// Takes chunks and sections off their parents.
// $ids: list of str, the children.
// Returns nothing.
// Needs the constraint datum_id. Oldest server: 5.0.
UNWIND $ids AS id
MATCH (:Datum)-[r:HAS_CHILD]->(:Datum {id: id})
DELETE r
