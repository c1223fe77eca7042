package org.crabro.container.admin;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.Socket;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpRequest.BodyPublishers;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodyHandlers;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CopyOnWriteArrayList;
import org.crabro.container.http.HttpSettings;
import org.crabro.container.http.MetricIntervals;
import org.crabro.container.reindex.ReindexRegister;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Starts a config server on a free port, as a process would. */
class ConfigServerTest {
    private static final String TEXT = "field text type string { indexing: index | summary }";

    @TempDir Path directory;
    private final RecordedActivation activation = new RecordedActivation();
    private final List<Path> directories = new CopyOnWriteArrayList<>();
    private final RecordedSettling settling = new RecordedSettling();
    private final HttpClient client = HttpClient.newHttpClient();

    @Test
    void answersWhatClientsAskBeforeTheyDeploy() throws Exception {
        try (var server = start()) {
            HttpResponse<String> status = send(server, "HEAD", "/ApplicationStatus", new byte[0]);
            HttpResponse<String> health = send(server, "GET", "/state/v1/health", new byte[0]);
            HttpResponse<String> page = send(server, "GET", "/status.html", new byte[0]);

            assertThat(status.statusCode()).isEqualTo(200);
            assertThat(health.body()).contains("\"code\":\"up\"");
            assertThat(page.statusCode()).isEqualTo(200);
            assertThat(server.generation()).isEmpty();
        }
    }

    @Test
    void activatesWhatWasActiveBeforeItListens() throws Exception {
        try (var server = start()) {
            HttpResponse<String> reply =
                    send(
                            server,
                            "POST",
                            "/application/v2/tenant/default/prepareandactivate",
                            Packages.zip(Packages.files(TEXT)));
            assertThat(reply.statusCode()).isEqualTo(200);
        }

        try (var again = start()) {
            assertThat(again.generation()).hasValue(1);
        }

        assertThat(activation.occasions)
                .containsExactly(
                        ModelActivation.Occasion.DEPLOYMENT, ModelActivation.Occasion.START);
        assertThat(activation.models.getLast()).isEqualTo(activation.models.getFirst());
    }

    @Test
    void makesBackupsForProgramsOnItsMachine() throws Exception {
        try (var server = start()) {
            HttpResponse<String> none = send(server, "GET", BackupHandler.PATH, new byte[0]);
            assertThat(none.statusCode()).isEqualTo(404);

            HttpResponse<String> made = backup(server, "{\"directory\":\"/backups/today\"}");
            HttpResponse<String> told = send(server, "GET", BackupHandler.PATH, new byte[0]);

            assertThat(made.statusCode()).isEqualTo(200);
            assertThat(made.body())
                    .isEqualTo(
                            "{\"state\":\"done\",\"directory\":\"/backups/today\","
                                    + "\"begun\":\"1970-01-01T00:00:01Z\","
                                    + "\"ended\":\"1970-01-01T00:00:02Z\",\"files\":3,\"bytes\":400,\"copiedBytes\":50,\"copyReason\":\"far"
                                    + " away\",\"partitions\":[{\"position\":6,\"timestamp\":7}]}");
            assertThat(told.body()).isEqualTo(made.body());
        }
    }

    @Test
    void refusesBackupsThatItIsNotAskedForProperly() throws Exception {
        try (var server = start()) {
            String body = "{\"directory\":\"/backups/today\"}";

            assertThat(backup(server, "{\"directory\":\"backups\"}").statusCode()).isEqualTo(400);
            assertThat(backup(server, "{\"directory\":7}").statusCode()).isEqualTo(400);
            assertThat(backup(server, body + "x").statusCode()).isEqualTo(400);
            assertThat(send(server, "POST", BackupHandler.PATH, body.getBytes(UTF_8)).statusCode())
                    .isEqualTo(400);
            assertThat(send(server, "DELETE", BackupHandler.PATH, new byte[0]).statusCode())
                    .isEqualTo(405);
            HttpResponse<String> full = backup(server, "{\"directory\":\"/full\"}");
            assertThat(full.statusCode()).isEqualTo(400);
            assertThat(full.body()).contains("it is not empty");
            HttpResponse<String> broken = backup(server, "{\"directory\":\"/broken\"}");
            assertThat(broken.statusCode()).isEqualTo(500);
            assertThat(broken.body()).contains("the backup in /broken is not whole: no space");
            assertThat(backup(server, " ".repeat(70_000) + body).statusCode()).isEqualTo(413);
            assertThat(backup(server, " ".repeat(7_000_000) + body).statusCode()).isEqualTo(413);
            assertThat(directories).doesNotContain(Path.of("/backups/today"));
        }
    }

    @Test
    void refusesBackupsForNamesAndAddressesOfOthers() throws Exception {
        try (var server = start();
                var socket = new Socket(InetAddress.getLoopbackAddress(), server.port())) {
            socket.getOutputStream()
                    .write(
                            "GET %s HTTP/1.1\r\nHost: evil.example\r\nConnection: close\r\n\r\n"
                                    .formatted(BackupHandler.PATH)
                                    .getBytes(UTF_8));

            assertThat(new String(socket.getInputStream().readAllBytes(), UTF_8))
                    .startsWith("HTTP/1.1 403");
        }
        assertThat(BackupHandler.isLocal(address("127.0.0.1"))).isTrue();
        assertThat(BackupHandler.isLocal(address("::1"))).isTrue();
        assertThat(BackupHandler.isLocal(address("192.0.2.1"))).isFalse();
    }

    @Test
    void flushesAndMergesUntilATimeout() throws Exception {
        try (var server = start()) {
            assertThat(settle(server, "GET", "").statusCode()).isEqualTo(404);

            HttpResponse<String> settled = settle(server, "POST", "");
            HttpResponse<String> told = settle(server, "GET", "");
            settling.reply = new DataSettling.Reply.TimedOut();
            HttpResponse<String> timedOut = settle(server, "POST", "?timeout=3");
            settling.reply = new DataSettling.Reply.Failed("no space");
            HttpResponse<String> failed = settle(server, "POST", "?timeout=2h");

            assertThat(settled.statusCode()).isEqualTo(200);
            assertThat(settled.body())
                    .isEqualTo(
                            "{\"state\":\"settled\",\"recentBytes\":7,\"unmergedPartitions\":2}");
            assertThat(told.body()).isEqualTo(settled.body());
            assertThat(timedOut.statusCode()).isEqualTo(200);
            assertThat(timedOut.body()).startsWith("{\"state\":\"timedOut\"");
            assertThat(failed.statusCode()).isEqualTo(500);
            assertThat(failed.body()).contains("a flush or a merge failed: no space");
            assertThat(settling.timeouts)
                    .containsExactly(
                            Duration.ofMinutes(10), Duration.ofSeconds(3), Duration.ofHours(2));
        }
    }

    @Test
    void rejectsTimeoutsAndMethodsThatSettleDoesNotHave() throws Exception {
        try (var server = start()) {
            assertThat(settle(server, "POST", "?timeout=0").statusCode()).isEqualTo(400);
            assertThat(settle(server, "POST", "?timeout=soon").statusCode()).isEqualTo(400);
            assertThat(settle(server, "DELETE", "").statusCode()).isEqualTo(405);
            assertThat(settling.timeouts).isEmpty();
        }
    }

    private HttpResponse<String> settle(ConfigServer server, String method, String query)
            throws Exception {
        return send(server, method, SettleHandler.PATH + query, new byte[0]);
    }

    /** Answers as it is set, and records the timeouts. */
    private static final class RecordedSettling implements DataSettling {
        private final List<Duration> timeouts = new CopyOnWriteArrayList<>();
        private volatile Reply reply = new Reply.Settled();

        @Override
        public Reply settle(Duration timeout) {
            timeouts.add(timeout);
            return reply;
        }

        @Override
        public Backlog backlog() {
            return new Backlog(7, 2);
        }
    }

    private static InetSocketAddress address(String literal) {
        return new InetSocketAddress(InetAddress.ofLiteral(literal), 1);
    }

    private DataBackup.Reply backup(Path target, DataBackup.PackageFiles packages) {
        directories.add(target);
        return switch (target.toString()) {
            case "/full" -> new DataBackup.Reply.Refused("it is not empty");
            case "/broken" -> new DataBackup.Reply.Failed("no space");
            default ->
                    new DataBackup.Reply.Made(
                            Instant.ofEpochSecond(1),
                            Instant.ofEpochSecond(2),
                            new DataBackup.Amount(3, 400, 50, Optional.of("far away")),
                            List.of(new DataBackup.Moment(6, 7)));
        };
    }

    private HttpResponse<String> backup(ConfigServer server, String body) throws Exception {
        return client.send(
                HttpRequest.newBuilder(server.url().resolve(BackupHandler.PATH))
                        .header("Content-Type", "application/json")
                        .POST(BodyPublishers.ofString(body))
                        .build(),
                BodyHandlers.ofString());
    }

    private ConfigServer start() throws IOException {
        return ConfigServer.start(
                ConfigServerSettings.of(
                        HttpSettings.loopback(0), directory.resolve("packages"), "1"),
                activation,
                ReindexRegister.open(directory.resolve("reindexing"), InstantSource.system()),
                new DataOperations(this::backup, settling),
                new LogRing("h", 7),
                new MetricIntervals(InstantSource.system()));
    }

    private HttpResponse<String> send(ConfigServer server, String method, String path, byte[] body)
            throws Exception {
        return client.send(
                HttpRequest.newBuilder(server.url().resolve(path))
                        .header("Content-Type", "application/zip")
                        .method(method, BodyPublishers.ofByteArray(body))
                        .build(),
                BodyHandlers.ofString());
    }
}
