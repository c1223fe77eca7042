package org.crabro.server.warmup;

import static java.nio.charset.StandardCharsets.ISO_8859_1;
import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.net.SocketTimeoutException;
import java.net.URI;
import java.time.Duration;
import java.util.concurrent.CompletableFuture;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class LoopbackClientTest {
    private static final Duration WAIT = Duration.ofMinutes(1);

    private ServerSocket server;
    private URI address;

    @BeforeEach
    void listen() throws IOException {
        server = new ServerSocket(0, 1, InetAddress.getLoopbackAddress());
        address = URI.create("http://127.0.0.1:" + server.getLocalPort());
    }

    @AfterEach
    void close() throws IOException {
        server.close();
    }

    /** In the responses, {@code |} represents the end of a line. */
    @ParameterizedTest
    @CsvSource({
        "HTTP/1.1 200 OK|Content-Length: 2||hi, 200, hi",
        "HTTP/1.1 200 OK|content-length: 0||, 200, ''",
        "HTTP/1.1 400 Bad Request|X: y|CONTENT-LENGTH:2||no, 400, no",
        "HTTP/1.1 200 OK|Transfer-Encoding: chunked||2|hi|a| 123456789|0||, 200, hi 123456789",
        "HTTP/1.1 302 Found|Location: http://127.0.0.1:1/|Content-Length: 0||, 302, ''",
    })
    void readsAResponse(String response, int status, String body) throws IOException {
        CompletableFuture<String> request = respond(response);

        try (var client = new LoopbackClient(address, WAIT)) {
            LoopbackClient.Reply reply = client.send(client.get("/search/?a=%20"));

            assertThat(reply.status()).isEqualTo(status);
            assertThat(reply.body()).isEqualTo(body);
        }
        assertThat(request.join()).startsWith("GET /search/?a=%20 HTTP/1.1\r\nHost: 127.0.0.1:");
    }

    @ParameterizedTest
    @CsvSource(
            quoteCharacter = '`',
            value = {
                "``, the server closed the connection within a response",
                "HTTP/1.1 200 OK|Content-Le, the server closed the connection within a response",
                "HTTP/1.1 200 OK|Content-Length: 3||hi, the server closed the connection",
                "HTTP/1.1 200 OK||2|h, the server closed the connection within a response",
                "HTTP/1.1 200 OK||2|hi|, the server closed the connection within a response",
                "HTTP/1.1 200 OK||2|hixx||, 'xx' after a chunk",
                "HTTP/1.1 200 OK||z|hi|, expected a number but found 'z'",
                "HTTP/1.1 200 OK|Content-Length: many||, expected a number but found 'many'",
                "HTTP/1.1 200 OK|Content-Length: -1||, `-1 bytes, at most 67108864 are`",
                "HTTP/1.1 200 OK|Content-Length: 67108865||, `67108865 bytes, at most 67108864`",
                "HTTP/1.1 200 OK||2|hi|3ffffff|, `67108865 bytes, at most 67108864 are`",
                "HTTP/1.1 200 OK||fffffffff|, `68719476735 bytes, at most 67108864 are`",
                "SSH-2.0-x|, expected a status but found 'SSH-2.0-x'",
            })
    void rejectsAnIncompleteOrOversizedResponse(String response, String problem)
            throws IOException {
        CompletableFuture<String> _ = respond(response);

        try (var client = new LoopbackClient(address, WAIT)) {
            assertThatThrownBy(() -> client.send(client.get("/")))
                    .isInstanceOf(IOException.class)
                    .hasMessageStartingWith(problem);
        }
    }

    @Test
    void rejectsALineWithoutEnd() throws IOException {
        CompletableFuture<String> _ = respond("HTTP/1.1 200 OK|" + "x".repeat(1 << 17));

        try (var client = new LoopbackClient(address, WAIT)) {
            assertThatThrownBy(() -> client.send(client.get("/")))
                    .hasMessage("a line is longer than 65536");
        }
    }

    @Test
    void stopsWaitingForASilentServer() throws IOException {
        assertThatThrownBy(
                        () -> {
                            try (var client = new LoopbackClient(address, Duration.ofMillis(20))) {
                                client.send(client.get("/"));
                            }
                        })
                .isInstanceOf(SocketTimeoutException.class);
    }

    @Test
    void sendsABodyAfterItsHead() throws IOException {
        CompletableFuture<String> whole = respond("HTTP/1.1 200 OK|Content-Length: 0||");
        try (var client = new LoopbackClient(address, WAIT)) {
            client.send(client.post("/search/", "text/plain", "bödy".getBytes(UTF_8)));
        }
        CompletableFuture<String> apart = respond("HTTP/1.1 200 OK|Content-Length: 0||");
        try (var client = new LoopbackClient(address, WAIT)) {
            client.sendBodyApart(client.post("/search/", "text/plain", "bödy".getBytes(UTF_8)));
        }

        assertThat(apart.join())
                .isEqualTo(whole.join())
                .startsWith("POST /search/ HTTP/1.1\r\n")
                .contains("\r\nContent-Type: text/plain\r\nContent-Length: 5\r\n\r\nbödy");
    }

    /** Answers one request, closes the connection, and returns the bytes of the request. */
    private CompletableFuture<String> respond(String response) {
        var request = new CompletableFuture<String>();
        Thread.ofVirtual()
                .name("responding server")
                .start(() -> {
                    try (Socket client = server.accept()) {
                        client.getOutputStream()
                                .write(response.replace("|", "\r\n").getBytes(ISO_8859_1));
                        client.shutdownOutput();
                        request.complete(new String(client.getInputStream().readAllBytes(), UTF_8));
                    } catch (IOException e) {
                        request.completeExceptionally(e);
                    }
                });
        return request;
    }
}
