package org.crabro.document.json;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import java.io.ByteArrayInputStream;
import java.util.HexFormat;
import java.util.List;
import java.util.Map;
import org.crabro.document.DocumentId;
import org.crabro.document.DocumentType;
import org.crabro.document.Field;
import org.crabro.document.FieldType.ArrayOf;
import org.crabro.document.FieldType.Primitive;
import org.crabro.document.FieldType.TensorOf;
import org.crabro.document.FieldValue;
import org.crabro.document.InvalidDocumentException;
import org.crabro.tensor.DenseTensor;
import org.crabro.tensor.TensorType;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class DocumentReaderTest {
    private static final DocumentId ID = DocumentId.parse("id:ns:all::1");

    private final DocumentReader reader =
            new DocumentReader(
                    new DocumentType(
                            "all",
                            List.of(
                                    new Field("s", Primitive.STRING, true),
                                    new Field("b", Primitive.BOOL, true),
                                    new Field("i", Primitive.INT, true),
                                    new Field("l", Primitive.LONG, true),
                                    new Field("f", Primitive.FLOAT, true),
                                    new Field("d", Primitive.DOUBLE, true),
                                    new Field("a", new ArrayOf(Primitive.STRING), true),
                                    new Field("n", new ArrayOf(Primitive.INT), true),
                                    tensor("t", "tensor<float>(x[3])"),
                                    tensor("m", "tensor(x[2],y[2])"),
                                    tensor("bytes", "tensor<int8>(x[3])"),
                                    tensor("short", "tensor<bfloat16>(x[2])"),
                                    tensor("number", "tensor()"),
                                    tensor("sparse", "tensor(x{})"),
                                    new Field("derived", Primitive.STRING, false))));

    private static Field tensor(String name, String type) {
        return new Field(name, new TensorOf(TensorType.parse(type)), true);
    }

    @Test
    void leavesOutFieldsThatTheTypeDoesNotHaveWhereThatIsAskedFor() {
        var lenient =
                new DocumentReader(
                        new DocumentType("all", List.of(new Field("s", Primitive.STRING, true))),
                        true);
        String json =
                """
                {"fields": {"x": {"s": [1, {"s": 2}]}, "s": "text", "y": null, "z": 1}}
                """;

        DocumentBody body =
                lenient.read(
                        ID, new ByteArrayInputStream(json.getBytes(UTF_8)), LeftOutCells.UNCOUNTED);

        assertThat(body.document().fields())
                .isEqualTo(Map.of("s", new FieldValue.StringValue("text")));
    }

    /** Zeros make the parser try UTF-32, but these bytes are not valid UTF-32. */
    @ParameterizedTest
    @ValueSource(strings = {"0000007b656b6473", "7b00000022", "00007b00", "007b0000"})
    void rejectsBytesThatAreInNoEncoding(String hex) {
        var bytes = new ByteArrayInputStream(HexFormat.of().parseHex(hex));

        assertThatExceptionOfType(InvalidDocumentException.class)
                .isThrownBy(() -> reader.read(ID, bytes, LeftOutCells.UNCOUNTED))
                .withMessageStartingWith(ID + ": the body is no well-formed JSON: ");
    }

    /** The library's details about itself are of no use to a client. */
    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            quoteCharacter = '`',
            textBlock =
                    """
                    {"fields":{} | Unexpected end-of-input: expected close marker for Object at line 1, column 13
                    {"fields":{}} /* */ | Unexpected character ('/' (code 47)): maybe a (non-standard) comment? at line 1, column 15
                    {"fields":{"d":Infinity}} | Non-standard token 'Infinity' at line 1, column 24
                    """)
    void saysWhatIsNoJsonAndNothingOfTheParser(String json, String problem) {
        assertThatExceptionOfType(InvalidDocumentException.class)
                .isThrownBy(() -> read(json))
                .withMessage(ID + ": the body is no well-formed JSON: " + problem);
    }

    @Test
    void readsABodyInAnyOrder() {
        DocumentBody body =
                read(
                        """
                        {"put": "id:x:y::z", "create": true, "other": {"fields": [1]},
                         "fields": {"s": "text", "i": 1}, "condition": "all.i == 0"}
                        """);

        assertThat(body.document().id()).isEqualTo(ID);
        assertThat(body.document().fields())
                .isEqualTo(
                        Map.of(
                                "s",
                                new FieldValue.StringValue("text"),
                                "i",
                                new FieldValue.IntValue(1)));
        assertThat(body.condition()).contains("all.i == 0");
        assertThat(body.create()).isTrue();
    }

    @Test
    void ofMembersWithOneNameTheLastCounts() {
        assertThat(
                        read("{\"fields\":{\"i\":1,\"s\":\"x\",\"i\":2,\"s\":null}}")
                                .document()
                                .fields())
                .isEqualTo(Map.of("i", new FieldValue.IntValue(2)));
        assertThat(read("{\"fields\":{\"i\":1},\"fields\":{}}").document().fields()).isEmpty();
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            quoteCharacter = '`',
            textBlock =
                    """
                    s | "text \\u00e4 ä"      | StringValue[value=text ä ä]
                    s | ""                    | StringValue[value=]
                    s | 12.50                 | StringValue[value=12.50]
                    s | true                  | StringValue[value=true]
                    i | -2147483648           | IntValue[value=-2147483648]
                    i | "42"                  | IntValue[value=42]
                    l | 9223372036854775807   | LongValue[value=9223372036854775807]
                    l | 5                     | LongValue[value=5]
                    l | "-5"                  | LongValue[value=-5]
                    f | 0.1                   | FloatValue[value=0.1]
                    f | 16777217              | FloatValue[value=1.6777216E7]
                    f | "1e2"                 | FloatValue[value=100.0]
                    f | "NaN"                 | FloatValue[value=NaN]
                    d | 0.1                   | DoubleValue[value=0.1]
                    d | 1                     | DoubleValue[value=1.0]
                    d | "-Infinity"           | DoubleValue[value=-Infinity]
                    d | "-2.5"                | DoubleValue[value=-2.5]
                    b | true                  | BoolValue[value=true]
                    b | "TRUE"                | BoolValue[value=true]
                    b | 1                     | BoolValue[value=false]
                    b | "yes"                 | BoolValue[value=false]
                    a | ["x",1,true,""]       | ArrayValue[elements=[StringValue[value=x], StringValue[value=1], StringValue[value=true], StringValue[value=]]]
                    a | []                    | ArrayValue[elements=[]]
                    """)
    void readsScalarsByTheirText(String field, String json, String value) {
        assertThat(value(field, json)).hasToString(value);
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            quoteCharacter = '`',
            textBlock =
                    """
                    t     | [1,2.5,3]                                 | [1,2.5,3]
                    t     | {"values":[1,2,3]}                        | [1,2,3]
                    t     | {"type":"tensor<float>(x[3])","values":[1,2,3]} | [1,2,3]
                    t     | {"values":[1,2,3],"type":"anything"}      | [1,2,3]
                    t     | {"values":"3f8000004000000040400000"}     | [1,2,3]
                    t     | "3F8000004000000040400000"                | [1,2,3]
                    t     | "010203"                                  | [1,2,3]
                    t     | "3F8040004040"                            | [1,2,3]
                    t     | [1,"NaN","-inf"]                          | [1,NaN,-Infinity]
                    t     | ["1",2,"3e0"]                             | [1,2,3]
                    t     | {"cells":[{"address":{"x":"0"},"value":1},{"address":{"x":2},"value":"3"}]} | [1,0,3]
                    t     | [{"value":5,"address":{"x":"1"}}]         | [0,5,0]
                    t     | [{"value":5,"address":{"x":"1"}},{"value":6,"address":{"x":"1"}}] | [0,6,0]
                    m     | [[1,2],[3,4]]                             | [[1,2],[3,4]]
                    m     | [1,2,3,4]                                 | [[1,2],[3,4]]
                    m     | [[1],[2,[3,4]]]                           | [[1,2],[3,4]]
                    m     | {"values":[[1,2],[3,4]]}                  | [[1,2],[3,4]]
                    m     | {"cells":[{"address":{"y":"0","x":"1"},"value":7}]} | [[0,0],[7,0]]
                    bytes | "01FF7f"                                  | [1,-1,127]
                    bytes | [1.9,-1.9,300]                            | [1,-1,44]
                    short | [1.0039,-2]                               | [1,-2]
                    number| [5]                                       | 5
                    number| {"values":[5]}                            | 5
                    number| {"cells":[{"address":{},"value":5}]}      | 5
                    t     | {}                                        | [0,0,0]
                    t     | {"cells":[]}                              | [0,0,0]
                    t     | {"type":"tensor<float>(x[3])"}            | [0,0,0]
                    t     | {"type":"tensor<float>(x[3])","cells":[]} | [0,0,0]
                    t     | {"values":[1,2,3],"cells":[]}             | [0,0,0]
                    t     | {"cells":[],"values":[1,2,3]}             | [1,2,3]
                    m     | {}                                        | [[0,0],[0,0]]
                    bytes | {"cells":[]}                              | [0,0,0]
                    number| {}                                        | 0
                    """)
    void readsEveryFormOfADenseTensor(String field, String json, String literal) {
        FieldValue value = value(field, json);

        DenseTensor tensor = ((FieldValue.TensorValue) value).tensor();
        assertThat(tensor).isEqualTo(DenseTensor.parse(literal, tensor.type()));
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            quoteCharacter = '`',
            textBlock =
                    """
                    s | {"x":1}        | expected string but found an object
                    s | ["x"]          | expected string but found an array
                    s | "a\\u0000b"    | the string holds the illegal code point 0x0 at index 1
                    i | 42.0           | expected an int, a whole number from -2147483648 to 2147483647, but found 42.0
                    i | 4e1            | expected an int, a whole number from -2147483648 to 2147483647, but found 4e1
                    i | 2147483648     | expected an int, a whole number from -2147483648 to 2147483647, but found 2147483648
                    i | "abc"          | expected an int, a whole number from -2147483648 to 2147483647, but found "abc"
                    i | " 1"           | expected an int, a whole number from -2147483648 to 2147483647, but found " 1"
                    i | "+1"           | expected an int, a whole number from -2147483648 to 2147483647, but found "+1"
                    i | true           | expected an int, a whole number from -2147483648 to 2147483647, but found true
                    i | {}             | expected int but found an object
                    l | 9223372036854775808 | expected a long, a whole number from -2^63 to 2^63-1, but found 9223372036854775808
                    l | 1.5            | expected a long, a whole number from -2^63 to 2^63-1, but found 1.5
                    f | "1f"           | expected a float but found "1f"
                    f | "0x1p3"        | expected a float but found "0x1p3"
                    f | true           | expected a float but found true
                    d | ""             | expected a double but found ""
                    d | []             | expected double but found an array
                    b | {}             | expected bool but found an object
                    a | "x"            | expected array<string> but found "x"
                    a | {"x":1}        | expected array<string> but found an object
                    a | ["x",null]     | expected string but found null
                    a | ["x",["y"]]    | expected string but found an array
                    n | [1,"x"]        | expected an int, a whole number from -2147483648 to 2147483647, but found "x"
                    t | 1              | expected an array, a hexadecimal string or an object for tensor<float>(x[3]) but found 1
                    t | []             | a value of type tensor<float>(x[3]) has no cells
                    t | {"values":[]}  | a value of type tensor<float>(x[3]) has no cells
                    t | {"cells":[],"values":[]} | a value of type tensor<float>(x[3]) has no cells
                    t | {"values":[1,2]} | Expected 3 values for tensor<float>(x[3]), but got 2
                    t | [1,2]          | Expected 3 values for tensor<float>(x[3]), but got 2
                    t | [1,2,3,4]      | Expected 3 values for tensor<float>(x[3]), but got more
                    t | [1,null,3]     | expected a number but found null
                    t | [1,true,3]     | expected a number but found true
                    t | [1,{},3]       | expected a number but found an object
                    t | "0102"         | expected 24 hexadecimal digits for the 3 cells of tensor<float>(x[3]), but got 4
                    t | "01020G"       | 'G' at index 5 is no hexadecimal digit
                    t | {"blocks":[]}  | expected 'values' or 'cells' for tensor<float>(x[3]) but found 'blocks'
                    t | {"values":1}   | expected an array of numbers or a hexadecimal string but found 1
                    t | {"cells":{}}   | expected an array of cells but found an object
                    t | [{"address":{"x":3},"value":1}] | expected a label from 0 to 2 of dimension 'x' but found "3"
                    t | [{"address":{"x":"a"},"value":1}] | expected a label from 0 to 2 of dimension 'x' but found "a"
                    t | [{"address":{"y":0},"value":1}] | tensor<float>(x[3]) has no dimension 'y'
                    t | [{"address":{},"value":1}] | an address lacks dimension 'x' of tensor<float>(x[3])
                    t | [{"address":{"x":0}}] | a cell needs both 'address' and 'value'
                    t | [{"address":{"x":0},"value":null}] | expected a number but found null
                    t | [{"at":{"x":0},"value":1}] | expected 'address' or 'value' in a cell but found 'at'
                    bytes | "000000000000" | expected 6 hexadecimal digits for the 3 cells of tensor<int8>(x[3]), but got 12
                    """)
    void namesTheFieldAndWhatIsWrongWithIt(String field, String json, String problem) {
        assertThatExceptionOfType(InvalidDocumentException.class)
                .isThrownBy(() -> value(field, json))
                .withMessageStartingWith(
                        "id:ns:all::1: field '" + field + "': " + problem + " at line 1, column ");
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            quoteCharacter = '`',
            textBlock =
                    """
                    ``                         | expected the start of an object, the body, but found null: there is nothing
                    []                         | expected the start of an object, the body, but found an array at line 1, column 1
                    {}                         | the document is missing the required "fields" field
                    {"field":{}}               | the document is missing the required "fields" field
                    {"fields":[]}              | expected an object as "fields", but found an array at line 1, column 11
                    {"fields":null}            | expected an object as "fields", but found null at line 1, column 11
                    {"fields":{},"condition":1}| expected a string as "condition", but found 1
                    {"fields":{},"create":"x"} | expected true or false as "create", but found "x"
                    {"fields":{}} {}           | expected the end after the body, but found an object at line 1, column 15
                    {"fields":{"i":1           | the body is no well-formed JSON: Unexpected end-of-input
                    {"fields":{"i":1,}}        | the body is no well-formed JSON: Unexpected character ('}' (code 125))
                    {'fields':{}}              | the body is no well-formed JSON: Unexpected character (''' (code 39))
                    {"fields":{}/**/}          | the body is no well-formed JSON: Unexpected character ('/' (code 47))
                    {"fields":{"i":01}}        | the body is no well-formed JSON: Invalid numeric value
                    {"fields":{"i":NaN}}       | the body is no well-formed JSON
                    """)
    void saysWhereABodyIsWrong(String json, String problem) {
        assertThatExceptionOfType(InvalidDocumentException.class)
                .isThrownBy(() -> read(json))
                .withMessageStartingWith("id:ns:all::1: " + problem);
    }

    /** Programs of users compare the begin of the message. */
    @ParameterizedTest
    @ValueSource(strings = {"x", "derived"})
    void beginsWithTheFieldThatIsNotDefined(String field) {
        assertThatExceptionOfType(InvalidDocumentException.class)
                .isThrownBy(() -> read("{\"fields\":{\"%s\":1}}".formatted(field)))
                .withMessageStartingWith(
                        "Field '%s' is not defined in document type 'all'; its fields are s, b, i,"
                                .formatted(field))
                .withMessageEndingWith(": id:ns:all::1 at line 1, column 12");
    }

    @Test
    void limitsDepthAndWhatItShows() {
        assertThatExceptionOfType(InvalidDocumentException.class)
                .isThrownBy(() -> read("{\"x\":" + "[".repeat(1_000_000)))
                .withMessageContaining("nesting depth")
                .satisfies(e -> assertThat(e.getMessage()).hasSizeLessThan(400));
        assertThatExceptionOfType(InvalidDocumentException.class)
                .isThrownBy(() -> value("i", "\"" + "x".repeat(1_000_000) + "\""))
                .satisfies(e -> assertThat(e.getMessage()).hasSizeLessThan(400));
    }

    @Test
    void readsOnlyItsOwnType() {
        assertThatIllegalArgumentException()
                .isThrownBy(() ->
                        reader.read(
                                DocumentId.parse("id:ns:other::1"),
                                new ByteArrayInputStream(new byte[0]),
                                LeftOutCells.UNCOUNTED));
    }

    private FieldValue value(String field, String json) {
        return read("{\"fields\":{\"" + field + "\":" + json + "}}")
                .document()
                .value(field)
                .orElseThrow();
    }

    private DocumentBody read(String json) {
        return reader.read(
                ID, new ByteArrayInputStream(json.getBytes(UTF_8)), LeftOutCells.UNCOUNTED);
    }
}
