package org.crabro.document;

import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.HashSet;
import java.util.List;
import java.util.Optional;

/**
 * The name and the fields of a document type, in the stored form.
 *
 * @param fields in schema order, names distinct
 */
public record DocumentType(String name, List<Field> fields) {
    public DocumentType {
        fields = List.copyOf(fields);
        var names = new HashSet<String>();
        for (Field field : fields) {
            if (!names.add(field.name())) {
                throw new IllegalArgumentException(
                        "two fields called " + field.name() + " in document type " + name);
            }
        }
    }

    /** Returns the field with a name. */
    public Optional<Field> field(String name) {
        return fields.stream().filter(field -> field.name().equals(name)).findFirst();
    }

    /**
     * Appends the fields of the structs in {@code type}, because the text of a struct type is only
     * its name.
     */
    private static void appendStructs(StringBuilder text, FieldType type) {
        switch (type) {
            case FieldType.Primitive _, FieldType.ReferenceOf _, FieldType.TensorOf _ -> {}
            case FieldType.ArrayOf(var element) -> appendStructs(text, element);
            case FieldType.WeightedSetOf(var element) -> appendStructs(text, element);
            case FieldType.MapOf(var key, var value) -> {
                appendStructs(text, key);
                appendStructs(text, value);
            }
            case FieldType.StructOf(_, var fields) -> {
                text.append("\n{");
                for (Field field : fields) {
                    text.append('\n').append(field.name());
                    text.append(' ').append(field.type().text());
                    appendStructs(text, field.type());
                }
                text.append("\n}");
            }
        }
    }

    /**
     * Returns a number that distinguishes this type from every other ever stored: equal for equal
     * names, field names, field types and order, in every process. Computed at each call: a caller
     * that needs it per document stores it.
     */
    public long fingerprint() {
        // The first eight bytes of a SHA-256 over the declarations. Line feeds and blanks occur in
        // no name and no type, so different types have different texts.
        var text = new StringBuilder(name);
        for (Field field : fields) {
            text.append('\n').append(field.name()).append(' ').append(field.type().text());
            appendStructs(text, field.type());
        }
        try {
            byte[] digest =
                    MessageDigest.getInstance("SHA-256")
                            .digest(text.toString().getBytes(StandardCharsets.UTF_8));
            return ByteBuffer.wrap(digest).getLong();
        } catch (NoSuchAlgorithmException e) {
            throw new IllegalStateException("every Java platform has SHA-256", e);
        }
    }
}
