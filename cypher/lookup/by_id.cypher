// One node of ours.
// $id: str.
// $scoped: bool, whether the slots `where` and `own` limit what is visible.
// Slots: where (a predicate over c, a chunk that must be visible); entity, own (predicates over n, where it is an
// entity: what the scope asks of entities, and what it asks of chunks); hidden.
// Returns at most one row: properties (map without vectors), labels, visible_chunks (int, of a document in a
// scope; else null).
// Needs the constraint datum_id and the index datum_document_id. Oldest server: 5.9 (quantified paths).
MATCH (n:Datum {id: $id})
WHERE CASE
  WHEN n:NamedEntity THEN /*<entity*/ true /*entity>*/ AND (
    NOT $scoped
    OR EXISTS { MATCH (c:Chunk&Datum)-[:MENTIONS]->(n) WHERE /*<where*/ true /*where>*/ }
    OR (n.origin = 'application' AND /*<own*/ true /*own>*/)
  )
  ELSE NOT $scoped OR EXISTS { MATCH (n)-[:HAS_CHILD]->*(c:Chunk) WHERE /*<where*/ true /*where>*/ }
END
RETURN n {.*, /*<hidden*/ embedding: null /*hidden>*/} AS properties, labels(n) AS labels,
       CASE WHEN $scoped AND n:Document
         THEN COUNT { MATCH (c:Chunk&Datum {document_id: n.id}) WHERE /*<where*/ true /*where>*/ }
       END AS visible_chunks
