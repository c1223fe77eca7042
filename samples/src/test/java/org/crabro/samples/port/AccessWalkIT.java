package org.crabro.samples.port;

import static java.nio.charset.StandardCharsets.ISO_8859_1;
import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.net.InetAddress;
import java.net.Socket;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpRequest.BodyPublishers;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodyHandlers;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeSet;
import java.util.function.UnaryOperator;
import java.util.stream.Collectors;
import org.crabro.container.access.AccessControl;
import org.crabro.container.access.TokenHash;
import org.crabro.samples.fixture.Http;
import org.crabro.samples.fixture.NotesApplication;
import org.crabro.samples.fixture.OwnJar;
import org.crabro.samples.fixture.TestSettings;
import org.crabro.server.CrabroServer;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import tools.jackson.databind.JsonNode;

/**
 * Sends each sender's requests to every handler of both ports, plain and disguised, over HTTP/1.1
 * and HTTP/2, and compares the answers with a table.
 */
class AccessWalkIT {
    private static final Path ROOT = Path.of(System.getProperty("crabro.root"));

    /** In the order of the columns of the table. */
    private static final List<String> SENDERS =
            List.of("", "read", "write", "deploy", "admin", "anna");

    private static final String RULES =
            """
            [read]
            permissions = read
            token = %s
            [write]
            permissions = write
            token = %s
            [deploy]
            permissions = deploy
            token = %s
            [admin]
            permissions = admin
            token = %s
            [anna]
            permissions = all
            groups = anna
            token = %s
            """
                    .formatted(SENDERS.stream().skip(1).map(TokenHash::of).toArray(Object[]::new));

    /** Ways to write a path so that some program reads another. */
    private static final List<UnaryOperator<String>> DISGUISES =
            List.of(
                    path -> "/status.html/.." + path,
                    path -> "/console/%2e%2e" + path,
                    path -> "/." + path,
                    path -> "/%2E" + path,
                    path -> "/console/..;" + path,
                    path -> "/console/.;/.." + path,
                    path -> "/" + path,
                    path -> path.replaceFirst("^(/[^/]*)", "$1;x=y"),
                    path -> "/console%2f.." + path,
                    path -> "/console/%252e%252e" + path,
                    path -> "/console/..%5c" + path.substring(1),
                    // Jetty itself ends an HTTP/2 connection that sends %00; see
                    // CanonicalPathsTest.
                    path -> "/%01" + path,
                    path -> "/document/v1/%c0%ae%c0%ae" + path);

    @TempDir static Path directory;

    private static CrabroServer server;

    /** A request, and what each sender gets: {@code yes}, or the status of the refusal. */
    private record Row(
            String port, String registered, String method, String target, List<String> expected) {
        static Row of(String line) {
            List<String> cells = List.of(line.split("\t"));
            String[] request = cells.get(2).split(" ", 2);
            return new Row(cells.get(0), cells.get(1), request[0], request[1], cells.subList(3, 9));
        }

        int at() {
            URI address = port.equals("search") ? server.container() : server.config();
            return address.getPort();
        }
    }

    @BeforeAll
    static void start() throws Exception {
        Path access = directory.resolve("access");
        Files.writeString(access, RULES);
        server =
                CrabroServer.start(
                        TestSettings.onAnyPorts(directory.resolve("data"))
                                .withAccess(AccessControl.of(access)));
        try (var client = HttpClient.newHttpClient()) {
            HttpResponse<String> deployed =
                    client.send(
                            HttpRequest.newBuilder(
                                            server.config()
                                                    .resolve(
                                                            "/application/v2/tenant/default/prepareandactivate"))
                                    .header("Content-Type", "application/zip")
                                    .header("Authorization", "Bearer deploy")
                                    .POST(BodyPublishers.ofByteArray(everything()))
                                    .build(),
                            BodyHandlers.ofString());
            assertThat(deployed.statusCode()).as(deployed.body()).isEqualTo(200);
        }
    }

    /** Returns a package whose container has a handler of each kind. */
    private static byte[] everything() throws Exception {
        var files = new LinkedHashMap<String, byte[]>();
        files.put(
                "services.xml",
                NotesApplication.SERVICES
                        .replace(
                                "<search/>",
                                """
                                <search/>
                                <model-evaluation/>
                                <handler id="ai.vespa.mcp.McpJdiscHandler" bundle="mcp-server">
                                  <binding>http://*/mcp</binding>
                                </handler>
                                <handler id="own" class="own.Own"><binding>http://*/own/*</binding></handler>
                                """)
                        .getBytes(UTF_8));
        files.put("schemas/note.sd", NotesApplication.SCHEMA.getBytes(UTF_8));
        files.put(
                "models/pair.onnx",
                Files.readAllBytes(
                        ROOT.resolve(
                                "ranking/src/test/resources/org/crabro/ranking/onnx/pair.onnx")));
        files.put(
                "components/own.jar",
                OwnJar.of(
                        Map.of(
                                "own/Own.java",
                                """
                                package own;

                                import java.io.IOException;
                                import org.crabro.component.*;

                                public final class Own implements Handler {
                                    @Override
                                    public void handle(HttpRequest request, HttpResponse response)
                                            throws IOException {
                                        response.body().write(request.path().getBytes());
                                    }
                                }
                                """),
                        Files.createDirectories(directory.resolve("own"))));
        return Http.zipOfBytes(files);
    }

    @AfterAll
    static void stop() {
        server.close();
    }

    private static List<Row> table() throws IOException {
        try (var lines = Files.lines(ROOT.resolve("docs/src/test/resources/access.tsv"))) {
            return lines.filter(line -> !line.startsWith("#")).map(Row::of).toList();
        }
    }

    @Test
    void theTableHasEveryRegisteredHandler() throws Exception {
        for (String port : List.of("search", "config")) {
            List<Row> rows = table().stream().filter(row -> row.port().equals(port)).toList();
            var registered = new TreeSet<String>();
            try (var client = HttpClient.newHttpClient()) {
                JsonNode status =
                        Http.JSON.readTree(
                                client.send(
                                                HttpRequest.newBuilder(
                                                                URI.create(
                                                                        "http://localhost:"
                                                                                + rows.getFirst()
                                                                                        .at()
                                                                                + "/ApplicationStatus"))
                                                        .header("Authorization", "Bearer admin")
                                                        .build(),
                                                BodyHandlers.ofString())
                                        .body());
                for (JsonNode handler : status.get("handlers")) {
                    for (JsonNode binding : handler.get("serverBindings")) {
                        registered.add(binding.asString().replaceFirst("http://\\*", ""));
                    }
                }
            }

            assertThat(
                            rows.stream()
                                    .map(Row::registered)
                                    .filter(path -> !path.equals("none"))
                                    .collect(Collectors.toSet()))
                    .as(port)
                    .isEqualTo(registered);
        }
    }

    @Test
    void eachSenderGetsWhatTheTableSays() throws Exception {
        var wrong = new ArrayList<String>();
        for (Row row : table()) {
            try (var http2 = new Http2Lines(row.at())) {
                for (int i = 0; i < SENDERS.size(); i++) {
                    Map<String, String> headers = headers(SENDERS.get(i));
                    for (int status :
                            List.of(
                                    status(row, row.target(), headers),
                                    http2.status(row.method(), row.target(), headers))) {
                        String actual =
                                status == 401 || status == 403 ? Integer.toString(status) : "yes";
                        if (!actual.equals(row.expected().get(i))) {
                            wrong.add(
                                    "%s %s '%s': %d"
                                            .formatted(
                                                    row.port(),
                                                    row.method() + " " + row.target(),
                                                    SENDERS.get(i),
                                                    status));
                        }
                    }
                }
            }
        }

        assertThat(wrong).isEmpty();
    }

    @Test
    void aDisguisedPathIsRejectedForEverySender() throws Exception {
        var wrong = new ArrayList<String>();
        for (Row row : table()) {
            try (var http2 = new Http2Lines(row.at())) {
                for (UnaryOperator<String> disguise : DISGUISES) {
                    String target = disguise.apply(row.target());
                    for (String sender : SENDERS) {
                        Map<String, String> headers = headers(sender);
                        for (int status :
                                List.of(
                                        status(row, target, headers),
                                        http2.status(row.method(), target, headers))) {
                            if (status != 400) {
                                wrong.add(
                                        "%s %s '%s': %d"
                                                .formatted(
                                                        row.port(),
                                                        row.method() + " " + target,
                                                        sender,
                                                        status));
                            }
                        }
                    }
                }
            }
        }

        assertThat(wrong).isEmpty();
    }

    private static Map<String, String> headers(String sender) {
        return sender.isEmpty() ? Map.of() : Map.of("authorization", "Bearer " + sender);
    }

    /** Sends a request over HTTP/1.1 as it is written, and returns the status of the answer. */
    private static int status(Row row, String target, Map<String, String> headers)
            throws IOException {
        var request =
                new StringBuilder(row.method() + " " + target + " HTTP/1.1\r\nHost: localhost:")
                        .append(row.at())
                        .append("\r\nConnection: close\r\nContent-Length: 0\r\n");
        headers.forEach(
                (name, value) -> request.append(name).append(": ").append(value).append("\r\n"));
        try (var socket = new Socket(InetAddress.getLoopbackAddress(), row.at())) {
            socket.getOutputStream().write(request.append("\r\n").toString().getBytes(ISO_8859_1));
            String answer = new String(socket.getInputStream().readAllBytes(), ISO_8859_1);
            return Integer.parseInt(answer.substring(9, 12));
        }
    }
}
