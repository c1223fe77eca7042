package org.crabro.container.http;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import java.io.IOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.util.concurrent.atomic.AtomicBoolean;
import org.eclipse.jetty.server.Handler;
import org.eclipse.jetty.server.Request;
import org.eclipse.jetty.server.Response;
import org.eclipse.jetty.util.Callback;
import org.junit.jupiter.api.Test;

/** Opens a real port: it is what is tested. */
class HttpListenerTest {
    private final AtomicBoolean virtual = new AtomicBoolean();

    private final Handler handler =
            new Handler.Abstract() {
                @Override
                public boolean handle(Request request, Response response, Callback callback) {
                    virtual.set(Thread.currentThread().isVirtual());
                    String path = Request.getPathInContext(request);
                    if (path.equals("/fails")) {
                        throw new IllegalStateException("a secret of the inside");
                    }
                    if (!path.equals("/there")) {
                        return false;
                    }
                    JsonReply.send(response, callback, 200, "message", "here");
                    return true;
                }
            };

    @Test
    void speaksBothProtocolsOnOnePort() throws Exception {
        try (var listener = start(HttpSettings.loopback(0));
                var client = HttpClient.newHttpClient()) {
            HttpResponse<String> first =
                    get(client, listener, HttpClient.Version.HTTP_1_1, "/there");

            assertThat(first.version()).isEqualTo(HttpClient.Version.HTTP_1_1);
            assertThat(first.body()).isEqualTo("{\"message\":\"here\"}");
            assertThat(first.headers().firstValue("content-type"))
                    .hasValue("application/json; charset=UTF-8");
            assertThat(virtual).isTrue();
            assertThat(Http2Preface.settingsFrom(listener.port())).isTrue();
        }
    }

    @Test
    void tellsWhatIsNotThere() throws Exception {
        try (var listener = start(HttpSettings.loopback(0));
                var client = HttpClient.newHttpClient()) {
            HttpResponse<String> response =
                    get(client, listener, HttpClient.Version.HTTP_1_1, "/nowhere");

            assertThat(response.statusCode()).isEqualTo(404);
            assertThat(response.body())
                    .isEqualTo("{\"message\":\"nothing is served at /nowhere\"}");
        }
    }

    @Test
    void keepsTheInsideOfAFailureToItself() throws Exception {
        try (var listener = start(HttpSettings.loopback(0));
                var client = HttpClient.newHttpClient()) {
            HttpResponse<String> response =
                    get(client, listener, HttpClient.Version.HTTP_1_1, "/fails");

            assertThat(response.statusCode()).isEqualTo(500);
            assertThat(response.body())
                    .isEqualTo("{\"message\":\"internal error; the server's log says more\"}");
        }
    }

    @Test
    void namesThePortItCannotHave() throws Exception {
        try (var first = start(HttpSettings.loopback(0))) {
            int taken = first.port();

            assertThatExceptionOfType(IOException.class)
                    .isThrownBy(() ->
                            HttpListener.start(
                                    HttpSettings.loopback(taken),
                                    new NotFoundHandler(),
                                    new AccessLog()))
                    .withMessageStartingWith("cannot listen on 127.0.0.1:" + taken + ": ");
        }
    }

    private HttpListener start(HttpSettings settings) throws IOException {
        return HttpListener.start(
                settings, new Handler.Sequence(handler, new NotFoundHandler()), new AccessLog());
    }

    private static HttpResponse<String> get(
            HttpClient client, HttpListener listener, HttpClient.Version version, String path)
            throws Exception {
        var request =
                HttpRequest.newBuilder(URI.create(listener.url() + path)).version(version).build();
        return client.send(request, HttpResponse.BodyHandlers.ofString());
    }
}
