package org.crabro.container.bulk;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import io.micrometer.core.instrument.simple.SimpleMeterRegistry;
import java.nio.ByteBuffer;
import java.nio.file.Path;
import java.time.Duration;
import java.time.InstantSource;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.crabro.config.deploy.ApplicationModel;
import org.crabro.container.document.Admission;
import org.crabro.container.document.DocumentBackend;
import org.crabro.container.document.DocumentHandler;
import org.crabro.container.document.DocumentSettings;
import org.crabro.container.document.MapOfRows;
import org.crabro.container.document.NotesPackage;
import org.crabro.container.document.RowPuts;
import org.crabro.container.document.ServedTypes;
import org.crabro.container.http.HttpSettings.BodyTimes;
import org.crabro.container.http.OnVirtualThreads;
import org.crabro.container.route.SelectionFilter;
import org.crabro.protocol.wire.Principal;
import org.eclipse.jetty.http.HttpTester;
import org.eclipse.jetty.http.UriCompliance;
import org.eclipse.jetty.server.HttpConnectionFactory;
import org.eclipse.jetty.server.LocalConnector;
import org.eclipse.jetty.server.Server;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * Writes to the group of another principal reach no backend, so their time does not depend on what
 * is stored. The backend of this test accepts everything, and counts its calls.
 */
class RefusedWritesTest {
    @TempDir static Path directory;

    private static final BulkSettings SETTINGS =
            new BulkSettings(
                    2,
                    new BulkSettings.Input(4_096, 4, 20_000, 100_000),
                    new BulkSettings.Batches(5, 4_096, 3),
                    2,
                    Duration.ofSeconds(30));

    private final SimpleMeterRegistry registry = new SimpleMeterRegistry();
    private final BulkAdmission admission =
            new BulkAdmission(SETTINGS, Duration.ofSeconds(10), System::nanoTime);
    private final Server server = new Server();
    private final LocalConnector connector = new LocalConnector(server);
    private Principal sender = Principal.EVERYONE;
    private MapOfRows rows;

    @BeforeEach
    void start() throws Exception {
        connector
                .getConnectionFactory(HttpConnectionFactory.class)
                .getHttpConfiguration()
                .setUriCompliance(UriCompliance.UNSAFE);
        server.addConnector(connector);
        ApplicationModel model = NotesPackage.model(directory);
        rows = new MapOfRows(model);
        var types = new ServedTypes(model, Map.of(), false);
        var filter = new SelectionFilter(model, rows, InstantSource.system());
        server.setHandler(
                new OnVirtualThreads(
                        new DocumentHandler(
                                types,
                                new DocumentBackend(
                                        rows,
                                        rows,
                                        RowPuts.NONE,
                                        new BulkFeed(
                                                new BulkBackend(types, rows, filter, rows),
                                                _ -> sender,
                                                admission,
                                                Duration.ofSeconds(30),
                                                registry)),
                                _ -> sender,
                                DocumentSettings.DEFAULT,
                                new Admission(DocumentSettings.DEFAULT, BodyTimes.DEFAULT),
                                registry)));
        server.start();
        send(
                "POST",
                "/document/v1/ns/note/group/anna/there",
                "application/json",
                "{\"fields\":{}}");
        assertThat(rows.documents()).containsOnlyKeys("id:ns:note:g=anna:there");
        sender = new Principal("ben", new Principal.Groups.Only(Set.of("ben")));
    }

    @AfterEach
    void stop() throws Exception {
        server.stop();
        admission.close();
    }

    private HttpTester.Response send(String method, String path, String type, String body)
            throws Exception {
        String request =
                "%s %s HTTP/1.1\r\nHost: h\r\nConnection: close\r\nContent-Type: %s\r\nContent-Length: %d\r\n\r\n%s"
                        .formatted(method, path, type, body.length(), body);
        return HttpTester.parseResponse(
                connector.getResponse(ByteBuffer.wrap(request.getBytes(UTF_8))));
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "",
                "?create=true",
                "?condition=true",
                "?condition=note.year>3",
                "?condition=note.year>3&create=true",
                "?dryRun=true",
                "?dryRun=validate",
                "?tracelevel=9"
            })
    void aWriteIsRefusedBeforeItsBodyIsRead(String query) throws Exception {
        int calls = rows.batches().size();
        for (String body :
                List.of(
                        "{\"fields\":{}}",
                        "{\"fields\":{\"text\":{\"assign\":\"a\"}}}",
                        "{\"fields\":{\"year\":{\"increment\":1}}}",
                        "nonsense")) {
            for (String method : List.of("POST", "PUT", "DELETE")) {
                String there = answer(method, "group/anna/there" + query, body);
                String missing = answer(method, "group/anna/other" + query, body);

                assertThat(there)
                        .startsWith("403 ")
                        .contains("'ben' may not touch group 'anna'")
                        .isEqualTo(missing.replace("other", "there"));
                assertThat(answer(method, "docid/1" + query, body)).startsWith("403 ");
                assertThat(answer(method, "number/7/1" + query, body)).startsWith("403 ");
            }
        }

        assertThat(rows.batches()).hasSize(calls);
        assertThat(rows.reads()).isZero();
        assertThat(rows.documents()).containsOnlyKeys("id:ns:note:g=anna:there");
    }

    private String answer(String method, String path, String body) throws Exception {
        HttpTester.Response answer =
                send(method, "/document/v1/ns/note/" + path, "application/json", body);
        return answer.getStatus() + " " + answer.getContent().replaceAll("\\d+\\.\\d+ ms", "T ms");
    }

    @ParameterizedTest
    @ValueSource(
            strings = {"", "?dryRun=true", "?dryRun=validate", "?tracelevel=9", "?strict=true"})
    void aLineOfABulkBodyIsRefusedBeforeItReachesABackend(String query) throws Exception {
        int calls = rows.batches().size();
        String lines =
                """
                {"put":"ID","fields":{"text":"a"}}
                {"fields":{"text":"a"},"put":"ID"}
                {"put":"ID","condition":"note.year>3","fields":{"text":"a"}}
                {"put":"ID","condition":"true","create":true,"fields":{"text":"a"}}
                {"update":"ID","fields":{"text":{"assign":"a"}}}
                {"update":"ID","condition":"note.year>3","fields":{"year":{"increment":1}}}
                {"update":"ID","create":true,"fields":{"year":{"assign":1}}}
                {"remove":"ID"}
                {"remove":"ID","condition":"note.year>3"}
                {"put":"ID","fields":{"none":1}}
                {"get":"ID"}
                """;
        String there = lines(query, lines.replace("ID", "id:ns:note:g=anna:there"));
        String missing = lines(query, lines.replace("ID", "id:ns:note:g=anna:other"));

        assertThat(there)
                .contains("\"403\":11")
                .isEqualTo(missing.replace("anna:other", "anna:there"));
        assertThat(rows.batches()).hasSize(calls);
        assertThat(rows.reads()).isZero();
        assertThat(rows.documents()).containsOnlyKeys("id:ns:note:g=anna:there");
    }

    private String lines(String query, String body) throws Exception {
        return send("POST", "/document/v1/" + query, "application/jsonl", body)
                .getContent()
                .replaceAll("\\d+\\.\\d+ ms", "T ms");
    }

    @Test
    void writesToOwnGroupsPass() throws Exception {
        assertThat(answer("POST", "group/ben/1", "{\"fields\":{}}")).startsWith("200 ");
        assertThat(
                        lines(
                                "",
                                "{\"put\":\"id:ns:note:g=ben:2\",\"fields\":{}}\n{\"get\":\"id:ns:note:g=ben:1\"}\n"))
                .contains("\"200\":2");
        assertThat(rows.documents()).hasSize(3);
    }
}
