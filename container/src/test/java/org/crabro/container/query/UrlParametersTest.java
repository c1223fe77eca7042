package org.crabro.container.query;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.concurrent.atomic.AtomicInteger;
import org.eclipse.jetty.util.UrlEncoded;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class UrlParametersTest {
    private static final String[] PIECES = {
        "a",
        "b",
        "yql",
        "=",
        "=",
        "&",
        "&",
        "+",
        "%20",
        "%3D",
        "%26",
        "%2b",
        "%41",
        "%00",
        "%7F",
        "%c3%a4",
        "%C3",
        "%zz",
        "%4",
        "%",
        "ä",
        ";",
        "\"",
        "#",
        "?",
        " ",
        "%u00e4",
        "0.73174113",
        "*",
        ",",
        "<",
        ">",
        "~\u007f"
    };

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            textBlock =
                    """
                    hits=10&yql=select+*%20from%3Dx | [hits=10, yql=select * from=x]
                    a&b=&=c&&d==e | [a=, b=, =c, d==e]
                    text=M%C3%BCll+%2B+ä | [text=Müll + ä]
                    """)
    void readsNamesAndValues(String encoded, String expected) {
        assertThat(read(encoded)).hasToString(expected);
    }

    /**
     * Plain text is decoded by this class, everything else by the library; the results must be
     * equal.
     */
    @Test
    void readsAsTheLibraryDoes() {
        long seed = Long.getLong("crabro.seed", 2026);
        var random = new Random(seed);
        for (int round = 0; round < 50_000; round++) {
            var text = new StringBuilder();
            for (int piece = random.nextInt(12); piece > 0; piece--) {
                text.append(PIECES[random.nextInt(PIECES.length)]);
            }
            String encoded = text.toString();

            assertThat(outcome(() -> read(encoded)))
                    .as("'%s', seed %d", encoded, seed)
                    .isEqualTo(outcome(() -> readBytes(encoded)))
                    .isEqualTo(outcome(() -> readByLibrary(encoded)));
        }
    }

    /** As many as a body may have: one that is looked for in all the rest takes minutes. */
    @Test
    @Timeout(value = 30, threadMode = Timeout.ThreadMode.SEPARATE_THREAD)
    void readsManyNamesWithoutValues() {
        int count = SearchSettings.DEFAULT.bodies().maxBodyBytes() / 2;
        var read = new AtomicInteger();

        UrlParameters.decode("a&".repeat(count), (_, _) -> read.incrementAndGet());

        assertThat(read).hasValue(count);
    }

    private interface Reading {
        List<Map.Entry<String, String>> read();
    }

    private static String outcome(Reading reading) {
        try {
            return reading.read().toString();
        } catch (IllegalArgumentException _) {
            return "refused";
        }
    }

    private static List<Map.Entry<String, String>> read(String encoded) {
        var read = new ArrayList<Map.Entry<String, String>>();
        UrlParameters.decode(encoded, (name, value) -> read.add(Map.entry(name, value)));
        return read;
    }

    private static List<Map.Entry<String, String>> readBytes(String encoded) {
        // Other bytes surround them.
        byte[] bytes = ("x%" + encoded + "41=y").getBytes(UTF_8);
        var read = new ArrayList<Map.Entry<String, String>>();
        UrlParameters.decode(
                ByteBuffer.wrap(bytes, 2, bytes.length - 6),
                (name, value) -> read.add(Map.entry(name, value)));
        return read;
    }

    private static List<Map.Entry<String, String>> readByLibrary(String encoded) {
        var read = new ArrayList<Map.Entry<String, String>>();
        UrlEncoded.decodeUtf8To(
                encoded, 0, encoded.length(), (name, value) -> read.add(Map.entry(name, value)));
        return read;
    }
}
