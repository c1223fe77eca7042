package org.crabro.container.admin;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpRequest.BodyPublisher;
import java.net.http.HttpRequest.BodyPublishers;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodyHandlers;
import java.nio.file.Path;
import java.time.Duration;
import java.time.InstantSource;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.atomic.AtomicReference;
import java.util.function.Supplier;
import org.crabro.container.http.HttpSettings;
import org.crabro.container.http.MetricIntervals;
import org.crabro.container.reindex.ReindexRegister;
import org.crabro.protocol.transport.NodeAddress;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Two config servers on free ports. One of them leads. */
class ConfigPortTest {
    private static final String PACKAGES = "/application/v2/tenant/default/";
    private static final int PACKAGE_MAX = 20_000;
    private static final String TEXT = "field text type string { indexing: index | summary }";

    @TempDir Path directory;
    private final RecordedActivation activation = new RecordedActivation();
    private final AtomicReference<Optional<URI>> leader = new AtomicReference<>(Optional.empty());
    private final HttpClient client = HttpClient.newHttpClient();
    private Optional<ConfigPort> leading = Optional.empty();
    private Optional<ConfigPort> other = Optional.empty();
    private Optional<DeployService> service = Optional.empty();

    @BeforeEach
    void start() throws IOException {
        leading = Optional.of(port(Optional::empty));
        other = Optional.of(port(leader::get));
        DeployService opened =
                DeployService.open(
                        settings(),
                        new DeployService.Uses(
                                activation,
                                ReindexRegister.open(
                                        directory.resolve("reindexing"), InstantSource.system()),
                                PackageCopies.NONE),
                        Optional.empty(),
                        new LogRing("host", 1));
        service = Optional.of(opened);
        leading.get().answer(opened);
        leader.set(Optional.of(URI.create("http://127.0.0.1:" + leading.get().peerPort())));
    }

    private ConfigServerSettings settings() {
        ConfigServerSettings defaults =
                ConfigServerSettings.of(
                        HttpSettings.loopback(0), directory.resolve("packages"), "1");
        return new ConfigServerSettings(
                defaults.endpoint(),
                defaults.files(),
                defaults.sessions(),
                PACKAGE_MAX,
                defaults.lockWait(),
                defaults.console());
    }

    private ConfigPort port(Supplier<Optional<URI>> leads) throws IOException {
        return ConfigPort.start(
                settings(),
                new NodeAddress(NodeAddress.LOOPBACK, 0),
                ConfigPort.Peers.LOCAL,
                leads,
                new DataOperations((_, _) -> new DataBackup.Reply.Refused("not built"), new Idle()),
                new MetricIntervals(InstantSource.system()));
    }

    /** Has nothing to settle. */
    private static final class Idle implements DataSettling {
        @Override
        public Reply settle(Duration timeout) {
            return new Reply.Failed("not built");
        }

        @Override
        public Backlog backlog() {
            return new Backlog(0, 0);
        }
    }

    @AfterEach
    void stop() {
        other.ifPresent(ConfigPort::close);
        leading.ifPresent(ConfigPort::close);
        service.ifPresent(DeployService::close);
        client.close();
    }

    private URI other() {
        return other.orElseThrow().url();
    }

    private HttpResponse<String> send(String method, String path, BodyPublisher body)
            throws IOException, InterruptedException {
        return client.send(
                HttpRequest.newBuilder(other().resolve(path))
                        .method(method, body)
                        .header("Content-Type", "application/zip")
                        .timeout(Duration.ofMinutes(1))
                        .build(),
                BodyHandlers.ofString());
    }

    private HttpResponse<String> get(String path) throws IOException, InterruptedException {
        return send("GET", path, BodyPublishers.noBody());
    }

    @Test
    void asksTheLeaderForWhatTheConsoleShows() throws Exception {
        byte[] zip = Packages.zip(Packages.files(TEXT));
        send("POST", PACKAGES + "prepareandactivate", BodyPublishers.ofByteArray(zip));

        HttpResponse<String> status = get("/console/api/status");
        HttpResponse<String> history = get("/console/api/history");
        HttpResponse<String> query =
                send("POST", "/console/api/search", BodyPublishers.ofString("{}"));
        HttpResponse<String> metrics = get("/console/api/metrics");

        assertThat(status.body()).contains("\"generation\":1");
        assertThat(history.body()).contains("\"kind\":\"activated\",\"generation\":1");
        assertThat(query.statusCode()).as("without containers: %s", query.body()).isEqualTo(501);
        leader.set(Optional.empty());
        assertThat(get("/console/api/schemas").statusCode()).isEqualTo(503);
        assertThat(metrics.statusCode()).as("those of each server").isEqualTo(200);
    }

    @Test
    void forwardsRequestsToTheLeader() throws Exception {
        byte[] zip = Packages.zip(Packages.files(TEXT));

        HttpResponse<String> created =
                send("POST", PACKAGES + "session", BodyPublishers.ofByteArray(zip));
        HttpResponse<String> prepared =
                send("PUT", PACKAGES + "session/1/prepared", BodyPublishers.noBody());
        HttpResponse<String> activated =
                send("PUT", PACKAGES + "session/1/active", BodyPublishers.noBody());

        assertThat(created.statusCode()).as(created.body()).isEqualTo(200);
        assertThat(created.body())
                .as("URLs have the address that the client knows")
                .contains("\"prepared\":\"" + other() + PACKAGES + "session/1/prepared\"");
        assertThat(prepared.statusCode()).as(prepared.body()).isEqualTo(200);
        assertThat(activated.statusCode()).as(activated.body()).isEqualTo(200);
        assertThat(activation.models).hasSize(1);
        HttpResponse<String> content = get(PACKAGES + "session/1/content/schemas/note.sd");
        assertThat(content.body()).contains(TEXT);
        assertThat(get(PACKAGES + "session/9/content/").statusCode()).isEqualTo(404);
    }

    @Test
    void refusesLargePackagesOnTheWay() throws Exception {
        BodyPublisher large = BodyPublishers.ofByteArray(new byte[PACKAGE_MAX + 1]);

        HttpResponse<String> refused = send("POST", PACKAGES + "session", large);

        assertThat(refused.statusCode()).isEqualTo(413);
        assertThat(refused.body()).contains("the package is larger than the limit of 20,000 bytes");
    }

    @Test
    void asksToTryAgainWithoutALeader() throws Exception {
        for (Optional<URI> uri :
                List.of(Optional.<URI>empty(), Optional.of(URI.create("http://127.0.0.1:1")))) {
            leader.set(uri);

            HttpResponse<String> refused = get("/cluster/v2");

            assertThat(refused.statusCode()).as(refused.body()).isEqualTo(503);
            assertThat(refused.headers().firstValue("Retry-After")).hasValue("2");
        }
        leader.set(Optional.of(URI.create("http://127.0.0.1:" + leading.orElseThrow().peerPort())));
        leading.orElseThrow().forward();
        HttpResponse<String> refused = get(PACKAGES + "application/");
        assertThat(refused.statusCode()).isEqualTo(503);
        assertThat(refused.body()).contains("another config server leads since; try again");
        assertThat(get("/state/v1/health").statusCode()).as("of this server").isEqualTo(200);
    }

    @Test
    void asksToTryAgainIfNoMajorityAgrees() throws Exception {
        activation.reply = () -> new ModelActivation.Reply.Unavailable("no majority");
        byte[] zip = Packages.zip(Packages.files(TEXT));

        HttpResponse<String> refused =
                send("POST", PACKAGES + "prepareandactivate", BodyPublishers.ofByteArray(zip));

        assertThat(refused.statusCode()).isEqualTo(503);
        assertThat(refused.headers().firstValue("Retry-After")).isPresent();
        assertThat(refused.body())
                .isEqualTo("{\"error-code\":\"SERVICE_UNAVAILABLE\",\"message\":\"no majority\"}");
    }
}
