// All constraints of the database.
// Returns a row a constraint, by name: name, type, labels, properties.
// Needs no index. Oldest server: 5.0. Source: Neo4j Cypher Manual, SHOW CONSTRAINTS.
SHOW CONSTRAINTS
YIELD name, type, labelsOrTypes, properties
RETURN name, type, labelsOrTypes AS labels, properties
ORDER BY name
