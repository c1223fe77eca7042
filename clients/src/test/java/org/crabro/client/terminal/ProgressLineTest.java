package org.crabro.client.terminal;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.OptionalDouble;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class ProgressLineTest {
    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "0       | 0 | 0  | -1    | 0 docs, 0/s",
                "1234567 | 0 | 10 | -1    | 1,234,567 docs, 123,457/s",
                "50      | 2 | 10 | 0.5   | 50 docs, 5/s, 2 errors, 50 %, 10 s left",
                "50      | 0 | 10 | 0.1   | 50 docs, 5/s, 10 %, 1 min 30 s left",
                "50      | 0 | 10 | 0.001 | 50 docs, 5/s, 0 %, 2 h 46 min left",
                "50      | 0 | 10 | 1     | 50 docs, 5/s, 100 %"
            })
    void showsRateErrorsAndTimeLeft(
            long done, long errors, double seconds, double fraction, String text) {
        assertThat(
                        ProgressLine.text(
                                new ProgressLine.Counts(done, errors, "docs"),
                                seconds,
                                fraction < 0
                                        ? OptionalDouble.empty()
                                        : OptionalDouble.of(fraction)))
                .isEqualTo(text);
    }
}
