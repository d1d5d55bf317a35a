// A range index on one property of one label.
// Slots: name, label, property.
// Oldest server: 5.0.
CREATE RANGE INDEX /*<name*/ datum_document_id /*name>*/ IF NOT EXISTS
FOR (n:/*<label*/Datum/*label>*/) ON (n./*<property*/document_id/*property>*/)
