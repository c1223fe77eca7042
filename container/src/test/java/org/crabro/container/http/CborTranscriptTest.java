package org.crabro.container.http;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.util.HexFormat;
import java.util.List;
import java.util.Random;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import tools.jackson.core.JacksonException;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.MappingIterator;
import tools.jackson.databind.node.ArrayNode;
import tools.jackson.databind.node.JsonNodeFactory;
import tools.jackson.databind.node.ObjectNode;
import tools.jackson.dataformat.cbor.CBORMapper;

/** The examples of RFC 8949, appendix A, as far as JSON has them. */
class CborTranscriptTest {
    private static final JsonNodeFactory NODES = JsonNodeFactory.instance;

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

    /** JSON may be split into any pieces; each complete part is written at once. */
    @Test
    void writesWhatHasCome() throws IOException {
        byte[] json = "{\"ä\":[1,-1000,2.5,\"水水\",true,null,{}],\"b\":12345}".getBytes(UTF_8);
        var whole = new ByteArrayOutputStream();
        CborTranscript.write(json, whole);

        for (int size = 1; size < json.length; size++) {
            var out = new ByteArrayOutputStream();
            try (var transcript = new CborTranscript(out)) {
                for (int at = 0; at < json.length; at += size) {
                    transcript.write(json, at, Math.min(size, json.length - at));
                    assertThat(out.size()).isGreaterThanOrEqualTo(at < 10 ? 0 : at / 3);
                }
            }
            assertThat(out.toByteArray()).as("pieces of %d", size).isEqualTo(whole.toByteArray());
        }
    }

    /** Random objects, one after another, read by an independent reader. */
    @Test
    void isReadAsWhatWasWritten() throws IOException {
        long seed = Long.getLong("crabro.seed", 2026);
        var random = new Random(seed);
        for (int i = 0; i < 500; i++) {
            JsonNode first = NODES.objectNode().set("of", value(random, 4));
            JsonNode second = NODES.objectNode().set("of", value(random, 4));
            var out = new ByteArrayOutputStream();
            CborTranscript.write((first + "\n" + second).getBytes(UTF_8), out);
            try (MappingIterator<JsonNode> read =
                    new CBORMapper().readerFor(JsonNode.class).readValues(out.toByteArray())) {
                assertThat(read.readAll().equals(List.of(first, second)))
                        .as("seed %d", seed)
                        .isTrue();
            }
        }
    }

    private static JsonNode value(Random random, int depth) {
        int kind = random.nextInt(depth == 0 ? 6 : 8);
        return switch (kind) {
            case 0 -> NODES.nullNode();
            case 1 -> NODES.booleanNode(random.nextBoolean());
            case 2 -> NODES.numberNode(random.nextInt() >> random.nextInt(31));
            case 3 ->
                    NODES.numberNode(
                            (long) Integer.MAX_VALUE
                                    * (random.nextInt(1 << 20) + 2)
                                    * (random.nextBoolean() ? 1 : -1));
            case 4 -> NODES.numberNode(random.nextGaussian());
            case 5 -> NODES.stringNode(text(random));
            case 6 -> {
                ArrayNode array = NODES.arrayNode();
                for (int i = random.nextInt(30); i > 0; i--) {
                    array.add(value(random, depth - 1));
                }
                yield array;
            }
            default -> {
                ObjectNode object = NODES.objectNode();
                for (int i = random.nextInt(5); i > 0; i--) {
                    object.set(text(random), value(random, depth - 1));
                }
                yield object;
            }
        };
    }

    private static String text(Random random) {
        var text = new StringBuilder();
        for (int i = random.nextInt(random.nextInt(200) == 0 ? 20_000 : 30); i > 0; i--) {
            text.appendCodePoint("aé水\uD83D\uDC1D\"\\\n".codePoints().toArray()[random.nextInt(7)]);
        }
        return text.toString();
    }

    @Test
    void refusesJsonThatEndsEarly() {
        assertThatThrownBy(() ->
                        CborTranscript.write(
                                "{\"a\":[1".getBytes(UTF_8), new ByteArrayOutputStream()))
                .isInstanceOf(JacksonException.class);
    }
}
