package org.crabro.document;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import java.util.Arrays;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class IdHashesTest {
    @ParameterizedTest
    @ValueSource(
            strings = {
                "id:a:note::1",
                "id:a:note::a:b/c",
                "id:a:note:g=ann:1",
                "id:a:note:g=ann:a:b",
                "id:n:n:g=ünï-☃:ß",
                "id:a:note:n=0:1",
                "id:a:note:n=42:1",
                "id:a:note:n=18446744073709551615:1",
            })
    void saysTheSameAsTheId(String text) {
        DocumentId id = DocumentId.parse(text);
        byte[] bytes = id.toString().getBytes(UTF_8);
        int from = ("id:" + id.namespace() + ":" + id.documentType() + ":").length();
        int to = from + id.key().text().getBytes(UTF_8).length;
        // Bytes after the text are ignored.
        byte[] longer = Arrays.copyOf(bytes, bytes.length + 7);
        var hashes = new IdHashes();

        assertThat(hashes.location(longer, bytes.length, from, to)).isEqualTo(id.location());
        assertThat(hashes.hash(longer, bytes.length)).isEqualTo(id.globalId().hash());
        assertThat(hashes.location(longer, bytes.length, from, to)).isEqualTo(id.location());
    }
}
