// The section or document right above a chunk or section.
// $id: str.
// $scoped: bool, whether the slot `where` limits what is visible.
// $collections: list of str, where the slot `where` uses it.
// Slots: where (a predicate over c, a chunk that must be visible).
// Returns at most one row: parent (map), labels. None where the node, or all below its parent, is not visible.
// Needs the constraint datum_id. Oldest server: 5.9 (quantified paths).
MATCH (n:Datum {id: $id})<-[:HAS_CHILD]-(p:ContentElement)
WHERE NOT $scoped OR EXISTS { MATCH (n)-[:HAS_CHILD]->*(c:Chunk) WHERE /*<where*/ true /*where>*/ }
RETURN properties(p) AS parent, labels(p) AS labels
