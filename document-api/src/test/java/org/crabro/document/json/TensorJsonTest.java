package org.crabro.document.json;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import org.crabro.tensor.DenseTensor;
import org.crabro.tensor.MixedTensor;
import org.crabro.tensor.Tensor;
import org.crabro.tensor.TensorSyntaxException;
import org.crabro.tensor.TensorType;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class TensorJsonTest {
    private static final TensorType TYPE = TensorType.parse("tensor<float>(x[2])");

    @ParameterizedTest
    @ValueSource(
            strings = {
                "[1, 2.5]",
                "{\"values\": [1, 2.5]}",
                "{\"type\": \"tensor<float>(x[2])\", \"values\": [1, 2.5]}",
                "{\"cells\": [{\"address\": {\"x\": \"0\"}, \"value\": 1},"
                        + " {\"address\": {\"x\": \"1\"}, \"value\": 2.5}]}"
            })
    void readsTheFormsThatDocumentsHave(String json) {
        assertThat(TensorJson.parse(json, TYPE, LeftOutCells.UNCOUNTED))
                .isEqualTo(DenseTensor.of(TYPE, new double[] {1, 2.5}));
    }

    @ParameterizedTest
    @ValueSource(strings = {"", "[1]", "[1, 2, 3]", "[1, 2] 3", "[1, 2", "5", "{\"blocks\": {}}"})
    void refusesWhatIsNoTensorOfTheType(String json) {
        assertThatExceptionOfType(TensorSyntaxException.class)
                .isThrownBy(() -> TensorJson.parse(json, TYPE, LeftOutCells.UNCOUNTED));
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            quoteCharacter = '`',
            textBlock =
                    """
                    tensor(x[2])          | {"type": "tensor<float>(x[2])", "values": [0.5, 2]}   | tensor(x[2]):[0.5,2]
                    tensor<bfloat16>(k{}) | {"type": "tensor<float>(k{})", "cells": {"a": 1.0039}} | tensor<bfloat16>(k{}):{a:1}
                    tensor(k{})           | {"cells": {"a": 1}, "type": "tensor<double>(k{})"}    | tensor(k{}):{a:1}
                    tensor<float>(x[2])   | {"type": "tensor<int8>(x[2])", "values": [-1, 2]}    | tensor<float>(x[2]):[-1,2]
                    tensor<bfloat16>(x[2])| {"type": "tensor<int8>(x[2])", "values": [-1, 2]}    | tensor<bfloat16>(x[2]):[-1,2]
                    tensor<float>(x[2])   | {"type": "tensor<bfloat16>(x[2])", "values": [0.5, 2]} | tensor<float>(x[2]):[0.5,2]
                    """)
    void cellsAreConvertedToEqualOrLargerOnesAndFromFloatToBfloat16(
            String type, String json, String expected) {
        assertThat(parsed(type, json)).isEqualTo(expected);
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            quoteCharacter = '`',
            textBlock =
                    """
                    tensor<int8>(x[3])    | {"values": [300, -1.9, -1e9]}                         | tensor<int8>(x[3]):[44,-1,0]
                    tensor<int8>(x[3])    | {"cells": [{"address": {"x": 1}, "value": 128}]}      | tensor<int8>(x[3]):[0,-128,0]
                    tensor<int8>(k{})     | {"cells": {"a": -129, "b": "inf"}}                    | tensor<int8>(k{}):{a:127,b:-1}
                    tensor<int8>(k{})     | {"cells": [{"address": {"k": "a"}, "value": 200}]}    | tensor<int8>(k{}):{a:-56}
                    tensor<int8>(k{},x[2])| {"blocks": {"a": [200, 1]}}                           | tensor<int8>(k{},x[2]):{a:[-56,1]}
                    """)
    void int8CellsKeepTheirLowBits(String type, String json, String expected) {
        assertThat(parsed(type, json)).isEqualTo(expected);
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            quoteCharacter = '`',
            textBlock =
                    """
                    tensor(x[1],y[2])     | {"type": " tensor( y[2], x[1] )", "values": [1, 2]}   | tensor(x[1],y[2]):[[1,2]]
                    tensor(x[2],y[2])     | {"type": "tensor(y[2],x[2])", "values": [[1, 2], [3, 4]]} | tensor(x[2],y[2]):[[1,2],[3,4]]
                    tensor(k{},x[2],y[2]) | {"type": "tensor(y[2],k{},x[2])", "blocks": {"a": [1, 2, 3, 4]}} | tensor(k{},x[2],y[2]):{a:[[1,2],[3,4]]}
                    """)
    void documentValuesAreInAlphabeticalOrderOfDimensions(
            String type, String json, String expected) {
        assertThat(parsed(type, json)).isEqualTo(expected);
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            quoteCharacter = '`',
            textBlock =
                    """
                    tensor<float>(x[2])   | {"values": [300, 1e39]}                               | tensor<float>(x[2]):[300,Infinity]
                    tensor(x[2])          | [-1e400, "1e400"]                                     | tensor(x[2]):[-Infinity,Infinity]
                    tensor(k{})           | {"a": -1e400, "b": "1e400"}                           | tensor(k{}):{a:-Infinity,b:Infinity}
                    tensor(k{})           | {"type": 5, "cells": 6}                               | tensor(k{}):{cells:6,type:5}
                    tensor(k{},x[1])      | {"type": [5]}                                         | tensor(k{},x[1]):{type:[5]}
                    """)
    void roundsToTheNearestCell(String type, String json, String expected) {
        assertThat(parsed(type, json)).isEqualTo(expected);
    }

    private static String parsed(String type, String json) {
        Tensor tensor = TensorJson.parse(json, TensorType.parse(type), LeftOutCells.UNCOUNTED);
        return tensor.toString().replace(" ", "").replace(".0", "");
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            textBlock =
                    """
                    tensor<float>    | tensor
                    tensor<bfloat16> | tensor
                    tensor<int8>     | tensor
                    tensor<int8>     | tensor<float>
                    tensor<int8>     | tensor<bfloat16>
                    """)
    void smallerCellsThanThoseOfTheValueAreRefused(String field, String value) {
        String json = "{\"type\": \"%s(x[1])\", \"values\": [1]}".formatted(value);

        assertThatExceptionOfType(TensorSyntaxException.class)
                .isThrownBy(() -> parsed(field + "(x[1])", json))
                .withMessage("expected type %s(x[1]) but found %s(x[1])", field, value);
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            quoteCharacter = '`',
            textBlock =
                    """
                    tensor(x[1])     | {"type": "tensor<float>(x[2])", "values": [1]}      | expected type tensor(x[1]) but found tensor<float>(x[2])
                    tensor<float>(x[1]) | {"type": "tensor(x[1])", "values": [1]}           | expected type tensor<float>(x[1]) but found tensor(x[1])
                    tensor(x[1])     | {"values": [1], "type": "tensor(y[1])"}             | expected type tensor(x[1]) but found tensor(y[1])
                    tensor(x[1])     | {"type": "vector", "values": [1]}                   | at character 1 of 'vector': expected 'tensor' but found 'vector'
                    tensor(x[1])     | {"type": 5, "values": [1]}                          | expected the text of a tensor type but found 5
                    tensor(k{})      | {"type": "tensor(l{})", "cells": {"a": 1}}          | expected type tensor(k{}) but found tensor(l{})
                    tensor(k{})      | {"type": "tensor(", "cells": {"a": 1}}              | at character 8 of 'tensor(': expected a dimension but found the end
                    tensor(k{},x[1]) | {"blocks": {"a": [1]}, "type": "tensor(k{},x[2])"}  | expected type tensor(k{},x[1]) but found tensor(k{},x[2])
                    """)
    void refusesAnotherTypeThanExpected(String type, String json, String problem) {
        assertThatExceptionOfType(TensorSyntaxException.class)
                .isThrownBy(() ->
                        TensorJson.parse(json, TensorType.parse(type), LeftOutCells.UNCOUNTED))
                .withMessage(problem);
        assertThat(TensorJson.isWellFormed(json)).isTrue();
    }

    @ParameterizedTest
    @ValueSource(strings = {"", "{\"a\":1", "{'a':1}", "{\"a\":1} 2", "{\"a\":NaN}"})
    void rejectsTextsThatAreNoJson(String text) {
        assertThat(TensorJson.isWellFormed(text)).isFalse();
    }

    @Test
    void saysWhatWasExpected() {
        assertThatExceptionOfType(TensorSyntaxException.class)
                .isThrownBy(() -> TensorJson.parse("[1]", TYPE, LeftOutCells.UNCOUNTED))
                .withMessage("Expected 2 values for tensor<float>(x[2]), but got 1");
    }

    /**
     * A hash map would compare each of these labels with half of the earlier ones, which takes
     * minutes.
     */
    @Test
    void readsManyLabelsWithEqualHashCodes() {
        var json = new StringBuilder("{");
        for (int i = 0; i < 1 << 16; i++) {
            json.append(i == 0 ? "\"" : ", \"");
            for (int bit = 0; bit < 16; bit++) {
                json.append((i >> bit & 1) == 0 ? "Aa" : "BB");
            }
            json.append("\": 1");
        }

        Tensor tensor =
                TensorJson.parse(
                        json.append("}").toString(),
                        TensorType.parse("tensor(k{})"),
                        LeftOutCells.UNCOUNTED);

        assertThat(((MixedTensor) tensor).addresses()).hasSize(1 << 16);
    }
}
