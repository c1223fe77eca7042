package org.crabro.document.json;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import org.crabro.tensor.DenseTensor;
import org.crabro.tensor.TensorSyntaxException;
import org.crabro.tensor.TensorType;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
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
        assertThat(TensorJson.parse(json, TYPE))
                .isEqualTo(DenseTensor.of(TYPE, new double[] {1, 2.5}));
    }

    @ParameterizedTest
    @ValueSource(strings = {"", "[1]", "[1, 2, 3]", "[1, 2] 3", "[1, 2", "5", "{\"blocks\": {}}"})
    void refusesWhatIsNoTensorOfTheType(String json) {
        assertThatExceptionOfType(TensorSyntaxException.class)
                .isThrownBy(() -> TensorJson.parse(json, TYPE));
    }

    @Test
    void saysWhatWasExpected() {
        assertThatExceptionOfType(TensorSyntaxException.class)
                .isThrownBy(() -> TensorJson.parse("[1]", TYPE))
                .withMessage("Expected 2 values for tensor<float>(x[2]), but got 1");
    }
}
