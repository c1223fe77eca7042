package org.crabro.samples.cluster;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import java.io.IOException;
import java.net.URI;
import java.net.URLEncoder;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.SortedMap;
import java.util.TreeSet;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentSkipListMap;
import java.util.concurrent.Executor;
import org.crabro.container.admin.LogRing;
import org.crabro.protocol.transport.NodeAddress;
import org.crabro.protocol.transport.NodeSecurity;
import org.crabro.protocol.transport.TlsFiles;
import org.crabro.samples.fixture.FreePorts;
import org.crabro.samples.fixture.Http;
import org.crabro.samples.fixture.NotesApplication;
import org.crabro.server.ServerSettings;
import org.crabro.server.cluster.ClusterSettings;
import org.crabro.server.cluster.FormatVersions;
import org.crabro.server.cluster.HostServer;
import tools.jackson.databind.JsonNode;

/**
 * Servers of a cluster in this process, by number from 0. Host 0 is called {@code n1} and so on.
 * The content cluster of the packages is called {@code notes}.
 */
final class HostCluster implements AutoCloseable {
    static final Duration PATIENCE = Duration.ofMinutes(2);

    private static final int UNAVAILABLE = 503;

    private static final int SLICES = 4;

    private static final Executor PLATFORM_THREADS = task -> new Thread(task, "stop").start();

    private final Path directory;
    private final Optional<Path> certificates;
    private final List<ClusterSettings.Named> configServers = new ArrayList<>();
    private final SortedMap<Integer, HostServer> servers = new ConcurrentSkipListMap<>();
    private final Http http = new Http();

    /**
     * @param configServers how many of the first hosts are config servers
     */
    HostCluster(Path directory, int configServers) throws IOException {
        this(directory, configServers, Optional.empty());
    }

    /**
     * @param certificates a directory with those of the hosts, which are called {@code 127.0.0.1}
     *     and so on then; empty for servers without certificates
     */
    HostCluster(Path directory, int configServers, Optional<Path> certificates) throws IOException {
        this.directory = directory;
        this.certificates = certificates;
        List<Integer> ports = FreePorts.several(configServers);
        for (int i = 0; i < configServers; i++) {
            this.configServers.add(
                    new ClusterSettings.Named(
                            called(i), new NodeAddress(listening(i), ports.get(i))));
        }
    }

    /** Returns the name of a host with certificates, which is its address too. */
    static String address(int host) {
        return "127.0.0." + (host + 1);
    }

    private String called(int host) {
        return certificates.isPresent() ? address(host) : name(host);
    }

    private String listening(int host) {
        return certificates.isPresent() ? address(host) : NodeAddress.LOOPBACK;
    }

    /** Returns the files of a certificate for mutual TLS. */
    static TlsFiles tls(Path certificates, String host) {
        return new TlsFiles(
                certificates.resolve(host + "-key.pem"),
                certificates.resolve(host + ".pem"),
                certificates.resolve("authority.pem"));
    }

    NodeAddress configAddress(int host) {
        return configServers.get(host).address();
    }

    static String name(int host) {
        return "n" + (host + 1);
    }

    /** Starts a host, with the data of its last start. */
    void start(int host) throws IOException {
        start(host, FormatVersions.OWN);
    }

    /** Starts a host of a release that has these formats. */
    void start(int host, FormatVersions formats) throws IOException {
        ServerSettings settings = ServerSettings.onAnyPorts(data(host));
        servers.put(
                host,
                HostServer.start(
                        new ClusterSettings(
                                called(host),
                                configServers,
                                listening(host),
                                0,
                                NodeSecurity.of(certificates.map(each -> tls(each, address(host)))),
                                formats),
                        data(host),
                        new HostServer.RoleSettings(
                                settings.container(),
                                settings.content(),
                                settings.config(),
                                settings.process().traces()),
                        new LogRing("n", 1)));
    }

    /** Starts the first hosts. */
    void startAll(int hosts) throws IOException {
        for (int host = 0; host < hosts; host++) {
            start(host);
        }
        awaitHosts();
    }

    void stop(int host) {
        server(host).close();
        servers.remove(host);
    }

    private HostServer server(int host) {
        return Optional.ofNullable(servers.get(host)).orElseThrow();
    }

    boolean isUp(int host) {
        return servers.containsKey(host);
    }

    Path data(int host) {
        return directory.resolve(name(host));
    }

    Http http() {
        return http;
    }

    URI config(int host) {
        return server(host).config().orElseThrow();
    }

    URI container(int host) {
        return server(host).container().orElseThrow();
    }

    /** Waits until all hosts that run have reported to the first one. */
    void awaitHosts() {
        await().atMost(PATIENCE)
                .untilAsserted(() -> assertThat(status(0).path("hosts")).hasSize(servers.size()));
    }

    /**
     * Returns what a config server shows of the cluster. While another one begins to lead, asks
     * again.
     */
    JsonNode status(int host) {
        Http.Answer answer =
                await().atMost(PATIENCE)
                        .until(
                                () -> http.get(config(host).resolve("/cluster/v2")),
                                each -> each.status() != UNAVAILABLE);
        assertThat(answer.status()).as(answer.toString()).isEqualTo(200);
        return answer.body();
    }

    /** Waits until all nodes work and serve the active package, and each shard has a leader. */
    void awaitNodes(int replicas) {
        await().atMost(PATIENCE)
                .untilAsserted(() -> {
                    JsonNode status = status(0);
                    assertThat(status.path("contents")).as(status.toString()).hasSize(1);
                    JsonNode content = status.path("contents").get(0);
                    for (JsonNode node : content.path("nodes")) {
                        assertThat(node.path("status").asString()).isEqualTo("UP");
                        assertThat(node.path("generation").asLong())
                                .isEqualTo(status.path("generation").asLong());
                    }
                    for (JsonNode shard : content.path("shards")) {
                        assertThat(shard.path("leader").isNull()).as(shard.toString()).isFalse();
                        assertThat(shard.path("voters")).as(shard.toString()).hasSize(replicas);
                    }
                });
    }

    /** Deploys a package with the schema of notes at a config server. */
    Http.Answer deploy(int host, String hosts, String services) throws Exception {
        return deploy(
                host,
                Map.of(
                        "hosts.xml",
                        hosts,
                        "services.xml",
                        services,
                        "schemas/note.sd",
                        NotesApplication.SCHEMA));
    }

    /**
     * Deploys a package at a config server.
     *
     * @param files by path
     */
    Http.Answer deploy(int host, Map<String, String> files) throws Exception {
        return http.post(
                config(host).resolve("/application/v2/tenant/default/prepareandactivate"),
                "application/zip",
                Http.zip(files));
    }

    Http.Answer put(int container, int number, String text) throws Exception {
        var note = Http.JSON.createObjectNode();
        note.putObject("fields").put("text", text);
        return http.post(
                container(container)
                        .resolve("/document/v1/a/note/group/g%d/%d".formatted(number % 10, number)),
                note);
    }

    /** Puts a note over a container. */
    void put(int container, int number) throws Exception {
        Http.Answer answer = put(container, number, "note " + number);
        assertThat(answer.status()).as(answer.toString()).isEqualTo(200);
    }

    /** Returns the number of notes; fails if some could not be searched. */
    long hitCount(int container) throws Exception {
        return hitCount(container, "streaming.selection=true");
    }

    /** Returns the number of notes in a scope; fails if some could not be searched. */
    long hitCount(int container, String scope) throws Exception {
        String yql =
                URLEncoder.encode(
                        "select * from note where text contains \"note\"", StandardCharsets.UTF_8);
        Http.Answer answer =
                http.get(
                        container(container)
                                .resolve(
                                        "/search/?timeout=10s&hits=1&%s&yql=%s"
                                                .formatted(scope, yql)));
        assertThat(answer.status()).as(answer.toString()).isEqualTo(200);
        JsonNode root = answer.body().path("root");
        assertThat(root.path("coverage").path("coverage").asInt())
                .as(root.toString())
                .isEqualTo(100);
        return root.path("fields").path("totalCount").asLong();
    }

    /**
     * Returns the ids of all documents, visited in four slices, page by page over the containers in
     * turn. Fails if a document is returned twice.
     */
    Set<String> visited(int... containers) throws Exception {
        Set<String> ids = new TreeSet<>();
        int pages = 0;
        for (int slice = 0; slice < SLICES; slice++) {
            String token = "";
            do {
                Http.Answer answer =
                        http.get(
                                container(containers[pages % containers.length])
                                        .resolve(
                                                "/document/v1/?cluster=notes&wantedDocumentCount=10&slices=%d&sliceId=%d%s"
                                                        .formatted(SLICES, slice, token)));
                assertThat(answer.status()).as(answer.toString()).isEqualTo(200);
                for (JsonNode document : answer.body().path("documents")) {
                    assertThat(ids.add(document.path("id").asString()))
                            .as(document.toString())
                            .isTrue();
                }
                JsonNode next = answer.body().path("continuation");
                token = next.isMissingNode() ? "" : "&continuation=" + next.asString();
                pages++;
            } while (!token.isEmpty());
        }
        return ids;
    }

    /** Stops all hosts at the same time, so that none waits for another to take over. */
    @Override
    public void close() {
        List<CompletableFuture<Void>> stops =
                servers.values().stream()
                        .map(server -> CompletableFuture.runAsync(server::close, PLATFORM_THREADS))
                        .toList();
        servers.clear();
        http.close();
        CompletableFuture.allOf(stops.toArray(CompletableFuture[]::new)).join();
    }
}
