package org.crabro.samples.port;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import java.io.ByteArrayOutputStream;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpRequest.BodyPublishers;
import java.net.http.HttpResponse;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Map;
import java.util.zip.ZipEntry;
import java.util.zip.ZipOutputStream;
import org.crabro.container.access.AccessControl;
import org.crabro.container.access.TokenHash;
import org.crabro.samples.fixture.NotesApplication;
import org.crabro.samples.fixture.OwnJar;
import org.crabro.samples.fixture.TestSettings;
import org.crabro.server.CrabroServer;
import org.crabro.server.ServerSettings;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Components see who sent a request, unless the operator forbids components. */
class CallerIT {
    private static final Map<String, String> SOURCES =
            Map.of(
                    "who/Shown.java",
                    """
                    package who;

                    import java.io.IOException;
                    import org.crabro.component.*;

                    public final class Shown implements Handler {
                        @Override
                        public void handle(HttpRequest request, HttpResponse response)
                                throws IOException {
                            response.body().write(request.caller().toString().getBytes());
                        }
                    }
                    """,
                    "who/Traced.java",
                    """
                    package who;

                    import org.crabro.component.*;

                    public final class Traced implements Searcher {
                        @Override
                        public Result search(Query query, Execution execution) {
                            return Result.failed(
                                    new QueryError(
                                            QueryError.Kind.FORBIDDEN,
                                            "asked by " + query.caller().name()));
                        }
                    }
                    """,
                    "who/Checked.java",
                    """
                    package who;

                    import org.crabro.component.*;
                    import org.crabro.document.operation.DocumentOperation;

                    public final class Checked implements DocumentProcessor {
                        @Override
                        public Progress process(DocumentOperation operation) {
                            throw new IllegalStateException("the caller is not known");
                        }

                        @Override
                        public Progress process(DocumentOperation operation, Caller caller) {
                            return Progress.failed(
                                    Progress.Kind.FORBIDDEN, "sent by " + caller.name());
                        }
                    }
                    """);

    private static final String SERVICES =
            NotesApplication.SERVICES.replace(
                    "<search/>",
                    """
                    <handler id="shown" class="who.Shown"><binding>http://*/who</binding></handler>
                    <search>
                      <chain id="default" inherits="vespa">
                        <searcher id="traced" class="who.Traced"/>
                      </chain>
                    </search>
                    <document-processing>
                      <chain id="default"><documentprocessor id="checked" class="who.Checked"/></chain>
                    </document-processing>
                    """);

    @TempDir Path directory;

    private final HttpClient client = HttpClient.newHttpClient();

    @Test
    void componentsSeeWhoSentARequestUnlessTheyAreForbidden() throws Exception {
        Path access = directory.resolve("access");
        Files.writeString(
                access,
                "[anna]\npermissions = read, write\ngroups = anna\ntoken = "
                        + TokenHash.of("anna")
                        + "\n[anonymous]\npermissions = deploy\n");
        ServerSettings settings = TestSettings.onAnyPorts(directory.resolve("data"));
        byte[] withJar = application();
        String document = "/document/v1/home/note/group/anna/1";
        try (var server = CrabroServer.start(settings.withAccess(AccessControl.of(access)))) {
            assertThat(deploy(server, withJar)).contains("\"session-id\"");

            assertThat(send(server.container().resolve("/who"), ""))
                    .contains("name=anna", "groups=Optional[[anna]]", "read", "write")
                    .doesNotContain("admin");
            assertThat(send(server.container().resolve("/search/?yql=select+*+from+note"), ""))
                    .contains("asked by anna");
            assertThat(send(server.container().resolve(document), "{\"fields\":{}}"))
                    .contains("sent by anna");
            assertThat(
                            send(
                                    server.container().resolve("/document/v1/"),
                                    "{\"put\":\"id:home:note:g=anna:1\",\"fields\":{}}\n"))
                    .contains("sent by anna");
        }
        try (var server = CrabroServer.start(settings.withoutComponents())) {
            String message = "the package has components/who.jar, and this server loads no jars";
            String before = send(server.container().resolve("/who"), "");
            String refused = deploy(server, withJar);
            String without = deploy(server, NotesApplication.zip());

            assertThat(before).contains("no application is deployed");
            assertThat(refused).contains(message);
            assertThat(without).contains("\"session-id\"");
            assertThat(send(server.container().resolve(document), "{\"fields\":{}}"))
                    .contains("\"id\":\"id:home:note:g=anna:1\"");
        }
        client.close();
    }

    private byte[] application() throws Exception {
        var bytes = new ByteArrayOutputStream();
        try (var zip = new ZipOutputStream(bytes)) {
            for (var file :
                    Map.of(
                                    "services.xml",
                                    SERVICES.getBytes(UTF_8),
                                    "schemas/note.sd",
                                    NotesApplication.SCHEMA.getBytes(UTF_8),
                                    "components/who.jar",
                                    OwnJar.of(SOURCES, directory.resolve("work")))
                            .entrySet()) {
                zip.putNextEntry(new ZipEntry(file.getKey()));
                zip.write(file.getValue());
            }
        }
        return bytes.toByteArray();
    }

    private String deploy(CrabroServer server, byte[] zip) throws Exception {
        return client.send(
                        HttpRequest.newBuilder(
                                        server.config()
                                                .resolve(
                                                        "/application/v2/tenant/default/prepareandactivate"))
                                .header("Content-Type", "application/zip")
                                .POST(BodyPublishers.ofByteArray(zip))
                                .build(),
                        HttpResponse.BodyHandlers.ofString())
                .body();
    }

    private String send(URI address, String body) throws Exception {
        HttpRequest.Builder request =
                HttpRequest.newBuilder(address).header("Authorization", "Bearer anna");
        if (!body.isEmpty()) {
            boolean isLine = address.getPath().equals("/document/v1/");
            request.header("Content-Type", isLine ? "application/jsonl" : "application/json")
                    .POST(BodyPublishers.ofString(body));
        }
        return client.send(request.build(), HttpResponse.BodyHandlers.ofString()).body();
    }
}
