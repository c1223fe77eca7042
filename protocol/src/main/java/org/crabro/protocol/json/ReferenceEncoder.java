package org.crabro.protocol.json;

import org.crabro.document.DocumentId;
import org.crabro.document.FieldType;
import org.crabro.document.InvalidDocumentException;
import org.crabro.document.json.JsonScanner;
import org.crabro.protocol.encoding.RowAssembly;

/** Encodes references: ids of documents of another type, or an empty text. */
final class ReferenceEncoder extends ValueEncoder {
    private final String documentType;

    ReferenceEncoder(FieldType.ReferenceOf type, RowAssembly row) {
        super(row);
        this.documentType = type.documentType();
    }

    @Override
    void put(JsonScanner json) {
        int from = row.size();
        TextEncoder.putText(json, row);
        String text = row.text(from + Integer.BYTES);
        if (!text.isEmpty() && !isFitting(text)) {
            throw json.uncommon();
        }
    }

    private boolean isFitting(String text) {
        try {
            return DocumentId.parse(text).documentType().equals(documentType);
        } catch (InvalidDocumentException _) {
            return false;
        }
    }
}
