// One node of ours.
// $id: str.
// $scoped: bool, whether the slot `where` limits what is visible.
// $collections: list of str, where the slot `where` uses it.
// Slots: where (a predicate over c, a chunk that must be visible); hidden.
// Returns at most one row: properties (map without vectors), labels.
// Needs the constraint datum_id. Oldest server: 5.9 (quantified paths).
MATCH (n:Datum {id: $id})
WHERE NOT $scoped
   OR n:NamedEntity
   OR EXISTS { MATCH (n)-[:HAS_CHILD]->*(c:Chunk) WHERE /*<where*/ true /*where>*/ }
RETURN n {.*, /*<hidden*/ embedding: null /*hidden>*/} AS properties, labels(n) AS labels
