package org.crabro.document.json;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import java.io.ByteArrayInputStream;
import java.io.StringWriter;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.crabro.document.DocumentId;
import org.crabro.document.DocumentType;
import org.crabro.document.Field;
import org.crabro.document.FieldType;
import org.crabro.document.FieldType.ArrayOf;
import org.crabro.document.FieldType.MapOf;
import org.crabro.document.FieldType.Primitive;
import org.crabro.document.FieldType.ReferenceOf;
import org.crabro.document.FieldType.StructOf;
import org.crabro.document.FieldType.TensorOf;
import org.crabro.document.FieldType.WeightedSetOf;
import org.crabro.document.FieldValue;
import org.crabro.document.InvalidDocumentException;
import org.crabro.tensor.TensorType;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import tools.jackson.core.JsonGenerator;
import tools.jackson.core.ObjectWriteContext;
import tools.jackson.core.json.JsonFactory;

/**
 * Tests values with parts, and scalars of rarer types: as clients feed them, and as they are
 * returned.
 */
class StructuredValuesTest {
    private static final DocumentId ID = DocumentId.parse("id:ns:all::1");
    private static final StructOf PERSON =
            new StructOf(
                    "person",
                    List.of(
                            new Field("name", Primitive.STRING, true),
                            new Field("born", Primitive.INT, true),
                            new Field("friends", new ArrayOf(Primitive.STRING), true)));
    private static final Map<String, FieldType> FIELDS = new LinkedHashMap<>();

    static {
        FIELDS.put("byte", Primitive.BYTE);
        FIELDS.put("half", Primitive.FLOAT16);
        FIELDS.put("uri", Primitive.URI);
        FIELDS.put("raw", Primitive.RAW);
        FIELDS.put("predicate", Primitive.PREDICATE);
        FIELDS.put("reference", new ReferenceOf("artist"));
        FIELDS.put("position", StructOf.POSITION);
        FIELDS.put("ints", new ArrayOf(Primitive.INT));
        FIELDS.put("lists", new ArrayOf(new ArrayOf(Primitive.BOOL)));
        FIELDS.put("tags", new WeightedSetOf(Primitive.STRING));
        FIELDS.put("counts", new WeightedSetOf(Primitive.LONG));
        FIELDS.put("map", new MapOf(Primitive.STRING, Primitive.DOUBLE));
        FIELDS.put("byNumber", new MapOf(Primitive.INT, new ArrayOf(Primitive.STRING)));
        FIELDS.put("person", PERSON);
        FIELDS.put("people", new MapOf(Primitive.STRING, PERSON));
        FIELDS.put("team", new ArrayOf(PERSON));
        tensor("sparse", "tensor(x{})");
        tensor("sparse2", "tensor<float>(x{},y{})");
        tensor("mixed", "tensor<int8>(k{},x[2])");
        tensor("mixed2", "tensor(a{},b{},x[2],y[1])");
    }

    private static void tensor(String name, String type) {
        FIELDS.put(name, new TensorOf(TensorType.parse(type)));
    }

    private final DocumentReader reader =
            new DocumentReader(
                    new DocumentType(
                            "all",
                            FIELDS.entrySet().stream()
                                    .map(field -> new Field(field.getKey(), field.getValue(), true))
                                    .toList()));

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            quoteCharacter = '`',
            textBlock =
                    """
                    byte      | -128                                 | -128
                    byte      | "127"                                | 127
                    half      | 0.1                                  | 0.099975586
                    half      | 65504                                | 65504.0
                    uri       | "http://a.b/c?d=e#f"                 | "http://a.b/c?d=e#f"
                    raw       | "AQID/w=="                           | "AQID/w=="
                    raw       | "AQ ID\\n/w"                         | "AQID/w=="
                    raw       | ""                                   | ""
                    predicate | "age in [20..30]"                    | "age in [20..30]"
                    reference | "id:ns:artist::a b"                  | "id:ns:artist::a b"
                    reference | ""                                   | ""
                    position  | {"lat":37.401,"lng":-121.996}        | {"lat":37.401,"lng":-121.996}
                    position  | {"longitude":10,"latitude":"63.5"}   | {"lat":63.5,"lng":10.0}
                    position  | {"x":-121996000,"y":37401000}        | {"lat":37.401,"lng":-121.996}
                    position  | {"lat":1.23456789,"lng":0}           | {"lat":1.234568,"lng":0.0}
                    position  | "N37.401;W121.996"                   | {"lat":37.401,"lng":-121.996}
                    position  | "W121.996;N37.401"                   | {"lat":37.401,"lng":-121.996}
                    position  | "63N25.105;10E25.982"                | {"lat":63.418416,"lng":10.433033}
                    position  | "N63o25.105;10\u00b030'36E"           | {"lat":63.418416,"lng":10.51}
                    position  | "S1o2'3;E4"                          | {"lat":-1.034166,"lng":4.0}
                    position  | "-121996000;37401000"                | {"lat":37.401,"lng":-121.996}
                    position  | {"lat":91,"lng":-181}                | {"lat":91.0,"lng":-181.0}
                    position  | {"lat":-2147.483648,"lng":2147.483647} | {"lat":-2147.483648,"lng":2147.483647}
                    position  | {"x":2147483647,"y":-2147483648}     | {"lat":-2147.483648,"lng":2147.483647}
                    ints      | [1,"2",-3]                           | [1,2,-3]
                    lists     | [[true],[],[false,true]]             | [[true],[],[false,true]]
                    tags      | {"a":1,"b c":-2,"":3}                | {"a":1,"b c":-2,"":3}
                    tags      | {"a":1,"a":"5"}                      | {"a":5}
                    counts    | {"42":1,"-7":2}                      | {"42":1,"-7":2}
                    map       | {"a":1,"b":"2.5"}                    | {"a":1.0,"b":2.5}
                    map       | [{"key":"a","value":1},{"value":2,"key":"b"}] | {"a":1.0,"b":2.0}
                    byNumber  | {"1":["x"],"2":[]}                   | {"1":["x"],"2":[]}
                    person    | {"name":"A","born":1900}             | {"name":"A","born":1900}
                    person    | {"name":"A","name":null}             | {}
                    people    | {"a":{"name":"A","friends":["b"]},"b":{}} | {"a":{"name":"A","friends":["b"]},"b":{}}
                    team      | [{"born":1},{"born":2}]              | [{"born":1},{"born":2}]
                    sparse    | {"a":1,"b":"2"}                      | {"type":"tensor(x{})","cells":{"a":1.0,"b":2.0}}
                    sparse    | {"cells":{"a":1}}                    | {"type":"tensor(x{})","cells":{"a":1.0}}
                    sparse    | {"cells":[{"address":{"x":"a"},"value":1},{"address":{"x":3},"value":2}]} | {"type":"tensor(x{})","cells":{"3":2.0,"a":1.0}}
                    sparse    | [{"address":{"x":"a"},"value":1}]    | {"type":"tensor(x{})","cells":{"a":1.0}}
                    sparse    | {}                                   | {"type":"tensor(x{})","cells":{}}
                    sparse    | {"cells":[]}                         | {"type":"tensor(x{})","cells":{}}
                    sparse    | {"type":"tensor(x{})","cells":{}}    | {"type":"tensor(x{})","cells":{}}
                    sparse    | {"type":1,"cells":2,"blocks":3,"values":4} | {"type":"tensor(x{})","cells":{"blocks":3.0,"cells":2.0,"type":1.0,"values":4.0}}
                    sparse2   | {"cells":[{"address":{"x":"a","y":"b"},"value":0.5}]} | {"type":"tensor<float>(x{},y{})","cells":[{"address":{"x":"a","y":"b"},"value":0.5}]}
                    mixed     | {"a":[1,2],"b":[3,4]}                | {"type":"tensor<int8>(k{},x[2])","blocks":{"a":[1,2],"b":[3,4]}}
                    mixed     | {"blocks":{"a":[1,2],"b":"0304"}}    | {"type":"tensor<int8>(k{},x[2])","blocks":{"a":[1,2],"b":[3,4]}}
                    mixed     | {"blocks":[{"address":{"k":"a"},"values":[1,2]}]} | {"type":"tensor<int8>(k{},x[2])","blocks":{"a":[1,2]}}
                    mixed     | {"cells":[{"address":{"k":"a","x":1},"value":5}]} | {"type":"tensor<int8>(k{},x[2])","blocks":{"a":[0,5]}}
                    mixed     | {"blocks":[1,2],"cells":[3,4]}       | {"type":"tensor<int8>(k{},x[2])","blocks":{"blocks":[1,2],"cells":[3,4]}}
                    mixed     | {"blocks":[]}                        | {"type":"tensor<int8>(k{},x[2])","blocks":{}}
                    mixed2    | {"blocks":[{"address":{"a":"p","b":"q"},"values":[[1],[2]]}]} | {"type":"tensor(a{},b{},x[2],y[1])","blocks":[{"address":{"a":"p","b":"q"},"values":[[1.0],[2.0]]}]}
                    """)
    void showsWhatWasFed(String field, String json, String shown) {
        FieldValue value = value(field, json);

        assertThat(shown(value)).isEqualTo(shown);
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            quoteCharacter = '`',
            textBlock =
                    """
                    byte      | 128                   | expected a byte, a whole number from -128 to 127, but found 128
                    byte      | 1.0                   | expected a byte, a whole number from -128 to 127, but found 1.0
                    uri       | "a b"                 | expected a URI but found "a b"
                    raw       | "A"                   | expected bytes in base64 but found "A"
                    reference | "id:ns:album::a"      | expected the id of a document of type 'artist' for reference<artist>, but 'id:ns:album::a' is of type 'album'
                    reference | "artist"              | expected the id of a document for reference<artist>: unparseable document id 'artist': the scheme 'id:' is missing
                    reference | {}                    | expected reference<artist> but found an object
                    raw       | [1]                   | expected raw but found an array
                    position  | 5                     | expected a position, an object with 'lat' and 'lng' or a string such as N37.4;W122.0, but found 5
                    position  | {"lat":1}             | a position lacks 'lng'
                    position  | {"lng":1}             | a position lacks 'lat'
                    position  | {"lat":1,"lon":1}     | a position has 'lat' and 'lng', or 'x' and 'y', but not 'lon'
                    position  | {"lat":2147.483648,"lng":0} | latitude 2147.483648, longitude 0.0 exceeds the range of -2147.483648 to 2147.483647 degrees
                    position  | {"lat":0,"lng":-2148} | latitude 0.0, longitude -2148.0 exceeds the range of -2147.483648 to 2147.483647 degrees
                    position  | {"lat":"inf","lng":0} | latitude Infinity, longitude 0.0 exceeds the range of -2147.483648 to 2147.483647 degrees
                    position  | {"x":2147483648,"y":0} | expected an int, a whole number from -2147483648 to 2147483647, but found 2147483648
                    position  | "N91;E0"              | no location on Earth has latitude 91.0, longitude 0.0
                    position  | "N0;W180.5"           | no location on Earth has latitude 0.0, longitude -180.5
                    position  | "0;90000001"          | no location on Earth has latitude 90.000001, longitude 0.0
                    position  | "-180000001;0"        | no location on Earth has latitude 0.0, longitude -180.000001
                    position  | "N1;S2"               | expected a position such as N37.4;W122.0 but found "N1;S2"
                    position  | "N1;2"                | expected a position such as N37.4;W122.0 but found "N1;2"
                    position  | "N1N;E2"              | expected a position such as N37.4;W122.0 but found "N1N;E2"
                    position  | "N-1;E2"              | expected a position such as N37.4;W122.0 but found "N-1;E2"
                    position  | "N1.5o30;E2"          | expected a position such as N37.4;W122.0 but found "N1.5o30;E2"
                    position  | "N1"                  | expected a position such as N37.4;W122.0 but found "N1"
                    ints      | {"a":1}               | expected array<int> but found an object
                    ints      | [null]                | expected int but found null
                    lists     | [true]                | expected array<bool> but found true
                    tags      | ["a"]                 | expected weightedset<string>, an object with a weight for each element, but found an array
                    tags      | {"a":"x"}             | expected an int, a whole number from -2147483648 to 2147483647, but found "x"
                    tags      | {"a":null}            | expected int but found null
                    counts    | {"a":1}               | expected a long, a whole number from -2^63 to 2^63-1, but found a
                    map       | 1                     | expected map<string, double>, an object or an array of objects with 'key' and 'value', but found 1
                    map       | {"a":"b"}             | expected a double but found "b"
                    map       | {"a":null}            | expected double but found null
                    map       | [{"key":"a"}]         | an entry of a map needs both 'key' and 'value'
                    map       | [{"value":1}]         | an entry of a map needs both 'key' and 'value'
                    map       | [{"kee":"a"}]         | expected 'key' or 'value' in an entry of a map but found 'kee'
                    map       | [1]                   | expected an object with 'key' and 'value' but found 1
                    byNumber  | {"x":[]}              | expected an int, a whole number from -2147483648 to 2147483647, but found x
                    person    | []                    | expected an object for struct person but found an array
                    person    | {"nmae":"A"}          | struct 'person' has no field 'nmae'; its fields are name, born, friends
                    people    | {"a":{"born":"x"}}    | expected an int, a whole number from -2147483648 to 2147483647, but found "x"
                    sparse    | 1                     | expected an object or an array for tensor(x{}) but found 1
                    sparse    | {"a":[1]}             | expected a number but found an array
                    sparse    | {"a":null}            | expected a number but found null
                    sparse    | {"blocks":{}}         | 'blocks' are for tensors with mapped and indexed dimensions, not for tensor(x{})
                    sparse    | [1]                   | expected an object with 'address' and 'value' but found 1
                    sparse    | [{"address":{"x":"a"}}] | an entry needs both 'address' and 'value'
                    sparse    | [{"address":{"y":"a"},"value":1}] | tensor(x{}) has no dimension 'y'
                    sparse    | [{"address":{},"value":1}] | an address lacks dimension 'x' of tensor(x{})
                    sparse    | [{"address":{"x":[]},"value":1}] | expected a label but found an array
                    sparse    | [{"address":{"x":"\\udc00"},"value":1}] | a label holds half a surrogate pair
                    sparse2   | {"a":1}               | expected 'cells' or 'blocks' with addresses for tensor<float>(x{},y{}) but found 'a'
                    sparse2   | {"values":[1]}        | tensor<float>(x{},y{}) has mapped dimensions: expected 'cells' or 'blocks', not 'values'
                    mixed     | {"a":[1]}             | Expected 2 values for tensor<int8>(x[2]), but got 1
                    mixed     | {"a":1}               | expected an array, a hexadecimal string or an object for tensor<int8>(x[2]) but found 1
                    mixed     | {"a":{}}              | a value of type tensor<int8>(x[2]) has no cells
                    mixed     | {"a":{"cells":[]}}   | a value of type tensor<int8>(x[2]) has no cells
                    mixed     | {"blocks":[{"address":{"k":"a","x":0},"values":[1,2]}]} | an address of a block names the indexed dimension 'x' of tensor<int8>(k{},x[2])
                    mixed     | {"cells":[{"address":{"k":"a","x":2},"value":5}]} | expected a label from 0 to 1 of dimension 'x' but found "2"
                    mixed     | {"cells":[{"address":{"k":"a"},"value":5}]} | an address lacks dimension 'x' of tensor<int8>(k{},x[2])
                    """)
    void saysWhatIsWrong(String field, String json, String problem) {
        assertThatExceptionOfType(InvalidDocumentException.class)
                .isThrownBy(() -> value(field, json))
                .withMessageStartingWith(
                        "id:ns:all::1: field '" + field + "': " + problem + " at line 1, column ");
    }

    private FieldValue value(String field, String json) {
        String body = "{\"fields\":{\"" + field + "\":" + json + "}}";
        return reader.read(
                        ID, new ByteArrayInputStream(body.getBytes(UTF_8)), LeftOutCells.UNCOUNTED)
                .document()
                .value(field)
                .orElseThrow();
    }

    private static String shown(FieldValue value) {
        var text = new StringWriter();
        try (JsonGenerator json =
                new JsonFactory().createGenerator(ObjectWriteContext.empty(), text)) {
            FieldValueWriter.write(json, value, TensorFormat.SHORT);
        }
        return text.toString();
    }
}
