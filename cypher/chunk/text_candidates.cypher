// The chunks that hold a query's words, best first.
// $query: str, Lucene syntax, written by this package.
// $identifiers: list of str, lower-cased; a chunk that holds them as they stand gets a bonus.
// $terms: int, how many terms the query has, at least 1; an identifier that is held counts as its share of them.
// $must_hold: bool, whether a chunk without any of the identifiers is left out.
// $checked: int, how many of the best hits are checked for identifiers; hits behind them count as without.
// $floor: float, lowest raw score to return.
// $top_k: int.
// Slots: where (a predicate over c).
// Returns a row a chunk, in falling raw score, equal scores by id: id, raw (BM25, with a bonus for identifiers).
// Needs the full-text index chunk_text. Oldest server: 5.0. Source: Neo4j Cypher Manual, full-text indexes.
CALL db.index.fulltext.queryNodes('chunk_text', $query) YIELD node AS c, score AS raw
WHERE c:Datum AND /*<where*/ true /*where>*/
WITH c, raw ORDER BY raw DESC, c.id ASC LIMIT $checked
WITH c, raw, CASE WHEN size($identifiers) > 0 THEN toLower(c.text) END AS lowered
WITH c, raw, size([word IN $identifiers WHERE lowered CONTAINS word]) AS held
WHERE NOT $must_hold OR held > 0
WITH c, raw * (1 + toFloat(held) / $terms) AS raw
WHERE raw >= $floor
RETURN c.id AS id, raw
ORDER BY raw DESC, id ASC
LIMIT $top_k
