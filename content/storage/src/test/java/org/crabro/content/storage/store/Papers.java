package org.crabro.content.storage.store;

import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.SequencedMap;
import java.util.TreeMap;
import org.crabro.content.storage.block.SearchedTexts;
import org.crabro.content.storage.block.key.KeyRange;
import org.crabro.content.storage.read.BlockSlice;
import org.crabro.content.storage.read.View;
import org.crabro.document.DocumentId;
import org.crabro.document.DocumentType;
import org.crabro.document.Field;
import org.crabro.document.FieldType;
import org.crabro.document.FieldValue;
import org.crabro.document.LocationKey;
import org.crabro.protocol.encoding.Row;
import org.crabro.protocol.encoding.RowEncoding;
import org.crabro.tensor.DenseTensor;
import org.crabro.tensor.TensorType;
import org.crabro.text.Folding;

/**
 * Documents whose fields follow from their id and a version number, so that one number describes
 * the expected content. There are two types, one of which is written with two schemas.
 */
final class Papers {
    private static final TensorType VECTOR = TensorType.parse("tensor<float>(x[4])");

    static final DocumentType NOTE =
            new DocumentType("note", List.of(new Field("text", FieldType.Primitive.STRING, true)));

    /** The type of notes after their schema got more fields. */
    static final DocumentType LATER_NOTE =
            new DocumentType(
                    "note",
                    List.of(
                            new Field("text", FieldType.Primitive.STRING, true),
                            new Field("number", FieldType.Primitive.LONG, true)));

    static final DocumentType MAIL =
            new DocumentType(
                    "mail",
                    List.of(
                            new Field("subject", FieldType.Primitive.STRING, true),
                            new Field("read", FieldType.Primitive.BOOL, true),
                            new Field("size", FieldType.Primitive.INT, true),
                            new Field(
                                    "to", new FieldType.ArrayOf(FieldType.Primitive.STRING), true),
                            new Field("vector", new FieldType.TensorOf(VECTOR), false)));

    /** Words of notes are searched, subjects of mails are not. */
    static final SearchedTexts SEARCHED = new SearchedTexts(Map.of("text", Folding.CASE));

    /** The names of the types. */
    static final List<String> TYPES = List.of("mail", "note");

    private Papers() {}

    /** Returns the types that documents are written with, before or after the schema's change. */
    static List<DocumentType> types(boolean later) {
        return List.of(MAIL, later ? LATER_NOTE : NOTE);
    }

    /** Returns the id of the {@code number}-th document, for {@code groups} groups. */
    static DocumentId id(int number, int groups) {
        String type = number % 3 == 0 ? "mail" : "note";
        String place =
                switch (number % 4) {
                    case 0 -> "";
                    case 1 -> "n=" + (number / 4) % groups;
                    default -> "g=user" + (number / 4) % groups;
                };
        return DocumentId.parse("id:test:" + type + ":" + place + ":" + number);
    }

    /** Returns a version of a document as it is written before or after the schema's change. */
    static Row put(DocumentId id, int version, boolean later) {
        DocumentType type = type(id, later);
        return new Row(id, 0, type.fingerprint(), false, fields(id, version, type));
    }

    static Row remove(DocumentId id, boolean later) {
        return new Row(id, 0, type(id, later).fingerprint(), true, Map.of());
    }

    static byte[] encode(Row row, boolean later) {
        return RowEncoding.encode(row, type(row.id(), later));
    }

    /** Returns whether removing the group of one document removes another. */
    static boolean isOfSameGroup(DocumentId one, DocumentId other) {
        return one.documentType().equals(other.documentType()) && one.key().equals(other.key());
    }

    static DocumentType type(DocumentId id, boolean later) {
        boolean isMail = id.documentType().equals(MAIL.name());
        return isMail ? MAIL : later ? LATER_NOTE : NOTE;
    }

    private static Map<String, FieldValue> fields(DocumentId id, int version, DocumentType type) {
        var random = new Random(31L * id.toString().hashCode() + version);
        SequencedMap<String, FieldValue> fields = new java.util.LinkedHashMap<>();
        if (type.equals(MAIL)) {
            fields.put("subject", new FieldValue.StringValue(version + " " + text(random)));
            if (random.nextBoolean()) {
                fields.put("read", new FieldValue.BoolValue(random.nextBoolean()));
                fields.put("size", new FieldValue.IntValue(random.nextInt()));
            }
            List<FieldValue> to = new ArrayList<>();
            for (int i = random.nextInt(3); i > 0; i--) {
                to.add(new FieldValue.StringValue("name" + random.nextInt(5)));
            }
            fields.put("to", new FieldValue.ArrayValue(to));
            if (random.nextInt(3) > 0) {
                fields.put("vector", new FieldValue.TensorValue(vector(random)));
            }
        } else {
            fields.put("text", new FieldValue.StringValue(version + " " + text(random)));
            if (type.equals(LATER_NOTE)) {
                fields.put("number", new FieldValue.LongValue(random.nextLong()));
            }
        }
        return fields;
    }

    private static DenseTensor vector(Random random) {
        var cells = new double[4];
        for (int i = 0; i < cells.length; i++) {
            cells[i] = random.nextInt(100);
        }
        return DenseTensor.of(VECTOR, cells);
    }

    /** Mostly short, sometimes several sectors long. */
    private static String text(Random random) {
        int words = random.nextInt(10) == 0 ? random.nextInt(600) : random.nextInt(12);
        var text = new StringBuilder();
        for (int i = 0; i < words; i++) {
            text.append("word").append(random.nextInt(40)).append(' ');
        }
        return text.toString();
    }

    /**
     * Returns the version of {@code row}.
     *
     * @throws AssertionError if no version of the document has these fields
     */
    static int version(Row row) {
        String text =
                switch (row.fields().getOrDefault("text", row.fields().get("subject"))) {
                    case FieldValue.StringValue(var value) -> value;
                    case null, default -> throw new AssertionError("no text in " + row);
                };
        int version = Integer.parseInt(text.substring(0, text.indexOf(' ')));
        boolean hasVersion = false;
        for (DocumentType type : List.of(MAIL, NOTE, LATER_NOTE)) {
            hasVersion |=
                    type.fingerprint() == row.fingerprint()
                            && (fields(row.id(), version, type).equals(row.fields())
                                    || isWithoutRemoved(row, version, type));
        }
        if (!hasVersion) {
            throw new AssertionError("version " + version + " was never written as " + row);
        }
        return version;
    }

    /** A merge drops the field that the first schema of notes lacks, if that is active again. */
    private static boolean isWithoutRemoved(Row row, int version, DocumentType type) {
        return type.equals(LATER_NOTE) && fields(row.id(), version, NOTE).equals(row.fields());
    }

    /** Returns the range of the documents that share a group or number with {@code id}. */
    static KeyRange range(DocumentId id) {
        return switch (id.key()) {
            case LocationKey.Group(var name) -> new KeyRange.Group(name);
            case LocationKey.Numbered(var value) -> new KeyRange.Numbered(value);
            case LocationKey.Plain _ -> new KeyRange.Everything();
        };
    }

    /**
     * Adds the documents in a part of {@code view}.
     *
     * @throws AssertionError if a document occurs twice
     */
    static void addSeen(View view, KeyRange range, Map<DocumentId, Row> seen) {
        for (String type : TYPES) {
            for (BlockSlice slice : view.slices(type, range)) {
                for (int i = slice.from(); i < slice.to(); i++) {
                    if (!slice.dead().has(i)) {
                        Row row = slice.block().row(i);
                        Row before = seen.put(row.id(), row);
                        if (before != null) {
                            throw new AssertionError(
                                    "seen twice: " + before.timestamp() + " and " + row);
                        }
                    }
                }
            }
        }
    }

    /** Returns the documents in {@code range} of a partition. */
    static Map<DocumentId, Row> seen(DocumentStore store, int partition, KeyRange range) {
        var seen = new TreeMap<DocumentId, Row>(BY_TEXT);
        try (View view = store.view(partition)) {
            addSeen(view, range, seen);
        }
        return seen;
    }

    /** Orders ids by their text. */
    static final java.util.Comparator<DocumentId> BY_TEXT =
            java.util.Comparator.comparing(DocumentId::toString);
}
