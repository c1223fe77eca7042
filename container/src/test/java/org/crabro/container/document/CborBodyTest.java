package org.crabro.container.document;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.util.Arrays;
import java.util.HexFormat;
import java.util.Random;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.crabro.container.http.CborTranscript;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class CborBodyTest {
    private static final int ROUNDS = 3_000;

    private final long seed = Long.getLong("crabro.seed", 2026);
    private final Random random = new Random(seed);

    /** Mostly the examples of RFC 8949. */
    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            quoteCharacter = '`',
            textBlock =
                    """
                    00 | 0
                    17 | 23
                    1818 | 24
                    190384 | 900
                    1a000f4240 | 1000000
                    1b000000e8d4a51000 | 1000000000000
                    1bffffffffffffffff | 18446744073709551615
                    20 | -1
                    3863 | -100
                    3bffffffffffffffff | -18446744073709551616
                    f93c00 | 1.0
                    f9c400 | -4.0
                    f90001 | 5.960464477539063E-8
                    fa47c35000 | 100000.0
                    fa3dcccccd | 0.10000000149011612
                    fb3ff199999999999a | 1.1
                    f97e00 | "NaN"
                    f9fc00 | "-Infinity"
                    fb7ff0000000000000 | "Infinity"
                    f4 | false
                    f5 | true
                    f6 | null
                    f7 | null
                    c1 1a 514b67b0 | 1363896240
                    d818 45 6449455446 | "ZElFVEY="
                    d7 44 01020304 | "01020304"
                    d7 42 abff | "ABFF"
                    44 01020304 | "AQIDBA=="
                    5f 42 0102 43 030405 ff | "AQIDBAU="
                    db0000000100000017 41 00 | "AA=="
                    dbffffffffffffffff 41 00 | "AA=="
                    40 | ""
                    60 | ""
                    64 49455446 | "IETF"
                    62 225c | "\\"\\\\"
                    63 610a62 | "a\\u000ab"
                    62 c3bc | "ü"
                    7f 65 7374726561 64 6d696e67 ff | "streaming"
                    7f 60 ff | ""
                    7f ff | ""
                    80 | []
                    83 01 02 03 | [1,2,3]
                    83 01 82 02 03 82 04 05 | [1,[2,3],[4,5]]
                    9f ff | []
                    9f 01 82 02 03 9f 04 05 ff ff | [1,[2,3],[4,5]]
                    a0 | {}
                    a2 61 61 01 61 62 82 02 03 | {"a":1,"b":[2,3]}
                    a2 01 02 20 04 | {"1":2,"-1":4}
                    bf 61 61 f5 61 62 bf ff ff | {"a":true,"b":{}}
                    a1 7f 61 61 61 62 ff 80 | {"ab":[]}
                    d851 48 3f800000 c0000000 | [1.0,-2.0]
                    d855 48 0000803f 000000c0 | [1.0,-2.0]
                    d852 48 3ff8000000000000 | [1.5]
                    d856 48 000000000000f83f | [1.5]
                    d855 40 | []
                    d9d9f7 82 01 d851 44 7fc00000 | [1,["NaN"]]
                    a1 1bffffffffffffffff 01 | {"18446744073709551615":1}
                    a1 3bffffffffffffffff 01 | {"-18446744073709551616":1}
                    a2 61 61 01 61 61 02 | {"a":1,"a":2}
                    c2 49 ff0000000000000000 | "/wAAAAAAAAAA"
                    c4 82 21 19 6ab3 | [-2,27315]
                    c4 83 21 19 6ab3 01 | [-2,27315,1]
                    7f 61 c3 61 bc ff | "ü"
                    """)
    void readsAsTheJsonThatSaysTheSame(String cbor, String json) throws IOException {
        assertThat(json(bytes(cbor))).isEqualTo(json);
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            textBlock =
                    """
                    18 | it ends too early, at byte 1
                    62 61 | it ends too early, at byte 2
                    42 01 | it ends too early, at byte 2
                    5b 7fffffffffffffff 01 | it ends too early, at byte 10
                    82 01 | it ends too early, at byte 2
                    a1 61 61 | it ends too early, at byte 3
                    9f 01 | it ends too early, at byte 2
                    7f 61 61 | it ends too early, at byte 3
                    c1 | it ends too early, at byte 1
                    01 02 | there is more after the body, at byte 1
                    1c | 0x1c begins no value, at byte 1
                    1f | 0x1f begins no value, at byte 1
                    f8 20 | 0xf8 begins no value, at byte 1
                    e0 | 0xe0 begins no value, at byte 1
                    ff | something ends that did not begin, at byte 1
                    82 01 ff | something ends that did not begin, at byte 3
                    bf 61 61 ff | something ends that did not begin, at byte 4
                    a1 80 01 | a key is neither a text nor a whole number, at byte 2
                    a1 f6 01 | a key is neither a text nor a whole number, at byte 2
                    a1 41 61 01 | a key is neither a text nor a whole number, at byte 2
                    a1 c1 61 61 01 | a key is neither a text nor a whole number, at byte 2
                    5a ffffffff 01 | it ends too early, at byte 6
                    7a ffffffff 61 61 ff | it ends too early, at byte 8
                    9a ffffffff 01 ff | something ends that did not begin, at byte 7
                    ba ffffffff 61 61 01 ff | a key is neither a text nor a whole number, at byte 9
                    f3 | 0xf3 begins no value, at byte 1
                    7f 01 ff | a text has a piece that is not a text, at byte 2
                    7f 7f ff ff | a text has a piece that is not a text, at byte 2
                    5f 61 61 ff | bytes have a piece that is not bytes, at byte 2
                    9b ffffffffffffffff | something is longer than a body can be, at byte 9
                    d851 43 000000 | 3 bytes are no numbers of 4 bytes each, at byte 6
                    """)
    void saysWhereItIsWrong(String cbor, String problem) {
        assertThatExceptionOfType(InvalidRequestException.class)
                .isThrownBy(() -> json(bytes(cbor)))
                .withMessage("the body is no well-formed CBOR: " + problem);
    }

    @ParameterizedTest
    @CsvSource({"81", "9f", "a16161", "bf01", "c181", "d90100 81"})
    void rejectsNestingBeyondItsLimit(String begin) {
        byte[] cbor = bytes(begin.repeat(100_000));

        assertThatExceptionOfType(InvalidRequestException.class)
                .isThrownBy(() -> json(cbor))
                .withMessageStartingWith(
                        "the body is no well-formed CBOR: it is nested deeper than 8192, at byte");
    }

    /**
     * Bytes become up to six times as many characters of JSON: these are not to be in memory all at
     * once.
     */
    @ParameterizedTest
    @CsvSource({
        "d851 5a00100000, '[0.0,', ',0.0]', 1048577",
        "d852 5a00100000, '[0.0,', ',0.0]', 524289",
        "5a00100000, '\"AAAA', 'AAAA==\"', 1398106",
        "5a00100001, '\"AAAA', 'AAAAA=\"', 1398106",
        "d7 5a00100000, '\"0000', '0000\"', 2097154",
        "d851 5f 5a00100000, '[0.0,', ',0.0]', 1048577",
    })
    void turnsBytesIntoTextPieceByPiece(String head, String begin, String end, int length)
            throws IOException {
        byte[] first = bytes(head);
        boolean isInPieces = head.contains("5f");
        int count = (1 << 20) + (head.endsWith("1") ? 1 : 0);
        byte[] cbor = Arrays.copyOf(first, first.length + count + (isInPieces ? 1 : 0));
        if (isInPieces) {
            cbor[cbor.length - 1] = (byte) 0xff;
        }
        var body = new CborBody(new ByteArrayInputStream(cbor));
        var text = new ByteArrayOutputStream();
        byte[] step = new byte[8 << 20];
        for (int read = body.read(step); read >= 0; read = body.read(step)) {
            assertThat(read).isLessThan(64 << 10);
            text.write(step, 0, read);
        }

        assertThat(text.toString(UTF_8)).startsWith(begin).endsWith(end).hasSize(length);
    }

    @Test
    void isEmptyWhereNothingComes() throws IOException {
        assertThat(json(new byte[0])).isEmpty();
    }

    /** Values written as CBOR are read unchanged. */
    @Test
    void readsWhatTheSameIsWrittenAs() throws IOException {
        for (int round = 0; round < ROUNDS; round++) {
            String json = value(0);
            var cbor = new ByteArrayOutputStream();
            CborTranscript.write(json.getBytes(UTF_8), cbor);

            assertThat(json(cbor.toByteArray())).as("seed %d", seed).isEqualTo(json);
        }
    }

    /** Whatever comes: there is an answer, and it is not that something here is broken. */
    @Test
    void readsOrRefusesAnything() throws IOException {
        int refused = 0;
        for (int round = 0; round < ROUNDS; round++) {
            byte[] cbor = new byte[1 + random.nextInt(40)];
            random.nextBytes(cbor);
            try {
                assertThat(json(cbor)).isNotEmpty();
            } catch (InvalidRequestException e) {
                assertThat(e).hasMessageStartingWith("the body is no well-formed CBOR: ");
                refused++;
            }
        }
        assertThat(refused).isBetween(1, ROUNDS - 1);
    }

    private String value(int depth) {
        int kind = random.nextInt(depth < 4 ? 8 : 6);
        int count = random.nextInt(5);
        return switch (kind) {
            case 0 -> "true";
            case 1 -> "null";
            case 2 -> Long.toString(random.nextLong() >> random.nextInt(64));
            case 3 -> Double.toString(random.nextGaussian());
            case 4, 5 -> text();
            case 6 ->
                    IntStream.range(0, count)
                            .mapToObj(_ -> value(depth + 1))
                            .collect(Collectors.joining(",", "[", "]"));
            default ->
                    IntStream.range(0, count)
                            .mapToObj(i -> "\"" + i + "\":" + value(depth + 1))
                            .collect(Collectors.joining(",", "{", "}"));
        };
    }

    private String text() {
        String[] parts = {"a", "å", "中", "😀", "\\\"", "\\\\", "\\u0001", "a long text "};
        return IntStream.range(0, random.nextInt(random.nextInt(10) == 0 ? 2_000 : 20))
                .mapToObj(_ -> parts[random.nextInt(parts.length)])
                .collect(Collectors.joining("", "\"", "\""));
    }

    private static byte[] bytes(String hex) {
        return HexFormat.of().parseHex(hex.replace(" ", ""));
    }

    private static String json(byte[] cbor) throws IOException {
        return new String(new CborBody(new ByteArrayInputStream(cbor)).readAllBytes(), UTF_8);
    }
}
