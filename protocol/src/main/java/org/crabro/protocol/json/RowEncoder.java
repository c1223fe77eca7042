package org.crabro.protocol.json;

import org.crabro.document.DocumentType;
import org.crabro.document.Field;
import org.crabro.document.json.JsonScanner;
import org.crabro.document.json.MemberNames;
import org.crabro.document.json.UnreadJson;
import org.crabro.protocol.encoding.RowAssembly;
import org.crabro.protocol.encoding.RowTooLongException;

/**
 * Encodes the fields of puts of one document type as a row, straight from the bytes of their JSON.
 * A document with an error or an uncommon form is left to the reader of values. For one thread.
 */
public final class RowEncoder {
    /**
     * A row has at most this many bytes for each byte of JSON. It has more only if fields or labels
     * repeat, or if a large tensor names few cells. Such documents are left to the reader of
     * values, which counts the memory that they take.
     */
    private static final long BYTES_PER_BYTE = 8;

    private static final int BYTES_FREE = 1 << 16;

    private final RowAssembly row;
    private final MemberNames names;
    private final ValueEncoder[] fields;
    private final boolean ignoresUndefinedFields;
    private boolean someIgnored;

    /**
     * @param ignoresUndefinedFields whether fields that {@code type} does not have are skipped
     */
    public RowEncoder(DocumentType type, boolean ignoresUndefinedFields) {
        this.ignoresUndefinedFields = ignoresUndefinedFields;
        this.row = new RowAssembly(type);
        this.names =
                new MemberNames(
                        type.fields().stream()
                                .map(field -> field.inDocument() ? field.name() : MemberNames.NONE)
                                .toList());
        this.fields =
                type.fields().stream()
                        .map(Field::type)
                        .map(of -> ValueEncoder.of(of, row))
                        .toArray(ValueEncoder[]::new);
    }

    /**
     * Returns the row of a document.
     *
     * @param json at the object with the fields; after it on return
     * @param id contains the id, {@code idLength} bytes from {@code idFrom} on
     * @throws JsonScanner.UncommonFormException if a field has no common form
     */
    public byte[] row(JsonScanner json, byte[] id, int idFrom, int idLength) {
        int from = json.at();
        long most = BYTES_FREE + idLength + BYTES_PER_BYTE * json.left();
        row.begin(id, idFrom, idLength, (int) Math.min(most, Integer.MAX_VALUE));
        int empty = row.size();
        try {
            putFields(json);
        } catch (RowTooLongException _) {
            throw json.uncommon();
        }
        if (row.size() - empty > BYTES_PER_BYTE * (json.at() - from)) {
            throw json.uncommon();
        }
        return row.row();
    }

    private void putFields(JsonScanner json) {
        someIgnored = false;
        json.expect('{');
        if (!json.passes('}')) {
            int guess = 0;
            do {
                int index = names.find(json, guess);
                json.expect(':');
                if (index == MemberNames.UNKNOWN) {
                    ignore(json);
                    continue;
                }
                guess = index + 1;
                if (json.passesNull()) {
                    row.unset(index);
                } else {
                    row.beginField(index);
                    fields[index].put(json);
                }
            } while (json.passes(','));
            json.expect('}');
        }
    }

    /** Returns whether the last document had fields that its type does not have. */
    public boolean someIgnored() {
        return someIgnored;
    }

    private void ignore(JsonScanner json) {
        if (!ignoresUndefinedFields) {
            throw json.uncommon();
        }
        UnreadJson.pass(json);
        someIgnored = true;
    }
}
