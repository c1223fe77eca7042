package org.crabro.content.replication.log;

import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Deque;
import java.util.HashSet;
import java.util.List;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.Random;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * The replicas of one shard, which agree by the rules of Raft. Nothing happens by itself: each
 * {@link #step} is a message between two replicas, an election or the delivery of entries, chosen
 * at random. The logs, terms and votes of replicas are durable.
 *
 * <p>Thread-safe. One thread calls {@link #step} and the methods that stop and start replicas; it
 * calls the listeners.
 */
final class SimulatedShard {
    private final Random random;
    private final List<Replica> replicas = new ArrayList<>();

    /** By sender and receiver: whether messages get lost. */
    private final boolean[][] isCut;

    SimulatedShard(int count, Random random) {
        this.random = random;
        this.isCut = new boolean[count][count];
        for (int i = 0; i < count; i++) {
            replicas.add(new Replica(i));
        }
    }

    private record Entry(long term, List<byte[]> bytes) {}

    /** A reader that waits until a majority confirms the leader. */
    private record Read(long index, Set<Integer> confirmed, ConsensusLog.Reader reader) {}

    /** One replica; guarded by the shard. */
    private final class Replica {
        private final int number;

        // Durable.
        private final List<Entry> log = new ArrayList<>();
        private long term;
        private long forgotten;
        private Optional<byte[]> record = Optional.empty();

        // Lost when it stops.
        private boolean isUp;
        private boolean isLeader;
        private long commit;
        private long delivered;
        private ConsensusLog.@Nullable Listener listener;
        private final long[] matches = new long[isCut.length];
        private final List<Read> reads = new ArrayList<>();

        /** Calls of the listener and of readers, which are made later and without a lock. */
        private final Deque<Runnable> events = new ArrayDeque<>();

        Replica(int number) {
            this.number = number;
        }

        long termAt(long index) {
            return index == 0 ? 0 : log.get((int) index - 1).term;
        }

        void follow(long newTerm) {
            term = newTerm;
            if (isLeader) {
                isLeader = false;
                dropReads();
                ConsensusLog.Listener told = listener;
                if (told != null) {
                    events.add(told::follows);
                }
            }
        }

        void dropReads() {
            for (Read each : reads) {
                events.add(each.reader::refused);
            }
            reads.clear();
        }
    }

    /** Returns the log of a replica, for one start of it. */
    ConsensusLog log(int number) {
        return new LogOf(replicas.get(number));
    }

    private final class LogOf implements ConsensusLog {
        private final Replica replica;

        /** Whether the replica has stopped since: then calls have no effect. */
        private boolean isOver;

        LogOf(Replica replica) {
            this.replica = replica;
        }

        @Override
        public Optional<byte[]> record() {
            synchronized (SimulatedShard.this) {
                return replica.record;
            }
        }

        @Override
        public void start(Listener listener) {
            synchronized (SimulatedShard.this) {
                replica.isUp = true;
                replica.listener = listener;
                replica.commit = replica.forgotten;
                replica.delivered = replica.forgotten;
            }
        }

        @Override
        public boolean append(byte[] entry) {
            synchronized (SimulatedShard.this) {
                if (isOver || !replica.isLeader) {
                    return false;
                }
                replica.log.add(new Entry(replica.term, List.of(entry)));
                replica.matches[replica.number] = replica.log.size();
                return true;
            }
        }

        @Override
        public void readIndex(Reader reader) {
            synchronized (SimulatedShard.this) {
                // A new leader knows what is committed when an entry of its own term is.
                if (!isOver && replica.isLeader && replica.termAt(replica.commit) == replica.term) {
                    replica.reads.add(new Read(replica.commit, new HashSet<>(), reader));
                    return;
                }
            }
            reader.refused();
        }

        @Override
        public void forget(long index, byte[] record) {
            synchronized (SimulatedShard.this) {
                if (!isOver && index > replica.forgotten) {
                    if (index > replica.delivered) {
                        throw new AssertionError("entry " + index + " was not delivered");
                    }
                    replica.forgotten = index;
                    replica.record = Optional.of(record);
                }
            }
        }

        @Override
        public long bytes() {
            synchronized (SimulatedShard.this) {
                return replica.log.stream()
                        .skip(replica.forgotten)
                        .mapToLong(each -> each.bytes.getFirst().length)
                        .sum();
            }
        }

        @Override
        public long appended() {
            synchronized (SimulatedShard.this) {
                return replica.log.size();
            }
        }

        @Override
        public Optional<String> failure() {
            return Optional.empty();
        }

        @Override
        public void close() {
            synchronized (SimulatedShard.this) {
                isOver = true;
            }
        }
    }

    /** Stops a replica, whose memory is lost. */
    synchronized void stop(int number) {
        Replica replica = replicas.get(number);
        replica.isUp = false;
        replica.isLeader = false;
        replica.listener = null;
        replica.events.clear();
        replica.dropReads();
        while (!replica.events.isEmpty()) {
            replica.events.remove().run();
        }
    }

    /** Loses messages from one replica to another, or not any more. */
    synchronized void cut(int from, int to, boolean isLost) {
        isCut[from][to] = isLost;
    }

    /** Loses no messages any more. */
    synchronized void heal() {
        for (boolean[] each : isCut) {
            Arrays.fill(each, false);
        }
    }

    /** Returns the replica that leads the newest term; empty if none does. */
    synchronized OptionalInt leader() {
        return replicas.stream()
                .filter(each -> each.isLeader)
                .max((a, b) -> Long.compare(a.term, b.term))
                .map(each -> OptionalInt.of(each.number))
                .orElseGet(OptionalInt::empty);
    }

    /** Returns whether all replicas are up and have delivered the same entries. */
    synchronized boolean isSettled() {
        long size = replicas.getFirst().log.size();
        return replicas.stream()
                .allMatch(each ->
                        each.isUp
                                && each.events.isEmpty()
                                && each.delivered == size
                                && each.log.size() == size);
    }

    /** Does one step. An election is rare. */
    void step() {
        Runnable event = () -> {};
        synchronized (this) {
            Replica one = replicas.get(random.nextInt(replicas.size()));
            if (one.isUp) {
                int choice = random.nextInt(10);
                if (choice < 4) {
                    event = event(one);
                } else if (one.isLeader) {
                    send(one, replicas.get(random.nextInt(replicas.size())));
                } else if (random.nextInt(leader().isPresent() ? 400 : 10) == 0) {
                    elect(one);
                }
            }
        }
        event.run();
    }

    /** Returns the next event of a replica, the delivery of an entry if there is no other. */
    private Runnable event(Replica replica) {
        Runnable first = replica.events.poll();
        if (first != null) {
            return first;
        }
        ConsensusLog.Listener told = replica.listener;
        if (told == null || replica.delivered == replica.commit) {
            return () -> {};
        }
        replica.delivered++;
        long index = replica.delivered;
        Entry entry = replica.log.get((int) index - 1);
        return () -> told.committed(index, entry.term, entry.bytes.getFirst());
    }

    private void elect(Replica candidate) {
        candidate.follow(candidate.term + 1);
        int votes = 1;
        for (Replica each : replicas) {
            if (each == candidate || !each.isUp || isCut[candidate.number][each.number]) {
                continue;
            }
            if (each.term >= candidate.term) {
                continue;
            }
            each.follow(candidate.term);
            boolean isVote = isUpToDate(candidate, each);
            if (isVote && !isCut[each.number][candidate.number]) {
                votes++;
            }
        }
        if (votes > replicas.size() / 2) {
            candidate.isLeader = true;
            Arrays.fill(candidate.matches, 0);
            candidate.matches[candidate.number] = candidate.log.size();
            ConsensusLog.Listener told = candidate.listener;
            long term = candidate.term;
            if (told != null) {
                candidate.events.add(() -> told.leads(term));
            }
        }
    }

    private static boolean isUpToDate(Replica candidate, Replica voter) {
        long mine = candidate.termAt(candidate.log.size());
        long other = voter.termAt(voter.log.size());
        return mine > other || (mine == other && candidate.log.size() >= voter.log.size());
    }

    /** Sends entries, or none, and the answer. */
    private void send(Replica leader, Replica to) {
        if (to == leader) {
            advance(leader);
            return;
        }
        if (!to.isUp || isCut[leader.number][to.number]) {
            return;
        }
        boolean isAnswered = !isCut[to.number][leader.number];
        if (to.term > leader.term) {
            if (isAnswered) {
                leader.follow(to.term);
            }
            return;
        }
        if (to.term < leader.term || to.isLeader) {
            to.follow(leader.term);
        }
        long match = Math.min(leader.log.size(), to.log.size());
        while (leader.termAt(match) != to.termAt(match)) {
            match--;
        }
        if (match < to.log.size() && match < leader.log.size()) {
            if (match < to.commit) {
                throw new AssertionError("a committed entry would be replaced");
            }
            to.log.subList((int) match, to.log.size()).clear();
        }
        long end = Math.min(leader.log.size(), match + random.nextInt(4));
        for (long i = match; i < end; i++) {
            to.log.add(leader.log.get((int) i));
        }
        to.commit = Math.max(to.commit, Math.min(leader.commit, end));
        if (isAnswered) {
            leader.matches[to.number] = end;
            confirm(leader, to.number);
            advance(leader);
        }
    }

    private void confirm(Replica leader, int by) {
        leader.reads.removeIf(read -> {
            read.confirmed.add(by);
            boolean isMajority = read.confirmed.size() + 1 > replicas.size() / 2;
            if (isMajority) {
                leader.events.add(() -> read.reader.confirmed(read.index));
            }
            return isMajority;
        });
    }

    /** Commits what a majority has, if the last of it is of the leader's own term. */
    private void advance(Replica leader) {
        long[] sorted = leader.matches.clone();
        Arrays.sort(sorted);
        long majority = sorted[(sorted.length - 1) / 2];
        if (majority > leader.commit && leader.termAt(majority) == leader.term) {
            leader.commit = majority;
        }
    }
}
