package org.crabro.container.console;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpRequest.BodyPublishers;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodyHandlers;
import java.nio.charset.StandardCharsets;
import java.util.List;
import org.crabro.container.http.AccessLog;
import org.crabro.container.http.HttpListener;
import org.crabro.container.http.HttpSettings;
import org.crabro.container.http.JsonReply;
import org.eclipse.jetty.io.Content;
import org.eclipse.jetty.server.Handler;
import org.eclipse.jetty.server.Request;
import org.eclipse.jetty.server.Response;
import org.eclipse.jetty.util.Callback;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** Requests to a port that forwards, and a container that tells what arrived. */
class ContainerForwardingTest {
    private final HttpClient client = HttpClient.newHttpClient();
    private List<URI> containers = List.of();
    private final ContainerForwarding forwarding = new ContainerForwarding(() -> containers);
    private HttpListener container;
    private HttpListener console;

    /** Answers with status 201 and what arrived. */
    private static final class Telling extends Handler.Abstract {
        @Override
        public boolean handle(Request request, Response response, Callback callback)
                throws IOException {
            String body = Content.Source.asString(request, StandardCharsets.UTF_8);
            response.getHeaders().put("X-Other", "hidden");
            JsonReply.send(
                    response,
                    callback,
                    201,
                    "message",
                    "%s %s %s of %s"
                            .formatted(
                                    request.getMethod(),
                                    request.getHttpURI().getPathQuery(),
                                    body,
                                    request.getHeaders().get("Authorization")));
            return true;
        }
    }

    @BeforeEach
    void start() throws IOException {
        container = HttpListener.start(HttpSettings.loopback(0), new Telling(), new AccessLog());
        console = HttpListener.start(HttpSettings.loopback(0), forwarding, new AccessLog());
    }

    @AfterEach
    void stop() {
        console.close();
        container.close();
        forwarding.close();
        client.close();
    }

    /** Returns an address where nothing listens. */
    private static URI nowhere() throws IOException {
        try (var free = new ServerSocket(0, 1, InetAddress.getLoopbackAddress())) {
            return URI.create("http://127.0.0.1:" + free.getLocalPort());
        }
    }

    private HttpResponse<String> post(String path, String body) throws Exception {
        return client.send(
                HttpRequest.newBuilder(URI.create(console.url()).resolve(path))
                        .header("Authorization", "Bearer secret")
                        .POST(BodyPublishers.ofString(body))
                        .build(),
                BodyHandlers.ofString());
    }

    @Test
    void triesContainersUntilOneAnswers() throws Exception {
        containers = List.of(nowhere(), URI.create(container.url()));

        HttpResponse<String> answer = post("/search/?a=%2F", "{\"yql\":\"q\"}");

        assertThat(answer.statusCode()).isEqualTo(201);
        assertThat(answer.body())
                .contains("POST /search/?a=%2F {\\\"yql\\\":\\\"q\\\"} of Bearer secret");
        assertThat(answer.headers().firstValue("Content-Type")).contains(JsonReply.CONTENT_TYPE);
        assertThat(answer.headers().firstValue("X-Other")).isEmpty();
    }

    @Test
    void saysThatNoContainerCanBeReached() throws Exception {
        URI first = nowhere();
        containers = List.of(first);

        HttpResponse<String> answer = post("/search/", "{}");

        assertThat(answer.statusCode()).isEqualTo(503);
        assertThat(answer.headers().firstValue("Retry-After")).isPresent();
        assertThat(answer.body())
                .contains(
                        "no container of the application can be reached from the config server: "
                                + first);
    }

    @Test
    void saysThatThereIsNoContainer() throws Exception {
        HttpResponse<String> answer = post("/search/", "{}");

        assertThat(answer.statusCode()).isEqualTo(503);
        assertThat(answer.body()).contains("no container reports to the config server");
    }

    @Test
    void rejectsQueriesThatAreTooLong() throws Exception {
        containers = List.of(URI.create(container.url()));

        HttpResponse<String> answer =
                post("/search/", "x".repeat(ContainerForwarding.QUERY_BYTES_MAX + 1));

        assertThat(answer.statusCode()).isEqualTo(413);
        assertThat(answer.body()).contains("longer than the 4,194,304 bytes");
    }
}
