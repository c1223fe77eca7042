package org.crabro.document.operation;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import java.io.ByteArrayInputStream;
import java.io.StringWriter;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.stream.Collectors;
import org.crabro.document.DocumentId;
import org.crabro.document.DocumentType;
import org.crabro.document.Field;
import org.crabro.document.FieldType;
import org.crabro.document.FieldType.ArrayOf;
import org.crabro.document.FieldType.MapOf;
import org.crabro.document.FieldType.Primitive;
import org.crabro.document.FieldType.StructOf;
import org.crabro.document.FieldType.TensorOf;
import org.crabro.document.FieldType.WeightedSetOf;
import org.crabro.document.FieldValue;
import org.crabro.document.json.DocumentReader;
import org.crabro.document.json.FieldValueWriter;
import org.crabro.document.json.LeftOutCells;
import org.crabro.document.json.TensorFormat;
import org.crabro.document.json.UpdateReader;
import org.crabro.document.json.WeightRules;
import org.crabro.tensor.TensorType;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import tools.jackson.core.JsonGenerator;
import tools.jackson.core.ObjectWriteContext;
import tools.jackson.core.json.JsonFactory;

/** Tests updates: the field before, the update, and the field afterwards, all as JSON. */
class FieldUpdatesTest {
    private static final DocumentId ID = DocumentId.parse("id:ns:all::1");
    private static final StructOf PERSON =
            new StructOf(
                    "person",
                    List.of(
                            new Field("name", Primitive.STRING, true),
                            new Field("born", Primitive.INT, true),
                            new Field("names", new ArrayOf(Primitive.STRING), true)));
    private static final Map<String, FieldType> FIELDS = new LinkedHashMap<>();

    static {
        FIELDS.put("string", Primitive.STRING);
        FIELDS.put("bool", Primitive.BOOL);
        FIELDS.put("byte", Primitive.BYTE);
        FIELDS.put("int", Primitive.INT);
        FIELDS.put("long", Primitive.LONG);
        FIELDS.put("float", Primitive.FLOAT);
        FIELDS.put("half", Primitive.FLOAT16);
        FIELDS.put("double", Primitive.DOUBLE);
        FIELDS.put("position", StructOf.POSITION);
        FIELDS.put("array", new ArrayOf(Primitive.STRING));
        FIELDS.put("ints", new ArrayOf(Primitive.INT));
        FIELDS.put("lists", new ArrayOf(new ArrayOf(Primitive.INT)));
        FIELDS.put("set", new WeightedSetOf(Primitive.STRING));
        FIELDS.put("longs", new WeightedSetOf(Primitive.LONG));
        FIELDS.put("tag", new WeightedSetOf(Primitive.STRING));
        FIELDS.put("map", new MapOf(Primitive.STRING, Primitive.INT));
        FIELDS.put("byNumber", new MapOf(Primitive.INT, new ArrayOf(Primitive.STRING)));
        FIELDS.put("person", PERSON);
        FIELDS.put("people", new MapOf(Primitive.STRING, PERSON));
        FIELDS.put("team", new ArrayOf(PERSON));
        FIELDS.put("dense", new TensorOf(TensorType.parse("tensor<float>(x[2],y[2])")));
        FIELDS.put("bytes", new TensorOf(TensorType.parse("tensor<int8>(x[2])")));
        FIELDS.put("sparse", new TensorOf(TensorType.parse("tensor(x{})")));
        FIELDS.put("sparse2", new TensorOf(TensorType.parse("tensor(x{},y{})")));
        FIELDS.put("mixed", new TensorOf(TensorType.parse("tensor(k{},x[2])")));
    }

    private static final DocumentType TYPE =
            new DocumentType(
                    "all",
                    FIELDS.entrySet().stream()
                            .map(each -> new Field(each.getKey(), each.getValue(), true))
                            .toList());
    private static final UpdateReader READER =
            new UpdateReader(TYPE, false, Map.of("tag", new WeightRules(true, true)));

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            quoteCharacter = '`',
            textBlock =
                    """
                    # field | before        | update                                    | after
                    string  | -             | {"assign":"new"}                          | "new"
                    string  | "old"         | {"assign":"new"}                          | "new"
                    string  | "old"         | {"assign":null}                           | -
                    string  | -             | {"assign":null}                           | -
                    string  | "old"         | {}                                        | "old"
                    string  | -             | {"assign":7}                              | "7"
                    bool    | true          | {"assign":false}                          | false
                    int     | 1             | {"assign":"2"}                            | 2
                    position| -             | {"assign":"N2;E3"}                        | {"lat":2.0,"lng":3.0}

                    int     | 5             | {"increment":3}                           | 8
                    int     | -             | {"increment":3}                           | 3
                    int     | -             | {"multiply":3}                            | 0
                    int     | 5             | {"decrement":7}                           | -2
                    int     | 5             | {"multiply":2.5}                          | 12
                    int     | -5            | {"multiply":2.5}                          | -12
                    int     | 7             | {"divide":2}                              | 3
                    int     | -7            | {"divide":2}                              | -3
                    int     | 7             | {"divide":0}                              | 7
                    int     | -             | {"divide":0}                              | -
                    int     | 5             | {"increment":0.9}                         | 5
                    int     | 5             | {"increment":"2"}                         | 7
                    int     | 2147483647    | {"increment":1}                           | -2147483648
                    int     | -2147483648   | {"decrement":1}                           | 2147483647
                    int     | 65536         | {"multiply":65536}                        | 0
                    int     | 2             | {"increment":1,"multiply":10}             | 30
                    int     | 2             | {"multiply":10,"increment":1}             | 21
                    int     | 2             | {"increment":1,"assign":9,"decrement":1}  | 8
                    byte    | 127           | {"increment":1}                           | -128
                    byte    | -128          | {"divide":-1}                             | -128
                    long    | 9007199254740993 | {"increment":1}                        | 9007199254740994
                    long    | 9223372036854775807 | {"increment":1}                     | -9223372036854775808
                    long    | -9223372036854775808 | {"divide":-1}                      | -9223372036854775808
                    long    | 3             | {"multiply":1e30}                         | -3215570133942534144
                    float   | 0.5           | {"increment":0.25}                        | 0.75
                    float   | 0.1           | {"increment":0.2}                         | 0.3
                    float   | 1             | {"divide":0}                              | 1.0
                    half    | 1             | {"divide":3}                              | 0.33325195
                    double  | 0.1           | {"increment":0.2}                         | 0.30000000000000004
                    double  | -             | {"decrement":1.5}                         | -1.5
                    double  | 1e308         | {"multiply":10}                           | "Infinity"
                    double  | 1             | {"divide":0}                              | 1.0

                    array   | ["a"]         | {"add":["b","a"]}                         | ["a","b","a"]
                    array   | -             | {"add":["b"]}                             | ["b"]
                    array   | ["a","b","a"] | {"remove":["a","x"]}                      | ["b"]
                    array   | -             | {"remove":["a"]}                          | -
                    array   | ["a"]         | {"remove":["a"]}                          | []
                    array   | ["a","b"]     | {"match":{"element":1,"assign":"x"}}      | ["a","x"]
                    array   | ["a","b"]     | {"match":{"assign":"x","element":"0"}}    | ["x","b"]
                    array   | ["a","b"]     | {"match":{"element":2,"assign":"x"}}      | ["a","b"]
                    array   | -             | {"match":{"element":0,"assign":"x"}}      | -
                    array   | ["a","b"]     | {"match":{"element":0,"assign":null}}     | ["b"]
                    ints    | [1,2]         | {"match":{"element":1,"increment":5}}     | [1,7]
                    ints    | [1,2]         | {"match":{"element":9,"increment":5}}     | [1,2]
                    lists   | [[1],[2,3]]   | {"match":{"element":1,"match":{"element":0,"multiply":4}}} | [[1],[8,3]]
                    lists   | [[1],[2,3]]   | {"match":{"element":1,"match":{"element":7,"multiply":4}}} | [[1],[2,3]]
                    lists   | [[1],[2,3]]   | {"match":{"element":0,"add":[9]}}         | [[1,9],[2,3]]

                    set     | {"a":1}       | {"add":{"b":2,"a":7}}                     | {"a":7,"b":2}
                    set     | -             | {"add":{"b":2}}                           | {"b":2}
                    set     | {"a":1,"b":2} | {"remove":{"a":99,"x":0}}                 | {"b":2}
                    set     | {"a":1,"b":2} | {"match":{"element":"a","increment":4}}   | {"a":5,"b":2}
                    set     | {"a":1}       | {"match":{"element":"a","assign":9}}      | {"a":9}
                    set     | {"a":1,"b":2} | {"match":{"element":"a","assign":null}}   | {"b":2}
                    set     | {"a":1}       | {"match":{"element":"x","increment":4}}   | {"a":1}
                    set     | {"a":1}       | {"match":{"element":"a","decrement":1}}   | {"a":0}
                    set     | {"a":2147483647} | {"match":{"element":"a","increment":1}} | {"a":-2147483648}
                    longs   | {"5":1}       | {"match":{"element":5,"divide":0}}        | {"5":1}
                    longs   | {"5":7}       | {"match":{"element":"5","divide":2}}      | {"5":3}
                    tag     | {"a":1}       | {"match":{"element":"x","increment":4}}   | {"a":1,"x":4}
                    tag     | -             | {"match":{"element":"x","increment":4}}   | {"x":4}
                    tag     | {"a":1}       | {"match":{"element":"a","decrement":1}}   | {}
                    tag     | {"a":1}       | {"match":{"element":"x","multiply":2}}    | {"a":1}
                    tag     | {"a":1}       | {"match":{"element":"x","assign":null}}   | {"a":1}

                    sparse  | {"a":1,"b":2} | {"add":{"cells":{"b":5,"c":6}}}           | {"a":1.0,"b":5.0,"c":6.0}
                    sparse  | -             | {"add":{"c":6}}                           | {"c":6.0}
                    sparse2 | -             | {"add":[{"address":{"x":"a","y":"b"},"value":1}]} | [{"address":{"x":"a","y":"b"},"value":1.0}]
                    mixed   | {"a":[1,2]}   | {"add":{"blocks":{"b":[3,4]}}}            | {"a":[1.0,2.0],"b":[3.0,4.0]}
                    mixed   | {"a":[1,2]}   | {"add":[{"address":{"k":"a","x":"1"},"value":9}]} | {"a":[0.0,9.0]}
                    sparse  | {"a":1,"b":2} | {"remove":{"addresses":[{"x":"a"},{"x":"z"}]}} | {"b":2.0}
                    sparse  | -             | {"remove":{"addresses":[{"x":"a"}]}}      | -
                    sparse2 | [{"address":{"x":"a","y":"1"},"value":1},{"address":{"x":"a","y":"2"},"value":2},{"address":{"x":"b","y":"1"},"value":3}] | {"remove":{"addresses":[{"x":"a"}]}} | [{"address":{"x":"b","y":"1"},"value":3.0}]
                    sparse2 | [{"address":{"x":"a","y":"1"},"value":1},{"address":{"x":"b","y":"2"},"value":2}] | {"remove":{"addresses":[{"y":"1"}]}} | [{"address":{"x":"b","y":"2"},"value":2.0}]
                    sparse2 | [{"address":{"x":"a","y":"1"},"value":1},{"address":{"x":"b","y":"2"},"value":2}] | {"remove":{"addresses":[{"y":"1","x":"b"}]}} | [{"address":{"x":"a","y":"1"},"value":1.0},{"address":{"x":"b","y":"2"},"value":2.0}]
                    mixed   | {"a":[1,2],"b":[3,4]} | {"remove":{"addresses":[{"k":"b"}]}} | {"a":[1.0,2.0]}
                    sparse  | {"a":1,"b":2} | {"modify":{"operation":"replace","cells":{"b":5,"c":6}}} | {"a":1.0,"b":5.0}
                    sparse  | {"a":1,"b":2} | {"modify":{"operation":"add","create":true,"cells":{"b":5,"c":6}}} | {"a":1.0,"b":7.0,"c":6.0}
                    sparse  | {"a":3}       | {"modify":{"create":true,"operation":"multiply","addresses":{"a":5,"c":6}}} | {"a":15.0,"c":6.0}
                    sparse  | -             | {"modify":{"operation":"add","cells":{"b":5}}} | -
                    sparse  | -             | {"modify":{"operation":"add","create":true,"cells":{"b":5}}} | {"b":5.0}
                    mixed   | {"a":[1,2]}   | {"modify":{"operation":"multiply","blocks":{"a":[10,100]}}} | {"a":[10.0,200.0]}
                    mixed   | {"a":[1,2]}   | {"modify":{"operation":"multiply","create":true,"cells":[{"address":{"k":"b","x":0},"value":3}]}} | {"a":[1.0,2.0],"b":[3.0,1.0]}
                    mixed   | {"a":[1,2]}   | {"modify":{"operation":"add","create":true,"cells":[{"address":{"k":"b","x":0},"value":3}]}} | {"a":[1.0,2.0],"b":[3.0,0.0]}
                    mixed   | -             | {"modify":{"operation":"replace","create":true,"blocks":[{"address":{"k":"b"},"values":[1,2]}]}} | {"b":[1.0,2.0]}
                    dense   | [[1,2],[3,4]] | {"modify":{"operation":"add","cells":[{"address":{"x":1,"y":"0"},"value":0.5}]}} | [[1.0,2.0],[3.5,4.0]]
                    dense   | -             | {"modify":{"operation":"add","cells":[{"address":{"x":1,"y":"0"},"value":0.5}]}} | -
                    dense   | -             | {"modify":{"operation":"replace","create":true,"cells":[{"address":{"x":1,"y":"0"},"value":0.5}]}} | [[0.0,0.0],[0.5,0.0]]
                    dense   | -             | {"modify":{"operation":"multiply","create":true,"cells":[{"address":{"x":1,"y":"0"},"value":0.5}]}} | [[0.0,0.0],[0.0,0.0]]
                    bytes   | [100,2]       | {"modify":{"operation":"add","cells":[{"address":{"x":0},"value":1.9}]}} | [101,2]

                    map     | {"a":1}       | {"assign":{"b":2}}                        | {"b":2}
                    person  | {"name":"x"}  | {"assign":{"born":1}}                     | {"born":1}
                    """)
    void changesAField(String field, String before, String update, String after) {
        assertThat(changed(field, before, field, update)).isEqualTo(after);
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            quoteCharacter = '`',
            textBlock =
                    """
                    # path          | before                | update               | after
                    person.name     | {"name":"x","born":1} | {"assign":"y"}       | {"name":"y","born":1}
                    person.name     | -                     | {"assign":"y"}       | {"name":"y"}
                    person.name     | {"name":"x","born":1} | {"remove":0}         | {"born":1}
                    person.name     | {"name":"x"}          | {"assign":null}      | {}
                    person.name     | -                     | {"remove":0}         | -
                    person.born     | -                     | {"increment":3}      | {"born":3}
                    person.born     | {"born":1}            | {"INCREMENT":3}      | {"born":4}
                    person.born     | {"born":1}            | {"divide":0}         | {"born":1}
                    person.names    | {"born":1}            | {"add":["a","b"]}    | {"born":1,"names":["a","b"]}
                    person.names[1] | {"names":["a","b"]}   | {"assign":"c"}       | {"names":["a","c"]}
                    person.names[5] | {"names":["a","b"]}   | {"assign":"c"}       | {"names":["a","b"]}
                    person.names[0] | -                     | {"assign":"c"}       | -
                    array[0]        | ["a","b"]             | {"remove":0}         | ["b"]
                    array[7]        | ["a","b"]             | {"remove":0}         | ["a","b"]
                    array[1]        | ["a","b"]             | {"Assign":"c"}       | ["a","c"]
                    lists[1]        | [[1],[2]]             | {"add":[3,4]}        | [[1],[2,3,4]]
                    lists[1][0]     | [[1],[2]]             | {"multiply":4}       | [[1],[8]]
                    team[0].name    | [{"name":"x"}]        | {"assign":"y"}       | [{"name":"y"}]
                    team[1].name    | [{"name":"x"}]        | {"assign":"y"}       | [{"name":"x"}]
                    map{a}          | {"a":1,"b":2}         | {"increment":5}      | {"a":6,"b":2}
                    map{c}          | {"a":1}               | {"increment":5}      | {"a":1,"c":5}
                    map{c}          | -                     | {"assign":5}         | {"c":5}
                    map{a}          | {"a":1,"b":2}         | {"remove":"x"}       | {"b":2}
                    map{a}          | {"a":1,"b":2}         | {"assign":null}      | {"b":2}
                    map{x}          | {"a":1}               | {"remove":0}         | {"a":1}
                    map{"a.b}"}     | {"a.b}":1}            | {"increment":1}      | {"a.b}":2}
                    map{"q\\"\\\\"} | -                     | {"assign":1}         | {"q\\"\\\\":1}
                    map{"$x"}       | -                     | {"assign":1}         | {"$x":1}
                    map{}           | -                     | {"assign":1}         | {"":1}
                    array[$x]       | ["a","b"]             | {"assign":"c"}       | ["c","c"]
                    array[$x]       | ["a","b"]             | {"remove":0}         | []
                    array[$x]       | -                     | {"assign":"c"}       | -
                    ints[$x]        | [1,2]                 | {"increment":5}      | [6,7]
                    lists[$x]       | [[1],[2]]             | {"add":[3]}          | [[1,3],[2,3]]
                    lists[$x][$y]   | [[1],[2,3]]           | {"multiply":4}       | [[4],[8,12]]
                    lists[$x][0]    | [[1],[2,3],[]]        | {"remove":0}         | [[],[3],[]]
                    team[$x].name   | [{"name":"x"},{"born":1}] | {"assign":"y"}   | [{"name":"y"},{"born":1,"name":"y"}]
                    team[$x].name   | [{"name":"x"},{"born":1}] | {"remove":0}     | [{},{"born":1}]
                    map{$x}         | {"a":1,"b":2}         | {"assign":5}         | {"a":5,"b":5}
                    map{$key_1}     | {"a":1,"b":2}         | {"remove":0}         | {}
                    map[$x]         | {"a":1,"b":2}         | {"increment":1}      | {"a":2,"b":3}
                    map{$x}         | -                     | {"assign":5}         | -
                    people{$x}.name | {"a":{"name":"x"},"b":{}} | {"assign":"y"}   | {"a":{"name":"y"},"b":{"name":"y"}}
                    people{$x}.names[$y] | {"a":{"names":["x"]},"b":{}} | {"remove":0} | {"a":{"names":[]},"b":{}}
                    set{$x}         | {"a":1,"b":2}         | {"assign":7}         | {"a":7,"b":7}
                    set{$x}         | {"a":1,"b":2}         | {"remove":0}         | {}
                    set[$x]         | {"a":1,"b":2}         | {"decrement":1}      | {"a":0,"b":1}
                    tag{$x}         | {"a":1,"b":2}         | {"decrement":1}      | {"b":1}
                    byNumber{7}     | -                     | {"add":["a"]}        | {"7":["a"]}
                    byNumber{7}[0]  | {"7":["a"]}           | {"assign":"b"}       | {"7":["b"]}
                    people{joe}.born | -                    | {"assign":3}         | {"joe":{"born":3}}
                    people{joe}.born | {"ann":{"born":1}}   | {"decrement":3}      | {"ann":{"born":1},"joe":{"born":-3}}
                    people{joe}.born | {"ann":{"born":1}}   | {"remove":0}         | {"ann":{"born":1}}
                    people{ann}     | {"ann":{"born":1}}    | {"assign":{"name":"a"}} | {"ann":{"name":"a"}}
                    set{a}          | {"a":1}               | {"increment":2}      | {"a":3}
                    set{b}          | {"a":1}               | {"assign":2}         | {"a":1,"b":2}
                    set{a}          | {"a":1,"b":2}         | {"remove":0}         | {"b":2}
                    tag{a}          | {"a":1}               | {"decrement":1}      | {}
                    """)
    void changesWhatAPathLeadsTo(String path, String before, String update, String after) {
        String field = path.split("[.\\[{]", 2)[0];

        assertThat(changed(field, before, path, update)).isEqualTo(after);
    }

    /** A text of 1 MB in each of 200 elements. */
    @ParameterizedTest
    @CsvSource({"array[$x]", "lists[$x][$y]"})
    void limitsTheBytesWrittenIntoEveryElement(String path) {
        String field = path.split("\\[", 2)[0];
        FieldValue text = new FieldValue.StringValue("x".repeat(1_000_000));
        FieldValue elements = new FieldValue.ArrayValue(Collections.nCopies(20, text));
        FieldValue before =
                field.equals("array")
                        ? new FieldValue.ArrayValue(Collections.nCopies(200, text))
                        : new FieldValue.ArrayValue(Collections.nCopies(10, elements));
        var every = new UpdateStep.Every("x", false);
        List<UpdateStep> steps = field.equals("array") ? List.of(every) : List.of(every, every);
        var update = new FieldUpdate(field, steps, new FieldChange.Assign(text));

        assertThatIllegalArgumentException()
                .isThrownBy(() -> FieldUpdates.apply(List.of(update), TYPE, Map.of(field, before)))
                .withMessage(
                        "the update writes 1000004 bytes into each of 200 elements of '%s', at most 134217728 in all"
                                .formatted(field));
    }

    @Test
    void changesFieldsBeforePaths() {
        String update =
                """
                {"fields": {"map{a}": {"increment": 1}, "map": {"assign": {"a": 10}}, "int": {}}}
                """;

        Map<String, FieldValue> after = FieldUpdates.apply(updates(update), TYPE, Map.of());

        assertThat(after)
                .isEqualTo(
                        Map.of(
                                "map",
                                new FieldValue.MapValue(
                                        Map.of(
                                                new FieldValue.StringValue("a"),
                                                new FieldValue.IntValue(11)))));
    }

    @Test
    void leavesOutFieldsThatTheTypeHasNoMore() {
        var gone = FieldUpdate.of("gone", new FieldChange.Assign(new FieldValue.IntValue(1)));
        Map<String, FieldValue> before = Map.of("int", new FieldValue.IntValue(1));

        assertThat(FieldUpdates.apply(List.of(gone), TYPE, before)).isEqualTo(before);
    }

    @Test
    void refusesUpdatesOfAnotherType() {
        var add = new FieldChange.Add(new FieldValue.ArrayValue(List.of()));

        assertThatIllegalArgumentException()
                .isThrownBy(() ->
                        FieldUpdates.apply(List.of(FieldUpdate.of("int", add)), TYPE, Map.of()))
                .withMessage(
                        "an update is for an array, a weighted set or a tensor, but the field is of"
                                + " type int");
    }

    private static String changed(String field, String before, String name, String update) {
        Map<String, FieldValue> fields =
                before.equals("-")
                        ? Map.of()
                        : document("{\"fields\": {\"" + field + "\": " + before + "}}");
        String key = name.replace("\\", "\\\\").replace("\"", "\\\"");
        List<FieldUpdate> updates = updates("{\"fields\": {\"" + key + "\": " + update + "}}");

        Map<String, FieldValue> after = FieldUpdates.apply(updates, TYPE, fields);

        assertThat(Set.of(field)).containsAll(after.keySet());
        FieldValue value = after.get(field);
        return value == null ? "-" : json(value);
    }

    private static Map<String, FieldValue> document(String body) {
        return new DocumentReader(TYPE)
                .read(ID, new ByteArrayInputStream(body.getBytes(UTF_8)), LeftOutCells.UNCOUNTED)
                .document()
                .fields();
    }

    private static List<FieldUpdate> updates(String body) {
        return READER.read(new ByteArrayInputStream(body.getBytes(UTF_8)), LeftOutCells.UNCOUNTED)
                .updates();
    }

    private static String json(FieldValue value) {
        var text = new StringWriter();
        try (JsonGenerator json =
                new JsonFactory().createGenerator(ObjectWriteContext.empty(), text)) {
            FieldValueWriter.write(json, value, TensorFormat.of("short-value"));
        }
        return text.toString().lines().collect(Collectors.joining());
    }
}
