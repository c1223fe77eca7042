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
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.EnumSet;
import java.util.HashMap;
import java.util.Iterator;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Random;
import java.util.concurrent.TimeUnit;
import org.crabro.client.cluster.ClusterCommand;
import org.crabro.protocol.grpc.ByteMethods;
import org.crabro.protocol.grpc.NodeTls;
import org.crabro.protocol.transport.NodeAddress;
import org.crabro.protocol.transport.NodeMethod;
import org.crabro.protocol.transport.TlsFiles;
import org.crabro.samples.fixture.Http;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import picocli.CommandLine;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.ArrayNode;
import tools.jackson.databind.node.ObjectNode;

/**
 * Three servers with certificates under attack: a client with a certificate of another authority, a
 * client with one of the same authority that names no host of the cluster, and the host of a
 * stopped server that reports what it likes. Clients write and read meanwhile. {@code -Pattack}
 * goes on for ten minutes.
 */
class AttackIT {
    private static final long SEED = Long.getLong("crabro.seed", 2026);
    private static final Duration LENGTH =
            Optional.ofNullable(System.getProperty("crabro.attack.minutes", ""))
                    .filter(minutes -> !minutes.isBlank())
                    .map(minutes -> Duration.ofMinutes(Long.parseLong(minutes)))
                    .orElse(Duration.ofSeconds(20));

    /** How long a write may be refused: elections of all shards, on a busy machine. */
    private static final Duration OUTAGE_MAX = Duration.ofSeconds(60);

    private static final int HOSTS = 3;
    private static final String STRANGER = "127.0.0.9";

    @TempDir private Path directory;
    private final Random random = new Random(SEED);
    private final Map<String, ManagedChannel> channels = new HashMap<>();
    private Optional<HostCluster> cluster = Optional.empty();
    private final List<Integer> written = new ArrayList<>();
    private int attacks;

    /** The longest time until a write was acknowledged. */
    private long longestNanos;

    /** The last reply to an attack. */
    private byte[] last = {};

    /** Who attacks: the directory of the authority, and the name in the certificate. */
    private record Attacker(String authority, String name) {}

    private static final Attacker FOREIGN = new Attacker("foreign", "127.0.0.1");
    private static final Attacker OUTSIDER = new Attacker("own", STRANGER);
    private static final Attacker LIAR = new Attacker("own", HostCluster.address(2));

    @BeforeEach
    void start() throws Exception {
        certificates("own", STRANGER);
        certificates("foreign", STRANGER);
        cluster =
                Optional.of(
                        new HostCluster(directory, HOSTS, Optional.of(directory.resolve("own"))));
        cluster().startAll(HOSTS);
        ClusterPackage notes =
                ClusterPackage.of(
                        HOSTS, Optional.empty(), 2, "<document type='note' mode='streaming'/>");
        Http.Answer deployed =
                cluster()
                        .deploy(
                                0,
                                notes.hosts().replaceAll("name='n", "name='127.0.0."),
                                notes.services());
        assertThat(deployed.status()).as(deployed.toString()).isEqualTo(200);
        cluster().awaitNodes(HOSTS);
    }

    private HostCluster cluster() {
        return cluster.orElseThrow();
    }

    private void certificates(String authority, String stranger) {
        int status =
                new CommandLine(new ClusterCommand())
                        .execute(
                                "certificates",
                                HostCluster.address(0),
                                HostCluster.address(1),
                                HostCluster.address(2),
                                stranger,
                                "--directory",
                                directory.resolve(authority).toString());
        assertThat(status).isZero();
    }

    @AfterEach
    void stop() {
        channels.values().forEach(ManagedChannel::shutdownNow);
        cluster.ifPresent(HostCluster::close);
    }

    @Test
    @Timeout(value = 30, unit = TimeUnit.MINUTES)
    void answersRightWhileOthersLie() throws Exception {
        for (int i = 0; i < 20; i++) {
            write();
        }
        attackFor(LENGTH.dividedBy(2), List.of(FOREIGN, OUTSIDER));
        checkAll();

        cluster().stop(2);
        awaitDown();
        attackFor(LENGTH.dividedBy(2), List.of(FOREIGN, OUTSIDER, LIAR));
        checkAll();

        awaitDown();
        cluster().start(2);
        cluster().awaitNodes(HOSTS);
        write();
        checkAll();
        assertThat(attacks).as("seed %d", SEED).isGreaterThan(50);
        System.out.printf(
                "AttackIT: seed %d, %d attacks, %d writes, longest outage %d ms%n",
                SEED, attacks, written.size(), TimeUnit.NANOSECONDS.toMillis(longestNanos));
    }

    /** Waits until the config server takes reports of another process of the last host. */
    private void awaitDown() {
        await().atMost(HostCluster.PATIENCE)
                .untilAsserted(() -> {
                    JsonNode host = cluster().status(0).path("hosts").get(2);
                    assertThat(host.path("isUp").asBoolean()).as(host.toString()).isFalse();
                });
    }

    private void attackFor(Duration time, List<Attacker> attackers) throws Exception {
        long end = System.nanoTime() + time.toNanos();
        do {
            for (int i = 0; i < 10; i++) {
                attack(attackers.get(random.nextInt(attackers.size())));
            }
            write();
            check(written.get(random.nextInt(written.size())));
        } while (System.nanoTime() < end);
    }

    /** Writes a note until it is acknowledged. */
    private void write() {
        int number = written.size();
        long begin = System.nanoTime();
        await().atMost(OUTAGE_MAX)
                .pollDelay(Duration.ZERO)
                .untilAsserted(() -> cluster().put(number % 2, number));
        longestNanos = Math.max(longestNanos, System.nanoTime() - begin);
        written.add(number);
    }

    private void check(int number) {
        await().atMost(OUTAGE_MAX)
                .pollDelay(Duration.ZERO)
                .untilAsserted(() -> {
                    Http.Answer answer =
                            cluster()
                                    .http()
                                    .get(
                                            cluster()
                                                    .container(random.nextInt(2))
                                                    .resolve(
                                                            "/document/v1/a/note/group/g%d/%d"
                                                                    .formatted(
                                                                            number % 10, number)));
                    assertThat(answer.status()).isNotEqualTo(404);
                    assertThat(answer.body().path("fields").path("text").asString())
                            .isEqualTo("note " + number);
                });
    }

    private void checkAll() {
        for (int container = 0; container < 2; container++) {
            int number = container;
            await().atMost(OUTAGE_MAX)
                    .untilAsserted(
                            () -> assertThat(cluster().hitCount(number)).isEqualTo(written.size()));
        }
    }

    // Attacks.

    private void attack(Attacker attacker) throws Exception {
        attacks++;
        int host = random.nextInt(2);
        NodeAddress config = cluster().configAddress(host);
        Status status =
                switch (random.nextInt(7)) {
                    case 0, 1, 2 -> call(attacker, config, "crabro.Config", "report", report());
                    case 3 -> call(attacker, config, "crabro.Config", "hello", hello());
                    case 4 -> call(attacker, config, "crabro.Config", "package", new byte[0]);
                    case 5 -> call(attacker, config, "crabro.Config", "keep", part());
                    default -> content(attacker, host);
                };
        if (!attacker.equals(LIAR)) {
            String what = "seed %d: %s: %s".formatted(SEED, attacker, status);
            assertThat(status.getCode())
                    .as(what)
                    .isIn(Status.Code.OK, Status.Code.PERMISSION_DENIED, Status.Code.UNAVAILABLE);
            // Each certificate may report that its host runs. The reply has no decisions.
            assertThat(status.isOk() && !attacker.equals(OUTSIDER)).as(what).isFalse();
            if (status.isOk()) {
                JsonNode reply = Http.JSON.readTree(last);
                assertThat(reply.path("refusal").isString()).as(what).isTrue();
                assertThat(reply.path("generation").asLong()).as(what).isZero();
                assertThat(reply.path("states").size()).as(what).isZero();
            }
        }
    }

    private Status content(Attacker attacker, int node) throws Exception {
        JsonNode nodes = cluster().status(0).path("contents").get(0).path("nodes");
        String address =
                nodes.path(Integer.toString(node)).path("addresses").path("requests").asString();
        int colon = address.lastIndexOf(':');
        assertThat(colon).as(nodes.toString()).isPositive();
        List<NodeMethod> methods = List.copyOf(EnumSet.allOf(NodeMethod.class));
        NodeMethod method = methods.get(random.nextInt(methods.size()));
        return call(
                attacker,
                new NodeAddress(
                        address.substring(0, colon),
                        Integer.parseInt(address.substring(colon + 1))),
                NodeMethod.SERVICE,
                method.shown(),
                new byte[1]);
    }

    private Status call(
            Attacker attacker, NodeAddress to, String service, String method, byte[] message) {
        TlsFiles own = HostCluster.tls(directory.resolve(attacker.authority()), attacker.name());
        var trusting =
                new TlsFiles(
                        own.privateKey(),
                        own.certificates(),
                        directory.resolve("own").resolve("authority.pem"));
        ManagedChannel channel =
                channels.computeIfAbsent(
                        attacker + " " + to,
                        _ ->
                                NettyChannelBuilder.forAddress(to.host(), to.port())
                                        .sslContext(NodeTls.client(trusting))
                                        .build());
        try {
            Iterator<byte[]> replies =
                    ClientCalls.blockingServerStreamingCall(
                            channel,
                            ByteMethods.of(service, method, MethodType.SERVER_STREAMING),
                            CallOptions.DEFAULT.withDeadlineAfter(10, TimeUnit.SECONDS),
                            message);
            while (replies.hasNext()) {
                last = replies.next();
            }
            return Status.OK;
        } catch (StatusRuntimeException e) {
            return e.getStatus();
        }
    }

    /** A report of any host, most often of the one that is stopped, with any figures. */
    private byte[] report() throws Exception {
        JsonNode content = cluster().status(0).path("contents").get(0);
        int key = random.nextInt(4) == 0 ? random.nextInt(5) : 2;
        String host = random.nextInt(4) == 0 ? STRANGER : HostCluster.address(2);
        ObjectNode report = Http.JSON.createObjectNode();
        ObjectNode sender = report.putObject("sender");
        sender.put("host", host).put("process", 7).put("number", random.nextInt(1_000));
        sender.putObject("formats").put("oldest", 1).put("newest", 2);
        report.put("clusterId", "").put("generation", 1).put("containerPort", 0);
        ObjectNode node = report.putObject("nodes").putObject("notes");
        String peer =
                content.path("nodes")
                        .path(Integer.toString(random.nextInt(3)))
                        .path("peer")
                        .asString();
        node.put("node", key).put("peer", random.nextBoolean() ? peer : host + "-1");
        node.putObject("addresses")
                .put("requests", random.nextBoolean() ? "" : host + ":1")
                .put("replication", random.nextBoolean() ? "" : host + ":2");
        node.put("generation", 1);
        ArrayNode shards = node.putArray("shards");
        for (int i = 0; i < content.path("shards").size(); i++) {
            JsonNode element = content.path("shards").get(i);
            ObjectNode shard = shards.addObject();
            shard.put("shard", i)
                    .put("term", any(element.path("term").asLong()))
                    .put("isLeader", random.nextInt(4) > 0)
                    .put("applied", any(100))
                    .putNull("copy");
            ObjectNode configuration = shard.putObject("configuration");
            configuration.put("index", any(element.path("configuration").asLong()));
            ArrayNode voters = configuration.putArray("voters").add(peer);
            if (random.nextBoolean()) {
                voters.add("made-up-" + random.nextInt(3));
            }
            configuration.put("leader", peer);
        }
        node.putObject("load")
                .put("refusal", "")
                .put("diskUsed", 0)
                .put("memoryUsed", 0)
                .put("clockMillis", System.currentTimeMillis());
        report.put("isStopping", false);
        return Http.JSON.writeValueAsBytes(report);
    }

    private long any(long nonZero) {
        return switch (random.nextInt(4)) {
            case 0 -> Long.MAX_VALUE;
            case 1 -> Math.max(0, nonZero + random.nextInt(5) - 2);
            case 2 -> random.nextLong(1_000_000);
            default -> nonZero;
        };
    }

    private byte[] hello() {
        String host = HostCluster.address(random.nextInt(3));
        ObjectNode hello = Http.JSON.createObjectNode();
        hello.putObject("member")
                .put("host", host)
                .put("peer", host + "-" + random.nextInt(3))
                .put("log", host + ":1")
                .put("forwarded", host + ":2");
        hello.putArray("servers").add(host);
        hello.put("clusterId", "other").putNull("founding");
        hello.put("isJoining", random.nextBoolean());
        return Http.JSON.writeValueAsBytes(hello);
    }

    private byte[] part() {
        byte[] name = "%064x".formatted(random.nextInt(20)).getBytes(StandardCharsets.US_ASCII);
        return ByteBuffer.allocate(name.length + 17)
                .put(name)
                .putLong(random.nextBoolean() ? 0 : 1L << 42)
                .putLong(random.nextBoolean() ? 100 : 1L << 43)
                .put((byte) 1)
                .array();
    }
}
