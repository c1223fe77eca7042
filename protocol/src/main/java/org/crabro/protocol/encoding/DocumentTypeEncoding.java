package org.crabro.protocol.encoding;

import static java.nio.charset.StandardCharsets.UTF_8;

import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.DataInputStream;
import java.io.DataOutputStream;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.util.ArrayList;
import java.util.List;
import org.crabro.document.DocumentType;
import org.crabro.document.Field;
import org.crabro.document.FieldType;
import org.crabro.document.FieldType.Primitive;
import org.crabro.tensor.TensorSyntaxException;
import org.crabro.tensor.TensorType;

/**
 * The bytes of a {@link DocumentType}. Written down in {@code docs/formats/document-type.md}.
 *
 * <pre>
 *   type   := version: u8 · name: text · count: u16 · count times field
 *   field  := name: text · in document: u8 · kind
 *   kind   := 0 string · 1 bool · 2 int · 3 long · 4 float · 5 double · 6 array, kind of its
 *             elements · 7 tensor, its type's text · 8 weighted set, kind of its elements ·
 *             9 map, kinds of its keys and values · 10 struct, name: text · count: u16 · count
 *             times field · 11 byte · 12 float16 · 13 uri · 14 raw · 15 predicate ·
 *             16 reference, name of its document type: text
 *   text   := length: u16 · UTF-8
 * </pre>
 *
 * <p>Numbers are big-endian.
 */
public final class DocumentTypeEncoding {
    private static final int VERSION = 1;
    private static final int ARRAY = 6;
    private static final int TENSOR = 7;
    private static final int WEIGHTED_SET = 8;
    private static final int MAP = 9;
    private static final int STRUCT = 10;
    private static final int REFERENCE = 16;

    /** The maximum nesting of kinds. A schema has at most 32 structs of 16 types each. */
    private static final int DEPTH_MAX = 1_000;

    private DocumentTypeEncoding() {}

    /** Returns the bytes of {@code type}. */
    public static byte[] encode(DocumentType type) {
        var bytes = new ByteArrayOutputStream();
        var out = new DataOutputStream(bytes);
        try {
            out.writeByte(VERSION);
            writeText(out, type.name());
            writeFields(out, type.fields());
        } catch (IOException e) {
            throw new UncheckedIOException("an array cannot fail", e);
        }
        return bytes.toByteArray();
    }

    /**
     * Decodes a type.
     *
     * @throws IllegalArgumentException if the bytes are not a type
     */
    public static DocumentType decode(byte[] bytes) {
        var in = new DataInputStream(new ByteArrayInputStream(bytes));
        try {
            DocumentType type = read(in);
            if (in.available() > 0) {
                throw new IllegalArgumentException(
                        "a type of %d bytes ends %d bytes early"
                                .formatted(bytes.length, in.available()));
            }
            return type;
        } catch (IOException e) {
            throw new IllegalArgumentException(
                    "a type of %d bytes ends too early".formatted(bytes.length), e);
        } catch (TensorSyntaxException e) {
            throw new IllegalArgumentException("a type names no tensor type", e);
        }
    }

    private static DocumentType read(DataInputStream in) throws IOException {
        int version = in.readUnsignedByte();
        if (version != VERSION) {
            throw new IllegalArgumentException(
                    "a type has version %d, expected %d".formatted(version, VERSION));
        }
        String name = readText(in);
        return new DocumentType(name, readFields(in, 0));
    }

    private static void writeFields(DataOutputStream out, List<Field> fields) throws IOException {
        out.writeShort(fields.size());
        for (Field field : fields) {
            writeText(out, field.name());
            out.writeBoolean(field.inDocument());
            writeKind(out, field.type());
        }
    }

    private static List<Field> readFields(DataInputStream in, int depth) throws IOException {
        int count = in.readUnsignedShort();
        List<Field> fields = new ArrayList<>();
        for (int i = 0; i < count; i++) {
            String field = readText(in);
            boolean inDocument = in.readBoolean();
            fields.add(new Field(field, readKind(in, depth), inDocument));
        }
        return fields;
    }

    private static void writeKind(DataOutputStream out, FieldType type) throws IOException {
        switch (type) {
            case Primitive primitive -> out.writeByte(code(primitive));
            case FieldType.ArrayOf(var element) -> {
                out.writeByte(ARRAY);
                writeKind(out, element);
            }
            case FieldType.WeightedSetOf(var element) -> {
                out.writeByte(WEIGHTED_SET);
                writeKind(out, element);
            }
            case FieldType.MapOf(var key, var value) -> {
                out.writeByte(MAP);
                writeKind(out, key);
                writeKind(out, value);
            }
            case FieldType.StructOf(var name, var fields) -> {
                out.writeByte(STRUCT);
                writeText(out, name);
                writeFields(out, fields);
            }
            case FieldType.ReferenceOf(var documentType) -> {
                out.writeByte(REFERENCE);
                writeText(out, documentType);
            }
            case FieldType.TensorOf(var tensor) -> {
                out.writeByte(TENSOR);
                writeText(out, tensor.toString());
            }
        }
    }

    private static int code(Primitive primitive) {
        return switch (primitive) {
            case STRING -> 0;
            case BOOL -> 1;
            case INT -> 2;
            case LONG -> 3;
            case FLOAT -> 4;
            case DOUBLE -> 5;
            case BYTE -> 11;
            case FLOAT16 -> 12;
            case URI -> 13;
            case RAW -> 14;
            case PREDICATE -> 15;
        };
    }

    private static FieldType readKind(DataInputStream in, int depth) throws IOException {
        if (depth == DEPTH_MAX) {
            throw new IllegalArgumentException("a type nests kinds deeper than " + DEPTH_MAX);
        }
        int code = in.readUnsignedByte();
        return switch (code) {
            case 0 -> Primitive.STRING;
            case 1 -> Primitive.BOOL;
            case 2 -> Primitive.INT;
            case 3 -> Primitive.LONG;
            case 4 -> Primitive.FLOAT;
            case 5 -> Primitive.DOUBLE;
            case 11 -> Primitive.BYTE;
            case 12 -> Primitive.FLOAT16;
            case 13 -> Primitive.URI;
            case 14 -> Primitive.RAW;
            case 15 -> Primitive.PREDICATE;
            case ARRAY -> new FieldType.ArrayOf(readKind(in, depth + 1));
            case WEIGHTED_SET -> new FieldType.WeightedSetOf(readKind(in, depth + 1));
            case MAP -> {
                FieldType key = readKind(in, depth + 1);
                yield new FieldType.MapOf(key, readKind(in, depth + 1));
            }
            case STRUCT -> {
                String name = readText(in);
                yield new FieldType.StructOf(name, readFields(in, depth + 1));
            }
            case REFERENCE -> new FieldType.ReferenceOf(readText(in));
            case TENSOR -> new FieldType.TensorOf(TensorType.parse(readText(in)));
            default -> throw new IllegalArgumentException("a type has a field of kind " + code);
        };
    }

    private static void writeText(DataOutputStream out, String text) throws IOException {
        byte[] encoded = text.getBytes(UTF_8);
        if (encoded.length > 0xFFFF) {
            throw new IllegalArgumentException("a name has " + encoded.length + " bytes");
        }
        out.writeShort(encoded.length);
        out.write(encoded);
    }

    private static String readText(DataInputStream in) throws IOException {
        byte[] encoded = new byte[in.readUnsignedShort()];
        in.readFully(encoded);
        return new String(encoded, UTF_8);
    }
}
