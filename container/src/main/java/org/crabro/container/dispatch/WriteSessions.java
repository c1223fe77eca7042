package org.crabro.container.dispatch;

import java.util.ArrayList;
import java.util.BitSet;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentMap;
import java.util.function.LongSupplier;
import org.crabro.protocol.feed.OperationId;

/**
 * Numbers the writes of this process, so that a node recognizes those that are sent again. Nodes
 * remember a limited number of outcomes of each session. So a session has at most {@link #NUMBERS}
 * from its lowest number without a reply on; while one write waits for its reply, the later ones
 * get numbers of another session. Safe for use by many threads.
 */
final class WriteSessions {
    /** The numbers of a session that can be in use; nodes remember as many outcomes. */
    static final int NUMBERS = 4_096;

    /** The maximum number of sessions of a partition. */
    static final int SESSIONS_MAX = 16;

    private final LongSupplier names;
    private final ConcurrentMap<Integer, List<Session>> partitions = new ConcurrentHashMap<>();

    /**
     * @param names random names of sessions
     */
    WriteSessions(LongSupplier names) {
        this.names = names;
    }

    /**
     * Returns consecutive numbers for writes of a partition; empty if too many writes are without a
     * reply.
     *
     * @param count at most {@link #NUMBERS}
     */
    Optional<Numbers> take(int partition, int count) {
        List<Session> sessions =
                partitions.computeIfAbsent(partition, _ -> new ArrayList<>(SESSIONS_MAX));
        synchronized (sessions) {
            for (Session session : sessions) {
                Optional<Numbers> taken = session.take(count);
                if (taken.isPresent()) {
                    return taken;
                }
            }
            if (sessions.size() == SESSIONS_MAX) {
                return Optional.empty();
            }
            var session = new Session(names.getAsLong());
            sessions.add(session);
            return session.take(count);
        }
    }

    /** Consecutive numbers of a session, until their writes need no reply any more. */
    static final class Numbers implements AutoCloseable {
        private final Session session;
        private final long first;
        private final int count;

        private Numbers(Session session, long first, int count) {
            this.session = session;
            this.first = first;
            this.count = count;
        }

        /**
         * Returns the id of a write for the next time that it is sent.
         *
         * @param isRetry whether it may have been sent before
         */
        OperationId id(int index, boolean isRetry) {
            return new OperationId(session.name, first + index, session.lowest(), isRetry);
        }

        @Override
        public void close() {
            session.release(first, count);
        }
    }

    private static final class Session {
        private final long name;

        /** The lowest number without a reply. Guarded by this, as are the next two. */
        private long lowest;

        private long next;

        /** The numbers from the lowest one on that have a reply, modulo {@link #NUMBERS}. */
        private final BitSet answered = new BitSet(NUMBERS);

        Session(long name) {
            this.name = name;
        }

        synchronized Optional<Numbers> take(int count) {
            if (next - lowest + count > NUMBERS) {
                return Optional.empty();
            }
            var taken = new Numbers(this, next, count);
            next += count;
            return Optional.of(taken);
        }

        synchronized void release(long first, int count) {
            for (long number = first; number < first + count; number++) {
                answered.set((int) (number % NUMBERS));
            }
            while (lowest < next && answered.get((int) (lowest % NUMBERS))) {
                answered.clear((int) (lowest % NUMBERS));
                lowest++;
            }
        }

        synchronized long lowest() {
            return lowest;
        }
    }
}
