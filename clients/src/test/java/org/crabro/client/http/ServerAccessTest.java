package org.crabro.client.http;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import org.junit.jupiter.api.Test;

/** Sends requests to addresses where nothing is. */
class ServerAccessTest {
    private static final URI PLACE = URI.create("/search/");

    @Test
    void reportsANameThatHasNoAddress() throws Exception {
        var server = ServerAccess.of(URI.create("http://missing.invalid:8080"));
        try (HttpClient http = server.open(HttpClient.Version.HTTP_1_1)) {
            HttpRequest request = server.request(PLACE).build();

            assertThatThrownBy(
                            () -> server.send(http, request, HttpResponse.BodyHandlers.ofString()))
                    .isInstanceOfSatisfying(
                            UnreachableServerException.class,
                            e -> assertThat(e.isUnknownHost()).isTrue())
                    .hasMessage("name not found: there is no host 'missing.invalid'");
            assertThatThrownBy(() ->
                            server.sendAsync(http, request, HttpResponse.BodyHandlers.ofString())
                                    .join())
                    .cause()
                    .isInstanceOf(UnreachableServerException.class)
                    .hasMessage("name not found: there is no host 'missing.invalid'");
        }
    }

    @Test
    void reportsAPortWithoutAServer() throws Exception {
        var server = ServerAccess.of(URI.create("http://127.0.0.1:1"));
        try (HttpClient http = server.open(HttpClient.Version.HTTP_1_1)) {
            HttpRequest request = server.request(PLACE).build();

            assertThatThrownBy(
                            () -> server.send(http, request, HttpResponse.BodyHandlers.ofString()))
                    .isInstanceOfSatisfying(
                            UnreachableServerException.class,
                            e -> assertThat(e.isUnknownHost()).isFalse())
                    .hasMessage("no server answers at http://127.0.0.1:1");
        }
    }
}
