package org.crabro.content.replication.raft.patch;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import java.io.IOException;
import java.lang.reflect.Proxy;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import org.apache.ratis.proto.RaftProtos.AppendEntriesReplyProto;
import org.apache.ratis.proto.RaftProtos.AppendEntriesRequestProto;
import org.apache.ratis.proto.RaftProtos.InstallSnapshotReplyProto;
import org.apache.ratis.proto.RaftProtos.InstallSnapshotRequestProto;
import org.apache.ratis.proto.RaftProtos.RaftGroupIdProto;
import org.apache.ratis.proto.RaftProtos.RaftRpcRequestProto;
import org.apache.ratis.proto.RaftProtos.RequestVoteReplyProto;
import org.apache.ratis.proto.RaftProtos.RequestVoteRequestProto;
import org.apache.ratis.proto.RaftProtos.StartLeaderElectionReplyProto;
import org.apache.ratis.proto.RaftProtos.StartLeaderElectionRequestProto;
import org.apache.ratis.protocol.RaftGroupId;
import org.apache.ratis.protocol.RaftPeerId;
import org.apache.ratis.protocol.exceptions.ServerNotReadyException;
import org.apache.ratis.server.RaftServer;
import org.apache.ratis.thirdparty.com.google.protobuf.ByteString;
import org.junit.jupiter.api.Test;

class RefusedMessagesTest {
    private final RaftGroupId id = RaftGroupId.randomId();
    private final List<String> calls = new ArrayList<>();
    private final RefusedMessages refused = new RefusedMessages();
    private final RaftServer server = refused.guarded(recording());

    /** Returns a server that records its calls, and replies with nothing. */
    private RaftServer recording() {
        return (RaftServer)
                Proxy.newProxyInstance(
                        getClass().getClassLoader(),
                        new Class<?>[] {RaftServer.class},
                        (_, method, _) -> {
                            if (!method.getName().equals("getId")) {
                                calls.add(method.getName());
                            }
                            return switch (method.getName()) {
                                case "getId" -> RaftPeerId.valueOf("n1-here");
                                case "requestVote" -> RequestVoteReplyProto.getDefaultInstance();
                                case "installSnapshot" ->
                                        InstallSnapshotReplyProto.getDefaultInstance();
                                case "startLeaderElection" ->
                                        StartLeaderElectionReplyProto.getDefaultInstance();
                                case "appendEntriesAsync" ->
                                        CompletableFuture.completedFuture(
                                                AppendEntriesReplyProto.getDefaultInstance());
                                case "start" -> throw new IOException("no port");
                                default -> List.of();
                            };
                        });
    }

    private RaftRpcRequestProto header() {
        return header("n1-here");
    }

    private RaftRpcRequestProto header(String receiver) {
        return RaftRpcRequestProto.newBuilder()
                .setReplyId(ByteString.copyFromUtf8(receiver))
                .setRaftGroupId(RaftGroupIdProto.newBuilder().setId(id.toByteString()))
                .build();
    }

    private RequestVoteRequestProto vote() {
        return RequestVoteRequestProto.newBuilder().setServerRequest(header()).build();
    }

    private InstallSnapshotRequestProto snapshot() {
        return InstallSnapshotRequestProto.newBuilder().setServerRequest(header()).build();
    }

    private AppendEntriesRequestProto entries() {
        return AppendEntriesRequestProto.newBuilder().setServerRequest(header()).build();
    }

    @Test
    void refusesMessagesUntilAGroupIsAdded() throws IOException {
        refused.begin(RaftGroupId.randomId());
        refused.begin(id);
        assertThatExceptionOfType(ServerNotReadyException.class)
                .isThrownBy(() -> server.requestVote(vote()));
        assertThatExceptionOfType(CompletionException.class)
                .isThrownBy(() -> server.appendEntriesAsync(entries()).join())
                .withCauseInstanceOf(ServerNotReadyException.class);
        assertThatExceptionOfType(ServerNotReadyException.class)
                .isThrownBy(() -> server.installSnapshot(snapshot()));
        assertThat(calls).isEmpty();

        refused.end(id);

        RequestVoteReplyProto _ = server.requestVote(vote());
        InstallSnapshotReplyProto _ = server.installSnapshot(snapshot());
        AppendEntriesReplyProto _ = server.appendEntriesAsync(entries()).join();
        assertThat(calls).containsExactly("requestVote", "installSnapshot", "appendEntriesAsync");
    }

    @Test
    void refusesMessagesForAReplicaThatWasLost() throws IOException {
        var vote = RequestVoteRequestProto.newBuilder().setServerRequest(header("n1-lost")).build();
        assertThatExceptionOfType(ServerNotReadyException.class)
                .isThrownBy(() -> server.requestVote(vote))
                .withMessage("n1-lost is not here, but n1-here");
        var entries =
                AppendEntriesRequestProto.newBuilder().setServerRequest(header("n1-lost")).build();
        assertThatExceptionOfType(CompletionException.class)
                .isThrownBy(() -> server.appendEntriesAsync(entries).join())
                .withCauseInstanceOf(ServerNotReadyException.class);

        assertThat(calls).isEmpty();
    }

    @Test
    void refusesToLeadWhenTheServerStops() throws IOException {
        var request =
                StartLeaderElectionRequestProto.newBuilder().setServerRequest(header()).build();
        StartLeaderElectionReplyProto _ = server.startLeaderElection(request);
        refused.stop();

        assertThatExceptionOfType(ServerNotReadyException.class)
                .isThrownBy(() -> server.startLeaderElection(request))
                .withMessage("the server stops");

        RequestVoteReplyProto _ = server.requestVote(vote());
        assertThat(calls).containsExactly("startLeaderElection", "requestVote");
    }

    @Test
    void passesAllOtherCallsAndTheirFailures() throws IOException {
        refused.begin(id);

        assertThat(server.getGroups()).isEmpty();
        assertThatExceptionOfType(IOException.class)
                .isThrownBy(server::start)
                .withMessage("no port");
    }
}
