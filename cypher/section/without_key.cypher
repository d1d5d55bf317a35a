// A page of the sections whose title has no key yet: those that an older package wrote.
// $after: str, the last id of the page before; empty for the first.
// $limit: int, most rows.
// Returns a row a section, by id: id, title.
// Needs the constraint datum_id. Oldest server: 5.0.
MATCH (s:Section&Datum)
WHERE s.id > $after AND s.title_key IS NULL
RETURN s.id AS id, s.title AS title
ORDER BY id LIMIT $limit
