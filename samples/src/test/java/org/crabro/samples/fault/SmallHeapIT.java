package org.crabro.samples.fault;

import static java.nio.charset.StandardCharsets.ISO_8859_1;
import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.OutputStream;
import java.net.URI;
import java.net.URLEncoder;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpRequest.BodyPublisher;
import java.net.http.HttpRequest.BodyPublishers;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodyHandlers;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.OptionalInt;
import java.util.concurrent.CompletableFuture;
import java.util.function.IntFunction;
import java.util.stream.Stream;
import java.util.zip.GZIPOutputStream;
import org.crabro.client.cli.ServerProcess;
import org.crabro.samples.fixture.Http;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/**
 * Small requests that become large values, four at once, against a server with a heap of 256 MiB.
 * The server refuses them, and answers the small requests of another client meanwhile.
 */
class SmallHeapIT {
    private static final int AT_ONCE = 4;
    private static final int MANY = 5_000_000;
    private static final int LABELS = 1_000_000;

    private static final String SERVICES =
            """
            <services version="1.0">
              <container id="default" version="1.0"><document-api/><search/></container>
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
        byte[] application =
                Http.zip(
                        Map.of(
                                "services.xml", SERVICES,
                                "schemas/note.sd", NOTE,
                                "schemas/scripted.sd", SCRIPTED));
        URI deploy = server.config().resolve("/application/v2/tenant/default/prepareandactivate");
        assertThat(send(deploy, "POST", "application/zip", "identity", application).statusCode())
                .isEqualTo(200);
        assertThat(small().statusCode()).isEqualTo(200);
    }

    @AfterAll
    static void stop() {
        server.close();
        client.close();
    }

    /**
     * A request that takes too much memory.
     *
     * @param path for the number of the request, so that no two write the same document
     */
    record Form(
            String name, String method, IntFunction<String> path, String type, BodyPublisher body) {
        /** Returns the encoding: bodies of queries are sent as they are. */
        String encoding() {
            return name.startsWith("query: ") ? "identity" : "gzip";
        }

        @Override
        public String toString() {
            return name;
        }
    }

    static List<Form> forms() throws IOException {
        var forms = new ArrayList<Form>();
        BodyPublisher tags = many("{\"fields\":{\"tags\":[\"a\"", ",\"a\"", "]}}");
        BodyPublisher cbor = many("\u00a1ffields\u00a1dtags\u009f", "`", "\u00ff");
        BodyPublisher years = many("{\"fields\":{\"years\":[1", ",1", "]}}");
        BodyPublisher weights = numbered("{\"fields\":{\"weights\":{\"a\":1", ",\"%d\":1", "}}}");
        BodyPublisher names = numbered("{\"fields\":{\"names\":{\"a\":\"\"", ",\"%d\":\"\"", "}}}");
        BodyPublisher parts = many("{\"fields\":{\"parts\":[{}", ",{}", "]}}");
        BodyPublisher vector = numbered("{\"fields\":{\"vector\":{\"a\":1", ",\"%d\":1", "}}}");
        for (String type : List.of("note", "scripted")) {
            IntFunction<String> path = i -> "/document/v1/ns/" + type + "/docid/" + i;
            String json = "application/json";
            forms.add(new Form(type + ": texts", "POST", path, json, tags));
            forms.add(new Form(type + ": texts in CBOR", "POST", path, "application/cbor", cbor));
            forms.add(new Form(type + ": numbers", "POST", path, json, years));
            forms.add(new Form(type + ": weights", "POST", path, json, weights));
            forms.add(new Form(type + ": entries", "POST", path, json, names));
            forms.add(new Form(type + ": structs", "POST", path, json, parts));
            forms.add(new Form(type + ": labels", "POST", path, json, vector));
        }
        IntFunction<String> update = i -> "/document/v1/ns/note/docid/u" + i + "?create=true";
        for (String change : List.of("assign", "add")) {
            forms.add(
                    new Form(
                            "update: " + change,
                            "PUT",
                            update,
                            "application/json",
                            many(
                                    "{\"fields\":{\"tags\":{\"%s\":[\"a\"".formatted(change),
                                    ",\"a\"",
                                    "]}}}")));
        }
        forms.add(
                new Form(
                        "a script that splits",
                        "POST",
                        i -> "/document/v1/ns/scripted/docid/s" + i,
                        "application/json",
                        many("{\"fields\":{\"raw\":\"a", ",a", "\"}}")));
        forms.add(
                new Form(
                        "a line of a bulk request",
                        "POST",
                        _ -> "/document/v1/",
                        "application/jsonl",
                        many(
                                "{\"put\":\"id:ns:scripted::b\",\"fields\":{\"tags\":[\"a\"",
                                ",\"a\"",
                                "]}}\n")));
        forms.add(search("parameters", "application/x-www-form-urlencoded", parameters()));
        forms.add(search("a tensor", "application/json", query("products", 150_000, 1)));
        forms.add(search("a product", "application/json", query("products", 2_000, 2_000)));
        return forms;
    }

    private static Form search(String name, String type, String body) {
        return new Form(
                "query: " + name,
                "POST",
                _ -> "/search/?streaming.selection=true&timeout=20s",
                type,
                BodyPublishers.ofString(body));
    }

    private static String parameters() {
        var form = new StringBuilder("p=");
        for (int i = 0; form.length() < 4_000_000; i++) {
            form.append("&p").append(i).append('=');
        }
        return form.toString();
    }

    private static String query(String profile, int ofA, int ofB) {
        return "{\"yql\":\"select * from note where true\",\"ranking.profile\":\"%s\",\"input.query(a)\":\"%s\",\"input.query(b)\":\"%s\"}"
                .formatted(profile, tensor("x", ofA), tensor("y", ofB));
    }

    private static String tensor(String dimension, int cells) {
        var tensor = new StringBuilder("{");
        for (int i = 0; i < cells; i++) {
            tensor.append(i == 0 ? "{" : ",{").append(dimension).append(':').append(i);
            tensor.append("}:1");
        }
        return tensor.append('}').toString();
    }

    private interface Writing {
        void to(OutputStream out) throws IOException;
    }

    private static BodyPublisher compressed(Writing writing) throws IOException {
        var bytes = new ByteArrayOutputStream();
        try (var gzip = new GZIPOutputStream(bytes)) {
            writing.to(gzip);
        }
        return BodyPublishers.ofByteArray(bytes.toByteArray());
    }

    /** Returns a body, with each character as a byte. */
    private static BodyPublisher many(String begin, String part, String end) throws IOException {
        int some = 10_000;
        byte[] parts = part.repeat(some).getBytes(ISO_8859_1);
        return compressed(out -> {
            out.write(begin.getBytes(ISO_8859_1));
            for (int i = 0; i < MANY / some; i++) {
                out.write(parts);
            }
            out.write(end.getBytes(ISO_8859_1));
        });
    }

    private static BodyPublisher numbered(String begin, String part, String end)
            throws IOException {
        return compressed(out -> {
            out.write(begin.getBytes(UTF_8));
            for (int i = 0; i < LABELS; i++) {
                out.write(part.replace("%d", Integer.toString(i)).getBytes(UTF_8));
            }
            out.write(end.getBytes(UTF_8));
        });
    }

    @ParameterizedTest
    @MethodSource("forms")
    void refusesTheRequestAndServesOthers(Form form) throws Exception {
        List<CompletableFuture<HttpResponse<String>>> attacks =
                Stream.iterate(0, i -> i < AT_ONCE, i -> i + 1)
                        .map(i -> client.sendAsync(request(form, i), BodyHandlers.ofString(UTF_8)))
                        .toList();
        int served = 0;
        do {
            assertThat(small().statusCode()).isEqualTo(200);
            assertThat(found()).contains("\"totalCount\":1}");
            served++;
        } while (!attacks.stream().allMatch(CompletableFuture::isDone));

        assertThat(served).isPositive();
        for (var attack : attacks) {
            HttpResponse<String> answer = attack.join();
            assertThat(answer.statusCode()).as(answer.body()).isIn(200, 400, 413, 429);
            if (answer.statusCode() == 429) {
                assertThat(answer.headers().firstValue("Retry-After")).isPresent();
            }
        }
        assertThat(server.exitStatus(Duration.ZERO)).isEqualTo(OptionalInt.empty());
    }

    private static HttpRequest request(Form form, int number) {
        return HttpRequest.newBuilder(server.container().resolve(form.path().apply(number)))
                .method(form.method(), form.body())
                .header("Content-Type", form.type())
                .header("Content-Encoding", form.encoding())
                .build();
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
    private static String found() throws IOException, InterruptedException {
        String yql = "select * from note where text contains 'small'";
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
