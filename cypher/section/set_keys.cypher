// Gives sections the key of their title.
// $rows: list of maps {id, title, key}; a section that has another title by now has its key already.
// Returns nothing.
// Needs the constraint datum_id. Oldest server: 5.0.
UNWIND $rows AS row
MATCH (s:Section&Datum {id: row.id})
WHERE s.title = row.title
SET s.title_key = row.key
