package org.crabro.content.replication.raft;

import java.util.EnumSet;
import java.util.Optional;
import java.util.Set;
import javax.net.ssl.SSLSession;
import org.apache.ratis.grpc.server.GrpcServices;
import org.apache.ratis.proto.RaftProtos.AppendEntriesRequestProto;
import org.apache.ratis.proto.RaftProtos.InstallSnapshotRequestProto;
import org.apache.ratis.proto.RaftProtos.RaftRpcRequestProto;
import org.apache.ratis.proto.RaftProtos.ReadIndexRequestProto;
import org.apache.ratis.proto.RaftProtos.RequestVoteRequestProto;
import org.apache.ratis.proto.RaftProtos.StartLeaderElectionRequestProto;
import org.apache.ratis.proto.grpc.RaftServerProtocolServiceGrpc;
import org.apache.ratis.thirdparty.io.grpc.ForwardingServerCallListener.SimpleForwardingServerCallListener;
import org.apache.ratis.thirdparty.io.grpc.Grpc;
import org.apache.ratis.thirdparty.io.grpc.Metadata;
import org.apache.ratis.thirdparty.io.grpc.ServerCall;
import org.apache.ratis.thirdparty.io.grpc.ServerCallHandler;
import org.apache.ratis.thirdparty.io.grpc.ServerInterceptor;
import org.apache.ratis.thirdparty.io.grpc.Status;
import org.apache.ratis.thirdparty.io.grpc.netty.NettyServerBuilder;
import org.crabro.protocol.cluster.Replica;
import org.crabro.protocol.transport.AllowedCallers;
import org.crabro.protocol.transport.CallerRules;
import org.crabro.protocol.transport.CertificateNames;
import org.crabro.protocol.transport.SessionNames;

/**
 * Decides whose messages reach the server of Ratis. Its methods for clients and administrators are
 * refused for all: this process calls them without the network. A message of another replica must
 * come from a host of the cluster whose certificate names the host of the replica.
 */
final class ReplicaGuard implements GrpcServices.Customizer, ServerInterceptor {
    /** The messages of other replicas. Each has a header that names its sender. */
    private static final Set<String> METHODS =
            Set.of(
                    RaftServerProtocolServiceGrpc.getRequestVoteMethod().getFullMethodName(),
                    RaftServerProtocolServiceGrpc.getStartLeaderElectionMethod()
                            .getFullMethodName(),
                    RaftServerProtocolServiceGrpc.getAppendEntriesMethod().getFullMethodName(),
                    RaftServerProtocolServiceGrpc.getInstallSnapshotMethod().getFullMethodName(),
                    RaftServerProtocolServiceGrpc.getReadIndexMethod().getFullMethodName());

    private final RatisSettings.Peers peers;

    ReplicaGuard(RatisSettings.Peers peers) {
        this.peers = peers;
    }

    @Override
    public NettyServerBuilder customize(
            NettyServerBuilder builder, EnumSet<GrpcServices.Type> types) {
        return builder.intercept(this);
    }

    @Override
    public <A, B> ServerCall.Listener<A> interceptCall(
            ServerCall<A, B> call, Metadata headers, ServerCallHandler<A, B> next) {
        boolean isKnown = METHODS.contains(call.getMethodDescriptor().getFullMethodName());
        boolean isChecked = peers.tls().isPresent();
        if (isKnown && !isChecked) {
            return next.startCall(call, headers);
        }
        SSLSession session = call.getAttributes().get(Grpc.TRANSPORT_ATTR_SSL_SESSION);
        CertificateNames shown = session == null ? CertificateNames.NONE : SessionNames.of(session);
        Optional<String> refusal =
                CallerRules.refusal(
                        isKnown ? peers.callers() : AllowedCallers.NONE, shown, peers.hosts());
        if (refusal.isPresent()) {
            call.close(denied(refusal.get()), new Metadata());
            return new ServerCall.Listener<>() {};
        }
        return new Checked<>(call, next.startCall(call, headers), shown);
    }

    private static Status denied(String reason) {
        return Status.PERMISSION_DENIED.withDescription(reason);
    }

    /** Ends a call with its first message for which the sender may not speak. */
    private static final class Checked<A, B> extends SimpleForwardingServerCallListener<A> {
        private final ServerCall<A, B> call;
        private final CertificateNames shown;
        private boolean isRefused;

        Checked(ServerCall<A, B> call, ServerCall.Listener<A> next, CertificateNames shown) {
            super(next);
            this.call = call;
            this.shown = shown;
        }

        @Override
        public void onMessage(A message) {
            if (isRefused) {
                return;
            }
            Optional<String> refusal = CallerRules.refusal(shown, sender(message));
            if (refusal.isPresent()) {
                isRefused = true;
                call.close(denied(refusal.get()), new Metadata());
                super.onCancel();
                return;
            }
            super.onMessage(message);
        }

        @Override
        public void onHalfClose() {
            if (!isRefused) {
                super.onHalfClose();
            }
        }

        @Override
        public void onCancel() {
            if (!isRefused) {
                super.onCancel();
            }
        }

        @Override
        public void onComplete() {
            if (!isRefused) {
                super.onComplete();
            }
        }

        @Override
        public void onReady() {
            if (!isRefused) {
                super.onReady();
            }
        }
    }

    /** Returns the host of the replica that sends a message. */
    private static String sender(Object message) {
        RaftRpcRequestProto header =
                switch (message) {
                    case RequestVoteRequestProto vote -> vote.getServerRequest();
                    case StartLeaderElectionRequestProto election -> election.getServerRequest();
                    case AppendEntriesRequestProto entries -> entries.getServerRequest();
                    case InstallSnapshotRequestProto snapshot -> snapshot.getServerRequest();
                    case ReadIndexRequestProto read -> read.getServerRequest();
                    default -> RaftRpcRequestProto.getDefaultInstance();
                };
        return Replica.hostOf(header.getRequestorId().toStringUtf8());
    }
}
