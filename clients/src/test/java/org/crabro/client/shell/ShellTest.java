package org.crabro.client.shell;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import com.sun.net.httpserver.HttpExchange;
import com.sun.net.httpserver.HttpServer;
import java.io.IOException;
import java.io.PrintWriter;
import java.io.StringReader;
import java.io.StringWriter;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.URI;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.crabro.client.http.ServerAccess;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** Statements of a pipe, for a server that answers each query with one hit. */
class ShellTest {
    private static final String SCHEMAS =
            """
            {"types": [{"name": "note",
              "fields": [{"name": "text", "type": "string"}, {"name": "time", "type": "long"}],
              "fieldsets": ["default"],
              "rankProfiles": [{"name": "words", "inputs": {}}]}]}
            """;

    private static final String RESULT =
            """
            {"root": {"fields": {"totalCount": 3}, "coverage": {"full": true},
              "children": [{"id": "x", "relevance": 0.5, "fields": {"text": "Water"}}]},
             "trace": {"plan": {"millis": 1, "phases": [], "searches": [], "hits": []}}}
            """;

    private final StringWriter out = new StringWriter();
    private final StringWriter err = new StringWriter();
    private final List<String> queries = new ArrayList<>();
    private HttpServer server;

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
        boolean isQuery = exchange.getRequestURI().getPath().equals("/search/");
        if (isQuery) {
            synchronized (queries) {
                queries.add(body);
            }
        }
        boolean isWrong = body.contains("wrong");
        byte[] answer =
                (isWrong
                                ? "{\"root\": {\"errors\": [{\"message\": \"no such word\"}]}}"
                                : isQuery ? RESULT : SCHEMAS)
                        .getBytes(UTF_8);
        exchange.sendResponseHeaders(isWrong ? 400 : 200, answer.length);
        exchange.getResponseBody().write(answer);
        exchange.close();
    }

    private boolean run(String... lines) throws Exception {
        var output = new Shell.Output(new PrintWriter(out), new PrintWriter(err), 80, false, false);
        return new ShellSession(output)
                .run(
                        ServerAccess.of(
                                URI.create("http://127.0.0.1:" + server.getAddress().getPort())),
                        Map.of("streaming.groupname", "anna"),
                        new StringReader(String.join("\n", lines)));
    }

    @Test
    void runsAQueryOfSeveralLines() throws Exception {
        assertThat(run("select *", "from note", "where true;")).isTrue();

        assertThat(out)
                .hasToString(
                        """
                        relevance  id  text
                        0.5000         Water
                        1 of 3 matching documents
                        """);
        assertThat(queries).hasSize(1);
        assertThat(queries.getFirst())
                .contains("select *\\nfrom note\\nwhere true\"")
                .contains("\"streaming.groupname\":\"anna\"");
    }

    @Test
    void addsParametersAndRemovesThem() throws Exception {
        assertThat(run("\\set ranking=words", "a;", "\\unset ranking", "\\group", "b;")).isTrue();

        assertThat(queries.get(0)).contains("\"ranking\":\"words\"");
        assertThat(queries.get(1))
                .doesNotContain("ranking")
                .doesNotContain("groupname")
                .contains("\"streaming.selection\":\"true\"");
    }

    @Test
    void searchesForWords() throws Exception {
        assertThat(run("green tea", "black tea;")).isTrue();

        assertThat(queries.get(0))
                .contains("\"query\":\"green tea\"", "\"presentation.dates\":\"iso\"")
                .doesNotContain("yql");
        assertThat(queries.get(1)).contains("\"query\":\"black tea\"", "\"strict\":true");
    }

    @Test
    void showsNumbersInJsonAndWhereTheyAreWanted() throws Exception {
        assertThat(run("\\json on", "a;", "\\json off", "\\set presentation.dates=number", "b;"))
                .isTrue();

        assertThat(queries.get(0)).doesNotContain("presentation.dates");
        assertThat(queries.get(1)).contains("\"presentation.dates\":\"number\"");
    }

    @Test
    void explainsTheLastQueryOrAnother() throws Exception {
        assertThat(run("select a;", "\\explain", "\\explain select b;")).isTrue();

        assertThat(queries.get(1))
                .contains("\"yql\":\"select a\"")
                .contains("\"trace.explain\":true");
        assertThat(queries.get(2)).contains("\"yql\":\"select b\"");
        assertThat(out.toString()).contains("query: 1.000 ms");
    }

    @Test
    void listsTypesFieldsAndCommands() throws Exception {
        assertThat(run("\\schemas", "\\describe note", "\\help")).isTrue();

        assertThat(out.toString())
                .contains("note  2       words")
                .contains("time     long")
                .contains("default  fieldset")
                .contains("\\describe TYPE");
    }

    /** A failure does not end the shell, but its result. */
    @Test
    void continuesAfterFailures() throws Exception {
        assertThat(run("wrong;", "\\nonsense", "\\describe none", "\\timing maybe", "a;"))
                .isFalse();

        assertThat(err.toString().lines())
                .hasSize(4)
                .anyMatch(line -> line.contains("no such word"))
                .anyMatch(line -> line.contains("\\nonsense"))
                .anyMatch(line -> line.contains("'none'"))
                .anyMatch(line -> line.contains("'maybe'"));
        assertThat(out.toString()).contains("1 of 3 matching documents");
    }

    @Test
    void endsAtQuit() throws Exception {
        assertThat(run("\\quit", "a;")).isTrue();
        assertThat(queries).isEmpty();
    }
}
