// A vector index with the properties that it can filter by inside the search.
// $options: map, {indexConfig: {`vector.dimensions`: int, `vector.similarity_function`: 'cosine'}}.
// Slots: name, label, property (of the vector), filters (a list of n.property).
// Oldest server: 2026.01 (WITH). Source: Neo4j Cypher Manual, vector indexes.
CREATE VECTOR INDEX /*<name*/ chunk_embedding /*name>*/ IF NOT EXISTS
FOR (n:/*<label*/Chunk/*label>*/) ON n./*<property*/embedding/*property>*/
WITH [/*<filters*/ n.collection /*filters>*/]
OPTIONS $options
