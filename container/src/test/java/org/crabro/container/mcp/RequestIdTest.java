package org.crabro.container.mcp;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class RequestIdTest {
    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            quoteCharacter = '`',
            textBlock =
                    """
                    {"jsonrpc":"2.0","id":7,"method":"ping"}       | 7
                    {"params":{"id":1,"a":[{"id":2}]},"id":"a-7"}  | a-7
                    {"id":9223372036854775807}                     | 9223372036854775807
                    {"id":7,"params":{"a                           | 7
                    {"id":"a","id":"b"}                            | a
                    """)
    void findsTheIdOfTheMessageItself(String body, String id) {
        assertThat(RequestId.of(body.getBytes(UTF_8)).map(Object::toString)).contains(id);
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            quoteCharacter = '`',
            textBlock =
                    """
                    {"id":9223372036854775808}
                    {"id":1.5}
                    {"id":null}
                    {"id":{"id":1}}
                    {"method":"ping"}
                    {"params":{"id":1
                    [{"id":1}]
                    7
                    nonsense
                    ``
                    """)
    void findsNoOther(String body) {
        assertThat(RequestId.of(body.getBytes(UTF_8))).isEmpty();
    }

    @Test
    void readsDeepAndBrokenBodies() {
        String deep = "{\"a\":" + "[".repeat(60_000);

        assertThat(RequestId.of(deep.getBytes(UTF_8))).isEmpty();
        assertThat(RequestId.of(new byte[] {(byte) 0xff, (byte) 0xfe, '{'})).isEmpty();
    }
}
