package org.crabro.server.cluster;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIOException;

import java.io.IOException;
import java.io.OutputStream;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.file.Path;
import java.time.Duration;
import java.time.InstantSource;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;
import org.crabro.client.cluster.ClusterCommand;
import org.crabro.container.admin.ConfigPort;
import org.crabro.container.admin.ConfigServerSettings;
import org.crabro.container.admin.DataBackup;
import org.crabro.container.admin.DataOperations;
import org.crabro.container.admin.DataSettling;
import org.crabro.container.http.HttpSettings;
import org.crabro.container.http.MetricIntervals;
import org.crabro.protocol.transport.NodeAddress;
import org.crabro.protocol.transport.NodeSecurity;
import org.crabro.protocol.transport.TlsFiles;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import picocli.CommandLine;

/** Mutual TLS between config servers and other servers. */
class ConfigTlsTest {
    private static final String HERE = "127.0.0.1";

    @TempDir private Path directory;
    private Optional<ClusterController> controller = Optional.empty();
    private NodeAddress address = new NodeAddress(HERE, 0);

    @BeforeEach
    void open() throws IOException {
        controller =
                Optional.of(
                        ClusterController.open(
                                RecordFile.open(directory.resolve("cluster.json")),
                                List.of("h1"),
                                System::nanoTime,
                                InstantSource.system()));
        try (var free = new ServerSocket(0, 1, InetAddress.getLoopbackAddress())) {
            address = new NodeAddress(HERE, free.getLocalPort());
        }
    }

    private TlsFiles certificates(String name) {
        Path made = directory.resolve(name);
        int status =
                new CommandLine(new ClusterCommand())
                        .execute("certificates", HERE, "--directory", made.toString());
        assertThat(status).isZero();
        return new TlsFiles(
                made.resolve(HERE + "-key.pem"),
                made.resolve(HERE + ".pem"),
                made.resolve("authority.pem"));
    }

    private ConfigListener start(TlsFiles tls) throws IOException {
        return ConfigListener.start(
                settings(tls),
                new ConfigService(
                        new Access(controller.orElseThrow()), Optional.empty(), settings(tls)),
                controller.orElseThrow()::members,
                () -> {});
    }

    private ClusterSettings settings(TlsFiles tls) {
        return new ClusterSettings(
                "h1", List.of(new ClusterSettings.Named("h1", address)), HERE, 0, Optional.of(tls));
    }

    /** Takes reports only. */
    private record Access(ClusterController controller) implements ConfigAccess {
        @Override
        public String name() {
            return "h1";
        }

        @Override
        public boolean confirms(String leader) {
            return leader.equals("h1");
        }

        @Override
        public ConfigReply report(HostReport report) throws IOException {
            return controller.report(report);
        }

        @Override
        public void copyPackage(OutputStream to) throws IOException {
            throw new IOException("there is no package");
        }
    }

    private ConfigReply report(Optional<TlsFiles> tls) throws IOException {
        try (ConfigClient client =
                ConfigClient.connect(
                        new ClusterSettings.Named("h1", address), NodeSecurity.of(tls))) {
            return client.report(
                    new HostReport(
                            new HostReport.Sender(HERE, 1, FormatVersions.OWN),
                            "",
                            0,
                            0,
                            new TreeMap<>()));
        }
    }

    @Test
    void refusesHostsOfAnotherAuthority() throws Exception {
        TlsFiles tls = certificates("one");
        TlsFiles other = certificates("other");
        var trusting = new TlsFiles(other.privateKey(), other.certificates(), tls.authorities());

        try (ConfigListener _ = start(tls)) {
            for (TlsFiles wrong : List.of(other, trusting)) {
                assertThatIOException()
                        .isThrownBy(() -> report(Optional.of(wrong)))
                        .withMessageStartingWith("config server " + address + ": ")
                        .withMessageContaining("no certificate of the same authority");
            }
            assertThatIOException().isThrownBy(() -> report(Optional.empty()));
            assertThat(controller.orElseThrow().hosts()).isEmpty();

            assertThat(report(Optional.of(tls)).refusal()).isEmpty();
            assertThat(controller.orElseThrow().hosts()).hasSize(1);
        }
    }

    @Test
    void forwardsRequestsToConfigServersOfTheSameAuthority() throws Exception {
        TlsFiles tls = certificates("one");
        TlsFiles wrong = certificates("other");

        try (ConfigPort leading = port(tls, Optional.empty())) {
            URI leader = URI.create("https://" + HERE + ":" + leading.peerPort());
            try (ConfigPort other = port(tls, Optional.of(leader))) {
                assertThat(status(other))
                        .as("the answer of the other server")
                        .contains("another config server leads since");
            }
            try (ConfigPort other = port(wrong, Optional.of(leader))) {
                assertThat(status(other)).contains("the config server that leads did not answer");
            }
        }
    }

    /** Its sender has checked no permissions. */
    @Test
    void refusesForwardedRequestsOfHostsThatAreNoConfigServers() throws Exception {
        TlsFiles tls = certificates("one");

        try (ConfigPort leading = port(tls, Optional.empty(), "127.0.0.7")) {
            URI leader = URI.create("https://" + HERE + ":" + leading.peerPort());
            try (ConfigPort other = port(tls, Optional.of(leader))) {
                assertThat(status(other)).contains("FORBIDDEN", "none of them is a config server");
            }
        }
    }

    private ConfigPort port(TlsFiles tls, Optional<URI> leader) throws IOException {
        return port(tls, leader, HERE);
    }

    private ConfigPort port(TlsFiles tls, Optional<URI> leader, String configServer)
            throws IOException {
        return ConfigPort.start(
                ConfigServerSettings.of(
                        HttpSettings.loopback(0), directory.resolve("packages"), "1"),
                new NodeAddress(HERE, 0),
                new ConfigPort.Peers(NodeSecurity.of(Optional.of(tls)), Set.of(configServer)),
                () -> leader,
                new DataOperations(
                        (_, _) -> new DataBackup.Reply.Refused("not built"), new Settled()),
                new MetricIntervals(InstantSource.system()));
    }

    /** Has nothing to settle. */
    private static final class Settled implements DataSettling {
        @Override
        public Reply settle(Duration timeout) {
            return new Reply.Failed("not built");
        }

        @Override
        public Backlog backlog() {
            return new Backlog(0, 0);
        }
    }

    private static String status(ConfigPort port) throws Exception {
        try (HttpClient client = HttpClient.newHttpClient()) {
            return client.send(
                            HttpRequest.newBuilder(port.url().resolve("/cluster/v2")).build(),
                            HttpResponse.BodyHandlers.ofString())
                    .body();
        }
    }
}
