package org.crabro.content.search.group;

import static org.assertj.core.api.Assertions.assertThat;

import java.lang.foreign.Arena;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import org.crabro.config.schema.Aspect;
import org.crabro.config.schema.IndexingScript;
import org.crabro.config.schema.MatchMode;
import org.crabro.config.schema.Schema;
import org.crabro.config.schema.SchemaField;
import org.crabro.config.schema.SnippetRules;
import org.crabro.content.search.match.BlockScan;
import org.crabro.content.search.match.Matcher;
import org.crabro.content.search.match.TextHitsCache;
import org.crabro.content.search.match.cache.BlockCaches;
import org.crabro.content.search.query.QueryFields;
import org.crabro.content.storage.block.BlockWriter;
import org.crabro.content.storage.block.SearchedTexts;
import org.crabro.content.storage.block.key.RowKey;
import org.crabro.content.storage.dead.DeadRows;
import org.crabro.content.storage.file.WorkMeter;
import org.crabro.content.storage.read.BlockSlice;
import org.crabro.document.DocumentId;
import org.crabro.document.DocumentType;
import org.crabro.document.Field;
import org.crabro.document.FieldType;
import org.crabro.document.FieldType.Primitive;
import org.crabro.document.FieldValue;
import org.crabro.document.FieldValue.ArrayValue;
import org.crabro.document.FieldValue.IntValue;
import org.crabro.document.FieldValue.MapValue;
import org.crabro.document.FieldValue.StringValue;
import org.crabro.document.FieldValue.StructValue;
import org.crabro.protocol.encoding.Row;
import org.crabro.protocol.grouping.GroupExpression.EntryKey;
import org.crabro.protocol.grouping.GroupExpression.FieldOf;
import org.crabro.protocol.query.QueryNode;
import org.crabro.ranking.kernel.DistanceMetric;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** What a field of each type is read as, in a document with values and in one without any. */
class FieldReaderTest {
    private static final FieldType PERSON =
            new FieldType.StructOf(
                    "person",
                    List.of(
                            new Field("name", Primitive.STRING, true),
                            new Field("age", Primitive.INT, true),
                            new Field("height", Primitive.DOUBLE, true)));
    private static final FieldValue FIVE = new IntValue(5);
    private static final Map<Field, FieldValue> VALUES = values();
    private static final DocumentType TYPE = new DocumentType("item", List.copyOf(VALUES.keySet()));

    private final Arena arena = Arena.ofShared();

    private static Map<Field, FieldValue> values() {
        var values = new LinkedHashMap<Field, FieldValue>();
        add(values, "byte", Primitive.BYTE, FIVE);
        add(values, "int", Primitive.INT, FIVE);
        add(values, "long", Primitive.LONG, new FieldValue.LongValue(5));
        add(values, "float", Primitive.FLOAT, new FieldValue.FloatValue(5));
        add(values, "half", Primitive.FLOAT16, new FieldValue.FloatValue(5));
        add(values, "double", Primitive.DOUBLE, new FieldValue.DoubleValue(5));
        add(values, "bool", Primitive.BOOL, new FieldValue.BoolValue(true));
        add(values, "string", Primitive.STRING, new StringValue("five"));
        add(values, "uri", Primitive.URI, new StringValue("http://five"));
        add(values, "raw", Primitive.RAW, new StringValue("Zml2ZQ=="));
        add(values, "list", new FieldType.ArrayOf(Primitive.INT), new ArrayValue(List.of(FIVE)));
        add(
                values,
                "set",
                new FieldType.WeightedSetOf(Primitive.INT),
                new FieldValue.WeightedSetValue(Map.of(FIVE, 1)));
        add(
                values,
                "place",
                FieldType.StructOf.POSITION,
                new StructValue(
                        Map.of(
                                "lat",
                                new FieldValue.DoubleValue(1),
                                "lng",
                                new FieldValue.DoubleValue(2))));
        add(values, "person", PERSON, new StructValue(Map.of("age", FIVE)));
        add(
                values,
                "people",
                new FieldType.ArrayOf(PERSON),
                new ArrayValue(
                        List.of(
                                new StructValue(Map.of("age", FIVE)),
                                new StructValue(Map.of("name", new StringValue("bo"))))));
        add(
                values,
                "counts",
                new FieldType.MapOf(Primitive.STRING, Primitive.INT),
                new MapValue(Map.of(new StringValue("k"), FIVE)));
        add(
                values,
                "staff",
                new FieldType.MapOf(Primitive.STRING, PERSON),
                new MapValue(Map.of(new StringValue("k"), new StructValue(Map.of("age", FIVE)))));
        add(
                values,
                "lists",
                new FieldType.MapOf(Primitive.STRING, new FieldType.ArrayOf(Primitive.INT)),
                new MapValue(Map.of(new StringValue("k"), new ArrayValue(List.of(FIVE)))));
        return values;
    }

    private static void add(
            Map<Field, FieldValue> into, String name, FieldType type, FieldValue value) {
        into.put(new Field(name, type, true), value);
    }

    @AfterEach
    void close() {
        arena.close();
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            textBlock =
                    """
                    byte            | [5]           | [0]   | [-128]
                    int             | [5]           | [0]   | [-2147483648]
                    long            | [5]           | [0]   | [-9223372036854775808]
                    float           | [5.0]         | [0.0] | [NaN]
                    half            | [5.0]         | [0.0] | [NaN]
                    double          | [5.0]         | [0.0] | [NaN]
                    bool            | [1]           | [0]   | [0]
                    string          | [five]        | []    | []
                    uri             | [http://five] | []    | []
                    raw             | [five]        | []    | []
                    place.lat       | [1.0]         | [0.0] | [NaN]
                    place.lng       | [2.0]         | [0.0] | [NaN]
                    person.age      | [5]           | [0]   | [-2147483648]
                    counts{k}       | [5]           | NONE  | [-2147483648]
                    staff{k}.age    | [5]           | NONE  | [-2147483648]
                    staff{k}.name   | []            | NONE  | []
                    list            | [5]           | NONE  | NONE
                    set             | [5]           | NONE  | NONE
                    people.name     | [, bo]        | NONE  | NONE
                    counts.value    | [5]           | NONE  | NONE
                    counts.key      | [k]           | NONE  | NONE
                    lists{k}        | [5]           | NONE  | NONE
                    lists{none}     | NONE          | NONE  | NONE
                    """)
    void readsAMissingValueByTheModeOfTheSchema(
            String path, String present, String streaming, String index) {
        assertThat(read(path, false)).as("streaming").isEqualTo(present + " " + streaming);
        assertThat(read(path, true)).as("index").isEqualTo(present + " " + index);
        assertThat(withoutColumn(path, false)).as("streaming").isEqualTo(streaming);
        assertThat(withoutColumn(path, true)).as("index").isEqualTo(index);
    }

    /** An element, an entry or a struct may lack a member that others have. */
    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            textBlock =
                    """
                    people.age          | [5, 0]     | [5, -2147483648]
                    people.height       | [0.0, 0.0] | [NaN, NaN]
                    person.height       | [0.0]      | [NaN]
                    staff.value.age     | [5]        | [5]
                    staff.value.height  | [0.0]      | [NaN]
                    staff{k}.height     | [0.0]      | [NaN]
                    counts{none}        | NONE       | [-2147483648]
                    staff{none}.age     | NONE       | [-2147483648]
                    staff{none}.height  | NONE       | [NaN]
                    """)
    void readsAMissingMemberByTheModeOfTheSchema(String path, String streaming, String index) {
        assertThat(read(path, false)).as("streaming").startsWith(streaming + " ");
        assertThat(read(path, true)).as("index").startsWith(index + " ");
    }

    private String read(String path, boolean indexed) {
        var rows = new ArrayList<Row>();
        var fields = new LinkedHashMap<String, FieldValue>();
        VALUES.forEach((field, value) -> fields.put(field.name(), value));
        rows.add(row(0, fields));
        rows.add(row(1, Map.of()));
        rows.add(row(2, Map.of()));
        rows.sort(Comparator.comparing(row -> RowKey.of(row.id())));
        int full = rows.getFirst().fields().isEmpty() ? rows.get(1).fields().isEmpty() ? 2 : 1 : 0;
        int empty = full == 0 ? 1 : 0;
        List<String> some = read(path, indexed, rows, full, empty);
        List<String> all = read(path, indexed, rows, 0, 1, 2);

        assertThat(List.of(all.get(full), all.get(empty)))
                .as("rows of which all are read")
                .isEqualTo(some);
        return String.join(" ", some);
    }

    private String withoutColumn(String path, boolean indexed) {
        return read(path, indexed, List.of(row(1, Map.of())), 0).getFirst();
    }

    private static Row row(int number, Map<String, FieldValue> fields) {
        return new Row(
                DocumentId.parse("id:a:item:g=g:" + number), 1, TYPE.fingerprint(), false, fields);
    }

    /** Returns the values of each wanted row; {@code NONE} if there is no value. */
    private List<String> read(String path, boolean indexed, List<Row> rows, int... wanted) {
        Schema schema = schema().in(SnippetRules.DEFAULT, indexed);
        var fields = new QueryFields();
        var compiler = new FieldReaderCompiler(schema, fields);
        Evaluator reader = compiler.reader(field(path), "", Set.of());
        var slice =
                new BlockSlice(
                        new BlockWriter(TYPE, SearchedTexts.NONE).write(rows, arena),
                        0,
                        rows.size(),
                        DeadRows.of(new int[0]));
        var scan =
                new BlockScan(
                        Matcher.compile(new QueryNode.All(), schema, Map.of(), fields),
                        fields,
                        List.of(slice),
                        List.of(),
                        new TextHitsCache(1),
                        BlockCaches.none());
        scan.open(0);
        var batch =
                new RowBatch(
                        scan,
                        new TextPool(),
                        compiler.scopeCount(),
                        new RowBatch.Spending(new WorkMeter(), () -> {}));
        batch.begin();
        batch.rows = wanted;
        batch.count = wanted.length;
        batch.isAscending = wanted.length == rows.size();
        Values values = reader.evaluate(batch);
        var read = new ArrayList<String>();
        for (int row = 0; row < wanted.length; row++) {
            var texts = new ArrayList<String>();
            for (int i = values.start(row); i < values.end(row); i++) {
                texts.add(text(values, i, batch.texts));
            }
            read.add(texts.isEmpty() ? "NONE" : texts.toString());
        }
        return read;
    }

    private static String text(Values values, int index, TextPool texts) {
        return switch (values.kind) {
            case WHOLE, TRUTH -> Long.toString(values.longs[index]);
            case REAL -> Double.toString(values.doubles[index]);
            case TEXT, RAW -> new String(texts.copy(values.texts[index]), StandardCharsets.UTF_8);
        };
    }

    private static FieldOf field(String path) {
        int open = path.indexOf('{');
        if (open < 0) {
            return FieldOf.of(path);
        }
        int close = path.indexOf('}');
        String tail = path.substring(close + 1);
        return new FieldOf(
                path.substring(0, open),
                Optional.of(new EntryKey.Literal(path.substring(open + 1, close))),
                tail.isEmpty() ? "" : tail.substring(1));
    }

    private static Schema schema() {
        var fields = new LinkedHashMap<String, SchemaField>();
        for (Field field : TYPE.fields()) {
            fields.put(
                    field.name(),
                    new SchemaField(
                            field,
                            Set.of(Aspect.ATTRIBUTE),
                            MatchMode.WORD,
                            DistanceMetric.EUCLIDEAN,
                            new IndexingScript(List.of())));
        }
        return new Schema("item", TYPE, fields);
    }
}
