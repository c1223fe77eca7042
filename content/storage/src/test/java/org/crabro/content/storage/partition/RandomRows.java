package org.crabro.content.storage.partition;

import java.lang.foreign.MemorySegment;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.stream.Stream;
import org.crabro.content.storage.block.key.RowKey;
import org.crabro.content.storage.dead.GroupTombstone;
import org.crabro.content.storage.run.StoredTypes;
import org.crabro.document.DocumentId;
import org.crabro.document.DocumentType;
import org.crabro.document.Field;
import org.crabro.document.FieldType;
import org.crabro.document.FieldValue;
import org.crabro.document.LocationKey;
import org.crabro.protocol.encoding.Row;
import org.crabro.protocol.encoding.RowEncoding;
import org.crabro.tensor.DenseTensor;
import org.crabro.tensor.MixedTensor;
import org.crabro.tensor.TensorType;

/** Rows of types that have a field of every kind, from one seed. */
public final class RandomRows {
    public static final TensorType VECTOR = TensorType.parse("tensor<bfloat16>(x[8])");

    public static final DocumentType MAIL =
            new DocumentType(
                    "mail",
                    List.of(
                            new Field("subject", FieldType.Primitive.STRING, true),
                            new Field("read", FieldType.Primitive.BOOL, true),
                            new Field("size", FieldType.Primitive.INT, true),
                            new Field("sent", FieldType.Primitive.LONG, true),
                            new Field("score", FieldType.Primitive.FLOAT, true),
                            new Field("weight", FieldType.Primitive.DOUBLE, true),
                            new Field(
                                    "to", new FieldType.ArrayOf(FieldType.Primitive.STRING), true),
                            new Field("vector", new FieldType.TensorOf(VECTOR), false)));

    public static final DocumentType NOTE =
            new DocumentType("note", List.of(new Field("text", FieldType.Primitive.STRING, true)));

    /** The type of mails after their schema got one more field. */
    public static final DocumentType LATER_MAIL =
            new DocumentType(
                    "mail",
                    Stream.concat(
                                    MAIL.fields().stream(),
                                    Stream.of(new Field("label", FieldType.Primitive.STRING, true)))
                            .toList());

    /** All types of this class. */
    public static final StoredTypes TYPES =
            fingerprint ->
                    Stream.of(MAIL, LATER_MAIL, NOTE)
                            .filter(type -> type.fingerprint() == fingerprint)
                            .findFirst();

    /** Returns the bytes of a row of one of {@link #TYPES}. */
    public static MemorySegment encoded(Row row) {
        DocumentType type = TYPES.type(row.fingerprint()).orElseThrow();
        return MemorySegment.ofArray(RowEncoding.encode(row, type));
    }

    private final Random random;
    private final int longestText;
    private long timestamp = 1_700_000_000_000_000L;

    public RandomRows(long seed) {
        this(seed, 3_000);
    }

    /**
     * @param longestText the maximum number of characters of one text in four
     */
    public RandomRows(long seed, int longestText) {
        this.random = new Random(seed);
        this.longestText = longestText;
    }

    Random random() {
        return random;
    }

    /**
     * Returns a document of {@code type}: in one of a few groups, with a number, or plain. Some
     * plain ids share their location with a group.
     */
    public DocumentId id(DocumentType type, int documents) {
        LocationKey key =
                switch (random.nextInt(4)) {
                    case 0 -> new LocationKey.Plain();
                    case 1 -> new LocationKey.Numbered(random.nextInt(3));
                    default -> new LocationKey.Group("user" + random.nextInt(3));
                };
        String user =
                key.equals(new LocationKey.Plain()) && random.nextInt(3) == 0
                        ? "user" + random.nextInt(3)
                        : "d" + random.nextInt(documents);
        return new DocumentId("test", type.name(), key, user);
    }

    /** Returns a version of {@code id} with some of its type's fields. */
    public Row put(DocumentId id, DocumentType type) {
        Map<String, FieldValue> fields = new HashMap<>();
        for (Field field : type.fields()) {
            if (random.nextInt(5) > 0) {
                fields.put(field.name(), value(field.type()));
            }
        }
        return new Row(id, ++timestamp, type.fingerprint(), false, fields);
    }

    /** Returns a version of {@code id} that removes it. */
    public Row remove(DocumentId id, DocumentType type) {
        return new Row(id, ++timestamp, type.fingerprint(), true, Map.of());
    }

    /** Returns up to {@code count} rows of distinct documents in key order. */
    public List<Row> rows(DocumentType type, int count) {
        var rows = new TreeMap<RowKey, Row>();
        for (int i = 0; i < count; i++) {
            DocumentId id = id(type, count);
            rows.put(RowKey.of(id), random.nextInt(10) == 0 ? remove(id, type) : put(id, type));
        }
        return new ArrayList<>(rows.values());
    }

    /**
     * Returns versions of random documents, by the type that they are written with.
     *
     * @param model the expected documents; updated by these versions
     */
    public Map<DocumentType, SortedMap<RowKey, Row>> rows(int count, Map<DocumentId, Row> model) {
        return rows(count, 200, model);
    }

    /**
     * Returns versions of random documents, by the type that they are written with.
     *
     * @param documents the number of distinct ids of one key and type
     */
    Map<DocumentType, SortedMap<RowKey, Row>> rows(
            int count, int documents, Map<DocumentId, Row> model) {
        Map<DocumentId, Row> newest = new HashMap<>();
        for (int i = 0; i < count; i++) {
            DocumentType type = List.of(MAIL, LATER_MAIL, NOTE).get(random.nextInt(3));
            DocumentId id = id(type, documents);
            Row row = random.nextInt(4) == 0 ? remove(id, type) : put(id, type);
            newest.put(id, row);
            if (row.tombstone()) {
                model.remove(id);
            } else {
                model.put(id, row);
            }
        }
        Map<DocumentType, SortedMap<RowKey, Row>> byType = new HashMap<>();
        newest.forEach((id, row) ->
                byType.computeIfAbsent(
                                TYPES.type(row.fingerprint()).orElseThrow(), _ -> new TreeMap<>())
                        .put(RowKey.of(id), row));
        return byType;
    }

    /**
     * Returns up to {@code count} tombstones of groups.
     *
     * @param model the expected documents; the documents of these groups are removed from it
     */
    public List<GroupTombstone> removals(int count, Map<DocumentId, Row> model) {
        List<GroupTombstone> removals = new ArrayList<>();
        for (int i = random.nextInt(count + 1); i > 0; i--) {
            DocumentId any = id(random.nextBoolean() ? MAIL : NOTE, 1);
            if (!(any.key() instanceof LocationKey.Plain)) {
                removals.add(new GroupTombstone(any.documentType(), any.key(), ++timestamp));
                model.keySet()
                        .removeIf(id ->
                                id.documentType().equals(any.documentType())
                                        && id.key().equals(any.key()));
            }
        }
        return removals;
    }

    /** Returns a writer of {@code rows} into a run. */
    static RunLog.Contents contents(Map<DocumentType, SortedMap<RowKey, Row>> rows) {
        return contents(List.of(), rows);
    }

    /** Returns a writer that removes groups from older runs and writes {@code rows}. */
    public static RunLog.Contents contents(
            List<GroupTombstone> removals, Map<DocumentType, SortedMap<RowKey, Row>> rows) {
        return run -> {
            removals.forEach(run::remove);
            for (var type : rows.entrySet()) {
                run.begin(type.getKey());
                for (var row : type.getValue().entrySet()) {
                    run.add(row.getKey(), encoded(row.getValue()));
                }
            }
        };
    }

    private FieldValue value(FieldType type) {
        return switch (type) {
            case FieldType.Primitive primitive ->
                    switch (primitive) {
                        case STRING, URI, RAW, PREDICATE -> new FieldValue.StringValue(text());
                        case BOOL -> new FieldValue.BoolValue(random.nextBoolean());
                        case BYTE -> new FieldValue.IntValue((byte) random.nextInt());
                        case INT -> new FieldValue.IntValue(random.nextInt());
                        case LONG -> new FieldValue.LongValue(random.nextLong());
                        case FLOAT, FLOAT16 -> new FieldValue.FloatValue(random.nextFloat());
                        case DOUBLE -> new FieldValue.DoubleValue(random.nextGaussian());
                    };
            case FieldType.ReferenceOf _ -> new FieldValue.StringValue(text());
            case FieldType.ArrayOf(var element) -> {
                var elements = new ArrayList<FieldValue>();
                for (int i = random.nextInt(4); i > 0; i--) {
                    elements.add(value(element));
                }
                yield new FieldValue.ArrayValue(elements);
            }
            case FieldType.WeightedSetOf(var element) -> {
                Map<FieldValue, Integer> weights = new LinkedHashMap<>();
                for (int i = random.nextInt(4); i > 0; i--) {
                    weights.put(value(element), random.nextInt());
                }
                yield new FieldValue.WeightedSetValue(weights);
            }
            case FieldType.MapOf(var key, var mapped) -> {
                Map<FieldValue, FieldValue> values = new LinkedHashMap<>();
                for (int i = random.nextInt(4); i > 0; i--) {
                    values.put(value(key), value(mapped));
                }
                yield new FieldValue.MapValue(values);
            }
            case FieldType.StructOf(_, var fields) -> {
                Map<String, FieldValue> set = new HashMap<>();
                for (Field field : fields) {
                    if (random.nextBoolean()) {
                        set.put(field.name(), value(field.type()));
                    }
                }
                yield new FieldValue.StructValue(set);
            }
            case FieldType.TensorOf(var tensor) ->
                    tensor.isDense()
                            ? new FieldValue.TensorValue(DenseTensor.of(tensor, cells(tensor)))
                            : new FieldValue.MixedTensorValue(mixedTensor(tensor));
        };
    }

    private MixedTensor mixedTensor(TensorType type) {
        Map<List<String>, double[]> subspaces = new HashMap<>();
        for (int i = random.nextInt(6); i > 0; i--) {
            List<String> labels =
                    Stream.generate(() -> random.nextInt(3) == 0 ? text() : "l" + random.nextInt(4))
                            .limit(type.mappedCount())
                            .toList();
            subspaces.put(labels, cells(type));
        }
        return MixedTensor.of(type, subspaces);
    }

    private double[] cells(TensorType type) {
        var cells = new double[type.subspaceSize()];
        for (int i = 0; i < cells.length; i++) {
            cells[i] = 50 * random.nextGaussian();
        }
        return cells;
    }

    private String text() {
        var text = new StringBuilder();
        int longest = random.nextInt(4) == 0 ? longestText : 20;
        for (int i = random.nextInt(longest); i > 0; i--) {
            text.appendCodePoint(random.nextInt(3) == 0 ? 0x1F600 + i : 'a' + random.nextInt(26));
        }
        return text.toString();
    }
}
