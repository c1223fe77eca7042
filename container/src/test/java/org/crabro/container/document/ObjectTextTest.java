package org.crabro.container.document;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.nio.ByteBuffer;
import java.util.stream.Stream;
import org.crabro.container.http.JsonReply;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** The fields of a document as a content node wrote them. */
class ObjectTextTest {
    static Stream<String> values() {
        return Stream.of(
                "{}",
                "{\"a\":1}",
                "{\"fields\":{\"fields\":1}}",
                "{\"text\":\"" + "€😀".repeat(10_000) + "\"}",
                "{\"text\":\"a" + "😀".repeat(10_000) + "\"}");
    }

    @ParameterizedTest
    @MethodSource("values")
    void copiesTheMember(String value) {
        for (String id : new String[] {"id:a:b::c", "x\\\",\\\"fields\\\":{", "€"}) {
            String object = "{\"id\":\"" + id + "\",\"fields\":" + value + "}";
            byte[] padded = ("  " + object + "  ").getBytes(UTF_8);
            ByteBuffer text = ByteBuffer.wrap(padded, 2, padded.length - 4);
            byte[] copy =
                    JsonReply.bytes(json -> {
                        json.writeStartObject();
                        json.writeNumberProperty("n", 1);
                        json.writeName("fields");
                        ObjectText.writeMember(text, "fields", json);
                        json.writeEndObject();
                    });
            assertThat(new String(copy, UTF_8)).isEqualTo("{\"n\":1,\"fields\":" + value + "}");
            assertThat(text.remaining()).isEqualTo(padded.length - 4);
        }
    }

    @Test
    void rejectsAnObjectWithoutTheMember() {
        assertThatThrownBy(() ->
                        JsonReply.bytes(json ->
                                ObjectText.writeMember(
                                        ByteBuffer.wrap("{\"a\":1}".getBytes(UTF_8)),
                                        "fields",
                                        json)))
                .isInstanceOf(IllegalArgumentException.class);
    }
}
