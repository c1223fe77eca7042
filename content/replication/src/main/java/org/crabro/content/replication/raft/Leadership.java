package org.crabro.content.replication.raft;

import java.time.Duration;
import java.util.ArrayList;
import java.util.Collection;
import java.util.Comparator;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.function.Predicate;
import org.apache.ratis.proto.RaftProtos.AppendEntriesReplyProto;
import org.apache.ratis.protocol.RaftPeer;
import org.apache.ratis.protocol.RaftPeerId;
import org.apache.ratis.server.RaftConfiguration;
import org.apache.ratis.server.leader.FollowerInfo;
import org.apache.ratis.server.leader.LeaderState;
import org.apache.ratis.server.leader.LogAppender;
import org.crabro.content.replication.raft.patch.ConfirmingRpc;

/**
 * The time in which this replica leads one term. It confirms to readers that no other replica led
 * when they asked: a majority has answered a message that was sent afterwards.
 *
 * <p>Ratis' own linearizable reads do not guarantee that. They answer at once if an earlier reader
 * was confirmed at the same commit index, although another replica may lead since then. They also
 * share a message that was sent before the reader asked.
 *
 * <p>One round of messages is under way at a time. Readers that ask meanwhile share the next round.
 * Thread-safe.
 */
final class Leadership implements ConfirmingRpc.Answers {
    /** A follower is sent two messages in this time. */
    private static final Duration ANSWERED = Duration.ofSeconds(2);

    /** The most entries that the next leader may miss. */
    private static final int MISSING_MAX = 64;

    private final LeaderState state;
    private final Map<RaftPeerId, LogAppender> appenders = new HashMap<>();
    private Optional<Round> round = Optional.empty();
    private List<Waiting> next = new ArrayList<>();
    private boolean isOver;

    /** A reader that waits for a majority. */
    interface Waiting {
        /** No other replica led when the reader asked. */
        void confirmed();

        /** This replica does not lead any more. */
        void refused();
    }

    /** The first message to a follower that confirms a round. */
    private record First(LogAppender appender, long callId) {
        boolean isConfirmedBy(LogAppender sender, long call) {
            return !sender.equals(appender)
                    || appender.getCallIdComparator().compare(call, callId) >= 0;
        }
    }

    private record Round(
            List<Waiting> readers, Map<RaftPeerId, First> firsts, Set<RaftPeerId> confirmed) {}

    Leadership(LeaderState state) {
        this.state = state;
    }

    /** Returns whether this belongs to the given state of a leader. */
    boolean isOf(LeaderState other) {
        return state.equals(other);
    }

    @Override
    public synchronized void add(LogAppender appender) {
        appenders.put(appender.getFollowerId(), appender);
    }

    /** Returns how many messages the senders have made or tried to make. */
    synchronized long attempts() {
        return appenders.values().stream().mapToLong(LogAppender::getCallId).sum();
    }

    /**
     * Returns the followers that could lead next: they have answered a short time ago, and have
     * almost all entries. The one with most entries comes first.
     *
     * @param committed the last committed entry
     */
    synchronized List<RaftPeerId> successors(long committed) {
        return appenders.values().stream()
                .map(LogAppender::getFollower)
                .filter(follower ->
                        hasAnswered(follower)
                                && follower.getMatchIndex() >= committed - MISSING_MAX)
                .sorted(Comparator.comparingLong(FollowerInfo::getMatchIndex).reversed())
                .map(FollowerInfo::getId)
                .toList();
    }

    /** Returns whether a follower has answered a short time ago, and fulfils a condition. */
    boolean isFollowed(Predicate<RaftPeer> condition) {
        List<RaftPeer> answering;
        synchronized (this) {
            answering =
                    appenders.values().stream()
                            .map(LogAppender::getFollower)
                            .filter(Leadership::hasAnswered)
                            .map(FollowerInfo::getPeer)
                            .toList();
        }
        return answering.stream().anyMatch(condition);
    }

    private static boolean hasAnswered(FollowerInfo follower) {
        return follower.getLastRpcResponseTime().elapsedTimeMs() < ANSWERED.toMillis();
    }

    /** Returns whether a replica has no others. */
    static boolean isAlone(RaftConfiguration configuration, RaftPeerId self) {
        return isMajority(configuration, Set.of(self));
    }

    /** Confirms a reader, after the messages of a round. */
    void confirm(Waiting reader) {
        List<LogAppender> senders = List.of();
        boolean isRefused;
        synchronized (this) {
            isRefused = isOver;
            if (!isRefused) {
                next.add(reader);
                senders = begin();
            }
        }
        if (isRefused) {
            reader.refused();
        }
        senders.forEach(LogAppender::triggerHeartbeat);
    }

    /** Begins the next round if none is under way; returns the senders of its messages. */
    private List<LogAppender> begin() {
        if (round.isPresent() || next.isEmpty()) {
            return List.of();
        }
        var firsts = new HashMap<RaftPeerId, First>();
        appenders.forEach(
                (peer, sender) -> firsts.put(peer, new First(sender, sender.getCallId())));
        round = Optional.of(new Round(next, firsts, new HashSet<>()));
        next = new ArrayList<>();
        return List.copyOf(appenders.values());
    }

    @Override
    public void answered(
            LogAppender sender,
            AppendEntriesReplyProto reply,
            RaftConfiguration configuration,
            RaftPeerId self) {
        if (!reply.getServerReply().getSuccess()) {
            return;
        }
        List<Waiting> done = List.of();
        List<LogAppender> senders = List.of();
        synchronized (this) {
            if (round.isEmpty()) {
                return;
            }
            Round current = round.get();
            First first = current.firsts.get(sender.getFollowerId());
            if (first != null && !first.isConfirmedBy(sender, reply.getServerReply().getCallId())) {
                return;
            }
            current.confirmed.add(sender.getFollowerId());
            var all = new HashSet<>(current.confirmed);
            all.add(self);
            if (isMajority(configuration, all)) {
                done = current.readers;
                round = Optional.empty();
                senders = begin();
            }
        }
        senders.forEach(LogAppender::triggerHeartbeat);
        done.forEach(Waiting::confirmed);
    }

    /** Returns whether these are a majority of the replicas, also of those before a change. */
    private static boolean isMajority(RaftConfiguration configuration, Set<RaftPeerId> peers) {
        return isMajority(configuration.getCurrentPeers(), peers)
                && (configuration.getPreviousPeers().isEmpty()
                        || isMajority(configuration.getPreviousPeers(), peers));
    }

    private static boolean isMajority(Collection<RaftPeer> all, Set<RaftPeerId> peers) {
        long count = all.stream().filter(each -> peers.contains(each.getId())).count();
        return count > all.size() / 2;
    }

    /** Refuses all readers: this replica does not lead any more. */
    void end() {
        List<Waiting> refused;
        synchronized (this) {
            isOver = true;
            refused = next;
            next = new ArrayList<>();
            round.ifPresent(each -> refused.addAll(each.readers));
            round = Optional.empty();
        }
        refused.forEach(Waiting::refused);
    }
}
