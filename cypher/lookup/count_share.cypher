// How many chunks a predicate over indexed properties is true of, and how many there are.
// Slots: where (a predicate over c).
// Returns one row: matched (int), chunks (int).
// Needs range indexes of filter properties. Oldest server: 5.0.
MATCH (c:Chunk)
WHERE /*<where*/ true /*where>*/
WITH count(c) AS matched
RETURN matched, COUNT { (:Chunk) } AS chunks
