package org.crabro.client.http;

import static org.assertj.core.api.Assertions.assertThat;

import java.net.URI;
import org.junit.jupiter.api.Test;

/** Messages of servers, as people read them. */
class ServerRefusalExceptionTest {
    private static final URI ADDRESS = URI.create("http://127.0.0.1:8080/search/?query=secret");

    private static String message(String body) {
        return String.valueOf(ServerRefusalException.of(ADDRESS, 400, body).getMessage());
    }

    @Test
    void beginsWithTheReason() {
        String end = "(http://127.0.0.1:8080/search/ answered 400)";

        assertThat(message("{\"message\": \"no field 'x'\"}")).isEqualTo("no field 'x' " + end);
        assertThat(message("{\"root\": {\"errors\": [{\"message\": \"line 1\\n   ^\"}]}}"))
                .isEqualTo("line 1\n   ^\n" + end);
        assertThat(message("no JSON")).isEqualTo("no JSON " + end);
        assertThat(message("")).isEqualTo("http://127.0.0.1:8080/search/ answered 400");
    }

    @Test
    void isBounded() {
        assertThat(message("x".repeat(1_000_000))).hasSizeLessThan(2_100);
        assertThat(message("[".repeat(100_000))).hasSizeLessThan(2_100);
    }
}
