package org.crabro.container.bulk;

import java.nio.charset.StandardCharsets;
import org.crabro.document.DocumentType;
import org.crabro.document.Field;
import org.crabro.protocol.encoding.RowAssembly;

/**
 * Encodes the fields of puts of one type in their common forms, straight from the bytes of the line
 * into the row. Documents with anything else are left to whoever reads all that there may be. For
 * one thread.
 */
final class PlainPut {
    private static final byte[] NULL = "null".getBytes(StandardCharsets.US_ASCII);

    private final RowAssembly row;
    private final MemberNames names;
    private final ValuePut[] fields;

    PlainPut(DocumentType type) {
        this.row = new RowAssembly(type);
        this.names =
                new MemberNames(
                        type.fields().stream()
                                .map(field -> field.inDocument() ? field.name() : MemberNames.NONE)
                                .toList());
        this.fields =
                type.fields().stream()
                        .map(Field::type)
                        .map(of -> ValuePut.of(of, row))
                        .toArray(ValuePut[]::new);
    }

    /**
     * Returns the row of a document.
     *
     * @param json where the object with the fields starts; behind it afterwards
     * @param id where the id is, {@code idLength} bytes from {@code idFrom} on
     * @throws JsonBytes.UncommonFormException where a field has not one of the common forms
     */
    byte[] row(JsonBytes json, byte[] id, int idFrom, int idLength) {
        row.begin(id, idFrom, idLength);
        json.expect('{');
        if (!json.passes('}')) {
            int guess = 0;
            do {
                int index = names.index(json, guess);
                guess = index + 1;
                json.expect(':');
                if (json.passes(NULL)) {
                    row.unset(index);
                } else {
                    row.beginField(index);
                    fields[index].put(json);
                }
            } while (json.passes(','));
            json.expect('}');
        }
        return row.row();
    }
}
