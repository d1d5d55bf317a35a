// The full-text analyzers that this server has.
// Returns a row an analyzer, by name: analyzer.
// Needs no index. Oldest server: 5.0.
CALL db.index.fulltext.listAvailableAnalyzers() YIELD analyzer
RETURN analyzer ORDER BY analyzer
