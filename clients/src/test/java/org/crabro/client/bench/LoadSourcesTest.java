package org.crabro.client.bench;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIOException;

import com.sun.net.httpserver.HttpExchange;
import com.sun.net.httpserver.HttpServer;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.URI;
import java.net.URLDecoder;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalLong;
import org.crabro.client.bench.QueryLines.Bodies;
import org.crabro.client.http.ServerAccess;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Requests to a server that answers as the path says, and notes what it gets. */
class LoadSourcesTest {
    private static final OptionalLong ONCE = OptionalLong.of(1);

    private final List<String> requests = Collections.synchronizedList(new ArrayList<>());
    private HttpServer server;
    private long matches = 7;

    @TempDir private Path directory;

    @BeforeEach
    void start() throws IOException {
        server = HttpServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 0);
        server.createContext("/", this::answer);
        server.start();
    }

    @AfterEach
    void stop() {
        server.stop(0);
    }

    private void answer(HttpExchange exchange) throws IOException {
        String body = new String(exchange.getRequestBody().readAllBytes(), UTF_8);
        String uri = URLDecoder.decode(exchange.getRequestURI().toString(), UTF_8);
        String header = exchange.getRequestHeaders().getFirst("X-Test");
        if (!uri.contains("handshake")) {
            requests.add(
                    String.join(
                                    " ",
                                    exchange.getRequestMethod(),
                                    uri,
                                    body,
                                    header == null ? "" : header)
                            .strip());
        }
        if (!uri.contains("plain")) {
            exchange.getResponseHeaders()
                    .set("X-Yahoo-Vespa-TotalHitCount", Long.toString(matches));
        }
        if (uri.contains("partial")) {
            exchange.getResponseHeaders().set("X-Yahoo-Vespa-FullCoverage", "0");
        }
        byte[] answer =
                (uri.contains("continuation")
                                ? "{\"documentCount\":2,\"documents\":[{},{}]}"
                                : "{\"documents\":[{\"continuation\":\"no\"}],\"documentCount\":1,\"continuation\":\"C=\"}")
                        .getBytes(UTF_8);
        exchange.sendResponseHeaders(uri.contains("fail") ? 503 : 200, answer.length);
        exchange.getResponseBody().write(answer);
        exchange.close();
    }

    private ServerAccess access() {
        return ServerAccess.of(URI.create("http://127.0.0.1:" + server.getAddress().getPort()));
    }

    private String file(String name, String... lines) throws IOException {
        return Files.write(directory.resolve(name), List.of(lines)).toString();
    }

    private static QueryLoad.Files files(String pattern, boolean isShared, Bodies bodies) {
        return new QueryLoad.Files(pattern, isShared, bodies, QueryLines.LINE_MAX);
    }

    private static QueryLoad.Settings settings(QueryLoad.Check check) {
        return new QueryLoad.Settings("hits=3", Map.of("X-Test", "yes"), true, ONCE, 5, check);
    }

    private List<String> answers(LoadSource source, int clients) throws InterruptedException {
        var answers = new ArrayList<String>();
        for (int client = 0; client < clients; client++) {
            for (Optional<LoadAnswer> next = source.send(client);
                    next.isPresent();
                    next = source.send(client)) {
                LoadAnswer answer = next.get();
                answers.add(
                        "%d %s %d %s"
                                .formatted(
                                        answer.status(),
                                        answer.isSuccess(),
                                        answer.items(),
                                        answer.note())
                                .strip());
            }
        }
        return answers;
    }

    @Test
    void sendsEachFormOfQuery() throws Exception {
        String queries =
                file(
                        "queries",
                        "/search/?yql=a",
                        "/search/",
                        "{\"yql\": \"b\"}",
                        "select * from c where true",
                        "",
                        "/plain/?x=1",
                        "/fail/");
        try (var load =
                new QueryLoad(
                        access(),
                        files(queries, false, Bodies.NONE),
                        1,
                        settings(new QueryLoad.Check(false, false)),
                        Optional.empty())) {
            assertThat(answers(load, 1))
                    .containsExactly(
                            "200 true 7",
                            "200 true 7",
                            "200 true 7",
                            "200 true 7",
                            "200 false 0 no header X-Yahoo-Vespa-TotalHitCount",
                            "503 false 0 status 503");
        }

        assertThat(requests)
                .containsExactly(
                        "GET /search/?yql=a&hits=3  yes",
                        "GET /search/?hits=3  yes",
                        "POST /search/?hits=3 {\"yql\": \"b\"} yes",
                        "GET /search/?yql=select * from c where true&hits=3  yes",
                        "GET /plain/?x=1&hits=3  yes",
                        "GET /fail/?hits=3  yes");
    }

    @Test
    void sendsLinesAfterAPathAsItsBody() throws Exception {
        String queries = file("posted", "/search/", "{\"yql\":", "\"a\"}", "/search/?b=1", "{}");
        try (var load =
                new QueryLoad(
                        access(),
                        files(queries, false, Bodies.TEXT),
                        1,
                        settings(new QueryLoad.Check(false, false)),
                        Optional.empty())) {
            assertThat(answers(load, 1)).hasSize(2);
        }

        assertThat(requests)
                .containsExactly(
                        "POST /search/?hits=3 {\"yql\":\n\"a\"} yes",
                        "POST /search/?b=1&hits=3 {} yes");
    }

    @Test
    void sendsWhatBase64Means() throws Exception {
        String queries = file("encoded", "/search/", "eyJ5cWwiOiAi", "w6kifQ==", "/search/?b=1");
        try (var load =
                new QueryLoad(
                        access(),
                        files(queries, false, Bodies.BASE64),
                        1,
                        settings(new QueryLoad.Check(false, false)),
                        Optional.empty())) {
            assertThat(answers(load, 1)).hasSize(2);
        }

        assertThat(requests)
                .containsExactly(
                        "POST /search/?hits=3 {\"yql\": \"é\"} yes",
                        "GET /search/?b=1&hits=3  yes");
        String wrong = file("wrong", "/search/?a", "no base64!");
        assertThatIOException()
                .isThrownBy(() -> QueryLines.read(Path.of(wrong), Bodies.BASE64, 1_024))
                .withMessageStartingWith("the body of '/search/?a' is not Base64: ");
    }

    @Test
    void writesTheAnswersOfEachClientToItsFile() throws Exception {
        String queries = file("written", "/search/?yql=a", "/partial/?plain", "/fail/");
        String pattern = directory + "/answers%d.txt";
        try (var files = AnswerFiles.create(pattern, 2, true);
                var load =
                        new QueryLoad(
                                access(),
                                files(queries, true, Bodies.NONE),
                                2,
                                settings(new QueryLoad.Check(false, false)),
                                Optional.of(files))) {
            answers(load, 2);
        }

        String body =
                "{\"documents\":[{\"continuation\":\"no\"}],\"documentCount\":1,\"continuation\":\"C=\"}";
        String search =
                "%s/search/?yql=a&hits=3\nx-yahoo-vespa-totalhitcount: 7\n\n%s\n\n"
                        .formatted(access().address(), body);
        String fail =
                "%s/fail/?hits=3\nx-yahoo-vespa-totalhitcount: 7\n\n%s\n\n"
                        .formatted(access().address(), body);
        assertThat(directory.resolve("answers0.txt")).content().isEqualTo(search + fail);
        assertThat(directory.resolve("answers1.txt"))
                .content()
                .isEqualTo(
                        "%s/partial/?plain&hits=3\nx-yahoo-vespa-fullcoverage: 0\n\n%s\n\n"
                                .formatted(access().address(), body));
    }

    @Test
    void writesAnswersWithoutHeadersToOneFileOfOneClient() throws Exception {
        String queries = file("single", "/search/?continuation");
        String answers = directory.resolve("answers.txt").toString();
        try (var files = AnswerFiles.create(answers, 1, false);
                var load =
                        new QueryLoad(
                                access(),
                                files(queries, false, Bodies.NONE),
                                1,
                                settings(new QueryLoad.Check(false, false)),
                                Optional.of(files))) {
            answers(load, 1);
        }

        assertThat(Path.of(answers))
                .content()
                .isEqualTo(
                        "%s/search/?continuation&hits=3\n\n{\"documentCount\":2,\"documents\":[{},{}]}\n\n"
                                .formatted(access().address()));
    }

    @Test
    void rejectsNamesOfFilesThatClientsWouldShare() {
        assertThatIOException()
                .isThrownBy(() -> AnswerFiles.create("answers.txt", 2, false))
                .withMessage(
                        "2 clients cannot share the file 'answers.txt': expected a name such as answers%03d.txt");
        assertThatIOException()
                .isThrownBy(() -> AnswerFiles.create("answers%y.txt", 2, false))
                .withMessage("'answers%y.txt' is not a name such as answers%03d.txt");
    }

    @Test
    void dividesQueriesAmongClients() throws Exception {
        String queries = file("shared", "/search/?0", "/search/?1", "/search/?2");
        try (var load =
                new QueryLoad(
                        access(),
                        files(queries, true, Bodies.NONE),
                        2,
                        settings(new QueryLoad.Check(false, false)),
                        Optional.empty())) {
            assertThat(answers(load, 2)).hasSize(3);
        }

        assertThat(requests)
                .extracting(request -> request.replaceAll("GET |&.*", ""))
                .containsExactly("/search/?0", "/search/?2", "/search/?1");
    }

    @Test
    void readsAFileForEachClient() throws Exception {
        file("q000", "/search/?0");
        file("q001", "/search/?1");
        try (var load =
                new QueryLoad(
                        access(),
                        files(directory + "/q%03d", false, Bodies.NONE),
                        2,
                        settings(new QueryLoad.Check(false, false)),
                        Optional.empty())) {
            answers(load, 2);
        }

        assertThat(requests)
                .extracting(request -> request.replaceAll("GET |&.*", ""))
                .containsExactly("/search/?0", "/search/?1");
    }

    @Test
    void checksCoverageAndChangesOfMatches() throws Exception {
        String queries = file("checked", "/search/?partial");
        var checks = new QueryLoad.Check(true, true);
        var twice =
                new QueryLoad.Settings("", Map.of(), false, OptionalLong.of(2), 1_000_000, checks);
        try (var load =
                new QueryLoad(
                        access(),
                        files(queries, false, Bodies.NONE),
                        1,
                        settings(checks),
                        Optional.empty())) {
            assertThat(answers(load, 1))
                    .containsExactly("200 false 7 not all documents were searched");
        }
        try (var load =
                new QueryLoad(
                        access(), files(queries, false, Bodies.NONE), 1, twice, Optional.empty())) {
            assertThat(answers(load, 1).getFirst()).contains("less than 1000000 bytes");
        }
        String other = file("changed", "/search/?x", "/search/?x");
        try (var load =
                new QueryLoad(
                        access(),
                        files(other, false, Bodies.NONE),
                        1,
                        new QueryLoad.Settings(
                                "",
                                Map.of(),
                                true,
                                OptionalLong.of(2),
                                0,
                                new QueryLoad.Check(false, true)),
                        Optional.empty())) {
            load.send(0);
            load.send(0);
            matches = 8;
            assertThat(answers(load, 1))
                    .containsExactly(
                            "200 false 8 another number of matches than before",
                            "200 false 8 another number of matches than before");
        }
    }

    @Test
    void namesWrongLines() throws Exception {
        for (String line : List.of("yql=a", "/search/?yql=a b")) {
            String queries = file("wrong", line);

            assertThatIOException()
                    .isThrownBy(() -> QueryLines.read(Path.of(queries), Bodies.NONE, 1_024))
                    .withMessageContaining("'" + line + "'");
        }
        String lengthy = file("lengthy", "/search/", "select " + "a".repeat(1_018));
        assertThatIOException()
                .isThrownBy(() -> QueryLines.read(Path.of(lengthy), Bodies.NONE, 1_024))
                .withMessage(
                        "line 2 of %s has 1,025 characters, more than the limit of 1,024; -m sets another one"
                                .formatted(lengthy));
        String empty = file("empty", "");
        assertThatIOException()
                .isThrownBy(() -> QueryLines.read(Path.of(empty), Bodies.NONE, 1_024));
    }

    @Test
    void visitsASliceForEachClientToItsEnd() throws Exception {
        var documents = new VisitLoad.Documents("home", "note", "note.time > 1", "", 10);
        try (var load = new VisitLoad(access(), documents, 2, ONCE)) {
            assertThat(answers(load, 2))
                    .containsExactly("200 true 1", "200 true 2", "200 true 1", "200 true 2");
        }

        String path =
                "GET /document/v1/home/note/docid?wantedDocumentCount=10&slices=2"
                        + "&selection=note.time > 1&sliceId=";
        assertThat(requests)
                .containsExactly(
                        path + "0",
                        path + "0&continuation=C=",
                        path + "1",
                        path + "1&continuation=C=");
    }

    @Test
    void feedsEachLineInARequest() throws Exception {
        String operations =
                file(
                        "operations",
                        "{\"put\": \"id:home:note:g=anna:1\", \"fields\": {}}",
                        "{\"remove\": \"id:home:note:g=anna:2\"}",
                        "no operation");
        try (var load = new FeedLoad(access(), Path.of(operations), 1, OptionalLong.of(2))) {
            List<String> answers = answers(load, 1);

            assertThat(answers).hasSize(6);
            assertThat(answers.subList(0, 2)).containsOnly("200 true 1");
            assertThat(answers.get(2)).startsWith("0 false 0 not JSON");
        }

        assertThat(requests).hasSize(4).contains("DELETE /document/v1/home/note/group/anna/2");
    }
}
