// Waits until one index is online; an error where it failed or the time is over.
// $name: str, the index.
// $timeout_s: int, seconds.
// Returns nothing.
// Oldest server: 5.0.
CALL db.awaitIndex($name, $timeout_s)
