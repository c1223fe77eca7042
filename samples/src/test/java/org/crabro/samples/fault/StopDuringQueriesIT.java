package org.crabro.samples.fault;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import java.net.URI;
import java.net.URLEncoder;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import org.crabro.client.cli.ServerProcess;
import org.crabro.samples.fixture.Http;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** A server process that is asked to stop during queries that would take minutes. */
class StopDuringQueriesIT {
    private static final int QUERIES = 4;
    private static final int EXPRESSIONS = 20;

    /** Far longer than the bound of the documentation, and far shorter than the queries. */
    private static final Duration STOP = Duration.ofMinutes(1);

    @TempDir Path data;

    @Test
    void endsAndWritesItsLastLogLines() throws Exception {
        try (var http = new Http();
                ServerProcess server = start();
                ExecutorService clients = Executors.newVirtualThreadPerTaskExecutor()) {
            FedNotes.deploy(http, server.config());
            String fields = "{\"fields\":{\"tags\":[\"%s\"]}}".formatted("a".repeat(500_000));
            URI document = server.container().resolve("/document/v1/test/note/group/anna/1");
            assertThat(http.post(document, "application/json", fields.getBytes(UTF_8)).status())
                    .isEqualTo(200);
            List<Future<Http.Answer>> asked = new ArrayList<>();
            for (int i = 0; i < QUERIES; i++) {
                asked.add(clients.submit(() -> http.get(query(server))));
            }
            assertThatExceptionOfType(TimeoutException.class)
                    .as("a query that goes on")
                    .isThrownBy(() -> asked.getFirst().get(1, TimeUnit.SECONDS));

            assertThat(server.stop(STOP)).isTrue();
        }
        assertThat(Files.readString(data.resolve("logs/crabro.0.log"))).contains("Stopped");
    }

    private ServerProcess start() throws Exception {
        return ServerProcess.start(
                List.of("--data=" + data, "--port=0", "--config-port=0", "--set=warmUp=0s"),
                Map.of());
    }

    private static URI query(ServerProcess server) {
        var conditions = new ArrayList<String>();
        for (int i = 0; i < EXPRESSIONS; i++) {
            conditions.add("tags matches '(a?){900}%dz'".formatted(i));
        }
        String yql = "select * from note where " + String.join(" or ", conditions);
        return server.container()
                .resolve(
                        "/search/?timeout=300s&streaming.groupname=anna&yql="
                                + URLEncoder.encode(yql, UTF_8));
    }
}
