package org.crabro.samples.fault;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.zip.GZIPOutputStream;
import org.crabro.client.cli.ServerProcess;
import org.crabro.samples.fixture.Http;
import org.crabro.samples.fixture.NotesApplication;
import org.crabro.samples.fixture.QuickServer;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Each endpoint of a real server that has a body, with compressed and attacking ones. */
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
class CompressedBodiesIT {
    private static final String ADMIN = "/application/v2/tenant/default/";
    private static final String NOTE = "/document/v1/test/note/docid/1";

    /** A body longer than each limit, in less than 1 MiB. */
    private static final int BOMB_BYTES = 64 << 20;

    private static final String SERVICES =
            NotesApplication.SERVICES.replace(
                    "<document-api/>",
                    """
                    <document-api/>
                    <handler id="ai.vespa.mcp.McpJdiscHandler" bundle="mcp-server">
                      <binding>http://*/mcp</binding>
                    </handler>
                    """);

    /** The endpoints. */
    enum Endpoint {
        SEARCH("POST", "/search/", "application/json", 413),
        SEARCH_FORM("POST", "/search/", "application/x-www-form-urlencoded", 413),
        PUT("POST", NOTE, "application/json", 413),
        UPDATE("PUT", NOTE, "application/json", 413),
        UPDATE_MANY(
                "PUT",
                "/document/v1/test/note/docid?selection=true&cluster=notes",
                "application/json",
                413),
        MCP("POST", "/mcp", "application/json", 413),
        BULK("POST", "/document/v1/", "application/jsonl", 200),
        DEPLOY("POST", ADMIN + "prepareandactivate", "application/zip", 413),
        SESSION("POST", ADMIN + "session", "application/zip", 413),
        FORM("POST", ADMIN + "session", "multipart/form-data; boundary=x", 413),
        BACKUP("POST", "/crabro/v1/backup", "application/json", 413);

        private final String method;
        private final String path;
        private final String type;
        private final int bomb;

        /**
         * @param bomb the status of a body that is too long
         */
        Endpoint(String method, String path, String type, int bomb) {
            this.method = method;
            this.path = path;
            this.type = type;
            this.bomb = bomb;
        }

        boolean isOfConfig() {
            return switch (this) {
                case DEPLOY, SESSION, FORM, BACKUP -> true;
                case SEARCH, SEARCH_FORM, PUT, UPDATE, UPDATE_MANY, MCP, BULK -> false;
            };
        }

        /** Returns a body that is carried out with 200. */
        byte[] body(Path data) throws IOException {
            return switch (this) {
                case SEARCH ->
                        ("{\"yql\":\"select * from note where true\","
                                        + "\"streaming.selection\":\"true\",\"timeout\":\"60s\"}")
                                .getBytes(UTF_8);
                case SEARCH_FORM ->
                        "yql=select+*+from+note+where+true&streaming.selection=true&timeout=60s"
                                .getBytes(UTF_8);
                case PUT -> "{\"fields\":{\"text\":\"a note\"}}".getBytes(UTF_8);
                case UPDATE, UPDATE_MANY ->
                        "{\"fields\":{\"version\":{\"assign\":3}}}".getBytes(UTF_8);
                case MCP -> "{\"jsonrpc\":\"2.0\",\"id\":1,\"method\":\"ping\"}".getBytes(UTF_8);
                case BULK ->
                        "{\"put\":\"id:test:note::2\",\"fields\":{\"text\":\"x\"}}\n"
                                .getBytes(UTF_8);
                case DEPLOY, SESSION -> zip();
                case FORM -> form(zip());
                case BACKUP ->
                        Http.JSON
                                .writeValueAsString(
                                        Map.of("directory", data.resolve("backup").toString()))
                                .getBytes(UTF_8);
            };
        }

        private static byte[] zip() throws IOException {
            return Http.zip(
                    Map.of("services.xml", SERVICES, "schemas/note.sd", NotesApplication.SCHEMA));
        }

        private static byte[] form(byte[] zip) {
            var form = new ByteArrayOutputStream();
            form.writeBytes(
                    "--x\r\nContent-Disposition: form-data; name=\"applicationPackage\"\r\nContent-Type: application/zip\r\n\r\n"
                            .getBytes(UTF_8));
            form.writeBytes(zip);
            form.writeBytes("\r\n--x--\r\n".getBytes(UTF_8));
            return form.toByteArray();
        }
    }

    @TempDir static Path data;

    private final HttpClient client =
            HttpClient.newBuilder().version(HttpClient.Version.HTTP_1_1).build();

    private ServerProcess server;

    @BeforeAll
    void start() throws Exception {
        server =
                QuickServer.start(
                        data.resolve("server"),
                        List.of(
                                "documents.maxBodyBytes=1MiB",
                                "search.maxBodyBytes=1MiB",
                                "config.maxPackageBytes=1MiB"));
        assertThat(send(Endpoint.DEPLOY, gzip(Endpoint.DEPLOY.body(data)), "gzip").statusCode())
                .isEqualTo(200);
    }

    @AfterAll
    void stop() throws Exception {
        client.close();
        server.close();
    }

    @ParameterizedTest
    @EnumSource
    void unpacksBodies(Endpoint endpoint) throws Exception {
        HttpResponse<String> answer =
                send(
                        endpoint,
                        gzip(endpoint.body(data.resolve(endpoint.name() + "-unpacked"))),
                        "gzip");

        assertThat(answer.statusCode()).as(answer.body()).isEqualTo(200);
        assertThat(answer.body()).doesNotContain("\"status\":400").doesNotContain("\"errors\"");
    }

    @ParameterizedTest
    @EnumSource
    void boundsTheUnpackedSize(Endpoint endpoint) throws Exception {
        byte[] bomb = gzip(" ".repeat(BOMB_BYTES).getBytes(UTF_8));

        HttpResponse<String> answer = send(endpoint, bomb, "gzip");

        assertThat(bomb).hasSizeLessThan(1 << 20);
        assertThat(answer.statusCode()).as(answer.body()).isEqualTo(endpoint.bomb);
        if (endpoint == Endpoint.BULK) {
            assertThat(answer.body()).contains("\"ok\":0");
        }
    }

    @ParameterizedTest
    @EnumSource
    void refusesDamagedBodies(Endpoint endpoint) throws Exception {
        byte[] body = endpoint.body(data.resolve(endpoint.name() + "-damaged"));
        byte[] whole = gzip(body);
        for (byte[] wrong :
                List.of(
                        body,
                        Arrays.copyOf(whole, whole.length - 3),
                        Arrays.copyOf(whole, whole.length + 1))) {
            HttpResponse<String> answer = send(endpoint, wrong, "gzip");

            assertThat(answer.body()).contains("the body is not compressed with gzip");
            if (endpoint == Endpoint.BULK) {
                // The answers of lines that were read have their status already.
                assertThat(answer.body()).contains("\"complete\":false");
            } else {
                assertThat(answer.statusCode()).as(answer.body()).isEqualTo(400);
            }
        }
    }

    @ParameterizedTest
    @EnumSource
    void refusesOtherEncodings(Endpoint endpoint) throws Exception {
        byte[] body = endpoint.body(data.resolve(endpoint.name() + "-other"));
        for (String encoding : List.of("br", "zstd", "deflate", "gzip, gzip")) {
            HttpResponse<String> answer = send(endpoint, body, encoding);

            assertThat(answer.statusCode()).isEqualTo(415);
            assertThat(answer.body()).contains("expected gzip or identity but found");
        }
    }

    @ParameterizedTest
    @ValueSource(strings = {"gzip", "br"})
    void answersOtherPathsAsBefore(String encoding) throws Exception {
        HttpRequest request =
                HttpRequest.newBuilder(server.container().resolve("/nothing"))
                        .header("Content-Encoding", encoding)
                        .POST(HttpRequest.BodyPublishers.ofByteArray(gzip(new byte[10])))
                        .build();

        assertThat(client.send(request, HttpResponse.BodyHandlers.ofString()).statusCode())
                .isEqualTo(encoding.equals("gzip") ? 404 : 415);
    }

    private HttpResponse<String> send(Endpoint endpoint, byte[] body, String encoding)
            throws Exception {
        URI port = endpoint.isOfConfig() ? server.config() : server.container();
        return client.send(
                HttpRequest.newBuilder(port.resolve(endpoint.path))
                        .header("Content-Type", endpoint.type)
                        .header("Content-Encoding", encoding)
                        .header("Accept", "application/json, text/event-stream")
                        .method(endpoint.method, HttpRequest.BodyPublishers.ofByteArray(body))
                        .build(),
                HttpResponse.BodyHandlers.ofString());
    }

    private static byte[] gzip(byte[] content) throws IOException {
        var packed = new ByteArrayOutputStream();
        try (var gzip = new GZIPOutputStream(packed)) {
            gzip.write(content);
        }
        return packed.toByteArray();
    }
}
