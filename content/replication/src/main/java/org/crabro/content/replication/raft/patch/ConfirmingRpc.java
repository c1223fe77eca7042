package org.crabro.content.replication.raft.patch;

import java.util.List;
import org.apache.ratis.conf.Parameters;
import org.apache.ratis.grpc.GrpcFactory;
import org.apache.ratis.grpc.server.GrpcLogAppender;
import org.apache.ratis.grpc.server.GrpcServices;
import org.apache.ratis.proto.RaftProtos.AppendEntriesReplyProto;
import org.apache.ratis.proto.RaftProtos.AppendEntriesReplyProto.AppendResult;
import org.apache.ratis.proto.RaftProtos.AppendEntriesRequestProto;
import org.apache.ratis.proto.RaftProtos.LogEntryProto;
import org.apache.ratis.protocol.RaftPeerId;
import org.apache.ratis.rpc.RpcFactory;
import org.apache.ratis.rpc.RpcType;
import org.apache.ratis.server.RaftConfiguration;
import org.apache.ratis.server.RaftServer;
import org.apache.ratis.server.leader.FollowerInfo;
import org.apache.ratis.server.leader.LeaderState;
import org.apache.ratis.server.leader.LogAppender;
import org.apache.ratis.server.protocol.TermIndex;
import org.apache.ratis.statemachine.StateMachine;
import org.jspecify.annotations.Nullable;

/**
 * The gRPC transport of Ratis, which also passes the answers of followers to {@link Answers}. Ratis
 * makes it by its name.
 */
public final class ConfirmingRpc implements RpcType {
    /** Gets the senders of a leader, and the answers of its followers. */
    public interface Answers {
        /** Adds the sender of messages to a follower; it replaces an earlier one. */
        void add(LogAppender sender);

        /** Notes an answer of a follower. */
        void answered(
                LogAppender sender,
                AppendEntriesReplyProto reply,
                RaftConfiguration configuration,
                RaftPeerId self);
    }

    /** The state machine of a group, which has the answers of its followers. */
    public interface AnsweredMachine extends StateMachine {
        /** Returns what gets the answers while this replica leads with a state of Ratis. */
        Answers answers(LeaderState state);
    }

    @Override
    public String name() {
        return ConfirmingRpc.class.getName();
    }

    @Override
    public RpcFactory newFactory(Parameters parameters) {
        return new Factory(parameters);
    }

    private static final class Factory extends GrpcFactory {
        private final RefusedMessages refused;

        Factory(Parameters parameters) {
            super(parameters);
            this.refused = RefusedMessages.of(parameters);
        }

        @Override
        public GrpcServices newRaftServerRpc(RaftServer server) {
            return super.newRaftServerRpc(refused.guarded(server));
        }

        @Override
        public LogAppender newLogAppender(
                RaftServer.Division server, LeaderState state, FollowerInfo follower) {
            Answers answers = ((AnsweredMachine) server.getStateMachine()).answers(state);
            var appender = new Sender(server, new Watched(state, answers, server), follower);
            answers.add(appender);
            return appender;
        }
    }

    /** Sends entries to a follower, or tells it that it needs copies. */
    private static final class Sender extends GrpcLogAppender {
        /** So many replies show that entries are lost; one may be older than the reply before. */
        private static final int LOST_REPLIES = 3;

        // Guarded by this.
        private int lostReplies;
        private boolean isReplaced;

        Sender(RaftServer.Division server, LeaderState state, FollowerInfo follower) {
            super(server, state, follower);
        }

        /**
         * Returns whether a follower lacks entries that it had, because it started with older data.
         * Ratis would offer it later entries for ever. Returns true once: then another sender takes
         * the place of this one, and knows nothing of what the follower had.
         */
        synchronized boolean isToBeReplaced(AppendEntriesReplyProto reply) {
            boolean lacks =
                    reply.getResult() == AppendResult.INCONSISTENCY
                            && reply.getNextIndex() <= getFollower().getMatchIndex();
            lostReplies = lacks ? lostReplies + 1 : 0;
            if (isReplaced || lostReplies < LOST_REPLIES) {
                return false;
            }
            isReplaced = true;
            return true;
        }

        /**
         * Returns how long to wait before the next attempt. Without a connection, Ratis would not
         * wait at all, although there is nothing to send before the next heartbeat.
         */
        @Override
        public long getWaitTimeMs() {
            long wait = super.getWaitTimeMs();
            return hasAppendEntries() ? wait : Math.max(wait, getHeartbeatWaitTimeMs());
        }

        /**
         * Returns the first entry that can be sent; null if the follower needs no copies. The first
         * one of the log cannot be sent if the term of the entry before is unknown. Ratis would
         * name it, and a follower whose last entry is the one before would answer that it needs no
         * copies, again and again.
         */
        @Override
        public @Nullable TermIndex shouldNotifyToInstallSnapshot() {
            TermIndex first = super.shouldNotifyToInstallSnapshot();
            return first == null || first.getIndex() == 0 || getPrevious(first.getIndex()) != null
                    ? first
                    : TermIndex.valueOf(first.getTerm(), first.getIndex() + 1);
        }
    }

    /** The state of a leader, whose answers are passed on. */
    private record Watched(LeaderState state, Answers answers, RaftServer.Division server)
            implements LeaderState {
        @Override
        public void restart(LogAppender appender) {
            state.restart(appender);
        }

        @Override
        public AppendEntriesRequestProto newAppendEntriesRequestProto(
                FollowerInfo follower,
                List<LogEntryProto> entries,
                TermIndex previous,
                long callId) {
            return state.newAppendEntriesRequestProto(follower, entries, previous, callId);
        }

        @Override
        public void checkHealth(FollowerInfo follower) {
            state.checkHealth(follower);
        }

        @Override
        public boolean onFollowerTerm(FollowerInfo follower, long followerTerm) {
            return state.onFollowerTerm(follower, followerTerm);
        }

        /**
         * A follower has what it knows to be committed. Ratis learns what it has from its answers
         * to entries only, so a new replica that needs none would never become a voter.
         */
        @Override
        public void onFollowerCommitIndex(FollowerInfo follower, long commitIndex) {
            state.onFollowerCommitIndex(follower, commitIndex);
            if (state.isFollowerBootstrapping(follower) && follower.updateMatchIndex(commitIndex)) {
                state.onFollowerSuccessAppendEntries(follower);
            }
        }

        @Override
        public void onFollowerSuccessAppendEntries(FollowerInfo follower) {
            state.onFollowerSuccessAppendEntries(follower);
        }

        @Override
        public boolean isFollowerBootstrapping(FollowerInfo follower) {
            return state.isFollowerBootstrapping(follower);
        }

        @Override
        public void onAppendEntriesReply(LogAppender appender, AppendEntriesReplyProto reply) {
            state.onAppendEntriesReply(appender, reply);
            answers.answered(appender, reply, server.getRaftConf(), server.getId());
            if (appender instanceof Sender sender && sender.isToBeReplaced(reply)) {
                state.restart(sender);
            }
        }
    }
}
