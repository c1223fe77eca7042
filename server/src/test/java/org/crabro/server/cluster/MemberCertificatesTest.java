package org.crabro.server.cluster;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.grpc.CallOptions;
import io.grpc.ManagedChannel;
import io.grpc.MethodDescriptor;
import io.grpc.Status;
import io.grpc.StatusRuntimeException;
import io.grpc.netty.NettyChannelBuilder;
import io.grpc.stub.ClientCalls;
import java.io.IOException;
import java.io.OutputStream;
import java.lang.reflect.Proxy;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Iterator;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;
import java.util.UUID;
import java.util.concurrent.TimeUnit;
import org.apache.ratis.proto.RaftProtos.AppendEntriesRequestProto;
import org.apache.ratis.proto.RaftProtos.RaftRpcRequestProto;
import org.apache.ratis.proto.RaftProtos.RequestVoteRequestProto;
import org.apache.ratis.proto.grpc.AdminProtocolServiceGrpc;
import org.apache.ratis.proto.grpc.RaftServerProtocolServiceGrpc;
import org.apache.ratis.thirdparty.com.google.protobuf.ByteString;
import org.crabro.client.cluster.ClusterCommand;
import org.crabro.content.node.ContentService;
import org.crabro.content.node.wire.ContentServer;
import org.crabro.content.node.wire.ReplicaExports;
import org.crabro.content.replication.log.ConsensusLog;
import org.crabro.content.replication.raft.RatisGroups;
import org.crabro.content.replication.raft.RatisSettings;
import org.crabro.content.replication.raft.RatisTimes;
import org.crabro.content.replication.raft.ReplicaAddress;
import org.crabro.content.replication.raft.ReplicaEvents;
import org.crabro.content.replication.raft.ReplicaStatus;
import org.crabro.content.replication.raft.ShardGroup;
import org.crabro.content.storage.journal.MappedLogFiles;
import org.crabro.protocol.grpc.ByteMethods;
import org.crabro.protocol.grpc.NodeTls;
import org.crabro.protocol.transport.AllowedCallers;
import org.crabro.protocol.transport.CallLimits;
import org.crabro.protocol.transport.ClusterHosts;
import org.crabro.protocol.transport.NodeAddress;
import org.crabro.protocol.transport.NodeIdentity;
import org.crabro.protocol.transport.NodeMethod;
import org.crabro.protocol.transport.NodeSecurity;
import org.crabro.protocol.transport.TlsFiles;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import picocli.CommandLine;

/**
 * Certificates of one authority that name a config server, a host of the cluster and a stranger, at
 * every method of every port of a cluster.
 */
class MemberCertificatesTest {
    private static final String CONFIG = "127.0.0.1";
    private static final String MEMBER = "127.0.0.2";
    private static final String STRANGER = "127.0.0.3";
    private static final ClusterHosts HOSTS =
            new ClusterHosts(() -> Optional.of(Set.of(CONFIG, MEMBER)), Set.of(CONFIG));
    private static final Duration PATIENCE = Duration.ofSeconds(20);
    private static final ShardGroup SHARD = new ShardGroup("notes", 3);

    /** By which Ratis knows the shard. */
    private static final UUID SHARD_ID =
            UUID.nameUUIDFromBytes("content/notes/3".getBytes(StandardCharsets.UTF_8));

    @TempDir private Path directory;

    @BeforeEach
    void makeCertificates() {
        int status =
                new CommandLine(new ClusterCommand())
                        .execute(
                                "certificates",
                                CONFIG,
                                MEMBER,
                                STRANGER,
                                "--directory",
                                directory.toString());
        assertThat(status).isZero();
    }

    private TlsFiles tls(String host) {
        return new TlsFiles(
                directory.resolve(host + "-key.pem"),
                directory.resolve(host + ".pem"),
                directory.resolve("authority.pem"));
    }

    private NodeSecurity security(String host) {
        return NodeSecurity.of(Optional.of(tls(host)));
    }

    private ManagedChannel channel(NodeAddress to, String as) {
        return NettyChannelBuilder.forAddress(to.host(), to.port())
                .sslContext(NodeTls.client(tls(as)))
                .build();
    }

    private static Status call(
            ManagedChannel channel, MethodDescriptor<byte[], byte[]> method, byte[] message) {
        CallOptions options =
                CallOptions.DEFAULT.withDeadlineAfter(PATIENCE.toMillis(), TimeUnit.MILLISECONDS);
        try {
            Iterator<byte[]> replies =
                    ClientCalls.blockingServerStreamingCall(channel, method, options, message);
            while (replies.hasNext()) {
                replies.next();
            }
            return Status.OK;
        } catch (StatusRuntimeException e) {
            return e.getStatus();
        }
    }

    // The port of a config server.

    private ConfigListener config(NodeAddress address) throws IOException {
        var settings =
                new ClusterSettings(
                        CONFIG,
                        List.of(new ClusterSettings.Named(CONFIG, address)),
                        CONFIG,
                        0,
                        Optional.of(tls(CONFIG)));
        return ConfigListener.start(
                settings,
                new ConfigService(new Answers(), Optional.of(new Answers()), settings),
                () -> Set.of(CONFIG, MEMBER),
                () -> {});
    }

    /** Answers everything. */
    private static final class Answers implements ConfigAccess, ConfigService.PeerAccess {
        @Override
        public String name() {
            return CONFIG;
        }

        @Override
        public boolean confirms(String leader) {
            return true;
        }

        @Override
        public ConfigReply report(HostReport report) {
            return ConfigReply.NONE;
        }

        @Override
        public void copyPackage(OutputStream to) throws IOException {
            to.write(1);
        }

        @Override
        public PeerHello.Answer hello(PeerHello other) {
            return new PeerHello.Answer("", other, false);
        }

        @Override
        public boolean keep(String sender, ArchivePart part) {
            return true;
        }

        @Override
        public Path archive(String name) throws IOException {
            throw new IOException("there is no archive");
        }

        @Override
        public Optional<LogSnapshot> record() {
            return Optional.empty();
        }
    }

    private static NodeAddress free() throws IOException {
        try (var free = new ServerSocket(0, 1, InetAddress.getLoopbackAddress())) {
            return new NodeAddress(CONFIG, free.getLocalPort());
        }
    }

    private static byte[] report(String host) {
        return ClusterJson.write(
                new HostReport(
                        new HostReport.Sender(host, 1, FormatVersions.OWN),
                        "",
                        0,
                        0,
                        new TreeMap<>()));
    }

    private static byte[] hello(String host) {
        return ClusterJson.write(
                new PeerHello(
                        new PeerHello.Member(host, host + "-1", host + ":1", host + ":2"),
                        List.of(CONFIG),
                        "",
                        Optional.empty(),
                        false));
    }

    @Test
    void aConfigServerAnswersByTheCertificate() throws Exception {
        NodeAddress address = free();
        byte[] part = new ArchivePart("0".repeat(64), 0, 0, ByteBuffer.allocate(0)).encode();
        byte[] name = "0".repeat(64).getBytes(StandardCharsets.US_ASCII);
        Status.Code denied = Status.Code.PERMISSION_DENIED;
        try (ConfigListener _ = config(address)) {
            for (String as : List.of(CONFIG, MEMBER, STRANGER)) {
                ManagedChannel channel = channel(address, as);
                Status.Code config = as.equals(CONFIG) ? Status.Code.OK : denied;
                Status.Code member = as.equals(STRANGER) ? denied : Status.Code.OK;
                for (String of : List.of(CONFIG, MEMBER, STRANGER)) {
                    assertThat(call(channel, ConfigMethods.REPORT, report(of)).getCode())
                            .as("%s reports for %s", as, of)
                            .isEqualTo(as.equals(of) ? Status.Code.OK : denied);
                    assertThat(call(channel, ConfigMethods.HELLO, hello(of)).getCode())
                            .as("%s says hello for %s", as, of)
                            .isEqualTo(as.equals(of) ? config : denied);
                }
                assertThat(call(channel, ConfigMethods.CONFIRM, new byte[1]).getCode())
                        .isEqualTo(Status.Code.OK);
                assertThat(call(channel, ConfigMethods.PACKAGE, new byte[0]).getCode())
                        .isEqualTo(member);
                assertThat(call(channel, ConfigMethods.KEEP, part).getCode()).isEqualTo(config);
                assertThat(call(channel, ConfigMethods.RECORD, new byte[0]).getCode())
                        .isEqualTo(config);
                assertThat(call(channel, ConfigMethods.ARCHIVE, name).getCode())
                        .isEqualTo(as.equals(CONFIG) ? Status.Code.UNAVAILABLE : denied);
                channel.shutdownNow();
            }
        }
    }

    // The port of a content node.

    @Test
    void aContentNodeAnswersHostsOfTheClusterAlone() throws Exception {
        var exports =
                new ReplicaExports(
                        MEMBER + "-1",
                        shard -> {
                            throw new IOException("there is no shard " + shard);
                        });
        try (exports;
                ContentServer server =
                        ContentServer.start(
                                new NodeAddress(CONFIG, 0),
                                security(CONFIG),
                                new NodeIdentity("test", "0"),
                                new CallLimits(10, 10_000_000),
                                ContentServer.Served.of(noNode()).with(exports).with(HOSTS))) {
            List<String> methods = new ArrayList<>();
            for (NodeMethod each : NodeMethod.values()) {
                methods.add(NodeMethod.SERVICE + "/" + each.shown());
            }
            for (String each : List.of("open", "read", "close")) {
                methods.add("crabro.Replicas/" + each);
            }
            ManagedChannel stranger = channel(server.address(), STRANGER);
            ManagedChannel member = channel(server.address(), MEMBER);
            for (String each : methods) {
                int slash = each.indexOf('/');
                MethodDescriptor<byte[], byte[]> method =
                        ByteMethods.of(
                                each.substring(0, slash),
                                each.substring(slash + 1),
                                MethodDescriptor.MethodType.SERVER_STREAMING);
                assertThat(call(stranger, method, new byte[1]).getCode())
                        .as(each)
                        .isEqualTo(Status.Code.PERMISSION_DENIED);
                assertThat(call(member, method, new byte[1]).getCode())
                        .as("%s, not valid", each)
                        .isNotIn(Status.Code.PERMISSION_DENIED, Status.Code.OK);
            }
            assertThat(copyAs(member, MEMBER)).isEqualTo(Status.Code.FAILED_PRECONDITION);
            assertThat(copyAs(member, CONFIG))
                    .as("it would end the copy of another host")
                    .isEqualTo(Status.Code.PERMISSION_DENIED);
            stranger.shutdownNow();
            member.shutdownNow();
        }
    }

    /** Returns a node that no request reaches. */
    private static ContentService noNode() {
        return (ContentService)
                Proxy.newProxyInstance(
                        ContentService.class.getClassLoader(),
                        new Class<?>[] {ContentService.class},
                        (_, method, _) -> {
                            throw new IllegalStateException(method.getName());
                        });
    }

    /** Asks for a replica for another node. */
    private static Status.Code copyAs(ManagedChannel channel, String host) {
        byte[] asked = (MEMBER + "-1").getBytes(StandardCharsets.UTF_8);
        byte[] copier = (host + "-7").getBytes(StandardCharsets.UTF_8);
        byte[] message =
                ByteBuffer.allocate(12 + asked.length + copier.length)
                        .putInt(asked.length)
                        .put(asked)
                        .putInt(copier.length)
                        .put(copier)
                        .putInt(0)
                        .array();
        return call(
                        channel,
                        ByteMethods.of(
                                "crabro.Replicas", "open", MethodDescriptor.MethodType.UNARY),
                        message)
                .getCode();
    }

    // The port of Ratis.

    /** What happens is of no interest. */
    private static final class Ignored implements ReplicaEvents {
        @Override
        public void failed(ShardGroup group, String reason) {
            throw new IllegalStateException(reason);
        }

        @Override
        public void behind(ShardGroup group) {
            throw new IllegalStateException("behind");
        }

        @Override
        public void removed(ShardGroup group) {
            throw new IllegalStateException("removed");
        }
    }

    private RatisGroups ratis(Optional<TlsFiles> tls) throws IOException {
        Path data = directory.resolve("ratis-" + tls.isPresent());
        return RatisGroups.open(
                new RatisSettings(
                        new ReplicaAddress(CONFIG + "-1", CONFIG, 0),
                        data.resolve("raft"),
                        new MappedLogFiles(data),
                        RatisSettings.Peers.of(NodeSecurity.of(tls), AllowedCallers.MEMBERS, HOSTS),
                        RatisTimes.DEFAULT,
                        1 << 20),
                new Ignored());
    }

    private static byte[] header(String from) {
        return AppendEntriesRequestProto.newBuilder()
                .setServerRequest(sender(from))
                .build()
                .toByteArray();
    }

    private static RaftRpcRequestProto sender(String host) {
        return RaftRpcRequestProto.newBuilder()
                .setRequestorId(ByteString.copyFromUtf8(host + "-9"))
                .setReplyId(ByteString.copyFromUtf8(CONFIG + "-1"))
                .build();
    }

    @Test
    void ratisTakesMessagesOfReplicasOfTheirHostsAlone() throws Exception {
        try (RatisGroups groups = ratis(Optional.of(tls(CONFIG)))) {
            for (String as : List.of(MEMBER, STRANGER)) {
                var channel = RatisCalls.channel(groups.self(), Optional.of(tls(as)));
                for (var method : RatisCalls.outer()) {
                    assertThat(RatisCalls.send(channel, method, new byte[0]))
                            .as("%s as %s", method.getFullMethodName(), as)
                            .isEqualTo("PERMISSION_DENIED");
                }
                for (var method :
                        RaftServerProtocolServiceGrpc.getServiceDescriptor().getMethods()) {
                    for (String from : List.of(MEMBER, CONFIG, STRANGER)) {
                        boolean isOwn = as.equals(MEMBER) && from.equals(MEMBER);
                        String outcome = RatisCalls.send(channel, method, message(method, from));
                        assertThat(outcome.equals("PERMISSION_DENIED"))
                                .as(
                                        "%s: %s as %s: %s",
                                        method.getFullMethodName(), from, as, outcome)
                                .isEqualTo(!isOwn);
                    }
                }
                channel.shutdownNow();
            }
        }
    }

    private static byte[] message(
            org.apache.ratis.thirdparty.io.grpc.MethodDescriptor<?, ?> method, String from) {
        return method.equals(RaftServerProtocolServiceGrpc.getRequestVoteMethod())
                ? RequestVoteRequestProto.newBuilder()
                        .setServerRequest(sender(from))
                        .build()
                        .toByteArray()
                : header(from);
    }

    @Test
    void ratisTakesNoOrdersWithoutCertificates() throws Exception {
        try (RatisGroups groups = ratis(Optional.empty())) {
            var channel = RatisCalls.channel(groups.self(), Optional.empty());
            for (var method : RatisCalls.outer()) {
                assertThat(RatisCalls.send(channel, method, new byte[0]))
                        .as(method.getFullMethodName())
                        .isEqualTo("PERMISSION_DENIED");
            }
            channel.shutdownNow();
        }
    }

    /** A container has a certificate of its host, as has a content node. */
    @Test
    void ratisRefusesValidOrdersOfAllSenders() throws Exception {
        for (boolean hasTls : new boolean[] {true, false}) {
            try (RatisGroups groups = ratis(hasTls ? Optional.of(tls(CONFIG)) : Optional.empty());
                    ConsensusLog log = groups.log(SHARD, List.of(groups.self()))) {
                log.start(new IgnoredLog());
                await().until(() ->
                        groups.status(SHARD).filter(ReplicaStatus::isLeader).isPresent());
                ReplicaStatus before = groups.status(SHARD).orElseThrow();
                for (String as : List.of(CONFIG, MEMBER, STRANGER)) {
                    var channel =
                            RatisCalls.channel(
                                    groups.self(),
                                    hasTls ? Optional.of(tls(as)) : Optional.empty());
                    for (var order : RatisCalls.orders(groups.self(), SHARD_ID, as).entrySet()) {
                        assertThat(
                                        RatisCalls.send(
                                                channel,
                                                order.getKey(),
                                                order.getValue().toByteArray()))
                                .as("%s as %s", order.getKey().getFullMethodName(), as)
                                .isEqualTo("PERMISSION_DENIED");
                    }
                    assertThat(
                                    RatisCalls.send(
                                            channel,
                                            AdminProtocolServiceGrpc.getGroupManagementMethod(),
                                            RatisCalls.addition(
                                                            groups.self(), UUID.randomUUID(), as)
                                                    .toByteArray()))
                            .isEqualTo("PERMISSION_DENIED");
                    channel.shutdownNow();
                }

                ReplicaStatus after = groups.status(SHARD).orElseThrow();
                assertThat(after.isLeader()).isTrue();
                assertThat(after.term()).isEqualTo(before.term());
                assertThat(after.configuration()).isEqualTo(before.configuration());
            }
        }
    }

    /** Each method for administrators is in the table. */
    @Test
    void hasAnOrderForEachMethodForAdministrators() {
        assertThat(
                        RatisCalls.orders(
                                        new ReplicaAddress(CONFIG + "-1", CONFIG, 1),
                                        SHARD_ID,
                                        MEMBER)
                                .keySet())
                .containsExactlyInAnyOrderElementsOf(
                        AdminProtocolServiceGrpc.getServiceDescriptor().getMethods());
    }

    /** What happens to the log is of no interest. */
    private static final class IgnoredLog implements ConsensusLog.Listener {
        @Override
        public void committed(long index, long term, byte[] entry) {
            throw new IllegalStateException("nothing is appended");
        }

        @Override
        public void leads(long term) {
            // Nothing is to be appended.
        }

        @Override
        public void follows() {
            // Nothing was appended.
        }
    }
}
