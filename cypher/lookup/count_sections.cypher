// Number of sections.
// $collections: list of str, or null for all.
// Returns one row: count (int).
// Needs the indexes document_collection and datum_document_id where collections are given. Oldest server: 5.0.
CALL () {
  WITH * WHERE $collections IS NULL
  MATCH (s:Section)
  RETURN count(s) AS count
  UNION ALL
  WITH * WHERE $collections IS NOT NULL
  MATCH (d:Document) WHERE d.collection IN $collections
  MATCH (s:Section&Datum {document_id: d.id})
  RETURN count(s) AS count
}
RETURN sum(count) AS count
