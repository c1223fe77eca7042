package org.crabro.samples.fault;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.net.URI;
import java.net.URLEncoder;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpRequest.BodyPublishers;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodyHandlers;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.OptionalInt;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.crabro.client.cli.ServerProcess;
import org.crabro.samples.fixture.Http;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.MethodOrderer;
import org.junit.jupiter.api.Order;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestMethodOrder;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/**
 * Small requests that become large values, four at once, against a server with a heap of 256 MiB.
 * The server refuses them, and answers the small requests of another client meanwhile.
 */
@TestMethodOrder(MethodOrderer.OrderAnnotation.class)
class SmallHeapIT {
    private static final Path MODEL =
            Path.of(
                    System.getProperty("crabro.root"),
                    "ranking/src/test/resources/org/crabro/ranking/onnx/pair.onnx");

    private static final String SERVICES =
            """
            <services version="1.0">
              <container id="default" version="1.0">
                <document-api/><search/><model-evaluation/>
                <handler id="ai.vespa.mcp.McpJdiscHandler" bundle="mcp-server">
                  <binding>http://*/mcp/*</binding>
                </handler>
              </container>
              <content id="content" version="1.0">
                <redundancy>1</redundancy>
                <documents>
                  <document type="note" mode="streaming"/>
                  <document type="scripted" mode="streaming"/>
                </documents>
              </content>
            </services>
            """;

    private static final String FIELDS =
            """
                field tags type array<string> { indexing: summary | attribute }
                field years type array<int> { indexing: summary | attribute }
                field weights type weightedset<string> { indexing: summary | attribute }
                field names type map<string, string> { indexing: summary }
                struct part { field a type string {} field b type int {} }
                field parts type array<part> { indexing: summary }
                field vector type tensor<float>(x{}) { indexing: summary | attribute }
                field text type string { indexing: summary | index }
            """;

    private static final String NOTE =
            """
            schema note {
              document note {
            %s
              }
              rank-profile products {
                inputs {
                  query(a) tensor<float>(x{})
                  query(b) tensor<float>(y{})
                }
                first-phase { expression: reduce(query(a) * query(b), sum) }
              }
              rank-profile labels {
                first-phase {
                  expression: reduce(tensorFromLabels(attribute(tags), t), sum)
                }
              }
              rank-profile sums {
                first-phase { expression: reduce(attribute(vector) * 2, sum) }
              }
              document-summary matched {
                summary tags { matched-elements-only }
              }
            }
            """
                    .formatted(FIELDS);

    /** A type whose puts become values, because it has a script. */
    private static final String SCRIPTED =
            """
            schema scripted {
              document scripted {
            %s
                field raw type string { indexing: summary }
              }
              field words type array<string> { indexing: input raw | split "," | summary }
            }
            """
                    .formatted(FIELDS);

    /** Between two small requests. */
    private static final int PAUSE_MILLIS = 50;

    @TempDir static Path directory;

    private static ServerProcess server;
    private static HttpClient client;

    @BeforeAll
    static void start() throws Exception {
        client = HttpClient.newHttpClient();
        server =
                ServerProcess.start(
                        List.of(
                                "--data=" + directory.resolve("data"),
                                "--port=0",
                                "--config-port=0",
                                "--set=warmUp=0s",
                                "--set=content.recent.feed.diskShare=100%",
                                "--set=content.recent.feed.memoryShare=100%"),
                        // Overrides the heap of this process, which the server would have, too.
                        Map.of("_JAVA_OPTIONS", "-Xmx256m -XX:+ExitOnOutOfMemoryError"));
        var files = new HashMap<String, byte[]>();
        files.put("services.xml", SERVICES.getBytes(UTF_8));
        files.put("schemas/note.sd", NOTE.getBytes(UTF_8));
        files.put("schemas/scripted.sd", SCRIPTED.getBytes(UTF_8));
        files.put("models/pair.onnx", Files.readAllBytes(MODEL));
        URI deploy = server.config().resolve("/application/v2/tenant/default/prepareandactivate");
        HttpResponse<String> deployed =
                send(deploy, "POST", "application/zip", "identity", Http.zipOfBytes(files));
        assertThat(deployed.statusCode()).as(deployed.body()).isEqualTo(200);
        assertThat(small().statusCode()).isEqualTo(200);
    }

    @AfterAll
    static void stop() {
        server.close();
        client.close();
    }

    static Stream<HeapForm> forms() throws IOException {
        return Stream.of(
                        HeapForms.sent(),
                        HeapForms.queries(),
                        HeapForms.models(),
                        HeapForms.tools())
                .flatMap(List::stream);
    }

    @ParameterizedTest
    @MethodSource("forms")
    @Order(1)
    void refusesTheRequestAndServesOthers(HeapForm form) throws Exception {
        attack(form);
    }

    @Test
    @Order(2)
    void storesDocumentsThatJustFit() throws Exception {
        for (HeapForm form : HeapForms.stored()) {
            HttpResponse<String> answer =
                    client.send(form.request(server.container(), 0), BodyHandlers.ofString(UTF_8));
            assertThat(answer.statusCode()).as(answer.body()).isEqualTo(200);
        }
    }

    @ParameterizedTest
    @MethodSource("org.crabro.samples.fault.HeapForms#onStored")
    @Order(3)
    void answersOrRefusesRequestsOnLargeDocuments(HeapForm form) throws Exception {
        attack(form);
    }

    /** Sends a form several times at once, and small requests meanwhile. */
    private static void attack(HeapForm form) throws Exception {
        List<CompletableFuture<HttpResponse<String>>> attacks =
                IntStream.range(0, form.times())
                        .mapToObj(i ->
                                client.sendAsync(
                                        form.request(server.container(), i),
                                        BodyHandlers.ofString(UTF_8)))
                        .toList();
        int served = 0;
        do {
            assertThat(small().statusCode()).isEqualTo(200);
            assertThat(ids()).contains("\"totalCount\":1}");
            served++;
        } while (!haveEnded(attacks));

        assertThat(served).isPositive();
        for (var attack : attacks) {
            HttpResponse<String> answer = attack.join();
            assertThat(answer.statusCode()).as(start(answer.body())).isIn(200, 400, 413, 429, 504);
            if (answer.statusCode() == 429) {
                assertThat(answer.headers().firstValue("Retry-After")).isPresent();
            }
        }
        assertThat(server.exitStatus(Duration.ZERO)).isEqualTo(OptionalInt.empty());
    }

    /**
     * Waits for the next small request: without a pause these would need most of the processors.
     */
    private static boolean haveEnded(List<? extends CompletableFuture<?>> attacks)
            throws Exception {
        try {
            CompletableFuture.allOf(attacks.toArray(CompletableFuture<?>[]::new))
                    .get(PAUSE_MILLIS, TimeUnit.MILLISECONDS);
            return true;
        } catch (TimeoutException _) {
            return false;
        }
    }

    private static String start(String body) {
        return body.substring(0, Math.min(body.length(), 1_000));
    }

    /** Writes a small document of another client. */
    private static HttpResponse<String> small() throws IOException, InterruptedException {
        return send(
                server.container().resolve("/document/v1/ns/note/docid/small"),
                "POST",
                "application/json",
                "identity",
                "{\"fields\":{\"text\":\"small\"}}".getBytes(UTF_8));
    }

    /** Searches for the small document. */
    private static String ids() throws IOException, InterruptedException {
        String yql = "select text from note where text contains 'small'";
        return send(
                        server.container()
                                .resolve(
                                        "/search/?streaming.selection=true&timeout=60s&yql="
                                                + URLEncoder.encode(yql, UTF_8)),
                        "GET",
                        "application/json",
                        "identity",
                        new byte[0])
                .body();
    }

    private static HttpResponse<String> send(
            URI uri, String method, String type, String encoding, byte[] body)
            throws IOException, InterruptedException {
        return client.send(
                HttpRequest.newBuilder(uri)
                        .method(method, BodyPublishers.ofByteArray(body))
                        .header("Content-Type", type)
                        .header("Content-Encoding", encoding)
                        .build(),
                BodyHandlers.ofString(UTF_8));
    }
}
