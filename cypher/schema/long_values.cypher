// Values that may be too long for the key of an index, of properties that are to be filtered by.
// Reads all chunks: only before a property is declared.
// $names: list of str, the properties.
// $max_bytes: int, what a key may hold.
// $element_bytes: int, what an element takes that is no string.
// $overhead_bytes: int, what each element but the first takes beside.
// $offset: int, rows to leave out.
// $limit: int, most rows.
// Returns a row a document, name and value, by these: document (its id), name, value (list of its elements; null
// where it is too long for certain: a character has 1 to 4 bytes).
// Needs no index. Oldest server: 5.13 (IS ::).
MATCH (c:Chunk)
UNWIND $names AS name
WITH c.document_id AS document, name, c[name] AS value
WHERE value IS NOT NULL
WITH document, name,
     CASE WHEN value IS :: LIST<ANY> THEN value WHEN value IS :: STRING THEN [value] ELSE [] END AS value
WITH document, name, value,
     reduce(size = -$overhead_bytes, x IN value |
       size + $overhead_bytes + CASE WHEN x IS :: STRING THEN size(x) ELSE $element_bytes END) AS least,
     reduce(size = -$overhead_bytes, x IN value |
       size + $overhead_bytes + CASE WHEN x IS :: STRING THEN 4 * size(x) ELSE $element_bytes END) AS most
WHERE most > $max_bytes
WITH DISTINCT document, name, CASE WHEN least > $max_bytes THEN null ELSE value END AS value
RETURN document, name, value
ORDER BY document, name, value
SKIP $offset LIMIT $limit
