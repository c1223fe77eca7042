package org.crabro.samples.fault;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import java.net.URI;
import java.net.URLEncoder;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpRequest.BodyPublishers;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodyHandlers;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.OptionalInt;
import java.util.concurrent.CompletableFuture;
import java.util.stream.Stream;
import org.crabro.client.cli.ServerProcess;
import org.crabro.samples.fixture.Http;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** A document whose values fit in the heap of the server that stored it, and not in the next. */
class LargerHeapIT {
    private static final int ELEMENTS = 2_000_000;
    private static final String DOCUMENT = "/document/v1/ns/note/docid/large";

    private static final String SERVICES =
            """
            <services version="1.0">
              <container id="default" version="1.0"><document-api/><search/></container>
              <content id="content" version="1.0">
                <redundancy>1</redundancy>
                <documents><document type="note" mode="streaming"/></documents>
              </content>
            </services>
            """;

    private static final String NOTE =
            """
            schema note {
              document note {
                field year type int { indexing: summary | attribute }
                field tags type array<string> { indexing: summary | attribute }
              }
              document-summary short { summary year {} }
            }
            """;

    @TempDir private Path directory;
    private final HttpClient client = HttpClient.newHttpClient();

    private ServerProcess start(String heap) throws Exception {
        return ServerProcess.start(
                List.of(
                        "--data=" + directory.resolve("data"),
                        "--port=0",
                        "--config-port=0",
                        "--set=warmUp=0s",
                        "--set=content.recent.feed.diskShare=100%",
                        "--set=content.recent.feed.memoryShare=100%"),
                Map.of("_JAVA_OPTIONS", "-Xmx" + heap + " -XX:+ExitOnOutOfMemoryError"));
    }

    /** Whether the document is in a run, or was just written. */
    @ParameterizedTest
    @ValueSource(booleans = {false, true})
    void isReadableWithASmallerHeap(boolean isInRun) throws Exception {
        try (ServerProcess server = start("1g")) {
            URI deploy =
                    server.config().resolve("/application/v2/tenant/default/prepareandactivate");
            byte[] application =
                    Http.zip(Map.of("services.xml", SERVICES, "schemas/note.sd", NOTE));
            assertThat(send(deploy, "POST", application).statusCode()).isEqualTo(200);
            String elements = "\"a\",".repeat(ELEMENTS - 1) + "\"b\"";
            HttpResponse<String> put =
                    send(
                            server.container().resolve(DOCUMENT),
                            "POST",
                            ("{\"fields\":{\"year\":1,\"tags\":[" + elements + "]}}")
                                    .getBytes(UTF_8));
            assertThat(put.statusCode()).as(put.body()).isEqualTo(200);
            if (isInRun) {
                assertThat(
                                send(
                                                server.config().resolve("/crabro/v1/settle"),
                                                "POST",
                                                new byte[0])
                                        .statusCode())
                        .isEqualTo(200);
            }
        }
        try (ServerProcess server = start("256m")) {
            URI document = server.container().resolve(DOCUMENT);
            String expected =
                    "{\"pathId\":\"%s\",\"id\":\"id:ns:note::large\",\"fields\":{\"year\":1,\"tags\":["
                            .formatted(DOCUMENT);
            List<CompletableFuture<HttpResponse<String>>> all =
                    Stream.generate(() ->
                                    client.sendAsync(
                                            request(document, "GET", new byte[0]),
                                            BodyHandlers.ofString(UTF_8)))
                            .limit(4)
                            .toList();
            int read = 0;
            for (var each : all) {
                HttpResponse<String> answer = each.join();
                assertThat(answer.statusCode()).isIn(200, 429);
                if (answer.statusCode() == 200) {
                    read++;
                    assertThat(answer.body()).startsWith(expected).endsWith(",\"b\"]}}");
                    assertThat(answer.body()).hasSize(expected.length() + 4 * ELEMENTS - 1 + 3);
                }
            }
            assertThat(read).isPositive();

            HttpResponse<String> visited =
                    send(
                            server.container().resolve("/document/v1/ns/note/docid/"),
                            "GET",
                            new byte[0]);
            assertThat(visited.statusCode()).isEqualTo(200);
            assertThat(visited.body()).contains(",\"b\"]}}");

            HttpResponse<String> response = search(server, "tags contains 'b'", "&summary=short");
            assertThat(response.body()).contains("\"totalCount\":1").contains("\"year\":1");
            HttpResponse<String> shown = search(server, "tags contains 'b'", "");
            assertThat(shown.statusCode()).as(shown.body()).isEqualTo(413);

            for (String update :
                    List.of(
                            "{\"fields\":{\"tags\":{\"add\":[\"c\"]}}}",
                            "{\"fields\":{\"tags[5]\":{\"assign\":\"c\"}}}",
                            "{\"condition\":\"note.tags == 'b'\",\"fields\":{\"year\":{\"assign\":2}}}")) {
                HttpResponse<String> answer = send(document, "PUT", update.getBytes(UTF_8));
                assertThat(answer.statusCode()).as("%s: %s", update, answer.body()).isEqualTo(413);
            }
            HttpResponse<String> year =
                    send(document, "PUT", "{\"fields\":{\"year\":{\"assign\":3}}}".getBytes(UTF_8));
            assertThat(year.statusCode()).as(year.body()).isIn(200, 413);

            HttpResponse<String> replaced =
                    send(document, "POST", "{\"fields\":{\"tags\":[\"c\"]}}".getBytes(UTF_8));
            assertThat(replaced.statusCode()).as(replaced.body()).isEqualTo(200);
            assertThat(send(document, "GET", new byte[0]).body()).contains("\"tags\":[\"c\"]");
            assertThat(server.exitStatus(Duration.ZERO)).isEqualTo(OptionalInt.empty());
        }
    }

    private HttpResponse<String> search(ServerProcess server, String condition, String more)
            throws Exception {
        String yql = "select * from note where " + condition;
        return send(
                server.container()
                        .resolve(
                                "/search/?streaming.selection=true&timeout=60s&yql="
                                        + URLEncoder.encode(yql, UTF_8)
                                        + more),
                "GET",
                new byte[0]);
    }

    private HttpResponse<String> send(URI uri, String method, byte[] body) throws Exception {
        return client.send(request(uri, method, body), BodyHandlers.ofString(UTF_8));
    }

    private static HttpRequest request(URI uri, String method, byte[] body) {
        String type =
                uri.getPath().startsWith("/application") ? "application/zip" : "application/json";
        return HttpRequest.newBuilder(uri)
                .method(method, BodyPublishers.ofByteArray(body))
                .header("Content-Type", type)
                .build();
    }
}
