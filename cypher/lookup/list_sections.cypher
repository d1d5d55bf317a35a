// A document's sections, in document order.
// $document_id: str.
// Returns a row a section: properties (map), labels, places (list of int: its place at each level).
// Needs the index datum_document_id. Oldest server: 5.9 (quantified paths).
MATCH (d:Document&Datum {id: $document_id})
MATCH (d) (()-[links:HAS_CHILD]->(:Section))+ (s)
WITH s, [link IN links | link.position] AS places
RETURN properties(s) AS properties, labels(s) AS labels, places
ORDER BY places
