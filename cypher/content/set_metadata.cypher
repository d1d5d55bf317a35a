// Changes the metadata of one document and of its chunks.
// $document_id: str.
// $changes: map, new values by name; null takes a name away.
// $fingerprint: str or null, the document's new fingerprint.
// $metadata_hash: str, the third part of its chunks' digests.
// $digest_prefix_length: int, the length of the other parts.
// Returns nothing.
// Needs the constraint datum_id and the index datum_document_id. Oldest server: 5.0.
MATCH (d:Document&Datum {id: $document_id})
SET d += $changes
SET d.fingerprint = coalesce($fingerprint, d.fingerprint)
WITH d
MATCH (c:Chunk&Datum {document_id: $document_id})
SET c += $changes
SET c.digest = left(c.digest, $digest_prefix_length) + $metadata_hash
