package org.crabro.content.replication.raft.patch;

import java.lang.reflect.InvocationHandler;
import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Proxy;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentHashMap;
import org.apache.ratis.conf.Parameters;
import org.apache.ratis.proto.RaftProtos.AppendEntriesRequestProto;
import org.apache.ratis.proto.RaftProtos.InstallSnapshotRequestProto;
import org.apache.ratis.proto.RaftProtos.RaftRpcRequestProto;
import org.apache.ratis.proto.RaftProtos.RequestVoteRequestProto;
import org.apache.ratis.proto.RaftProtos.StartLeaderElectionRequestProto;
import org.apache.ratis.protocol.RaftGroupId;
import org.apache.ratis.protocol.exceptions.ServerNotReadyException;
import org.apache.ratis.server.RaftServer;
import org.jspecify.annotations.Nullable;

/**
 * The messages of other servers that a server does not take now. Senders repeat their messages.
 * Thread-safe.
 *
 * <ul>
 *   <li>Messages for groups that are being added: if one makes a group a follower while Ratis
 *       starts it as one, its start fails.
 *   <li>Messages for a replica that was here before the disk was lost: its voters still have the
 *       address of this server. An answer would count as one of the lost replica, and a replica
 *       that is being added would count as a running one before it is a member.
 *   <li>Requests to lead, once the server stops.
 * </ul>
 */
public final class RefusedMessages {
    private static final String KEY = "crabro.refused.messages";

    private final Set<RaftGroupId> starting = ConcurrentHashMap.newKeySet();
    private volatile boolean isStopping;

    /** Returns what was put into parameters of a server. */
    static RefusedMessages of(Parameters parameters) {
        return parameters.getNonNull(KEY, RefusedMessages.class);
    }

    /** Puts this into parameters of a server. */
    public void putInto(Parameters parameters) {
        RefusedMessages _ = parameters.put(KEY, this, RefusedMessages.class);
    }

    /** Begins to refuse messages for a group. */
    public void begin(RaftGroupId id) {
        starting.add(id);
    }

    /** Ends what {@link #begin} began. */
    public void end(RaftGroupId id) {
        starting.remove(id);
    }

    /** Begins to refuse requests to lead. */
    public void stop() {
        isStopping = true;
    }

    /** Returns a server that refuses these messages, and otherwise is {@code server}. */
    RaftServer guarded(RaftServer server) {
        InvocationHandler calls =
                (_, method, arguments) -> {
                    Object message = arguments == null ? "" : arguments[0];
                    Optional<String> reason = reason(message, server);
                    if (reason.isPresent()) {
                        var refusal = new ServerNotReadyException(reason.get());
                        if (method.getReturnType().equals(CompletableFuture.class)) {
                            return CompletableFuture.failedFuture(refusal);
                        }
                        throw refusal;
                    }
                    try {
                        return method.invoke(server, arguments);
                    } catch (InvocationTargetException e) {
                        throw e.getCause();
                    }
                };
        return (RaftServer)
                Proxy.newProxyInstance(
                        RefusedMessages.class.getClassLoader(),
                        new Class<?>[] {RaftServer.class},
                        calls);
    }

    /** Returns why a message is refused, if it is. */
    private Optional<String> reason(@Nullable Object message, RaftServer server) {
        if (isStopping && message instanceof StartLeaderElectionRequestProto) {
            return Optional.of("the server stops");
        }
        return header(message).flatMap(each -> reason(each, server));
    }

    private Optional<String> reason(RaftRpcRequestProto header, RaftServer server) {
        String receiver = header.getReplyId().toStringUtf8();
        String own = server.getId().toString();
        if (!receiver.equals(own)) {
            return Optional.of("%s is not here, but %s".formatted(receiver, own));
        }
        return Optional.of(RaftGroupId.valueOf(header.getRaftGroupId().getId()))
                .filter(starting::contains)
                .map(group -> group + " is being added");
    }

    /** Returns the header of a message that can change the role of a replica. */
    private static Optional<RaftRpcRequestProto> header(@Nullable Object message) {
        return switch (message) {
            case AppendEntriesRequestProto entries -> Optional.of(entries.getServerRequest());
            case RequestVoteRequestProto vote -> Optional.of(vote.getServerRequest());
            case StartLeaderElectionRequestProto election ->
                    Optional.of(election.getServerRequest());
            case InstallSnapshotRequestProto snapshot -> Optional.of(snapshot.getServerRequest());
            case null, default -> Optional.empty();
        };
    }
}
