package org.crabro.container.http;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.util.HexFormat;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** The examples of RFC 8949, appendix A, as far as JSON has them. */
class CborTranscriptTest {
    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            quoteCharacter = '`',
            textBlock =
                    """
                    0                     | 00
                    23                    | 17
                    24                    | 1818
                    1000                  | 1903e8
                    1000000               | 1a000f4240
                    1000000000000         | 1b000000e8d4a51000
                    9223372036854775807   | 1b7fffffffffffffff
                    -1                    | 20
                    -1000                 | 3903e7
                    -9223372036854775808  | 3b7fffffffffffffff
                    18446744073709551616  | fb43f0000000000000
                    1.1                   | fb3ff199999999999a
                    true                  | f5
                    false                 | f4
                    null                  | f6
                    ""                    | 60
                    "IETF"                | 6449455446
                    "ü水"                  | 65c3bce6b0b4
                    [1,[2,3]]             | 9f019f0203ffff
                    {"a":1,"b":[2]}       | bf61610161629f02ffff
                    """)
    void writesWhatTheStandardSays(String json, String hex) throws IOException {
        var out = new ByteArrayOutputStream();

        CborTranscript.write(json.getBytes(UTF_8), out);

        assertThat(HexFormat.of().formatHex(out.toByteArray())).isEqualTo(hex);
    }
}
