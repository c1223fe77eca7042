package org.crabro.server.cluster;

import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collection;
import java.util.Iterator;
import java.util.Map;
import java.util.Optional;
import java.util.UUID;
import java.util.concurrent.TimeUnit;
import org.apache.ratis.grpc.GrpcTlsConfig;
import org.apache.ratis.proto.RaftProtos.GroupAddRequestProto;
import org.apache.ratis.proto.RaftProtos.GroupInfoRequestProto;
import org.apache.ratis.proto.RaftProtos.GroupListRequestProto;
import org.apache.ratis.proto.RaftProtos.GroupManagementRequestProto;
import org.apache.ratis.proto.RaftProtos.GroupRemoveRequestProto;
import org.apache.ratis.proto.RaftProtos.LeaderElectionManagementRequestProto;
import org.apache.ratis.proto.RaftProtos.LeaderElectionPauseRequestProto;
import org.apache.ratis.proto.RaftProtos.RaftGroupIdProto;
import org.apache.ratis.proto.RaftProtos.RaftGroupProto;
import org.apache.ratis.proto.RaftProtos.RaftPeerProto;
import org.apache.ratis.proto.RaftProtos.RaftRpcRequestProto;
import org.apache.ratis.proto.RaftProtos.SetConfigurationRequestProto;
import org.apache.ratis.proto.RaftProtos.SnapshotCreateRequestProto;
import org.apache.ratis.proto.RaftProtos.SnapshotManagementRequestProto;
import org.apache.ratis.proto.RaftProtos.TransferLeadershipRequestProto;
import org.apache.ratis.proto.grpc.AdminProtocolServiceGrpc;
import org.apache.ratis.proto.grpc.RaftClientProtocolServiceGrpc;
import org.apache.ratis.thirdparty.com.google.protobuf.ByteString;
import org.apache.ratis.thirdparty.com.google.protobuf.Message;
import org.apache.ratis.thirdparty.io.grpc.CallOptions;
import org.apache.ratis.thirdparty.io.grpc.ManagedChannel;
import org.apache.ratis.thirdparty.io.grpc.MethodDescriptor;
import org.apache.ratis.thirdparty.io.grpc.StatusRuntimeException;
import org.apache.ratis.thirdparty.io.grpc.netty.GrpcSslContexts;
import org.apache.ratis.thirdparty.io.grpc.netty.NettyChannelBuilder;
import org.apache.ratis.thirdparty.io.grpc.stub.ClientCalls;
import org.crabro.content.replication.raft.ReplicaAddress;
import org.crabro.protocol.transport.TlsFiles;

/** Calls of the port of Ratis that no server makes. */
final class RatisCalls {
    private static final Duration PATIENCE = Duration.ofSeconds(20);

    private RatisCalls() {}

    /** Connects to a server; with the certificate of {@code as}, if there is one. */
    static ManagedChannel channel(ReplicaAddress server, Optional<TlsFiles> as) throws IOException {
        var builder = NettyChannelBuilder.forAddress(server.host(), server.port());
        if (as.isEmpty()) {
            return builder.usePlaintext().build();
        }
        TlsFiles files = as.get();
        var config =
                new GrpcTlsConfig(
                        files.privateKey().toFile(),
                        files.certificates().toFile(),
                        files.authorities().toFile(),
                        true);
        return builder.sslContext(
                        GrpcSslContexts.forClient()
                                .keyManager(config.getCertChainFile(), config.getPrivateKeyFile())
                                .trustManager(config.getTrustStoreFile())
                                .build())
                .build();
    }

    /** Sends a message, and returns the status. */
    static <A, B> String send(
            ManagedChannel channel, MethodDescriptor<A, B> method, byte[] message) {
        A request = method.parseRequest(new ByteArrayInputStream(message));
        try {
            Iterator<B> replies =
                    ClientCalls.blockingServerStreamingCall(
                            channel,
                            method.toBuilder()
                                    .setType(MethodDescriptor.MethodType.SERVER_STREAMING)
                                    .build(),
                            CallOptions.DEFAULT.withDeadlineAfter(
                                    PATIENCE.toMillis(), TimeUnit.MILLISECONDS),
                            request);
            while (replies.hasNext()) {
                replies.next();
            }
            return "OK";
        } catch (StatusRuntimeException e) {
            return e.getStatus().getCode().name();
        }
    }

    /** Returns the methods for clients and administrators. */
    static Collection<MethodDescriptor<?, ?>> outer() {
        Collection<MethodDescriptor<?, ?>> all =
                new ArrayList<>(AdminProtocolServiceGrpc.getServiceDescriptor().getMethods());
        all.addAll(RaftClientProtocolServiceGrpc.getServiceDescriptor().getMethods());
        return all;
    }

    /**
     * Returns a valid order for each method for administrators: the one that does the most harm to
     * a group of one replica.
     *
     * @param server the replica
     * @param group the id of its group
     * @param from the host of the sender
     */
    static Map<MethodDescriptor<?, ?>, Message> orders(
            ReplicaAddress server, UUID group, String from) {
        RaftGroupIdProto id = id(group);
        RaftRpcRequestProto header =
                RaftRpcRequestProto.newBuilder()
                        .setRequestorId(ByteString.copyFromUtf8(from + "-9"))
                        .setReplyId(ByteString.copyFromUtf8(server.peer()))
                        .setRaftGroupId(id)
                        .setCallId(1)
                        .setTimeoutMs(1_000)
                        .build();
        RaftPeerProto own =
                RaftPeerProto.newBuilder()
                        .setId(ByteString.copyFromUtf8(from + "-9"))
                        .setAddress(from + ":1")
                        .build();
        return Map.of(
                AdminProtocolServiceGrpc.getSetConfigurationMethod(),
                SetConfigurationRequestProto.newBuilder()
                        .setRpcRequest(header)
                        .addPeers(own)
                        .build(),
                AdminProtocolServiceGrpc.getTransferLeadershipMethod(),
                TransferLeadershipRequestProto.newBuilder()
                        .setRpcRequest(header)
                        .setNewLeader(own)
                        .build(),
                AdminProtocolServiceGrpc.getGroupManagementMethod(),
                GroupManagementRequestProto.newBuilder()
                        .setRpcRequest(header)
                        .setGroupRemove(
                                GroupRemoveRequestProto.newBuilder()
                                        .setGroupId(id)
                                        .setDeleteDirectory(true))
                        .build(),
                AdminProtocolServiceGrpc.getSnapshotManagementMethod(),
                SnapshotManagementRequestProto.newBuilder()
                        .setRpcRequest(header)
                        .setCreate(SnapshotCreateRequestProto.newBuilder().setCreationGap(1))
                        .build(),
                AdminProtocolServiceGrpc.getLeaderElectionManagementMethod(),
                LeaderElectionManagementRequestProto.newBuilder()
                        .setRpcRequest(header)
                        .setPause(LeaderElectionPauseRequestProto.getDefaultInstance())
                        .build(),
                AdminProtocolServiceGrpc.getGroupListMethod(),
                GroupListRequestProto.newBuilder().setRpcRequest(header).build(),
                AdminProtocolServiceGrpc.getGroupInfoMethod(),
                GroupInfoRequestProto.newBuilder().setRpcRequest(header).setGroupId(id).build());
    }

    /** Returns the order to take part in a group of the sender. */
    static Message addition(ReplicaAddress server, UUID group, String from) {
        return GroupManagementRequestProto.newBuilder()
                .setRpcRequest(
                        RaftRpcRequestProto.newBuilder()
                                .setRequestorId(ByteString.copyFromUtf8(from + "-9"))
                                .setReplyId(ByteString.copyFromUtf8(server.peer()))
                                .setRaftGroupId(id(group)))
                .setGroupAdd(
                        GroupAddRequestProto.newBuilder()
                                .setGroup(RaftGroupProto.newBuilder().setGroupId(id(group))))
                .build();
    }

    private static RaftGroupIdProto id(UUID group) {
        return RaftGroupIdProto.newBuilder()
                .setId(
                        ByteString.copyFrom(
                                ByteBuffer.allocate(16)
                                        .putLong(group.getMostSignificantBits())
                                        .putLong(group.getLeastSignificantBits())
                                        .flip()))
                .build();
    }
}
