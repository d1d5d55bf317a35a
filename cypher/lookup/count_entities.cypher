// Number of named entities.
// Returns one row: count (int).
// Oldest server: 5.0.
MATCH (e:NamedEntity&Datum)
RETURN count(e) AS count
