// What server this is.
// Returns one row: name, version, edition.
// Needs no index. Oldest server: 5.0. Source: Neo4j Operations Manual, dbms.components.
CALL dbms.components() YIELD name, versions, edition
WHERE name = 'Neo4j Kernel'
RETURN name, versions[0] AS version, edition
