package org.crabro.samples.cluster;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.grpc.CallOptions;
import io.grpc.ManagedChannel;
import io.grpc.MethodDescriptor.MethodType;
import io.grpc.Status;
import io.grpc.StatusRuntimeException;
import io.grpc.netty.NettyChannelBuilder;
import io.grpc.stub.ClientCalls;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.MessageDigest;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashMap;
import java.util.HexFormat;
import java.util.Iterator;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Random;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicLong;
import java.util.stream.Stream;
import org.crabro.client.cluster.ClusterCommand;
import org.crabro.container.file.DurableFiles;
import org.crabro.protocol.grpc.ByteMethods;
import org.crabro.protocol.grpc.NodeTls;
import org.crabro.protocol.transport.NodeAddress;
import org.crabro.samples.fixture.Http;
import org.crabro.samples.fixture.NotesApplication;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import picocli.CommandLine;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.ObjectNode;

/**
 * Three config servers with certificates. A process with the certificate of one of them lies to the
 * other servers, in calls and in answers; then the config server starts again with old data.
 * Meanwhile clients write and read, applications are deployed, and the number of the active one is
 * watched. {@code -Pattack} goes on for longer.
 */
class ConfigLiarsIT {
    private static final long SEED = Long.getLong("crabro.seed", 2026);
    private static final Duration LENGTH =
            Optional.ofNullable(System.getProperty("crabro.attack.minutes", ""))
                    .filter(minutes -> !minutes.isBlank())
                    .map(minutes -> Duration.ofMinutes(Long.parseLong(minutes)))
                    .orElse(Duration.ofSeconds(10));

    /** How long clients may be refused: an election, on a busy machine. */
    private static final Duration OUTAGE_MAX = Duration.ofSeconds(60);

    /** The first of the config servers, which hosts ask first. It has no other role. */
    private static final int LIAR = 0;

    private static final int OTHER = 1;
    private static final int THIRD = 2;

    /** A host that is no config server. */
    private static final int NODE = 3;

    private static final String SERVICES =
            """
            <services version="1.0">
              <container id="default" version="1.0">
                <search/>
                <document-api/>
                <nodes><node hostalias="node2"/><node hostalias="node4"/></nodes>
              </container>
              <content id="notes" version="1.0">
                <min-redundancy>2</min-redundancy>
                <documents><document type="note" mode="streaming"/></documents>
                <nodes>
                  <node hostalias="node2" distribution-key="0"/>
                  <node hostalias="node3" distribution-key="1"/>
                  <node hostalias="node4" distribution-key="2"/>
                </nodes>
              </content>
            </services>
            """;

    @TempDir private Path directory;
    private final Random random = new Random(SEED);
    private final Map<Integer, ManagedChannel> channels = new HashMap<>();
    private Optional<HostCluster> started = Optional.empty();
    private int attacks;
    private int deployed;

    /** The number of the newest application that was active. */
    private final AtomicLong newest = new AtomicLong();

    @BeforeEach
    void start() throws Exception {
        var names = new ArrayList<>(List.of("certificates"));
        for (int host = 0; host <= NODE; host++) {
            names.add(HostCluster.address(host));
        }
        names.addAll(List.of("--directory", certificates().toString()));
        assertThat(new CommandLine(new ClusterCommand()).execute(names.toArray(String[]::new)))
                .isZero();
        started = Optional.of(new HostCluster(directory, NODE, Optional.of(certificates())));
        cluster().startAll(NODE + 1);
        deploy(OTHER);
        awaitActive();
    }

    private HostCluster cluster() {
        return started.orElseThrow();
    }

    private Path certificates() {
        return directory.resolve("certificates");
    }

    @AfterEach
    void stop() {
        channels.values().forEach(ManagedChannel::shutdownNow);
        started.ifPresent(HostCluster::close);
    }

    @Test
    @Timeout(value = 30, unit = TimeUnit.MINUTES)
    void noConfigServerMisleadsTheOthers() throws Exception {
        cluster().stop(LIAR);
        Path old = directory.resolve("old");
        copy(cluster().data(LIAR), old);
        cluster().start(LIAR);
        awaitVoting();
        for (int i = 0; i < 3; i++) {
            deploy(OTHER);
        }
        awaitActive();

        var clients = new Clients();
        try (clients) {
            cluster().stop(LIAR);
            try (var liar =
                    LyingServer.start(
                            cluster().configAddress(LIAR),
                            HostCluster.tls(certificates(), HostCluster.address(LIAR)),
                            this::lie)) {
                attackFor(LENGTH.dividedBy(2), liar);
                // It asks the liar first.
                cluster().stop(NODE);
                cluster().start(NODE);
                attackFor(LENGTH.dividedBy(2), liar);
                deploy(THIRD);
                awaitActive();
                assertThat(liar.answered()).as("seed %d", SEED).isGreaterThan(10);
            }

            DurableFiles.deleteTree(cluster().data(LIAR));
            copy(old, cluster().data(LIAR));
            cluster().start(LIAR);
            awaitVoting();
            deploy(LIAR);
            awaitActive();
        }

        // Without the third one, nothing is decided unless the one with old data has caught up.
        cluster().stop(THIRD);
        deploy(OTHER);
        assertThat(attacks).as("seed %d", SEED).isGreaterThan(50);
        System.out.printf(
                "ConfigLiarsIT: seed %d, %d attacks, %d deployments, %d writes, longest outage %d ms%n",
                SEED, attacks, deployed, clients.writes.get(), clients.longestMillis());
    }

    // What must hold.

    /**
     * A client that writes and reads on a thread of its own, and watches the active application.
     */
    private final class Clients implements AutoCloseable {
        private final AtomicBoolean isEnding = new AtomicBoolean();
        private final List<Throwable> failures = new ArrayList<>();
        private final Thread thread = new Thread(this::run, "clients");
        private final AtomicInteger writes = new AtomicInteger();
        private final AtomicLong longestNanos = new AtomicLong();

        Clients() {
            thread.start();
        }

        private void run() {
            try {
                while (!isEnding.get()) {
                    long begin = System.nanoTime();
                    int number = writes.get();
                    await().atMost(OUTAGE_MAX)
                            .pollDelay(Duration.ZERO)
                            .pollInterval(Duration.ofMillis(50))
                            .untilAsserted(() -> cluster().put(OTHER, number));
                    longestNanos.accumulateAndGet(System.nanoTime() - begin, Math::max);
                    writes.incrementAndGet();
                    read(random(number + 1));
                    watch();
                }
            } catch (Throwable e) {
                synchronized (failures) {
                    failures.add(e);
                }
            }
        }

        private int random(int most) {
            return Math.floorMod(Integer.hashCode(most) * 0x9E3779B9, most);
        }

        private void read(int number) throws Exception {
            await().atMost(OUTAGE_MAX)
                    .pollDelay(Duration.ZERO)
                    .untilAsserted(() -> {
                        Http.Answer answer =
                                cluster()
                                        .http()
                                        .get(
                                                cluster()
                                                        .container(OTHER)
                                                        .resolve(
                                                                "/document/v1/a/note/group/g%d/%d"
                                                                        .formatted(
                                                                                number % 10,
                                                                                number)));
                        if (answer.status() == 404) {
                            throw new IllegalStateException("note " + number + " is lost");
                        }
                        assertThat(answer.status()).as(answer.toString()).isEqualTo(200);
                        assertThat(answer.body().path("fields").path("text").asString())
                                .isEqualTo("note " + number);
                    });
        }

        /** The number never falls: not on the record, and not on a host. */
        private void watch() throws Exception {
            long before = newest.get();
            Optional<JsonNode> status = status();
            if (status.isPresent()) {
                long generation = status.get().path("generation").asLong();
                assertThat(generation).as("active before").isGreaterThanOrEqualTo(before);
                newest.accumulateAndGet(generation, Math::max);
            }
        }

        long longestMillis() {
            return TimeUnit.NANOSECONDS.toMillis(longestNanos.get());
        }

        @Override
        public void close() {
            isEnding.set(true);
            try {
                thread.join();
            } catch (InterruptedException e) {
                Thread.currentThread().interrupt();
            }
            synchronized (failures) {
                assertThat(failures).as("seed %d", SEED).isEmpty();
            }
            assertThat(longestNanos.get()).isLessThan(OUTAGE_MAX.toNanos());
        }
    }

    /** Returns the state of the cluster; empty during an election. */
    private Optional<JsonNode> status() throws Exception {
        Http.Answer answer = cluster().http().get(cluster().config(OTHER).resolve("/cluster/v2"));
        assertThat(answer.status()).as(answer.toString()).isIn(200, 503, 502, 504);
        return answer.status() == 200 ? Optional.of(answer.body()) : Optional.empty();
    }

    private JsonNode clusterRecord() throws Exception {
        Optional<JsonNode> status = status();
        assertThat(status).isPresent();
        return status.orElseThrow();
    }

    /** Waits until all hosts that run serve the newest application. */
    private void awaitActive() {
        await().atMost(HostCluster.PATIENCE)
                .untilAsserted(() -> {
                    JsonNode status = clusterRecord();
                    assertThat(status.path("generation").asLong()).isEqualTo(newest.get());
                    for (JsonNode host : status.path("hosts")) {
                        if (host.path("isUp").asBoolean()) {
                            assertThat(host.path("generation").asLong())
                                    .as(status.toString())
                                    .isEqualTo(newest.get());
                        }
                    }
                    JsonNode content = status.path("contents").get(0);
                    for (JsonNode shard : content.path("shards")) {
                        assertThat(shard.path("leader").isNull()).as(shard.toString()).isFalse();
                        assertThat(shard.path("voters")).as(shard.toString()).hasSize(3);
                    }
                    for (JsonNode node : content.path("nodes")) {
                        assertThat(node.path("status").asString()).isEqualTo("UP");
                    }
                });
    }

    /** Waits until all config servers run and count for majorities. */
    private void awaitVoting() {
        await().atMost(HostCluster.PATIENCE)
                .untilAsserted(() -> {
                    JsonNode servers = clusterRecord().path("configServers");
                    assertThat(servers).hasSize(3);
                    for (JsonNode each : servers) {
                        assertThat(
                                        each.path("isUp").asBoolean()
                                                && each.path("isVoting").asBoolean())
                                .as(servers.toString())
                                .isTrue();
                    }
                });
    }

    private void deploy(int server) {
        deployed++;
        var hosts = new StringBuilder("<hosts>");
        for (int host = 1; host <= NODE; host++) {
            hosts.append(
                    "<host name='%s'><alias>node%d</alias></host>"
                            .formatted(HostCluster.address(host), host + 1));
        }
        Map<String, String> files =
                Map.of(
                        "hosts.xml",
                        hosts.append("</hosts>").toString(),
                        "services.xml",
                        SERVICES,
                        "schemas/note.sd",
                        NotesApplication.SCHEMA,
                        "files/number.txt",
                        Integer.toString(deployed));
        await().atMost(HostCluster.PATIENCE)
                .untilAsserted(() -> {
                    Http.Answer answer = cluster().deploy(server, files);
                    assertThat(answer.status()).as(answer.toString()).isEqualTo(200);
                });
        await().atMost(HostCluster.PATIENCE)
                .untilAsserted(() ->
                        newest.accumulateAndGet(
                                clusterRecord().path("generation").asLong(), Math::max));
    }

    private static void copy(Path from, Path to) throws IOException {
        try (Stream<Path> all = Files.walk(from)) {
            for (Path each : (Iterable<Path>) all::iterator) {
                Files.copy(each, to.resolve(from.relativize(each).toString()));
            }
        }
    }

    // Lies in calls.

    private void attackFor(Duration time, LyingServer liar) throws Exception {
        long end = System.nanoTime() + time.toNanos();
        do {
            for (int i = 0; i < 10; i++) {
                attack(liar);
            }
            await().pollDelay(Duration.ofMillis(50)).until(() -> true);
        } while (System.nanoTime() < end);
    }

    private void attack(LyingServer liar) throws Exception {
        attacks++;
        int to = random.nextBoolean() ? OTHER : THIRD;
        List<Map.Entry<String, byte[]>> genuine = liar.received();
        switch (random.nextInt(6)) {
            case 0 -> call(to, "hello", hello(true));
            case 1 -> call(to, "keep", part());
            case 2 -> call(to, "archive", name().getBytes(StandardCharsets.US_ASCII));
            case 3 -> call(to, "record", new byte[0]);
            case 4 -> {
                // Messages of others, and messages that are none.
                if (!genuine.isEmpty()) {
                    Map.Entry<String, byte[]> any = genuine.get(random.nextInt(genuine.size()));
                    Status status = call(to, any.getKey(), any.getValue());
                    if (any.getKey().equals("hello") || any.getKey().equals("report")) {
                        assertThat(status.getCode())
                                .as("%s as another host", any.getKey())
                                .isEqualTo(Status.Code.PERMISSION_DENIED);
                    }
                }
            }
            default -> {
                List<String> methods = List.of("hello", "keep", "archive", "report", "confirm");
                String method = methods.get(random.nextInt(methods.size()));
                Status status = call(to, method, noise(genuine));
                if (!method.equals("confirm")) {
                    assertThat(status.isOk()).as("%s: %s", method, status).isFalse();
                }
                assertThat(status.getCode()).as(method).isNotEqualTo(Status.Code.INTERNAL);
            }
        }
    }

    /** Bytes that are no message: random ones, or a genuine message that was cut. */
    private byte[] noise(List<Map.Entry<String, byte[]>> genuine) {
        var noise = new byte[random.nextInt(60)];
        random.nextBytes(noise);
        for (Map.Entry<String, byte[]> each : genuine) {
            if (each.getKey().equals("hello") && random.nextBoolean()) {
                return Arrays.copyOf(each.getValue(), random.nextInt(each.getValue().length));
            }
        }
        return noise;
    }

    private Status call(int to, String method, byte[] message) {
        NodeAddress address = cluster().configAddress(to);
        ManagedChannel channel =
                channels.computeIfAbsent(
                        to,
                        _ ->
                                NettyChannelBuilder.forAddress(address.host(), address.port())
                                        .sslContext(
                                                NodeTls.client(
                                                        HostCluster.tls(
                                                                certificates(),
                                                                HostCluster.address(LIAR))))
                                        .build());
        try {
            Iterator<byte[]> replies =
                    ClientCalls.blockingServerStreamingCall(
                            channel,
                            ByteMethods.of(
                                    LyingServer.SERVICE, method, MethodType.SERVER_STREAMING),
                            CallOptions.DEFAULT.withDeadlineAfter(10, TimeUnit.SECONDS),
                            message);
            while (replies.hasNext()) {
                replies.next();
            }
            return Status.OK;
        } catch (StatusRuntimeException e) {
            return e.getStatus();
        }
    }

    /** What the liar says of itself. */
    private byte[] hello(boolean isOwn) {
        String host = HostCluster.address(isOwn ? LIAR : random.nextInt(4));
        ObjectNode hello = Http.JSON.createObjectNode();
        hello.set("member", member(host));
        var servers = hello.putArray("servers");
        for (int i = 0; i < 3; i++) {
            servers.add(HostCluster.address(random.nextInt(10) == 0 ? NODE : i));
        }
        hello.put("clusterId", random.nextBoolean() ? "other" : "");
        if (random.nextBoolean()) {
            hello.putNull("founding");
        } else {
            ObjectNode founding = hello.putObject("founding");
            founding.put("clusterId", "other");
            var members = founding.putArray("members");
            for (int i = 0; i < 3; i++) {
                members.add(member(HostCluster.address(i)));
            }
        }
        hello.put("isJoining", random.nextBoolean());
        return Http.JSON.writeValueAsBytes(hello);
    }

    private ObjectNode member(String host) {
        return Http.JSON
                .createObjectNode()
                .put("host", host)
                .put("peer", host + "-" + random.nextInt(3))
                .put("log", host + ":1")
                .put("forwarded", host + ":2");
    }

    private String name() {
        return random.nextInt(3) == 0
                ? "../" + "0".repeat(61)
                : "%064x".formatted(random.nextInt(20));
    }

    /** A part of an archive; sometimes a whole one, of another application. */
    private byte[] part() throws Exception {
        if (random.nextBoolean()) {
            byte[] archive = application(random.nextInt(1_000));
            MessageDigest digest = MessageDigest.getInstance("SHA-256");
            return part(
                    HexFormat.of().formatHex(digest.digest(archive)), 0, archive.length, archive);
        }
        var bytes = new byte[random.nextInt(1_000)];
        random.nextBytes(bytes);
        return part(
                "%064x".formatted(random.nextInt(20)),
                random.nextBoolean() ? 0 : random.nextLong(1L << 43),
                random.nextBoolean() ? bytes.length : random.nextLong(1L << 43),
                bytes);
    }

    private static byte[] part(String name, long offset, long length, byte[] bytes) {
        return ByteBuffer.allocate(name.length() + 16 + bytes.length)
                .put(name.getBytes(StandardCharsets.US_ASCII))
                .putLong(offset)
                .putLong(length)
                .put(bytes)
                .array();
    }

    /** Returns an archive of another application, in the form of a directory of packages. */
    private static byte[] application(int number) throws IOException {
        return Http.zip(
                Map.of(
                        "active",
                        number + "\n",
                        number + "/services.xml",
                        "<services version='1.0'><container id='default' version='1.0'/></services>"));
    }

    // Lies in answers.

    private synchronized byte[] lie(String method, byte[] message) {
        try {
            return switch (method) {
                case "report" ->
                        decisions(Http.JSON.readTree(message).path("clusterId").asString());
                case "package" -> application(99);
                case "confirm", "keep" -> new byte[] {1};
                case "hello" -> greeting(Http.JSON.readTree(message));
                case "archive" -> application(1);
                case "record" -> record();
                default -> new byte[0];
            };
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    /** Returns decisions that stop a host, or change its application. */
    private byte[] decisions(String clusterId) {
        ObjectNode reply = Http.JSON.createObjectNode();
        reply.put("refusal", random.nextInt(3) == 0 ? "stop" : "");
        reply.put("clusterId", random.nextInt(3) == 0 ? "other" : clusterId);
        reply.put("revision", random.nextBoolean() ? Long.MAX_VALUE : random.nextInt(1_000));
        reply.put("format", random.nextInt(4));
        reply.put("generation", random.nextInt(3) == 0 ? 0 : 99);
        reply.putObject("states");
        return Http.JSON.writeValueAsBytes(reply);
    }

    private byte[] greeting(JsonNode other) {
        ObjectNode answer = Http.JSON.createObjectNode();
        answer.put("refusal", random.nextInt(3) == 0 ? "stop" : "");
        ObjectNode own = (ObjectNode) Http.JSON.readTree(hello(random.nextInt(4) > 0));
        if (random.nextBoolean()) {
            own.set("founding", other.path("founding"));
            own.set("clusterId", other.path("clusterId"));
            own.set("servers", other.path("servers"));
        }
        answer.set("own", own);
        answer.put("isLeading", random.nextBoolean());
        return Http.JSON.writeValueAsBytes(answer);
    }

    /** A record with a term and an index after all others, and nothing in it. */
    private static byte[] record() {
        byte[] content =
                """
                {"clusterId":"other","revision":9000,"format":1,
                 "hosts":{"formats":{},"maintained":[]},"states":{},
                 "packages":{"last":9000,"tenants":[],"active":null,"sessions":{}}}
                """
                        .getBytes(StandardCharsets.UTF_8);
        return ByteBuffer.allocate(16 + content.length)
                .putLong(Long.MAX_VALUE / 2)
                .putLong(Long.MAX_VALUE / 2)
                .put(content)
                .array();
    }
}
