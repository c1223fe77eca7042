package org.crabro.container.http;

import static java.nio.charset.StandardCharsets.ISO_8859_1;
import static org.assertj.core.api.Assertions.assertThat;

import java.net.InetAddress;
import java.net.Socket;
import java.util.concurrent.atomic.AtomicInteger;
import org.eclipse.jetty.server.Handler;
import org.eclipse.jetty.server.Request;
import org.eclipse.jetty.server.Response;
import org.eclipse.jetty.util.Callback;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Opens a real port, because Jetty parses request lines before any handler. */
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
class CanonicalPathsTest {
    private final AtomicInteger handled = new AtomicInteger();
    private HttpListener listener;

    @BeforeAll
    void start() throws Exception {
        listener =
                HttpListener.start(
                        HttpSettings.loopback(0),
                        new Handler.Abstract() {
                            @Override
                            public boolean handle(
                                    Request request, Response response, Callback callback) {
                                handled.incrementAndGet();
                                JsonReply.send(
                                        response,
                                        callback,
                                        200,
                                        "path",
                                        RequestPath.of(request).text());
                                return true;
                            }
                        },
                        new AccessLog());
    }

    @AfterAll
    void stop() {
        listener.close();
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "/console/../crabro/v1/backup",
                "/console/%2e%2e/crabro/v1/backup",
                "/console/.;/../crabro/v1/backup",
                "/console/..;/crabro/v1/backup",
                "/console/%252e%252e/crabro/v1/backup",
                "/console/..%2fcrabro/v1/backup",
                "/console/..%5ccrabro/v1/backup",
                "/console/..\\crabro/v1/backup",
                "/console//../crabro/v1/backup",
                "//crabro/v1/backup",
                "/crabro/v1/backup;x=y",
                "/crabro/v1/backup%00",
                "/console/%c0%ae%c0%ae/crabro/v1/backup",
                "/console/%c0%af../crabro/v1/backup",
                "/console/%",
                "/console/\u00ff\u00fe",
                "/application/v2/%2e%2e/%2e%2e/state/v1/metrics",
                "http://localhost/console/../crabro/v1/backup",
                "http://localhost:1@localhost/crabro/v1/backup",
                "/crabro/v1/backup#x",
                "crabro/v1/backup",
                "*",
            })
    void answers400BeforeAnyHandler(String target) throws Exception {
        int before = handled.get();

        assertThat(answer("GET " + target + " HTTP/1.1")).startsWith("HTTP/1.1 400 ");
        assertThat(handled).hasValue(before);
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "/search/?yql=select+..+from//;",
                "http://localhost",
                "http://localhost/search/",
                "/document/v1/n/t/docid/a%2Fb;c",
            })
    void passesACanonicalPath(String target) throws Exception {
        assertThat(answer("GET " + target + " HTTP/1.1")).startsWith("HTTP/1.1 200 ");
    }

    @Test
    void saysWhatIsWrong() throws Exception {
        assertThat(answer("GET /console/a%2Fb HTTP/1.1"))
                .endsWith(
                        "{\"message\":\"the path segment 'a%2Fb' contains '/'; only ids of documents may\"}");
        assertThat(answer("GET /document/v1/n/.. HTTP/1.1"))
                .endsWith(
                        "{\"pathId\":\"/document/v1/n/..\",\"message\":\"a path segment may not be '..'; a"
                                + " path is sent without such segments\"}");
    }

    private String answer(String requestLine) throws Exception {
        try (var socket = new Socket(InetAddress.getLoopbackAddress(), listener.port())) {
            socket.getOutputStream()
                    .write(
                            (requestLine + "\r\nHost: localhost\r\nConnection: close\r\n\r\n")
                                    .getBytes(ISO_8859_1));
            return new String(socket.getInputStream().readAllBytes(), ISO_8859_1);
        }
    }
}
