package org.crabro.protocol.encoding;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatCode;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import java.io.IOException;
import java.lang.foreign.MemorySegment;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashMap;
import java.util.HexFormat;
import java.util.List;
import java.util.Map;
import java.util.Random;
import org.crabro.document.DocumentId;
import org.crabro.document.DocumentType;
import org.crabro.document.Field;
import org.crabro.document.FieldType;
import org.crabro.document.FieldType.Primitive;
import org.crabro.document.FieldValue;
import org.crabro.document.LocationKey;
import org.crabro.tensor.DenseTensor;
import org.crabro.tensor.TensorType;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class RowEncodingTest {
    private static final DocumentType TYPE =
            new DocumentType(
                    "mail",
                    List.of(
                            field("subject", Primitive.STRING),
                            field("read", Primitive.BOOL),
                            field("size", Primitive.INT),
                            field("time", Primitive.LONG),
                            field("spam", Primitive.FLOAT),
                            field("weight", Primitive.DOUBLE),
                            field("tags", new FieldType.ArrayOf(Primitive.STRING)),
                            tensor("doubles", "tensor(x[2])"),
                            tensor("floats", "tensor<float>(x[3])"),
                            tensor("halves", "tensor<bfloat16>(x[4])"),
                            tensor("bytes", "tensor<int8>(x[2],y[2])")));

    private static final DocumentId ID = DocumentId.parse("id:post:mail:g=anna:1");

    @Test
    void keepsTheBytesThatAreWrittenDown() throws IOException {
        byte[] golden;
        try (var in = RowEncodingTest.class.getResourceAsStream("row-1.hex")) {
            String hex = new String(in.readAllBytes(), java.nio.charset.StandardCharsets.US_ASCII);
            golden = HexFormat.of().parseHex(hex.replaceAll("#.*|\\s", ""));
        }

        assertThat(HexFormat.of().formatHex(RowEncoding.encode(example(), TYPE)))
                .isEqualTo(HexFormat.of().formatHex(golden));
        assertThat(RowEncoding.decode(MemorySegment.ofArray(golden), TYPE)).isEqualTo(example());
    }

    @Test
    void keepsRarerScalarsAsTheTypesBelowThem() {
        var below =
                Map.of(
                        Primitive.BYTE, new FieldValue.IntValue(-128),
                        Primitive.FLOAT16, new FieldValue.FloatValue(0.5f),
                        Primitive.URI, new FieldValue.StringValue("http://a.b/c"),
                        Primitive.RAW, new FieldValue.StringValue("AQID"),
                        Primitive.PREDICATE, new FieldValue.StringValue("a in [b]"));
        below.forEach((primitive, value) -> {
            var type = new DocumentType("mail", List.of(field("a", primitive)));
            var plain = new DocumentType("mail", List.of(field("a", primitive.stored())));
            byte[] row = encoded(type, value);
            byte[] stored = encoded(plain, value);

            assertThat(RowEncoding.decode(MemorySegment.ofArray(row), type).fields())
                    .isEqualTo(Map.of("a", value));
            assertThat(Arrays.copyOfRange(row, Long.BYTES, row.length))
                    .as("all but the fingerprint")
                    .isEqualTo(Arrays.copyOfRange(stored, Long.BYTES, stored.length));
        });
    }

    @Test
    void keepsReferencesAsTexts() {
        var value = new FieldValue.StringValue("id:ns:label::blue");
        var type =
                new DocumentType("mail", List.of(field("a", new FieldType.ReferenceOf("label"))));
        var plain = new DocumentType("mail", List.of(field("a", Primitive.STRING)));
        byte[] row = encoded(type, value);

        assertThat(RowEncoding.decode(MemorySegment.ofArray(row), type).fields())
                .isEqualTo(Map.of("a", value));
        assertThat(Arrays.copyOfRange(row, Long.BYTES, row.length))
                .as("all but the fingerprint")
                .isEqualTo(Arrays.copyOfRange(encoded(plain, value), Long.BYTES, row.length));
        assertThat(type.fingerprint())
                .as("a reference to another type is another type")
                .isNotEqualTo(
                        new DocumentType(
                                        "mail",
                                        List.of(field("a", new FieldType.ReferenceOf("song"))))
                                .fingerprint());
    }

    private static byte[] encoded(DocumentType type, FieldValue value) {
        return RowEncoding.encode(
                new Row(ID, 5, type.fingerprint(), false, Map.of("a", value)), type);
    }

    @Test
    void givesBackEveryRow() {
        long seed = Long.getLong("crabro.seed", 20_26);
        var random = new Random(seed);
        for (int i = 0; i < 2_000; i++) {
            Row row = row(random);

            MemorySegment bytes = MemorySegment.ofArray(RowEncoding.encode(row, TYPE));

            assertThat(RowEncoding.decode(bytes, TYPE))
                    .as("row %d, seed %d", i, seed)
                    .isEqualTo(row);
            assertThat(RowEncoding.fingerprint(bytes)).isEqualTo(TYPE.fingerprint());
            assertThat(RowEncoding.timestamp(bytes)).isEqualTo(row.timestamp());
            assertThat(RowEncoding.isTombstone(bytes)).isEqualTo(row.tombstone());
            assertThat(RowEncoding.id(bytes)).isEqualTo(row.id());
        }
    }

    @Test
    void refusesEveryShorterRow() {
        byte[] whole = RowEncoding.encode(example(), TYPE);
        for (int length = 0; length < whole.length; length++) {
            MemorySegment part = MemorySegment.ofArray(whole).asSlice(0, length);

            assertThatIllegalArgumentException()
                    .as("%d of %d bytes", length, whole.length)
                    .isThrownBy(() -> RowEncoding.decode(part, TYPE));
        }
    }

    @Test
    void neverFailsOtherwiseThanWithWordsOnDamagedBytes() {
        long seed = Long.getLong("crabro.seed", 20_26);
        var random = new Random(seed);
        byte[] whole = RowEncoding.encode(example(), TYPE);
        for (int i = 0; i < 20_000; i++) {
            byte[] damaged = whole.clone();
            damaged[random.nextInt(damaged.length)] = (byte) random.nextInt();
            MemorySegment row = MemorySegment.ofArray(damaged);

            assertThatCode(() -> decodeOrRefuse(row))
                    .as("damage %d, seed %d", i, seed)
                    .doesNotThrowAnyException();
        }
    }

    @Test
    void convertsTensorsToTheCellsOfTheField() {
        var row =
                new Row(
                        ID,
                        1,
                        TYPE.fingerprint(),
                        false,
                        Map.of("doubles", cells("tensor<float>(x[2])", 0.5, 2)));

        byte[] encoded = RowEncoding.encode(row, TYPE);

        assertThat(RowEncoding.decode(MemorySegment.ofArray(encoded), TYPE).fields())
                .isEqualTo(Map.of("doubles", cells("tensor(x[2])", 0.5, 2)));
        assertThatIllegalArgumentException()
                .isThrownBy(() ->
                        RowEncoding.encode(
                                new Row(
                                        ID,
                                        1,
                                        TYPE.fingerprint(),
                                        false,
                                        Map.of("floats", cells("tensor(x[3])", 1, 2, 3))),
                                TYPE));
    }

    @Test
    void stampsATimestampLast() {
        byte[] row = RowEncoding.encode(example(), TYPE);

        RowEncoding.stamp(row, 42);

        assertThat(RowEncoding.decode(MemorySegment.ofArray(row), TYPE))
                .isEqualTo(
                        new Row(ID, 42, TYPE.fingerprint(), false, Map.copyOf(example().fields())));
    }

    @Test
    void saysThatAGroupWasRemovedInARowOfNoDocument() {
        for (LocationKey group :
                List.of(new LocationKey.Group("ann"), new LocationKey.Numbered(-1))) {
            byte[] row = RowEncoding.groupTombstone(TYPE, group);
            RowEncoding.stamp(row, 42);

            MemorySegment bytes = MemorySegment.ofArray(row);
            assertThat(RowEncoding.isGroupTombstone(bytes)).isTrue();
            assertThat(RowEncoding.isTombstone(bytes)).isFalse();
            assertThat(RowEncoding.timestamp(bytes)).isEqualTo(42);
            assertThat(RowEncoding.fingerprint(bytes)).isEqualTo(TYPE.fingerprint());
            assertThat(RowEncoding.text(RowEncoding.idBytes(bytes)))
                    .isEqualTo("id::" + TYPE.name() + ":" + group.text() + ":");
            assertThatIllegalArgumentException()
                    .isThrownBy(() -> RowEncoding.decode(bytes, TYPE))
                    .withMessage("a row has unknown flags: 2");
            assertThatIllegalArgumentException().isThrownBy(() -> RowEncoding.id(bytes));
        }
        assertThat(
                        RowEncoding.isGroupTombstone(
                                MemorySegment.ofArray(RowEncoding.encode(example(), TYPE))))
                .isFalse();
        assertThatIllegalArgumentException()
                .isThrownBy(() -> RowEncoding.groupTombstone(TYPE, new LocationKey.Plain()));
    }

    @Test
    void namesTheFieldOfAValueOfAnotherType() {
        var row =
                new Row(
                        ID,
                        1,
                        TYPE.fingerprint(),
                        false,
                        Map.of("size", new FieldValue.LongValue(1)));

        assertThatIllegalArgumentException()
                .isThrownBy(() -> RowEncoding.encode(row, TYPE))
                .withMessage("field 'size' is int, but got a LongValue");
    }

    @Test
    void refusesAFieldThatTheTypeHasNot() {
        var row =
                new Row(
                        ID,
                        1,
                        TYPE.fingerprint(),
                        false,
                        Map.of("colour", new FieldValue.StringValue("red")));

        assertThatIllegalArgumentException()
                .isThrownBy(() -> RowEncoding.encode(row, TYPE))
                .withMessage("type 'mail' has no field for one of [colour]");
    }

    @ParameterizedTest
    @ValueSource(strings = {"\ud800", "a\udc00b", "\udc00\ud800", "end\ud83d"})
    void refusesHalfASurrogatePair(String text) {
        var row =
                new Row(
                        ID,
                        1,
                        TYPE.fingerprint(),
                        false,
                        Map.of("subject", new FieldValue.StringValue(text)));

        assertThatIllegalArgumentException().isThrownBy(() -> RowEncoding.encode(row, TYPE));
    }

    @Test
    void refusesARowOfAnotherType() {
        var other = new DocumentType("note", TYPE.fields());
        MemorySegment row = MemorySegment.ofArray(RowEncoding.encode(example(), TYPE));

        assertThatIllegalArgumentException()
                .isThrownBy(() -> RowEncoding.decode(row, other))
                .withMessageContaining("type 'note' has");
    }

    private static void decodeOrRefuse(MemorySegment row) {
        try {
            RowEncoding.decode(row, TYPE);
        } catch (IllegalArgumentException e) {
            assertThat(e).hasMessageMatching("(?s)\\S.*");
        }
    }

    private static Row example() {
        return new Row(
                ID,
                1_700_000_000_000_001L,
                TYPE.fingerprint(),
                false,
                Map.ofEntries(
                        Map.entry("subject", new FieldValue.StringValue("Zürich 🐝")),
                        Map.entry("read", new FieldValue.BoolValue(true)),
                        Map.entry("size", new FieldValue.IntValue(-2)),
                        Map.entry("time", new FieldValue.LongValue(1L << 40)),
                        Map.entry("spam", new FieldValue.FloatValue(0.5f)),
                        Map.entry("weight", new FieldValue.DoubleValue(-1.25)),
                        Map.entry("tags", tags(List.of("new", ""))),
                        Map.entry("doubles", cells("tensor(x[2])", 1, 2)),
                        Map.entry("floats", cells("tensor<float>(x[3])", 1, 2, 3)),
                        Map.entry("halves", cells("tensor<bfloat16>(x[4])", 1, -1, 0.5, 3)),
                        Map.entry("bytes", cells("tensor<int8>(x[2],y[2])", 1, -1, 127, -128))));
    }

    private static Row row(Random random) {
        var id = DocumentId.parse("id:ns:mail:n=" + random.nextInt(9) + ":é" + random.nextLong());
        boolean tombstone = random.nextInt(10) == 0;
        Map<String, FieldValue> fields = new HashMap<>();
        for (Field field : TYPE.fields()) {
            if (!tombstone && random.nextBoolean()) {
                fields.put(field.name(), value(random, field.type()));
            }
        }
        return new Row(id, random.nextLong(), TYPE.fingerprint(), tombstone, fields);
    }

    private static FieldValue value(Random random, FieldType type) {
        return switch (type) {
            case Primitive primitive ->
                    switch (primitive) {
                        case STRING, URI, RAW, PREDICATE ->
                                new FieldValue.StringValue(text(random));
                        case BOOL -> new FieldValue.BoolValue(random.nextBoolean());
                        case INT, BYTE -> new FieldValue.IntValue(random.nextInt());
                        case LONG -> new FieldValue.LongValue(random.nextLong());
                        case FLOAT, FLOAT16 -> new FieldValue.FloatValue(random.nextFloat());
                        case DOUBLE -> new FieldValue.DoubleValue(random.nextGaussian());
                    };
            case FieldType.ArrayOf _ -> {
                List<String> texts = new ArrayList<>();
                for (int i = random.nextInt(5); i > 0; i--) {
                    texts.add(text(random));
                }
                yield tags(texts);
            }
            case FieldType.WeightedSetOf _,
                    FieldType.MapOf _,
                    FieldType.StructOf _,
                    FieldType.ReferenceOf _ ->
                    throw new IllegalArgumentException("no field here is a " + type.text());
            case FieldType.TensorOf(var tensorType) ->
                    new FieldValue.TensorValue(
                            DenseTensor.of(
                                    tensorType,
                                    random.doubles(tensorType.cellCount(), -200, 200).toArray()));
        };
    }

    private static String text(Random random) {
        var text = new StringBuilder();
        for (int i = random.nextInt(700); i > 0; i -= 7) {
            int point = random.nextInt(4) == 0 ? 0x1F41D : random.nextInt(1, 0xD800);
            text.appendCodePoint(point);
        }
        return text.toString();
    }

    private static FieldValue tags(List<String> texts) {
        return new FieldValue.ArrayValue(
                texts.stream().<FieldValue>map(FieldValue.StringValue::new).toList());
    }

    private static FieldValue cells(String type, double... cells) {
        return new FieldValue.TensorValue(DenseTensor.of(TensorType.parse(type), cells));
    }

    private static Field field(String name, FieldType type) {
        return new Field(name, type, true);
    }

    private static Field tensor(String name, String type) {
        return field(name, new FieldType.TensorOf(TensorType.parse(type)));
    }
}
