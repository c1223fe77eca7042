package org.crabro.server.warmup;

import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Random;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.crabro.config.schema.Schema;
import org.crabro.config.schema.SchemaField;
import org.crabro.document.Document;
import org.crabro.document.DocumentId;
import org.crabro.document.Field;
import org.crabro.document.FieldType;
import org.crabro.document.FieldValue;
import org.crabro.protocol.cluster.Partitions;
import org.crabro.tensor.DenseTensor;
import org.crabro.tensor.TensorType;

/**
 * Documents of one schema with generated values. Fields of types with a special form, such as
 * references, structs and mapped tensors, have no value.
 */
final class WarmUpDocuments {
    /** The group of most documents. */
    static final String GROUP = "warm-up";

    private static final int OTHERS_MAX = 4;

    /** Other groups of the same partition, so that a block has several. */
    private static final List<String> OTHERS = others(true);

    /** A group of another partition. */
    static final String OTHER_GROUP = others(false).getFirst();

    /** Of this many documents, one belongs to each of the other groups. */
    private static final int ROUND = 8;

    /** The words of queries. Each text has some of them. */
    static final List<String> WORDS =
            List.of("alpha", "beta", "gamma", "delta", "epsilon", "zeta", "eta", "theta");

    /** Larger tensors are left out: they take long to write and to compare. */
    private static final int CELLS_MAX = 4_096;

    private static final int TEXT_WORDS = 12;

    /** Further words of texts, so that the dictionary of a block has the size of a real one. */
    private static final int FURTHER_WORDS = 2_000;

    private static final int ELEMENTS = 3;
    private static final int NUMBER_MAX = 100;

    /** Of this many values, one is missing. */
    private static final int MISSING = 16;

    /** Numbers have as many digits as times: in seconds, and in milliseconds. */
    private static final int INT_SPREAD = 20_000_000;

    private static final long LONG_SPREAD = 20_000_000_000L;

    private final Random random = new Random(1);
    private final Schema schema;

    WarmUpDocuments(Schema schema) {
        this.schema = schema;
    }

    private static List<String> others(boolean isSamePartition) {
        int partition = Partitions.DEFAULT.of(DocumentId.locationOfGroup(GROUP));
        return IntStream.iterate(0, i -> i + 1)
                .mapToObj(i -> GROUP + "-" + i)
                .filter(group ->
                        isSamePartition
                                == (Partitions.DEFAULT.of(DocumentId.locationOfGroup(group))
                                        == partition))
                .limit(OTHERS_MAX)
                .toList();
    }

    /** Returns the next document of {@link #GROUP}, or of a group that shares its blocks. */
    Document next(int number) {
        int other = number % ROUND;
        return next(other < OTHERS.size() ? OTHERS.get(other) : GROUP, number);
    }

    /** Returns the next document of a group. */
    Document next(String group, int number) {
        var values = new LinkedHashMap<String, FieldValue>();
        for (Field field : schema.documentType().fields()) {
            if (random.nextInt(MISSING) > 0) {
                value(field).ifPresent(value -> values.put(field.name(), value));
            }
        }
        return new Document(
                DocumentId.parse(
                        "id:warm-up:%s:g=%s:%s-%d".formatted(schema.name(), group, word(), number)),
                values);
    }

    /** Returns whether fields of this type have vectors that queries can be compared with. */
    static boolean isVector(TensorType type) {
        return type.isDense() && type.dimensions().size() == 1 && type.cellCount() <= CELLS_MAX;
    }

    private Optional<FieldValue> value(Field field) {
        // Values that repeat are stored in another form than texts.
        return field.type() == FieldType.Primitive.STRING
                        && schema.field(field.name()).filter(SchemaField::isIndexedText).isEmpty()
                ? Optional.of(new FieldValue.StringValue(word()))
                : value(field.type());
    }

    private Optional<FieldValue> value(FieldType type) {
        return switch (type) {
            case FieldType.Primitive primitive -> primitive(primitive);
            case FieldType.ArrayOf(var element) ->
                    element instanceof FieldType.Primitive primitive
                            ? array(primitive)
                            : Optional.empty();
            case FieldType.WeightedSetOf(var element) ->
                    element instanceof FieldType.Primitive primitive
                            ? primitive(primitive)
                                    .map(key -> new FieldValue.WeightedSetValue(Map.of(key, 1)))
                            : Optional.empty();
            case FieldType.TensorOf(var tensor) ->
                    isVector(tensor)
                            ? Optional.of(new FieldValue.TensorValue(vector(tensor)))
                            : Optional.empty();
            case FieldType.MapOf _, FieldType.StructOf _, FieldType.ReferenceOf _ ->
                    Optional.empty();
        };
    }

    private Optional<FieldValue> array(FieldType.Primitive element) {
        List<FieldValue> values =
                IntStream.range(0, ELEMENTS)
                        .mapToObj(_ -> primitive(element))
                        .flatMap(Optional::stream)
                        .toList();
        return values.isEmpty() ? Optional.empty() : Optional.of(new FieldValue.ArrayValue(values));
    }

    private Optional<FieldValue> primitive(FieldType.Primitive type) {
        int number = random.nextInt(NUMBER_MAX);
        return switch (type) {
            case STRING -> Optional.of(new FieldValue.StringValue(text()));
            case URI -> Optional.of(new FieldValue.StringValue("http://localhost/" + number));
            case BOOL -> Optional.of(new FieldValue.BoolValue(number % 2 == 0));
            case BYTE -> Optional.of(new FieldValue.IntValue(number));
            case INT -> Optional.of(new FieldValue.IntValue(number * INT_SPREAD));
            case LONG -> Optional.of(new FieldValue.LongValue(number * LONG_SPREAD));
            case FLOAT, FLOAT16 -> Optional.of(new FieldValue.FloatValue(number));
            case DOUBLE -> Optional.of(new FieldValue.DoubleValue(number));
            case RAW, PREDICATE -> Optional.empty();
        };
    }

    private String text() {
        return IntStream.range(0, TEXT_WORDS)
                .mapToObj(i ->
                        i % 2 == 0
                                ? word()
                                : Integer.toString(
                                        random.nextInt(FURTHER_WORDS), Character.MAX_RADIX))
                .collect(Collectors.joining(" "));
    }

    private String word() {
        return WORDS.get(random.nextInt(WORDS.size()));
    }

    private DenseTensor vector(TensorType type) {
        return DenseTensor.of(
                type, random.doubles(type.cellCount()).map(cell -> cell - 0.5).toArray());
    }
}
