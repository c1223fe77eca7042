package org.crabro.protocol.encoding;

import java.util.Map;
import org.crabro.document.DocumentId;
import org.crabro.document.FieldValue;

/**
 * One version of one document as stored in the log: the complete result of an operation.
 *
 * @param timestamp microseconds since the epoch, unique and rising within a partition
 * @param fingerprint of the document type with which it was written
 * @param tombstone whether this version removes the document; then there are no fields
 * @param fields by name; only those that are set
 */
public record Row(
        DocumentId id,
        long timestamp,
        long fingerprint,
        boolean tombstone,
        Map<String, FieldValue> fields) {
    public Row {
        fields = Map.copyOf(fields);
    }
}
