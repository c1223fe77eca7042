package org.crabro.container.admin;

import static java.nio.charset.StandardCharsets.ISO_8859_1;
import static org.assertj.core.api.Assertions.assertThat;
import static org.crabro.container.admin.AdminConnection.APPLICATION;
import static org.crabro.container.admin.AdminConnection.SESSION;
import static org.crabro.container.admin.AdminConnection.TENANT;

import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Instant;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.OptionalLong;
import org.crabro.config.application.PackageLimits;
import org.eclipse.jetty.http.HttpTester;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Asks for the active application, its services and logs; deploys it as a form, and deletes it. */
class ActiveApplicationTest {
    private static final String TEXT = "field text type string { indexing: index | summary }";
    private static final String URL = "http://h:19071";
    private static final String DEPLOY = TENANT + "/prepareandactivate";
    private static final int LIMIT = 4_000;

    @TempDir Path directory;
    private AdminConnection connection;

    @BeforeEach
    void open() throws Exception {
        connection = connect();
    }

    private AdminConnection connect() throws Exception {
        return AdminConnection.open(directory, PackageLimits.DEFAULT, SessionLimits.DEFAULT, LIMIT);
    }

    @AfterEach
    void close() throws Exception {
        connection.close();
    }

    @ParameterizedTest
    @ValueSource(strings = {APPLICATION, TENANT + "/application/default"})
    void deletesTheApplication(String path) throws Exception {
        deploy();
        connection.post(SESSION, zip());
        connection.put(SESSION + "/2/prepared");

        HttpTester.Response reply = connection.delete(path);

        assertThat(reply.getStatus()).isEqualTo(200);
        assertThat(reply.getContent())
                .isEqualTo("{\"message\":\"Application 'default.default' is deleted.\"}");
        assertThat(connection.activation.deactivations).isEqualTo(1);
        assertThat(connection.get(APPLICATION).getStatus()).isEqualTo(404);
        assertThat(connection.get(TENANT + "/application/").getContent()).isEqualTo("[]");
        assertThat(connection.get(APPLICATION + "/content/").getStatus()).isEqualTo(404);
        assertThat(connection.get(SESSION + "/1/content/").getStatus()).isEqualTo(404);
        assertThat(connection.delete(path).getStatus()).isEqualTo(404);
        assertThat(connection.put(SESSION + "/2/active").getStatus()).isEqualTo(200);
    }

    @Test
    void startsWithNothingAfterADeletion() throws Exception {
        deploy();
        connection.delete(APPLICATION);
        connection.close();

        connection = connect();

        assertThat(connection.get(APPLICATION).getStatus()).isEqualTo(404);
        assertThat(filesLeft()).containsExactlyInAnyOrder("history", "last");
        deploy();
        assertThat(connection.get(APPLICATION).getContent()).contains("\"generation\":2");
    }

    @Test
    void reportsAServerWithAnEarlierGeneration() throws Exception {
        deploy();
        connection.activation.served = OptionalLong.of(0);

        String all = connection.get(APPLICATION + "/serviceconverge").getContent();
        String one = connection.get(APPLICATION + "/serviceconverge/127.0.0.1:8080").getContent();

        assertThat(all).contains(":8080\",\"currentGeneration\":0}]");
        String behind = "\"currentGeneration\":0,\"wantedGeneration\":1,\"converged\":false}";
        assertThat(all).endsWith(behind);
        assertThat(one).endsWith(behind);
    }

    @Test
    void reportsWhetherAServiceExists() throws Exception {
        deploy();
        String path = APPLICATION + "/serviceconverge/127.0.0.1:8080";

        HttpTester.Response there = connection.get(path);
        HttpTester.Response gone = connection.get(APPLICATION + "/serviceconverge/h:1");

        assertThat(there.getContent())
                .isEqualTo(
                        "{\"url\":\""
                                + URL
                                + path
                                + "\",\"host\":\"127.0.0.1:8080\",\"currentGeneration\":1,"
                                + "\"wantedGeneration\":1,\"converged\":true}");
        assertThat(gone.getStatus()).isEqualTo(410);
        assertThat(gone.getContent())
                .isEqualTo(
                        "{\"url\":\""
                                + URL
                                + APPLICATION
                                + "/serviceconverge/h:1\",\"host\":\"h:1\",\"wantedGeneration\":1,"
                                + "\"problem\":\"the active application has no service at 'h:1'"
                                + " (any more)\"}");
        assertThat(connection.get("/application/v2/host/127.0.0.1").getContent())
                .isEqualTo(
                        "{\"tenant\":\"default\",\"application\":\"default\","
                                + "\"environment\":\"prod\",\"region\":\"default\","
                                + "\"instance\":\"default\"}");
    }

    @ParameterizedTest
    @CsvSource(
            delimiterString = "=>",
            textBlock =
                    """
                    ''                 => 1, 2, 3
                    ?from=1002         => 2, 3
                    ?to=1002           => 1, 2
                    ?from=1002&to=1002 => 2
                    ?from=1003&to=1002 => ''
                    ?hosts=g,h         => 1, 2, 3
                    ?hosts=g           => ''
                    """)
    void showsTheLogOfATime(String query, String messages) throws Exception {
        for (int i = 1; i <= 3; i++) {
            connection.logs.add(
                    new LogRing.Line(
                            Instant.ofEpochMilli(1_000 + i).plusNanos(999_999),
                            i,
                            "c",
                            "info",
                            String.valueOf(i)));
        }

        HttpTester.Response reply = connection.get(APPLICATION + "/logs" + query);

        assertThat(reply.getStatus()).isEqualTo(200);
        assertThat(reply.get("Content-Type")).startsWith("text/plain");
        assertThat(String.join(", ", lastColumn(reply))).isEqualTo(messages);
    }

    private static List<String> lastColumn(HttpTester.Response reply) {
        return reply.getContent()
                .lines()
                .map(line -> line.substring(line.lastIndexOf('\t') + 1))
                .toList();
    }

    @Test
    void deploysAForm() throws Exception {
        HttpTester.Response checked =
                form(
                        Map.of(
                                "prepareParams; application/json",
                                bytes(
                                        "{\"dryRun\":true,\"ignored\":{\"a\":[1]},\"verbose\":\"true\"}"),
                                "applicationPackage; application/zip",
                                zip()));
        HttpTester.Response deployed =
                form(
                        Map.of(
                                "applicationPackage; application/x-gzip",
                                Packages.tarGzip(Packages.files(TEXT))));
        HttpTester.Response session =
                sendForm(SESSION, Map.of("applicationPackage; application/zip", zip()));

        assertThat(checked.getContent()).contains("checked", "\"activated\":false");
        assertThat(deployed.getContent()).contains("\"activated\":true");
        assertThat(session.getContent()).contains("\"session-id\":\"3\"");
        assertThat(filesLeft()).containsExactlyInAnyOrder("2", "3", "active", "history", "last");
    }

    @ParameterizedTest
    @CsvSource(
            delimiterString = "=>",
            quoteCharacter = '`',
            textBlock =
                    """
                    other; text/plain | x => expected a part applicationPackage in the form
                    applicationPackage; text/plain | x => applicationPackage: expected Content-Type application/zip, application/x-gzip or application/gzip, but found 'text/plain'
                    prepareParams; application/json | [] => prepareParams: expected a JSON object
                    prepareParams; application/json | {"a":tru} => prepareParams: expected a JSON object: Unrecognized token 'tru'
                    prepareParams; application/json | {"aÿ":1} => prepareParams: expected a JSON object: Invalid UTF-8 start byte 0xff
                    prepareParams; application/json | {"applicationName":"a b"} => applicationName: expected a name of 1 to 64 letters, digits, '_' and '-', but found 'a b'
                    """)
    void refusesFormsThatAreWrong(String part, String message) throws Exception {
        String[] words = part.split(" \\| ", 2);
        var parts = new HashMap<String, byte[]>();
        parts.put(words[0], bytes(words[1]));
        if (words[0].startsWith("prepareParams")) {
            parts.put("applicationPackage; application/zip", zip());
        }

        HttpTester.Response reply = form(parts);

        assertThat(reply.getStatus()).isEqualTo(400);
        assertThat(reply.getContent()).contains("BAD_REQUEST", message.replace("\"", "\\\""));
        assertThat(filesLeft()).isEmpty();
    }

    @Test
    void refusesFormsThatAreTooLargeOrBroken() throws Exception {
        HttpTester.Response large =
                form(Map.of("applicationPackage; application/zip", new byte[LIMIT]));
        HttpTester.Response broken =
                connection.send(
                        "POST", DEPLOY, "multipart/form-data; boundary=b", bytes("--b\r\nx"));
        HttpTester.Response nameless =
                connection.send(
                        "POST",
                        DEPLOY,
                        "multipart/form-data; boundary=b",
                        bytes("--b\r\nContent-Type: application/zip\r\n\r\nPK\r\n--b--\r\n"));
        HttpTester.Response unbounded =
                connection.send("POST", DEPLOY, "multipart/form-data", bytes("x"));

        assertThat(large.getStatus()).isEqualTo(413);
        assertThat(broken.getStatus()).isEqualTo(400);
        assertThat(broken.getContent()).contains("BAD_REQUEST", "the form is broken");
        assertThat(nameless.getStatus()).isEqualTo(400);
        assertThat(nameless.getContent()).contains("expected a part applicationPackage");
        assertThat(unbounded.getStatus()).isEqualTo(400);
        assertThat(unbounded.getContent()).contains("expected a boundary");
        assertThat(filesLeft()).isEmpty();
    }

    private HttpTester.Response form(Map<String, byte[]> parts) throws Exception {
        return sendForm(DEPLOY, parts);
    }

    /** Sends parts, each named by its name and its content type. */
    private HttpTester.Response sendForm(String path, Map<String, byte[]> parts) throws Exception {
        var body = new ByteArrayOutputStream();
        for (Map.Entry<String, byte[]> part : parts.entrySet()) {
            String[] words = part.getKey().split("; ", 2);
            body.writeBytes(
                    bytes(
                            "--b\r\nContent-Disposition: form-data; name=\"%s\"\r\nContent-Type: %s\r\n\r\n"
                                    .formatted(words[0], words[1])));
            body.writeBytes(part.getValue());
            body.writeBytes(bytes("\r\n"));
        }
        body.writeBytes(bytes("--b--\r\n"));
        return connection.send("POST", path, "multipart/form-data; boundary=b", body.toByteArray());
    }

    private static byte[] bytes(String text) {
        return text.getBytes(ISO_8859_1);
    }

    private void deploy() throws Exception {
        assertThat(connection.post(DEPLOY, zip()).getStatus()).isEqualTo(200);
    }

    private static byte[] zip() throws IOException {
        return Packages.zip(Packages.files(TEXT));
    }

    private List<String> filesLeft() throws IOException {
        try (var files = Files.list(directory)) {
            return files.map(file -> file.getFileName().toString()).toList();
        }
    }
}
