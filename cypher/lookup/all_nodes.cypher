// All nodes of ours in the order of their ids, from one id on: for the graph hash.
// $after: str, the last id of the page before; empty for the first.
// $limit: int, most rows.
// Returns a row a node, by id: id, labels, properties (map), links (list of [type, id of the end, properties]).
// Needs the constraint datum_id. Oldest server: 5.0.
MATCH (n:Datum)
WHERE n.id > $after
WITH n ORDER BY n.id LIMIT $limit
RETURN n.id AS id, labels(n) AS labels, properties(n) AS properties,
       COLLECT { MATCH (n)-[r]->(m:Datum) RETURN [type(r), m.id, properties(r)] } AS links
ORDER BY id
