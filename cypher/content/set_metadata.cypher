// Changes the metadata of one document and of those of its chunks that have none of their own.
// $document_id: str.
// $changes: map, new values by name; null takes a name away.
// $fingerprint: str, the document's.
// $pinned: list of str or null, the names that were set by hand.
// $metadata_hash: str, the third part of its chunks' digests.
// $digest_prefix_length: int, the length of the other parts.
// Returns nothing.
// Needs the constraint datum_id and the index datum_document_id. Oldest server: 5.0.
MATCH (d:Document&Datum {id: $document_id})
SET d += $changes
SET d.fingerprint = $fingerprint, d.pinned_metadata = $pinned
WITH d
MATCH (c:Chunk&Datum {document_id: $document_id})
WHERE c.own_metadata IS NULL
SET c += $changes
SET c.digest = left(c.digest, $digest_prefix_length) + $metadata_hash
