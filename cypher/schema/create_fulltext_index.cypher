// A Lucene full-text index.
// $options: map, {indexConfig: {`fulltext.analyzer`: name}}.
// Slots: name, label, properties (a list of n.property).
// Oldest server: 5.0.
CREATE FULLTEXT INDEX /*<name*/ chunk_text /*name>*/ IF NOT EXISTS
FOR (n:/*<label*/Chunk/*label>*/) ON EACH [/*<properties*/ n.text /*properties>*/]
OPTIONS $options
