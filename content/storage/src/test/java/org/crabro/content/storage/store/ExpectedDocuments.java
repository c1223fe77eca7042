package org.crabro.content.storage.store;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.ConcurrentHashMap;
import org.crabro.document.DocumentId;
import org.crabro.protocol.encoding.Row;

/**
 * The plain map that a store is compared with. It has all possible states of each document, from
 * the last acknowledged to the last tried.
 *
 * <p>Thread-safe, if one thread at a time writes a document.
 */
final class ExpectedDocuments {
    private final Map<DocumentId, Tracked> documents = new ConcurrentHashMap<>();

    /** The highest timestamp seen in each partition. */
    private final Map<Integer, Long> timestamps = new ConcurrentHashMap<>();

    /**
     * The state of a document after a write.
     *
     * @param version 0 if the document does not exist
     * @param timestamp 0 if the write was not acknowledged
     */
    private record State(int version, long timestamp) {}

    private static final class Tracked {
        private final List<State> states = new ArrayList<>(List.of(new State(0, 0)));
        private int acknowledged;
        private int lastVersion;

        private synchronized int begin(boolean isPut) {
            if (isPut) {
                lastVersion++;
            }
            states.add(new State(isPut ? lastVersion : 0, 0));
            return lastVersion;
        }

        private synchronized void acknowledge(long timestamp) {
            acknowledged = states.size() - 1;
            states.set(acknowledged, new State(states.getLast().version(), timestamp));
        }

        private synchronized void withdraw() {
            states.removeLast();
        }

        private synchronized int acknowledged() {
            return acknowledged;
        }

        /** Returns whether {@code stored} is a state from {@code floor} on. */
        private synchronized boolean fits(Optional<Row> stored, int floor, int ceiling) {
            int version = stored.map(Papers::version).orElse(0);
            long timestamp = stored.map(Row::timestamp).orElse(0L);
            for (State state : states.subList(floor, Math.min(ceiling, states.size()))) {
                if (state.version() == version
                        && (version == 0
                                || state.timestamp() == 0
                                || state.timestamp() == timestamp)) {
                    return true;
                }
            }
            return false;
        }

        private synchronized void settle(Optional<Row> stored) {
            int version = stored.map(Papers::version).orElse(0);
            long timestamp = stored.map(Row::timestamp).orElse(0L);
            states.clear();
            states.add(new State(version, timestamp));
            acknowledged = 0;
        }

        @Override
        public synchronized String toString() {
            return "%s, acknowledged up to %d".formatted(states, acknowledged);
        }
    }

    private Tracked tracked(DocumentId id) {
        return documents.computeIfAbsent(id, _ -> new Tracked());
    }

    /** Records the begin of a put; returns the version to write. */
    int beginPut(DocumentId id) {
        return tracked(id).begin(true);
    }

    void beginRemove(DocumentId id) {
        tracked(id).begin(false);
    }

    /** Records that the last write of a document was acknowledged. */
    void acknowledge(DocumentId id, int partition, long timestamp) {
        tracked(id).acknowledge(timestamp);
        timestamps.merge(partition, timestamp, Math::max);
    }

    /** Fails if {@code timestamp}, of a single writer, is not above all before it. */
    void checkRises(int partition, long timestamp) {
        long last = timestamps.getOrDefault(partition, 0L);
        if (timestamp <= last) {
            throw new AssertionError(
                    "partition %d gives timestamp %d behind %d"
                            .formatted(partition, timestamp, last));
        }
    }

    /** Records that the last write of a document was refused without effect. */
    void withdraw(DocumentId id) {
        tracked(id).withdraw();
    }

    /** Returns the acknowledged states: readers must not see older ones from now on. */
    Map<DocumentId, Integer> floors() {
        var floors = new HashMap<DocumentId, Integer>();
        documents.forEach((id, tracked) -> floors.put(id, tracked.acknowledged()));
        return floors;
    }

    /** Checks that a document is in its last acknowledged state. */
    void checkNow(DocumentId id, Optional<Row> stored) {
        Tracked tracked = tracked(id);
        check(id, stored, tracked.acknowledged(), tracked.acknowledged() + 1);
    }

    /** Checks that a document is in a state between {@code floors} and the last tried one. */
    void checkSince(Map<DocumentId, Integer> floors, DocumentId id, Optional<Row> stored) {
        check(id, stored, floors.getOrDefault(id, 0), Integer.MAX_VALUE);
    }

    /**
     * Checks that a document is in a state between {@code floors} and the last acknowledged one.
     */
    void checkBetween(Map<DocumentId, Integer> floors, DocumentId id, Optional<Row> stored) {
        check(id, stored, floors.getOrDefault(id, 0), tracked(id).acknowledged() + 1);
    }

    private void check(DocumentId id, Optional<Row> stored, int floor, int ceiling) {
        Tracked tracked = tracked(id);
        if (!tracked.fits(stored, floor, ceiling)) {
            String seen =
                    stored.map(row ->
                                    "version %d of %d"
                                            .formatted(Papers.version(row), row.timestamp()))
                            .orElse("nothing");
            throw new AssertionError(
                    "%s: found %s, expected one of states %d to %d of %s"
                            .formatted(id, seen, floor, ceiling - 1, tracked));
        }
    }

    /** Checks a document after a crash, and takes its state as the expected one. */
    void settle(DocumentId id, int partition, Optional<Row> stored) {
        Tracked tracked = tracked(id);
        check(id, stored, tracked.acknowledged(), Integer.MAX_VALUE);
        tracked.settle(stored);
        stored.ifPresent(row -> timestamps.merge(partition, row.timestamp(), Math::max));
    }

    /** Returns whether a document exists according to the acknowledged writes. */
    boolean isThere(DocumentId id) {
        Tracked tracked = tracked(id);
        synchronized (tracked) {
            return tracked.states.get(tracked.acknowledged).version() > 0;
        }
    }

    /** Returns the number of documents according to the acknowledged writes. */
    long count() {
        return documents.values().stream()
                .filter(tracked -> {
                    synchronized (tracked) {
                        return tracked.states.get(tracked.acknowledged).version() > 0;
                    }
                })
                .count();
    }
}
