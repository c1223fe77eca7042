package org.crabro.document.json;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.StringWriter;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.crabro.document.FieldType.ArrayOf;
import org.crabro.document.FieldType.Primitive;
import org.crabro.document.FieldType.ReferenceOf;
import org.crabro.document.FieldValue;
import org.crabro.tensor.DenseTensor;
import org.crabro.tensor.MixedTensor;
import org.crabro.tensor.TensorType;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import tools.jackson.core.JsonGenerator;
import tools.jackson.core.ObjectWriteContext;
import tools.jackson.core.json.JsonFactory;

class FieldValueWriterTest {
    private static final JsonFactory JSON = new JsonFactory();

    @Test
    void writesScalars() {
        assertThat(json(new FieldValue.StringValue("a\"\n\u0001ä/😀")))
                .isEqualTo("\"a\\\"\\n\\u0001ä/😀\"");
        assertThat(json(new FieldValue.BoolValue(false))).isEqualTo("false");
        assertThat(json(new FieldValue.IntValue(-1))).isEqualTo("-1");
        assertThat(json(new FieldValue.LongValue(Long.MAX_VALUE))).isEqualTo("9223372036854775807");
        assertThat(json(new FieldValue.FloatValue(0.1f))).isEqualTo("0.1");
        assertThat(json(new FieldValue.FloatValue(5.678f))).isEqualTo("5.678");
        assertThat(json(new FieldValue.DoubleValue(0.1))).isEqualTo("0.1");
        assertThat(json(new FieldValue.DoubleValue(1e10))).isEqualTo("1.0E10");
        assertThat(json(new FieldValue.FloatValue(Float.NaN))).isEqualTo("\"NaN\"");
        assertThat(json(new FieldValue.DoubleValue(Double.NEGATIVE_INFINITY)))
                .isEqualTo("\"-Infinity\"");
        assertThat(json(new FieldValue.FloatValue(Float.POSITIVE_INFINITY)))
                .isEqualTo("\"Infinity\"");
    }

    @Test
    void writesArrays() {
        var empty = new FieldValue.StringValue("");

        assertThat(json(new FieldValue.ArrayValue(List.of(new FieldValue.StringValue("x"), empty))))
                .isEqualTo("[\"x\",\"\"]");
    }

    /** Only a whole field with string keys is an object in all forms. */
    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            quoteCharacter = '`',
            textBlock =
                    """
                    true  | true  | false | {"a":{"1":5}} | [{"1":2}] | {"7":1}
                    false | true  | false | {"a":[{"key":1,"value":5}]} | [{"1":2}] | [{"key":7,"value":1}]
                    true  | false | false | {"a":{"1":5}} | [[{"item":1,"weight":2}]] | {"7":1}
                    true  | true  | true  | {"a":{"1":"5"}} | [{"1":2}] | {"7":"1"}
                    false | false | true  | {"a":[{"key":"1","value":"5"}]} | [[{"item":"1","weight":2}]] | [{"key":"7","value":"1"}]
                    """)
    void writesMapsSetsAndLongNumbersAsAsked(
            boolean maps,
            boolean sets,
            boolean texts,
            String named,
            String listed,
            String numbered) {
        var form = new ValueForm(TensorFormat.SHORT, maps, sets, texts);
        var one = new FieldValue.LongValue(1);
        var inner = new FieldValue.MapValue(Map.of(one, new FieldValue.LongValue(5)));

        assertThat(
                        json(
                                new FieldValue.MapValue(
                                        Map.of(new FieldValue.StringValue("a"), inner)),
                                form))
                .isEqualTo(named);
        assertThat(
                        json(
                                new FieldValue.ArrayValue(
                                        List.of(new FieldValue.WeightedSetValue(Map.of(one, 2)))),
                                form))
                .isEqualTo(listed);
        assertThat(json(new FieldValue.MapValue(Map.of(new FieldValue.LongValue(7), one)), form))
                .isEqualTo(numbered);
    }

    private static String json(FieldValue value, ValueForm form) {
        var written = new StringWriter();
        try (JsonGenerator json = JSON.createGenerator(ObjectWriteContext.empty(), written)) {
            FieldValueWriter.write(json, value, form);
        }
        return written.toString();
    }

    @Test
    void bytesAndReferencesAreShownThoughTheyAreEmpty() {
        var empty = new FieldValue.StringValue("");

        assertThat(FieldValueWriter.isShown(Primitive.RAW, empty)).isTrue();
        assertThat(FieldValueWriter.isShown(new ReferenceOf("person"), empty)).isTrue();
        assertThat(FieldValueWriter.isShown(Primitive.STRING, empty)).isFalse();
        assertThat(FieldValueWriter.isShown(Primitive.URI, empty)).isFalse();
        assertThat(
                        FieldValueWriter.isShown(
                                new ArrayOf(Primitive.RAW), new FieldValue.ArrayValue(List.of())))
                .isFalse();
    }

    @Test
    void emptyStringsAndArraysAreAsIfNotSet() {
        assertThat(FieldValueWriter.isEmpty(new FieldValue.StringValue(""))).isTrue();
        assertThat(FieldValueWriter.isEmpty(new FieldValue.ArrayValue(List.of()))).isTrue();
        assertThat(FieldValueWriter.isEmpty(new FieldValue.BoolValue(false))).isFalse();
        assertThat(FieldValueWriter.isEmpty(new FieldValue.StructValue(Map.of()))).isFalse();
        assertThat(json(new FieldValue.StructValue(Map.of()))).isEqualTo("{}");
        assertThat(FieldValueWriter.isEmpty(new FieldValue.IntValue(0))).isFalse();
        assertThat(FieldValueWriter.isEmpty(new FieldValue.StringValue(" "))).isFalse();
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            quoteCharacter = '`',
            textBlock =
                    """
                    tensor<float>(x[2]):[0.4,2] | short       | {"type":"tensor<float>(x[2])","values":[0.4000000059604645,2.0]}
                    tensor<float>(x[2]):[0.4,2] | anything    | {"type":"tensor<float>(x[2])","values":[0.4000000059604645,2.0]}
                    tensor<float>(x[2]):[1,2]   | string      | {"type":"tensor<float>(x[2])","values":[1.0,2.0]}
                    tensor<float>(x[2]):[1,2]   | string-long | {"type":"tensor<float>(x[2])","values":[1.0,2.0]}
                    tensor<float>(x[2]):[1,2]   | short-value | [1.0,2.0]
                    tensor<float>(x[2]):[1,2]   | long        | {"type":"tensor<float>(x[2])","cells":[{"address":{"x":"0"},"value":1.0},{"address":{"x":"1"},"value":2.0}]}
                    tensor<float>(x[2]):[1,2]   | long-value  | [{"address":{"x":"0"},"value":1.0},{"address":{"x":"1"},"value":2.0}]
                    tensor<float>(x[2]):[1,2]   | hex         | {"type":"tensor<float>(x[2])","values":"3F80000040000000"}
                    tensor<float>(x[2]):[1,2]   | hex-value   | "3F80000040000000"
                    tensor(x[2],y[3]):[[1,2,3],[4,5,6]] | short-value | [[1.0,2.0,3.0],[4.0,5.0,6.0]]
                    tensor(x[1],y[2]):[[1,2]]   | long-value  | [{"address":{"x":"0","y":"0"},"value":1.0},{"address":{"x":"0","y":"1"},"value":2.0}]
                    tensor<int8>(x[2]):[1,-1]   | short-value | [1,-1]
                    tensor<bfloat16>(x[2]):[1.5,-2] | short-value | [1.5,-2.0]
                    tensor<bfloat16>(x[2]):[1.5,-2] | hex-value | "3FC0C000"
                    tensor(x[3]):[NaN,Infinity,1] | short-value | [null,null,1.0]
                    tensor():{5.5}              | short       | {"type":"tensor()","values":[5.5]}
                    tensor():{5.5}              | long        | {"type":"tensor()","cells":[{"address":{},"value":5.5}]}
                    """)
    void writesTensorsInEveryFormat(String literal, String format, String json) {
        var value = new FieldValue.TensorValue(DenseTensor.parse(literal));

        assertThat(json(value, TensorFormat.of(format))).isEqualTo(json);
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            quoteCharacter = '`',
            textBlock =
                    """
                    tensor<float>(a{})      | short       | {"type":"tensor<float>(a{})","cells":{"k":1.0,"l":2.0}}
                    tensor<float>(a{})      | hex-value   | {"k":1.0,"l":2.0}
                    tensor<float>(a{})      | long-value  | [{"address":{"a":"k"},"value":1.0},{"address":{"a":"l"},"value":2.0}]
                    tensor<int8>(a{},b{})   | short       | {"type":"tensor<int8>(a{},b{})","cells":[{"address":{"a":"k","b":"m"},"value":1},{"address":{"a":"l","b":"m"},"value":2}]}
                    tensor<float>(a{},x[2]) | short       | {"type":"tensor<float>(a{},x[2])","blocks":{"k":[1.0,2.0],"l":[3.0,4.0]}}
                    tensor<float>(a{},x[2]) | hex         | {"type":"tensor<float>(a{},x[2])","blocks":{"k":"3F80000040000000","l":"4040000040800000"}}
                    tensor<float>(a{},x[2]) | short-value | {"k":[1.0,2.0],"l":[3.0,4.0]}
                    tensor(a{},b{},x[1])    | short-value | [{"address":{"a":"k","b":"m"},"values":[1.0]},{"address":{"a":"l","b":"m"},"values":[2.0]}]
                    tensor(a[2],b{})        | long        | {"type":"tensor(a[2],b{})","cells":[{"address":{"a":"0","b":"k"},"value":1.0},{"address":{"a":"1","b":"k"},"value":2.0},{"address":{"a":"0","b":"l"},"value":3.0},{"address":{"a":"1","b":"l"},"value":4.0}]}
                    """)
    void writesMappedDimensionsInEveryFormat(String type, String format, String json) {
        TensorType parsed = TensorType.parse(type);
        Map<List<String>, double[]> subspaces = new HashMap<>();
        int cell = 1;
        for (String label : List.of("k", "l")) {
            var address = parsed.mappedCount() == 1 ? List.of(label) : List.of(label, "m");
            var cells = new double[parsed.subspaceSize()];
            for (int i = 0; i < cells.length; i++) {
                cells[i] = cell++;
            }
            subspaces.put(address, cells);
        }

        var value = new FieldValue.MixedTensorValue(MixedTensor.of(parsed, subspaces));

        assertThat(json(value, TensorFormat.of(format))).isEqualTo(json);
    }

    @Test
    void writesTensorsAsTexts() {
        var dense = new FieldValue.TensorValue(DenseTensor.parse("tensor<float>(x[1]):[0.1]"));
        var mapped =
                new FieldValue.MixedTensorValue(
                        MixedTensor.of(
                                TensorType.parse("tensor(a{})"),
                                Map.of(List.of("say \"it's\""), new double[] {1})));

        assertThat(json(dense, TensorFormat.STRING)).isEqualTo("\"tensor<float>(x[1]):[0.1]\"");
        assertThat(json(dense, TensorFormat.STRING_LONG))
                .isEqualTo("\"tensor<float>(x[1]):{{x:0}:0.10000000149011612}\"");
        assertThat(json(mapped, TensorFormat.STRING))
                .isEqualTo("\"tensor(a{}):{\\\"say \\\\\\\"it's\\\\\\\"\\\":1.0}\"");
        assertThat(json(mapped, TensorFormat.STRING_LONG)).startsWith("\"tensor(a{}):{{a:\\\"say");
    }

    @Test
    void writesATensorWithoutSubspaces() {
        var none = MixedTensor.of(TensorType.parse("tensor(a{},x[2])"), Map.of());

        assertThat(json(new FieldValue.MixedTensorValue(none)))
                .isEqualTo("{\"type\":\"tensor(a{},x[2])\",\"blocks\":{}}");
        assertThat(FieldValueWriter.isEmpty(new FieldValue.MixedTensorValue(none))).isFalse();
    }

    private static String json(FieldValue value) {
        return json(value, TensorFormat.SHORT);
    }

    private static String json(FieldValue value, TensorFormat format) {
        var text = new StringWriter();
        try (JsonGenerator json = JSON.createGenerator(ObjectWriteContext.empty(), text)) {
            FieldValueWriter.write(json, value, format);
        }
        return text.toString();
    }
}
