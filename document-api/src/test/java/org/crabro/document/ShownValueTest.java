package org.crabro.document;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.crabro.tensor.DenseTensor;
import org.crabro.tensor.MixedTensor;
import org.crabro.tensor.TensorSyntaxException;
import org.crabro.tensor.TensorType;
import org.crabro.text.Excerpt;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** Messages with values of requests are short, however large the values are. */
class ShownValueTest {
    private static final int MANY = 300_000;

    record Shown(FieldValue value, String text) {}

    static List<Shown> values() {
        var elements = new ArrayList<FieldValue>();
        var weights = new LinkedHashMap<FieldValue, Integer>();
        var entries = new LinkedHashMap<FieldValue, FieldValue>();
        var fields = new LinkedHashMap<String, FieldValue>();
        var subspaces = new LinkedHashMap<List<String>, double[]>();
        for (int i = 0; i < MANY; i++) {
            var text = new FieldValue.StringValue("text " + i);
            elements.add(text);
            weights.put(text, i);
            entries.put(text, text);
            fields.put("f" + i, text);
            subspaces.put(List.of("x" + i), new double[] {i});
        }
        return List.of(
                new Shown(new FieldValue.IntValue(7), "IntValue[value=7]"),
                new Shown(new FieldValue.StringValue("short"), "StringValue[value=short]"),
                new Shown(new FieldValue.StringValue("a".repeat(MANY)), "a".repeat(200) + "..."),
                new Shown(new FieldValue.ArrayValue(elements), "an array of 300,000 elements"),
                new Shown(
                        new FieldValue.WeightedSetValue(weights),
                        "a weighted set of 300,000 elements"),
                new Shown(new FieldValue.MapValue(entries), "a map of 300,000 entries"),
                new Shown(new FieldValue.StructValue(fields), "a struct of 300,000 fields"),
                new Shown(
                        new FieldValue.TensorValue(
                                DenseTensor.of(
                                        TensorType.parse("tensor(x[300000])"), new double[MANY])),
                        "a tensor of type tensor(x[300000])"),
                new Shown(
                        new FieldValue.MixedTensorValue(
                                MixedTensor.of(TensorType.parse("tensor(x{})"), subspaces)),
                        "a tensor of type tensor(x{})"));
    }

    @ParameterizedTest
    @MethodSource("values")
    void describesALargeValue(Shown shown) {
        assertThat(ShownValue.of(shown.value)).isEqualTo(shown.text);
    }

    @Test
    void cutsAValueWhoseTextIsLongerThanItsMemory() {
        var small = new ArrayList<FieldValue>();
        for (int i = 0; i < 50; i++) {
            small.add(new FieldValue.IntValue(i));
        }

        assertThat(ShownValue.of(new FieldValue.ArrayValue(small)))
                .startsWith("ArrayValue[elements=[IntValue[value=0], ")
                .endsWith("...")
                .hasSizeLessThan(210);
    }

    @Test
    void neverCutsASurrogatePair() {
        String face = Character.toString(0x1f600);

        assertThat(Excerpt.of("a" + face + "b", 2)).isEqualTo("a...");
        assertThat(Excerpt.of("a" + face + "b", 3)).isEqualTo("a" + face + "...");
        assertThat(Excerpt.of("a" + face + "b", 4)).isEqualTo("a" + face + "b");
    }

    @Test
    void messagesOfExceptionsAreShort() {
        String actual = "expected a number but found '%s'".formatted("a".repeat(1_000_000));

        assertThat(
                        Map.of(
                                        "document", new InvalidDocumentException(actual),
                                        "tensor", new TensorSyntaxException(actual))
                                .values())
                .allSatisfy(e ->
                        assertThat(e)
                                .message()
                                .startsWith("expected a number but found 'aaa")
                                .endsWith("...")
                                .hasSize(Excerpt.MESSAGE_MAX + 3));
    }
}
