package org.crabro.container.console;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.net.InetAddress;
import java.net.Socket;
import java.nio.charset.StandardCharsets;
import java.time.Instant;
import java.time.InstantSource;
import java.util.List;
import java.util.Optional;
import org.crabro.container.access.AccessControl;
import org.crabro.container.http.AccessLog;
import org.crabro.container.http.BrowserSettings;
import org.crabro.container.http.HttpListener;
import org.crabro.container.http.HttpSettings;
import org.crabro.container.http.JsonReply;
import org.crabro.container.http.MetricIntervals;
import org.crabro.container.http.NotFoundHandler;
import org.eclipse.jetty.io.Content;
import org.eclipse.jetty.server.Handler;
import org.eclipse.jetty.server.Request;
import org.eclipse.jetty.server.Response;
import org.eclipse.jetty.util.Callback;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** What is answered below {@code /console/}, to raw requests at a real port. */
class ConsoleHandlerTest {
    private static final ConsoleEvent DEPLOYED =
            new ConsoleEvent(Instant.EPOCH, "activated", 7, "default.default.default");

    private final MetricIntervals metrics = new MetricIntervals(InstantSource.system());
    private HttpListener listener = start(ConsoleUse.LOOPBACK, true);

    /** Answers with its name and what arrived. */
    private static final class Echo extends Handler.Abstract {
        private final String name;

        Echo(String name) {
            this.name = name;
        }

        @Override
        public boolean handle(Request request, Response response, Callback callback)
                throws IOException {
            String body = Content.Source.asString(request, StandardCharsets.UTF_8);
            JsonReply.send(
                    response,
                    callback,
                    200,
                    "message",
                    "%s: %s %s %s"
                            .formatted(
                                    name,
                                    request.getMethod(),
                                    request.getHttpURI().getPathQuery(),
                                    body));
            return true;
        }
    }

    private HttpListener start(ConsoleUse use, boolean hasContainer) {
        var parts =
                new ConsoleParts(
                        use,
                        new ConsoleParts.Server("1.2", AccessControl.OPEN, metrics),
                        Optional::empty,
                        () -> List.of(DEPLOYED),
                        hasContainer
                                ? Optional.of(
                                        new ContainerRequests(
                                                new Echo("queries"), new Echo("documents")))
                                : Optional.empty());
        try {
            return HttpListener.start(
                    HttpSettings.loopback(0)
                            .with(new BrowserSettings(List.of("server.example"), List.of())),
                    new Handler.Sequence(new ConsoleHandler(parts), new NotFoundHandler()),
                    new AccessLog());
        } catch (IOException e) {
            throw new IllegalStateException(e);
        }
    }

    private void restart(ConsoleUse use, boolean hasContainer) {
        listener.close();
        listener = start(use, hasContainer);
    }

    @AfterEach
    void stop() {
        listener.close();
        metrics.close();
    }

    private String send(String method, String path, String body, String... headers)
            throws IOException {
        var request = new StringBuilder(method + " " + path + " HTTP/1.1\r\nConnection: close\r\n");
        if (List.of(headers).stream().noneMatch(header -> header.startsWith("Host:"))) {
            request.append("Host: localhost\r\n");
        }
        for (String header : headers) {
            request.append(header).append("\r\n");
        }
        if (!body.isEmpty()) {
            request.append("Content-Length: ").append(body.length()).append("\r\n");
        }
        request.append("\r\n").append(body);
        try (var socket = new Socket(InetAddress.getLoopbackAddress(), listener.port())) {
            socket.getOutputStream().write(request.toString().getBytes(StandardCharsets.UTF_8));
            return new String(socket.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
        }
    }

    @ParameterizedTest
    @CsvSource({
        "/console/, text/html; charset=UTF-8",
        "/console/index.html, text/html; charset=UTF-8",
        "/console/console.css, text/css; charset=UTF-8",
        "/console/console.js, text/javascript; charset=UTF-8",
        "/console/icon.svg, image/svg+xml",
        "/console/uPlot.LICENSE.txt, text/plain; charset=UTF-8"
    })
    void sendsFilesThatLoadNothingFromElsewhere(String path, String type) throws IOException {
        assertThat(send("GET", path, ""))
                .startsWith("HTTP/1.1 200")
                .contains("Content-Type: " + type + "\r\n")
                .contains("Content-Security-Policy: " + ConsoleHandler.POLICY + "\r\n")
                .contains("X-Content-Type-Options: nosniff\r\n")
                .contains("Cache-Control: no-cache\r\n");
        assertThat(ConsoleHandler.POLICY).doesNotContain("unsafe").startsWith("default-src 'none'");
    }

    @Test
    void sendsAFileOnceToABrowserThatKeepsIt() throws IOException {
        String tag =
                send("GET", "/console/console.js", "")
                        .lines()
                        .filter(line -> line.startsWith("ETag: "))
                        .findFirst()
                        .orElseThrow()
                        .substring("ETag: ".length());

        assertThat(send("GET", "/console/console.js", "", "If-None-Match: " + tag))
                .startsWith("HTTP/1.1 304")
                .endsWith("\r\n\r\n");
        assertThat(
                        send(
                                "GET",
                                "/console/console.js",
                                "",
                                "If-None-Match: W/" + tag.replaceFirst("\"$", "--gzip\"")))
                .startsWith("HTTP/1.1 304");
        assertThat(send("GET", "/console/console.js", "", "If-None-Match: \"0\""))
                .startsWith("HTTP/1.1 200");
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "GET /console | 308 | Location: /console/",
                "GET /console/nothing.js | 404 | the console has no /console/nothing.js",
                "POST /console/ | 405 | POST is not allowed at /console/, only GET, HEAD",
                "GET /console/api/ | 404 | the console has no /console/api/",
                "GET /console/api/status | 200 | {\"version\":\"1.2\",\"hasContainer\":true}",
                "GET /console/api/history | 200 | \"kind\":\"activated\",\"generation\":7,\"application\":\"default.default.default\"",
                "GET /console/api/metrics | 200 | {\"times\":[],\"curves\":[{\"plot\":\"Queries\"",
                "GET /console/api/seconds | 200 | {\"secondsMax\":3600,\"times\":[],\"curves\":[{\"plot\":\"Queries\"",
                "GET /console/api/seconds?after=1e9 | 200 | \"times\":[]",
                "GET /console/api/seconds?after=now | 400 | expected a time in seconds since 1970 in 'after' but found 'now'",
                "GET /console/api/seconds?after=NaN | 400 | but found 'NaN'",
                "POST /console/api/seconds | 405 | only GET, HEAD",
                "POST /console/api/groups | 405 | only GET",
                "DELETE /console/api/groups | 405 | only GET",
                "GET /console/api/groups/other | 404 | the console has no",
                "GET /console/api/schemas | 404 | no application is deployed",
                "DELETE /console/api/status | 405 | only GET, HEAD",
                "GET /console/api/search | 405 | only POST",
                "DELETE /console/api/document/v1/home/note/docid/1 | 405 | only GET, HEAD",
                "PUT /console/api/document/v1/home/note/docid/1 | 405 | only GET, HEAD",
                "POST /console/api/document/v1/home/note/docid/1 | 405 | only GET, HEAD",
                "GET /console/api/document/v2/ | 404 | the console has no",
            })
    void answersItsOwnPathsAlone(String request, int status, String text) throws IOException {
        String[] words = request.split(" ", 2);

        assertThat(send(words[0], words[1], ""))
                .startsWith("HTTP/1.1 " + status)
                .contains(text)
                .contains("Content-Security-Policy: ");
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "/console/../console/console.js",
                "/console/api/document/v1/../../search/",
                "/console/api/document/v1/%2e%2e/%2e%2e/search/",
                "/console/api/document/v1/..;/..;/search/",
                "/console/api/http://127.0.0.1/",
            })
    void rejectsAPathThatLeavesIt(String path) throws IOException {
        assertThat(send("GET", path, ""))
                .startsWith("HTTP/1.1 400")
                .contains("a path segment may not be '")
                .contains("X-Content-Type-Options: nosniff");
    }

    @Test
    void givesQueriesAndDocumentsToTheContainer() throws IOException {
        assertThat(send("POST", "/console/api/search?yql=ignored", "{\"yql\":\"q\"}"))
                .contains("queries: POST /search/ {\\\"yql\\\":\\\"q\\\"}");
        assertThat(send("GET", "/console/api/document/v1/home/note/docid/a%2Fb?fieldSet=x", ""))
                .contains("documents: GET /document/v1/home/note/docid/a%2Fb?fieldSet=x ")
                .contains("Cache-Control: no-store\r\n");
        assertThat(send("GET", "/console/api/groups?type=note&limit=3", ""))
                .contains("documents: GET /crabro/v1/groups?type=note&limit=3 ");
    }

    @Test
    void saysThatNoContainerIsInTheProcess() throws IOException {
        restart(ConsoleUse.LOOPBACK, false);

        assertThat(send("POST", "/console/api/search", "{}"))
                .startsWith("HTTP/1.1 501")
                .contains("queries and documents in its console are not built");
        assertThat(send("GET", "/console/api/status", "")).contains("\"hasContainer\":false");
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "LOOPBACK | Host: localhost:1 | 200",
                "LOOPBACK | Host: 127.0.0.1 | 200",
                "LOOPBACK | Host: server.example | 403",
                "LOOPBACK | X-Forwarded-For: 192.0.2.1 | 403",
                "LOOPBACK | Forwarded: for=192.0.2.1 | 403",
                "OPEN | Host: server.example | 200",
                "OPEN | X-Forwarded-For: 192.0.2.1 | 200",
                "OPEN | Host: elsewhere.example | 403",
                "OPEN | Origin: http://elsewhere.example | 403",
                "OPEN | Sec-Fetch-Site: cross-site | 403",
                "OFF | Host: localhost | 404"
            })
    void opensForBrowsersOnThisMachineUnlessASettingSaysOtherwise(
            ConsoleUse use, String header, int status) throws IOException {
        restart(use, true);

        for (String path : List.of("/console/", "/console/api/status")) {
            assertThat(send("GET", path, "", header)).startsWith("HTTP/1.1 " + status);
        }
    }
}
