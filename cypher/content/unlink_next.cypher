// Takes the chain apart behind some chunks.
// $ids: list of str, the chunks before the gap.
// Returns nothing.
// Needs the constraint datum_id. Oldest server: 5.0.
UNWIND $ids AS id
MATCH (:Datum {id: id})-[r:NEXT]->(:Datum)
DELETE r
