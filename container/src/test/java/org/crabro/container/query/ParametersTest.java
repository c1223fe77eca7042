package org.crabro.container.query;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import java.time.Duration;
import java.util.Map;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class ParametersTest {
    @ParameterizedTest
    @CsvSource({
        "20s, PT20S",
        "20, PT20S",
        "1., PT1S",
        "0.5, PT0.5S",
        ".5 s, PT0.5S",
        "1.25 ms, PT0.00125S",
        "3ks, PT50M",
        "7 µs, PT0.000007S",
        "7μs, PT0.000007S",
        "1000000, PT277H46M40S",
    })
    void readsTimes(String text, Duration time) {
        assertThat(of("timeout", text).time(Parameter.TIMEOUT)).contains(time);
    }

    @ParameterizedTest
    @ValueSource(
            strings = {"", "s", ".", ". s", "1.2.3", "-1", "+1", "1e3", "1 h", "1sms", "1000000.1"})
    void refusesWhatIsNoTime(String text) {
        assertThatExceptionOfType(IllegalQueryException.class)
                .isThrownBy(() -> of("timeout", text).time(Parameter.TIMEOUT))
                .withMessageContaining("expected a time such as 500 ms or 0.5, up to 1e6 s");
    }

    @ParameterizedTest
    @CsvSource({"0, 0", "+7, 7", " 12 , 12", "2147483647, 2147483647", "0000000010, 10"})
    void readsCounts(String text, int count) {
        assertThat(of("hits", text).count(Parameter.HITS)).hasValue(count);
    }

    @ParameterizedTest
    @ValueSource(strings = {"", "+", "-1", "1.0", "++1", "2147483648", "00000000010", "٣"})
    void refusesWhatIsNoCount(String text) {
        assertThatExceptionOfType(IllegalQueryException.class)
                .isThrownBy(() -> of("hits", text).count(Parameter.HITS))
                .withMessageContaining("expected a whole number from 0 on");
    }

    private static Parameters of(String name, String value) {
        return new Parameters(Map.of(name, value));
    }
}
