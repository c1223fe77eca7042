package org.crabro.ranking.onnx;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import java.util.Optional;
import java.util.OptionalInt;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class ModelSettingsTest {
    @ParameterizedTest
    @CsvSource(
            nullValues = "-",
            textBlock =
                    """
                    -,          -, -, 0,  -4, ADAPTIVE
                    adaptive,   -, -, 0,  -4, ADAPTIVE
                    adaptive,   8, -, 8,  -4, ADAPTIVE
                    -,          8, -, 8,  -4, SEQUENTIAL
                    -,          0, -, 0,  -4, SEQUENTIAL
                    -,          -, 2, -4, 2,  SEQUENTIAL
                    sequential, -, -, -4, -4, SEQUENTIAL
                    parallel,   2, 3, 2,  3,  PARALLEL
                    """)
    void aModelIsAdaptiveIfNothingElseIsSet(
            String mode, Integer intraOp, Integer interOp, int intra, int inter, ExecutionMode is) {
        ModelSettings settings =
                ModelSettings.of(
                        Optional.ofNullable(mode).flatMap(ExecutionMode::named),
                        intraOp == null ? OptionalInt.empty() : OptionalInt.of(intraOp),
                        interOp == null ? OptionalInt.empty() : OptionalInt.of(interOp),
                        true);

        assertThat(settings).isEqualTo(new ModelSettings(intra, inter, is, true));
    }

    /** A setting, the processors, and the threads. */
    @ParameterizedTest
    @CsvSource({
        "3, 8, 3",
        "16, 8, 16",
        "0, 8, 0",
        "-1, 8, 8",
        "-4, 8, 2",
        "-4, 9, 3",
        "-4, 4, 1",
        "-4, 1, 1",
        "-100, 8, 1"
    })
    void aNegativeNumberOfThreadsIsAShareOfTheProcessors(int setting, int processors, int threads) {
        assertThat(ModelSettings.threads(setting, processors)).isEqualTo(threads);
    }

    @Test
    void theNumbersOfThreadsAreLimited() {
        assertThatIllegalArgumentException()
                .isThrownBy(() -> ModelSettings.sequential(ModelSettings.THREADS_MAX + 1))
                .withMessage("threads out of range: 1025, -4");
    }
}
