package org.crabro.server.cluster;

import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import org.crabro.content.replication.log.ConsensusLog;
import tools.jackson.core.JacksonException;

/**
 * The record of a cluster, on which its config servers agree: each entry of their log replaces it.
 * Has no clock and no threads. Thread-safe; listeners are called under no lock of this.
 *
 * <p>The leader makes each record from the one before. An entry names the term in which it was
 * made, and all servers ignore it if the log gives it another one: its leader may have read an old
 * record. They ignore records that are not made from the one before, too. A leader has one entry
 * under way at most.
 */
final class SharedRecord implements ConsensusLog.Listener {
    /** After so many entries, the log may forget them. */
    static final int ENTRIES_MAX = 64;

    private final ConsensusLog log;
    private final Leading leading;

    // Guarded by this.
    private ClusterRecord record;

    /** The term that this server leads, 0 for none. */
    private long term;

    /** Whether this server knows all records of earlier terms. */
    private boolean isReady;

    private Optional<Pending> pending = Optional.empty();
    private int entries;

    /** Learns when this server leads. Called by one thread at a time, in order; must not wait. */
    interface Leading {
        /** This server leads a term, and has the newest record. */
        void begins(long term);

        /** This server does not lead any more. */
        void ends();

        /** The record has changed. */
        void changed(ClusterRecord record);
    }

    /** What became of a record. */
    enum Outcome {
        WRITTEN,
        /** Certainly not written: this server does not lead the term. */
        REFUSED,
        /** This server lost the term; a later leader knows. */
        UNKNOWN
    }

    private record Pending(long term, long revision, CompletableFuture<Outcome> outcome) {}

    /**
     * An entry of the log.
     *
     * @param term in which it was made
     * @param record empty for the begin of a term
     */
    record Entry(long term, Optional<ClusterRecord> record) {}

    /**
     * @param first the record before the first entry
     * @throws IllegalStateException if the record of the log cannot be read
     */
    SharedRecord(ConsensusLog log, ClusterRecord first, Leading leading) {
        this.log = log;
        this.leading = leading;
        try {
            this.record =
                    log.record()
                            .map(bytes -> ClusterJson.read(bytes, ClusterRecord.class))
                            .orElse(first);
        } catch (JacksonException e) {
            throw new IllegalStateException("the record of the cluster cannot be read", e);
        }
    }

    /** Returns the record as far as this server knows it. */
    synchronized ClusterRecord record() {
        return record;
    }

    /**
     * Proposes the record after the current one.
     *
     * @param inTerm the term that the caller leads
     */
    CompletableFuture<Outcome> propose(long inTerm, ClusterRecord next) {
        var outcome = new CompletableFuture<Outcome>();
        boolean isAppended;
        synchronized (this) {
            if (pending.isPresent()) {
                throw new IllegalStateException("another record is under way");
            }
            isAppended =
                    isReady
                            && term == inTerm
                            && next.revision() == record.revision() + 1
                            && log.append(ClusterJson.write(new Entry(inTerm, Optional.of(next))));
            if (isAppended) {
                pending = Optional.of(new Pending(inTerm, next.revision(), outcome));
            }
        }
        if (!isAppended) {
            outcome.complete(Outcome.REFUSED);
        }
        return outcome;
    }

    @Override
    public void committed(long index, long entryTerm, byte[] bytes) {
        Entry entry = ClusterJson.read(bytes, Entry.class);
        Optional<CompletableFuture<Outcome>> lost = Optional.empty();
        Optional<CompletableFuture<Outcome>> written = Optional.empty();
        boolean isBegin = false;
        Optional<ClusterRecord> changed = Optional.empty();
        byte[] forgotten = {};
        synchronized (this) {
            if (pending.isPresent() && pending.get().term() < entryTerm) {
                lost = Optional.of(pending.get().outcome());
                pending = Optional.empty();
            }
            boolean counts = entry.term() == entryTerm && isNext(entry);
            if (counts && entry.record().isPresent()) {
                record = entry.record().get();
                changed = Optional.of(record);
                if (pending.isPresent()
                        && pending.get().term() == entryTerm
                        && pending.get().revision() == record.revision()) {
                    written = Optional.of(pending.get().outcome());
                    pending = Optional.empty();
                }
            } else if (counts && entryTerm == term) {
                isBegin = !isReady;
                isReady = true;
            }
            entries++;
            if (entries >= ENTRIES_MAX) {
                entries = 0;
                forgotten = ClusterJson.write(record);
            }
        }
        if (forgotten.length > 0) {
            log.forget(index, forgotten);
        }
        lost.ifPresent(each -> each.complete(Outcome.UNKNOWN));
        changed.ifPresent(leading::changed);
        written.ifPresent(each -> each.complete(Outcome.WRITTEN));
        if (isBegin) {
            leading.begins(entryTerm);
        }
    }

    /**
     * Returns whether a record can be the one after the current one: servers make no other, and one
     * that lies may. All servers have the same current record here.
     */
    private boolean isNext(Entry entry) {
        return entry.record().isEmpty() || entry.record().get().isAfter(record);
    }

    @Override
    public void leads(long led) {
        synchronized (this) {
            term = led;
            isReady = false;
            // If that fails, the log calls this again, or follows() if another server leads.
            boolean _ = log.append(ClusterJson.write(new Entry(led, Optional.empty())));
        }
    }

    @Override
    public void follows() {
        boolean wasReady;
        Optional<Pending> lost;
        synchronized (this) {
            wasReady = isReady;
            term = 0;
            isReady = false;
            lost = pending;
            pending = Optional.empty();
        }
        lost.ifPresent(each -> each.outcome().complete(Outcome.UNKNOWN));
        if (wasReady) {
            leading.ends();
        }
    }
}
