// A document's sections, in document order.
// $document_id: str.
// $scoped: bool, whether the slot `visible` limits what is visible.
// Slots: visible (a predicate over c, a chunk below it that must be visible).
// Returns a row a section: properties (map), labels, places (list of int: its place at each level).
// Needs the index datum_document_id. Oldest server: 5.9 (quantified paths).
MATCH (d:Document&Datum {id: $document_id})
MATCH (d) (()-[links:HAS_CHILD]->(:Section))+ (s)
WHERE NOT $scoped OR EXISTS { MATCH (s)-[:HAS_CHILD]->+(c:Chunk) WHERE /*<visible*/ true /*visible>*/ }
WITH s, [link IN links | link.position] AS places
RETURN properties(s) AS properties, labels(s) AS labels, places
ORDER BY places
