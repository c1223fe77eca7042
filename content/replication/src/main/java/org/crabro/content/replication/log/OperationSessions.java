package org.crabro.content.replication.log;

import java.nio.ByteBuffer;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Optional;
import org.crabro.protocol.feed.OperationId;

/**
 * The outcomes of recent operations of each container, so that none is carried out twice. It
 * changes only when entries of the log are applied, so it is the same on all replicas at the same
 * entry. Not thread-safe.
 */
final class OperationSessions {
    /** The maximum number of sessions; the one that was used least recently is forgotten. */
    static final int SESSIONS_MAX = 1_024;

    /** The maximum number of outcomes of a session; the oldest is forgotten. */
    static final int OUTCOMES_MAX = 4_096;

    /** In the order of their last use. */
    private final LinkedHashMap<Long, Session> sessions = new LinkedHashMap<>();

    private static final class Session {
        /** Operations with lower numbers have been forgotten. */
        private long lowest;

        private final SessionOutcomes outcomes = new SessionOutcomes();
    }

    /**
     * The outcome of an operation that was carried out.
     *
     * @param timestamp of its row
     * @param position of its row
     */
    record Stored(long timestamp, long position) {}

    /** Whether an operation is to be carried out. */
    sealed interface Verdict {
        /** It was not carried out before. */
        record New() implements Verdict {}

        /** It was carried out, and must not be again. */
        record Done(Stored stored) implements Verdict {}

        /** It may have been carried out, and its outcome is forgotten. */
        record Forgotten() implements Verdict {}
    }

    /** Returns whether an operation is to be carried out. */
    Verdict check(OperationId operation) {
        Session session = sessions.get(operation.session());
        if (session == null) {
            return operation.isRetry() ? new Verdict.Forgotten() : new Verdict.New();
        }
        Optional<Stored> stored = session.outcomes.get(operation.number());
        if (stored.isPresent()) {
            return new Verdict.Done(stored.get());
        }
        return operation.number() < session.lowest ? new Verdict.Forgotten() : new Verdict.New();
    }

    /** Notes that an operation was carried out. */
    void note(OperationId operation, Stored stored) {
        Session session = sessions.get(operation.session());
        if (session == null) {
            session = new Session();
            if (sessions.size() == SESSIONS_MAX) {
                sessions.pollFirstEntry();
            }
        }
        sessions.putLast(operation.session(), session);
        session.outcomes.put(operation.number(), stored);
        session.lowest = Math.max(session.lowest, operation.lowest());
        if (session.outcomes.size() > OUTCOMES_MAX) {
            session.lowest = Math.max(session.lowest, session.outcomes.lowest() + 1);
        }
        session.outcomes.removeBelow(session.lowest);
    }

    /** Returns the bytes of all sessions. */
    byte[] encode() {
        int length = Integer.BYTES;
        for (Session each : sessions.values()) {
            length += 2 * Long.BYTES + Integer.BYTES + each.outcomes.size() * SessionOutcomes.BYTES;
        }
        ByteBuffer bytes = ByteBuffer.allocate(length).putInt(sessions.size());
        for (Map.Entry<Long, Session> each : sessions.entrySet()) {
            Session session = each.getValue();
            bytes.putLong(each.getKey()).putLong(session.lowest).putInt(session.outcomes.size());
            session.outcomes.encode(bytes);
        }
        return bytes.array();
    }

    /**
     * Reads sessions.
     *
     * @throws java.nio.BufferUnderflowException if the bytes end early
     */
    static OperationSessions decode(ByteBuffer bytes) {
        var read = new OperationSessions();
        int count = bytes.getInt();
        for (int i = 0; i < count; i++) {
            var session = new Session();
            read.sessions.put(bytes.getLong(), session);
            session.lowest = bytes.getLong();
            int outcomes = bytes.getInt();
            for (int each = 0; each < outcomes; each++) {
                session.outcomes.put(bytes.getLong(), new Stored(bytes.getLong(), bytes.getLong()));
            }
        }
        return read;
    }
}
