// All indexes of the database, those behind constraints included.
// Returns a row an index, by name: name, type, state, population (percent), labels, properties, options,
// constraint (its constraint's name, or null), failure (message, or empty).
// Needs no index. Oldest server: 5.0. Source: Neo4j Cypher Manual, SHOW INDEXES.
SHOW INDEXES
YIELD name, type, state, populationPercent, labelsOrTypes, properties, options, owningConstraint, failureMessage
RETURN name, type, state, populationPercent AS population, labelsOrTypes AS labels, properties, options,
       owningConstraint AS constraint, failureMessage AS failure
ORDER BY name
