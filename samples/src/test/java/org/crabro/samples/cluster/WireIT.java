package org.crabro.samples.cluster;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import java.net.Socket;
import java.net.URLEncoder;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.stream.IntStream;
import org.crabro.client.cluster.ClusterCommand;
import org.crabro.container.ContainerSettings;
import org.crabro.container.RequestSettings;
import org.crabro.protocol.transport.CallLimits;
import org.crabro.protocol.transport.TlsFiles;
import org.crabro.samples.fixture.NotesApplication;
import org.crabro.samples.fixture.ServedPackage;
import org.crabro.server.ServerSettings;
import org.crabro.server.WireSettings;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import picocli.CommandLine;

/** A container that sends its requests to a content node over sockets, with mutual TLS. */
class WireIT {
    private static final String HERE = "127.0.0.1";
    private static final int EXPRESSIONS = 20;

    private static final String NOTE =
            """
            schema note {
              document note {
                field text type string { indexing: index | summary }
                field year type int { indexing: attribute | summary }
                field tags type array<string> { indexing: attribute | summary }
              }
            }
            """;

    @TempDir private Path directory;

    private ServedPackage start(CallLimits limits) throws Exception {
        Path made = directory.resolve("certificates");
        int status =
                new CommandLine(new ClusterCommand())
                        .execute("certificates", HERE, "--directory", made.toString());
        assertThat(status).isZero();
        var tls =
                new TlsFiles(
                        made.resolve(HERE + "-key.pem"),
                        made.resolve(HERE + ".pem"),
                        made.resolve("authority.pem"));
        ServerSettings settings =
                ServerSettings.onAnyPorts(directory.resolve("data"))
                        .with(new WireSettings(true, limits, Optional.of(tls)));
        var served = new ServedPackage(settings, Map.of("schemas/note.sd", NOTE));
        served.deploy(NotesApplication.SERVICES);
        return served;
    }

    @Test
    void feedsSearchesVisitsAndRemoves() throws Exception {
        try (ServedPackage served = start(new CallLimits(100, 64 << 20))) {
            served.feed(
                    IntStream.range(0, 500)
                            .mapToObj(i ->
                                    "{\"put\":\"id:ns:note:g=anna:%d\",\"fields\":{\"text\":\"note %d\",\"year\":%d}}"
                                            .formatted(i, i, 2000 + i % 10))
                            .toList());
            served.note("group/anna/1", "\"text\":\"another note\",\"year\":1999");
            ServedPackage.Answer updated =
                    served.put(
                            "/document/v1/ns/note/group/anna/2?condition=note.year==2002",
                            "{\"fields\":{\"year\":{\"increment\":20}}}");
            ServedPackage.Answer unmet =
                    served.put(
                            "/document/v1/ns/note/group/anna/2?condition=note.year==2002",
                            "{\"fields\":{\"year\":{\"increment\":20}}}");

            assertThat(updated.status()).as(updated.toString()).isEqualTo(200);
            assertThat(unmet.status()).isEqualTo(412);
            assertThat(served.get("/document/v1/ns/note/group/anna/2").body())
                    .contains("\"year\":2022");
            assertThat(served.get("/document/v1/ns/note/group/anna/none").status()).isEqualTo(404);
            assertThat(
                            served.search(
                                            "anna",
                                            "select * from note where text contains 'another'",
                                            "")
                                    .body())
                    .contains("\"totalCount\":1", "\"coverage\":100", "id:ns:note:g=anna:1");
            assertThat(
                            served.search(
                                            "anna",
                                            "select * from note where true limit 0 | all(group(year) each(output(count())))",
                                            "")
                                    .body())
                    .contains("\"value\":\"1999\",\"fields\":{\"count()\":1}")
                    .contains("\"value\":\"2003\",\"fields\":{\"count()\":50}");
            assertThat(
                            served.everything(
                                    "/document/v1/ns/note/group/anna/?wantedDocumentCount=100"))
                    .hasSize(500)
                    .doesNotHaveDuplicates();
            assertThat(served.delete("/document/v1/ns/note/group/anna/?wholeGroup=true").status())
                    .isEqualTo(200);
            assertThat(served.search("anna", "select * from note where true", "").body())
                    .contains("\"totalCount\":0");
        }
    }

    /** Over sockets it was 429, so that clients sent such requests again for ever. */
    @Test
    void refusesWhatNeverFitsIntoMemoryAsInOneProcess() throws Exception {
        for (boolean overSockets : new boolean[] {false, true}) {
            Path data = directory.resolve("memory-" + overSockets);
            ServerSettings settings = ServerSettings.onAnyPorts(data);
            settings =
                    settings.with(
                            new WireSettings(
                                    overSockets, settings.wire().limits(), Optional.empty()));
            try (var served = new ServedPackage(settings, Map.of("schemas/note.sd", NOTE))) {
                served.deploy(NotesApplication.SERVICES);
                served.note(
                        "group/anna/1",
                        "\"year\":1,\"tags\":[%s]"
                                .formatted(String.join(",", Collections.nCopies(200_000, "\"\""))));
                served.note("group/anna/2", "\"year\":2");
            }
            try (var served =
                    new ServedPackage(
                            withMemory(settings, 4 << 20), Map.of("schemas/note.sd", NOTE))) {
                String large = "/document/v1/ns/note/group/anna/1";
                String small = "/document/v1/ns/note/group/anna/2";
                String update = "{\"fields\":{\"tags\":{\"add\":[\"x\"]}}}";
                List<ServedPackage.Answer> refused =
                        List.of(
                                served.put(large, update),
                                served.put(
                                        large + "?condition=note.tags",
                                        "{\"fields\":{\"year\":{\"assign\":3}}}"),
                                served.search("anna", "select * from note where true", ""));

                assertThat(refused)
                        .as("over sockets: %s", overSockets)
                        .allSatisfy(answer -> {
                            assertThat(answer.status()).isEqualTo(413);
                            assertThat(answer.body())
                                    .contains("requests.memory", "at most 3145728");
                        });
                // It is read as text.
                assertThat(served.get(large).json().get("fields").get("tags").size())
                        .isEqualTo(200_000);
                assertThat(served.get(small).status()).isEqualTo(200);
                assertThat(served.put(small, update).status()).isEqualTo(200);
            }
        }
    }

    private static ServerSettings withMemory(ServerSettings settings, long bytes) {
        ContainerSettings container = settings.container();
        ContainerSettings.Start start = container.start();
        return new ServerSettings(
                settings.data(),
                new ContainerSettings(
                        container.http(),
                        container.documents(),
                        container.search(),
                        container.visits(),
                        container.bulk(),
                        new ContainerSettings.Start(
                                start.portGiven(),
                                start.version(),
                                start.access(),
                                start.allowsComponents(),
                                start.services(),
                                new RequestSettings(false, bytes))),
                settings.content(),
                settings.config(),
                settings.wire(),
                settings.process());
    }

    /** The node has room for one request, so it executes a second one only after the first. */
    @Test
    void stopsASearchOnTheNodeWhenItsClientHasGone() throws Exception {
        try (ServedPackage served = start(new CallLimits(1, 64 << 20))) {
            served.note("group/anna/1", "\"tags\":[\"%s\"]".formatted("a".repeat(500_000)));
            var conditions = new ArrayList<String>();
            for (int i = 0; i < EXPRESSIONS; i++) {
                conditions.add("tags matches '(a?){900}%dz'".formatted(i));
            }
            String slow = "select * from note where " + String.join(" or ", conditions);

            String request =
                    "GET /search/?timeout=300s&streaming.groupname=anna&yql=%s HTTP/1.1\r\nHost: localhost\r\n\r\n"
                            .formatted(URLEncoder.encode(slow, UTF_8));
            var clients = new ArrayList<Socket>();

            // Either request may come first.
            await().until(() -> {
                clients.add(served.open(request));
                return quick(served) == 429;
            });
            for (Socket client : clients) {
                client.close();
            }

            await().atMost(Duration.ofMinutes(1)).until(() -> quick(served) == 200);
        }
    }

    private static int quick(ServedPackage served) throws Exception {
        return served.search("bert", "select * from note where true", "").status();
    }
}
