// Waits until every index is online; an error where one failed or the time is over.
// $timeout_s: int, seconds.
// Returns nothing.
// Oldest server: 5.0.
CALL db.awaitIndexes($timeout_s)
