package org.crabro.server.cluster;

import static org.assertj.core.api.Assertions.assertThat;

import io.grpc.CallOptions;
import io.grpc.ManagedChannel;
import io.grpc.Status;
import io.grpc.StatusRuntimeException;
import io.grpc.netty.NettyChannelBuilder;
import io.grpc.stub.ClientCalls;
import java.io.IOException;
import java.io.OutputStream;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.time.Instant;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import org.crabro.protocol.cluster.NodeAddresses;
import org.crabro.protocol.cluster.NodeReport;
import org.crabro.protocol.transport.NodeAddress;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;
import tools.jackson.databind.node.ArrayNode;
import tools.jackson.databind.node.JsonNodeFactory;
import tools.jackson.databind.node.ObjectNode;

/** What a config server answers to messages that no server sends. */
class ConfigServiceTest {
    private static final JsonMapper JSON = new JsonMapper();

    @TempDir private Path directory;
    private Optional<ConfigListener> listener = Optional.empty();
    private Optional<ManagedChannel> channel = Optional.empty();

    @BeforeEach
    void start() throws IOException {
        NodeAddress address;
        try (var free = new ServerSocket(0, 1, InetAddress.getLoopbackAddress())) {
            address = new NodeAddress(NodeAddress.LOOPBACK, free.getLocalPort());
        }
        ClusterController controller =
                ClusterController.open(
                        RecordFile.open(directory.resolve("cluster.json")),
                        List.of("h1"),
                        System::nanoTime,
                        InstantSource.fixed(Instant.EPOCH));
        var access =
                new ConfigAccess() {
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
                };
        var settings =
                new ClusterSettings(
                        "h1",
                        List.of(new ClusterSettings.Named("h1", address)),
                        NodeAddress.LOOPBACK,
                        0,
                        Optional.empty());
        listener =
                Optional.of(
                        ConfigListener.start(
                                settings,
                                new ConfigService(access, Optional.empty(), settings),
                                controller::members,
                                () -> {}));
        channel =
                Optional.of(
                        NettyChannelBuilder.forAddress(address.host(), address.port())
                                .usePlaintext()
                                .build());
    }

    @AfterEach
    void stop() {
        channel.ifPresent(ManagedChannel::shutdownNow);
        listener.ifPresent(ConfigListener::close);
    }

    private Status report(byte[] message) {
        try {
            byte[] _ =
                    ClientCalls.blockingUnaryCall(
                            channel.orElseThrow(),
                            ConfigMethods.REPORT,
                            CallOptions.DEFAULT,
                            message);
            return Status.OK;
        } catch (StatusRuntimeException e) {
            return e.getStatus();
        }
    }

    private static ObjectNode valid() {
        var shard =
                new NodeReport.ShardReport(
                        1,
                        2,
                        true,
                        Optional.of(
                                new NodeReport.Configuration(
                                        3,
                                        List.of("h1-1", "h2-1"),
                                        Optional.of(List.of("h3-1")),
                                        Optional.of("h1-1"))),
                        3,
                        Optional.of(new NodeReport.Copy(1, 2, 3)));
        var node =
                new NodeReport(
                        0,
                        "h1-1",
                        new NodeAddresses("127.0.0.1:19100", "127.0.0.1:19101"),
                        1,
                        List.of(shard),
                        new NodeReport.NodeLoad("full", 0.5, 0.5, 1));
        return ClusterJson.object(
                new HostReport(
                        new HostReport.Sender("h1", 1, FormatVersions.OWN),
                        "",
                        1,
                        8080,
                        new TreeMap<>(Map.of("mails", node))));
    }

    @Test
    void acceptsReportsOfThisAndOfOlderReleases() {
        ObjectNode report = valid();
        assertThat(report(JSON.writeValueAsBytes(report)).getCode()).isEqualTo(Status.Code.OK);

        ObjectNode configuration = (ObjectNode) report.at("/nodes/mails/shards/0/configuration");
        configuration.remove(List.of("listeners", "leader"));
        report.remove("isStopping");
        assertThat(report(JSON.writeValueAsBytes(report)).getCode()).isEqualTo(Status.Code.OK);
    }

    /** Each part of a report is left out, null, of another type, too large or too small. */
    @Test
    void refusesReportsOfAnotherForm() {
        JsonNodeFactory json = JSON.getNodeFactory();
        List<Optional<JsonNode>> wrongs = new ArrayList<>(List.of(Optional.empty()));
        for (JsonNode each :
                List.of(
                        json.nullNode(),
                        json.stringNode("text \u0000"),
                        json.stringNode(""),
                        json.stringNode("x".repeat(300_000)),
                        json.numberNode(-1),
                        json.numberNode(Long.MIN_VALUE),
                        json.numberNode(Long.MAX_VALUE),
                        json.numberNode(1e300),
                        json.arrayNode(),
                        json.arrayNode().addNull(),
                        json.arrayNode().add(json.objectNode()),
                        json.objectNode(),
                        json.objectNode().putNull("x"),
                        json.objectNode().set("x", json.objectNode()),
                        json.booleanNode(true))) {
            wrongs.add(Optional.of(each));
        }
        List<String> refused = new ArrayList<>();
        for (String pointer : pointers(valid(), "")) {
            for (Optional<JsonNode> wrong : wrongs) {
                ObjectNode report = valid();
                replace(report, pointer, wrong);
                Status status = report(JSON.writeValueAsBytes(report));
                assertThat(status.getCode())
                        .as("%s: %s: %s", pointer, wrong.map(ConfigServiceTest::start), status)
                        .isIn(Status.Code.OK, Status.Code.INVALID_ARGUMENT);
                if (!status.isOk()) {
                    refused.add(pointer);
                }
            }
        }
        assertThat(refused).contains("/sender", "/nodes/mails", "/nodes/mails/shards/0");
        assertThat(report(JSON.writeValueAsBytes(valid())).getCode()).isEqualTo(Status.Code.OK);
    }

    private static String start(JsonNode value) {
        String text = value.toString();
        return text.substring(0, Math.min(40, text.length()));
    }

    private static List<String> pointers(JsonNode of, String at) {
        List<String> all = new ArrayList<>();
        of.properties()
                .forEach(each -> {
                    all.add(at + "/" + each.getKey());
                    all.addAll(pointers(each.getValue(), at + "/" + each.getKey()));
                });
        for (int i = 0; of instanceof ArrayNode array && i < array.size(); i++) {
            all.add(at + "/" + i);
            all.addAll(pointers(array.get(i), at + "/" + i));
        }
        return all;
    }

    private static void replace(ObjectNode in, String pointer, Optional<JsonNode> by) {
        int slash = pointer.lastIndexOf('/');
        String name = pointer.substring(slash + 1);
        switch (in.at(pointer.substring(0, slash))) {
            case ObjectNode object when by.isPresent() -> object.replace(name, by.get());
            case ObjectNode object -> object.remove(name);
            case ArrayNode array when by.isPresent() -> array.set(Integer.parseInt(name), by.get());
            case ArrayNode array -> array.remove(Integer.parseInt(name));
            default -> throw new IllegalArgumentException(pointer);
        }
    }

    @Test
    void refusesReportsThatAreDeepLongOrNoReports() {
        String one = valid().toString();
        String shard = valid().at("/nodes/mails/shards/0").toString();
        String node = valid().at("/nodes/mails").toString();
        for (String message :
                List.of(
                        "",
                        "null",
                        "[]",
                        "7",
                        "{}",
                        "\u0000",
                        one.substring(0, one.length() / 2),
                        "[".repeat(50_000),
                        "{\"a\":".repeat(50_000),
                        one.replace("\"clusterId\":\"\"", "\"x\":" + "[".repeat(50_000)),
                        one.replace(shard, (shard + ",").repeat(1_000) + shard),
                        one.replace("\"h2-1\"", "\"h2-1\"" + ",\"v\"".repeat(200_000)),
                        one.replace("\"mails\":" + node, many(node, 2_000)),
                        one.replace(
                                "\"generation\":1,", "\"generation\":" + "9".repeat(5_000) + ","),
                        one.replace("127.0.0.1:19100", "127.0.0.1:99999"),
                        one.replace("127.0.0.1:19100", "no address"),
                        one.replace("\"host\":\"h1\"", "\"host\":\"../h1\""),
                        one.replace("\"host\":\"h1\"", "\"host\":\"h 1\""))) {
            Status status = report(message.getBytes(StandardCharsets.UTF_8));
            assertThat(status.getCode())
                    .as(message.substring(0, Math.min(60, message.length())))
                    .isEqualTo(Status.Code.INVALID_ARGUMENT);
            assertThat(String.valueOf(status.getDescription())).hasSizeLessThan(2_000);
        }
        assertThat(report(new byte[ConfigMethods.REQUEST_MAX + 1]).getCode())
                .isEqualTo(Status.Code.RESOURCE_EXHAUSTED);
    }

    private static String many(String node, int count) {
        var all = new StringBuilder();
        for (int i = 0; i < count; i++) {
            all.append(i == 0 ? "" : ",").append("\"c").append(i).append("\":");
            all.append(node.replaceAll("\"shards\":\\[.*],\"load\"", "\"shards\":[],\"load\""));
        }
        return all.toString();
    }
}
