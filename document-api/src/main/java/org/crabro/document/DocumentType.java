package org.crabro.document;

import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.HashSet;
import java.util.List;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * The name and the fields of a document type, in the stored form. It is a class and not a record
 * because it keeps its fingerprint, which each stored document needs.
 */
public final class DocumentType {
    private final String name;
    private final List<Field> fields;
    private final long fingerprint;

    /**
     * @param fields in schema order, names distinct
     * @throws IllegalArgumentException if two fields have the same name
     */
    public DocumentType(String name, List<Field> fields) {
        this.name = name;
        this.fields = List.copyOf(fields);
        var names = new HashSet<String>();
        for (Field field : fields) {
            if (!names.add(field.name())) {
                throw new IllegalArgumentException(
                        "two fields called " + field.name() + " in document type " + name);
            }
        }
        fingerprint = computeFingerprint();
    }

    /** Returns the name. */
    public String name() {
        return name;
    }

    /** Returns the fields in schema order. */
    public List<Field> fields() {
        return fields;
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
     * names, field names, field types and order, in every process.
     */
    public long fingerprint() {
        return fingerprint;
    }

    private long computeFingerprint() {
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

    @Override
    public boolean equals(@Nullable Object other) {
        return this == other
                || (other instanceof DocumentType type
                        && name.equals(type.name)
                        && fields.equals(type.fields));
    }

    @Override
    public int hashCode() {
        return Long.hashCode(fingerprint);
    }

    @Override
    public String toString() {
        return "DocumentType[name=" + name + ", fields=" + fields + "]";
    }
}
