package org.crabro.protocol.encoding;

import java.util.Map;
import org.crabro.document.DocumentId;
import org.crabro.document.FieldValue;

/**
 * One version of one document, as the log keeps it: the whole outcome of an operation.
 *
 * @param timestamp microseconds since the epoch, unique and rising within a partition
 * @param fingerprint of the document type it was written with
 * @param tombstone whether the document was removed by this version; then there are no fields
 * @param fields by name, those that are set
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
