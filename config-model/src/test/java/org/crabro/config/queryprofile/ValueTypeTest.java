package org.crabro.config.queryprofile;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class ValueTypeTest {
    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            quoteCharacter = '`',
            textBlock =
                    """
                    integer          | 7                                    | true
                    integer          | 7.5                                  | false
                    boolean          | True                                 | true
                    tensor(x[2])     | [1,2]                                | true
                    tensor(x[2])     | tensor(x[2]):[1,2]                   | true
                    tensor(x[2])     | tensor(y[2]):[1,2]                   | false
                    tensor(x[2])     | {"values":[1,2]}                     | true
                    tensor(x[2])     | ``                                   | true
                    tensor(x[2])     | embed(@text)                         | true
                    tensor(x[2])     | text                                 | false
                    tensor(k{})      | {a:1}                                | true
                    tensor(k{})      | tensor(k{}):{a:1}                    | true
                    tensor(k{})      | tensor(m{}):{a:1}                    | false
                    tensor(k{},x[2]) | [{"address":{"k":"a","x":0},"value":1}] | true
                    tensor(k{},x[2]) | tensor(x[2],k{}):{{k:a,x:0}:1}       | true
                    tensor(k{},x[2]) | tensor(k{},x[2]):{a:[1]}             | false
                    tensor(k{},x[2]) | 5                                    | false
                    """)
    void reportsThePermittedValues(String type, String text, boolean isOne) {
        assertThat(ValueType.of(type).orElseThrow().accepts(text)).isEqualTo(isOne);
    }
}
