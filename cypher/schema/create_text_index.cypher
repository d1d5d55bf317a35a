// A text (trigram) index: serves CONTAINS, for regular expressions and identifiers.
// Values over 32,766 bytes make the write fail; chunks are far shorter.
// Slots: name, label, property.
// Oldest server: 5.0.
CREATE TEXT INDEX /*<name*/ chunk_urtext /*name>*/ IF NOT EXISTS
FOR (n:/*<label*/Chunk/*label>*/) ON (n./*<property*/urtext/*property>*/)
