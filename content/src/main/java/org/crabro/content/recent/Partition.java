package org.crabro.content.recent;

import java.io.IOException;
import java.lang.foreign.MemorySegment;
import java.time.Instant;
import java.time.InstantSource;
import java.time.temporal.ChronoUnit;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.atomic.AtomicInteger;
import org.crabro.content.block.ValueBudget;
import org.crabro.content.block.key.RowKey;
import org.crabro.content.file.ReadContext;
import org.crabro.content.journal.Damage;
import org.crabro.content.journal.FileTransfer;
import org.crabro.content.merge.CompactionPace;
import org.crabro.content.merge.CompactionSettings;
import org.crabro.content.merge.CompactionStep;
import org.crabro.content.partition.BackupMoment;
import org.crabro.content.partition.RunLog;
import org.crabro.content.partition.RunName;
import org.crabro.content.run.OrderedView;
import org.crabro.content.run.RunView;
import org.crabro.content.run.StoredTypes;
import org.crabro.document.DocumentId;
import org.crabro.document.DocumentType;
import org.crabro.protocol.encoding.Row;
import org.crabro.protocol.encoding.RowCost;
import org.crabro.protocol.encoding.RowEncoding;
import org.crabro.protocol.wire.Deadline;

/**
 * One partition: rows that the journal made durable lie in a table, and when that is flushed, in a
 * run.
 *
 * <pre>
 *   propose ─► journal ─► apply ─► active table ─► frozen table ─► run
 * </pre>
 *
 * <p>Readers hold the tables first and take the runs second. A flush publishes the run first and
 * lets the frozen table go second. So a row is always in one of both, and where it is in both the
 * table stands in front.
 */
final class Partition implements AutoCloseable {
    private final int number;
    private final RunLog runs;
    private final StoredTypes types;
    private final InstantSource clock;
    private final RecentBudget budget;

    private final AtomicInteger openViews = new AtomicInteger();
    private volatile boolean isClosed;
    private volatile Tables tables;

    private final Object flushing = new Object();

    // Guarded by the lock of proposing; who proposes has that of the journal before.
    private final Object proposing = new Object();
    private long lastTimestamp;

    // Guarded by the lock of applying.
    private final Object applying = new Object();
    private long applied;
    private long appliedTimestamp;
    private long firstActive = Long.MAX_VALUE;
    private long firstActiveTimestamp = Long.MAX_VALUE;
    private long firstFrozen = Long.MAX_VALUE;
    private long firstFrozenTimestamp = Long.MAX_VALUE;
    private long frozenPosition;
    private long frozenTimestamp;

    /** The tables a reader looks into, the younger first. */
    private record Tables(RecentTable active, Optional<RecentTable> frozen) {
        /** Holds both, and returns whether neither was let go of already. */
        boolean tryHold() {
            if (!active.tryHold()) {
                return false;
            }
            if (frozen.isPresent() && !frozen.get().tryHold()) {
                active.release();
                return false;
            }
            return true;
        }

        void release() {
            active.release();
            frozen.ifPresent(RecentTable::release);
        }
    }

    /**
     * @param runs closed with this
     * @param budget told of all memory that recent rows take
     */
    Partition(
            int number, RunLog runs, StoredTypes types, InstantSource clock, RecentBudget budget) {
        this.number = number;
        this.runs = runs;
        this.types = types;
        this.clock = clock;
        this.budget = budget;
        this.tables =
                new Tables(new RecentTable(Optional.empty(), budget, types), Optional.empty());
        this.applied = runs.covered();
        this.appliedTimestamp = runs.lastTimestamp();
        this.lastTimestamp = appliedTimestamp;
    }

    /** Returns the position up to which rows were applied. */
    long applied() {
        synchronized (applying) {
            return applied;
        }
    }

    /** Returns the position up to which rows lie in runs. */
    long covered() {
        return runs.covered();
    }

    /** Returns the position of the first row that is in no run, or the largest number. */
    long firstRecent() {
        synchronized (applying) {
            return Math.min(firstActive, firstFrozen);
        }
    }

    /** Returns whether there are rows in no run that were written before a time. */
    boolean hasRecentBefore(Instant time) {
        synchronized (applying) {
            return Math.min(firstActiveTimestamp, firstFrozenTimestamp) < micros(time);
        }
    }

    private static long micros(Instant time) {
        return ChronoUnit.MICROS.between(Instant.EPOCH, time);
    }

    /** Returns what the rows in no run cost. */
    long recentBytes() {
        Tables now = tables;
        return now.active().bytes() + now.frozen().map(RecentTable::bytes).orElse(0L);
    }

    /**
     * Gives rows their timestamps and proposes them: timestamps rise in the order of the journal.
     *
     * @param rows stamped here; not to be changed any more
     */
    Optional<Proposal> propose(Journal journal, List<byte[]> rows, Runnable whenDone) {
        return journal.together(() -> {
            stamp(rows);
            return journal.propose(number, rows, whenDone);
        });
    }

    private void stamp(List<byte[]> rows) {
        synchronized (proposing) {
            long timestamp = Math.max(now(), lastTimestamp + 1);
            for (byte[] row : rows) {
                RowEncoding.stamp(row, timestamp);
                lastTimestamp = timestamp;
                timestamp++;
            }
        }
    }

    /** Returns the time, microseconds since the epoch. */
    private long now() {
        return micros(clock.instant());
    }

    /**
     * Makes durable rows visible. Called in the order of positions, by one thread at a time.
     *
     * @param first position of the first row; the others follow on
     */
    void apply(long first, List<byte[]> rows) {
        synchronized (applying) {
            tables.active().add(rows);
            applied = first + rows.size() - 1;
            appliedTimestamp = timestamp(rows.getLast());
            if (firstActive == Long.MAX_VALUE) {
                firstActive = first;
                firstActiveTimestamp = timestamp(rows.getFirst());
            }
            applying.notifyAll();
        }
    }

    private static long timestamp(byte[] row) {
        return RowEncoding.timestamp(MemorySegment.ofArray(row));
    }

    /** Applies a row found in the journal; those that are in runs already are passed over. */
    void replay(long position, byte[] row) {
        if (position <= runs.covered()) {
            return;
        }
        apply(position, List.of(row));
        synchronized (proposing) {
            lastTimestamp = Math.max(lastTimestamp, appliedTimestamp);
        }
    }

    /** Waits until the rows up to {@code position} are applied; returns whether they are. */
    boolean await(long position, Deadline deadline) {
        synchronized (applying) {
            while (applied < position) {
                long millis = deadline.remaining().toMillis();
                if (millis <= 0) {
                    return false;
                }
                try {
                    applying.wait(millis);
                } catch (InterruptedException _) {
                    Thread.currentThread().interrupt();
                    return false;
                }
            }
            return true;
        }
    }

    /**
     * Returns the newest version of a document where that is recent; it may be a tombstone, its own
     * or that of its group. No mapping is touched.
     *
     * @param room asked before its values are made
     */
    Optional<Row> recent(DocumentId id, ValueBudget room) {
        Tables held = hold();
        try {
            Optional<MemorySegment> found = held.active().find(id);
            if (found.isEmpty() && held.frozen().isPresent()) {
                found = held.frozen().get().find(id);
            }
            return found.map(row -> decode(id, row, room));
        } finally {
            held.release();
        }
    }

    private Row decode(DocumentId id, MemorySegment row, ValueBudget room) {
        long fingerprint = RowEncoding.fingerprint(row);
        if (RowEncoding.isGroupTombstone(row)) {
            return new Row(id, RowEncoding.timestamp(row), fingerprint, true, Map.of());
        }
        DocumentType type =
                types.type(fingerprint)
                        .orElseThrow(() ->
                                new IllegalStateException(
                                        "no type with fingerprint %016x".formatted(fingerprint)));
        room.take(RowCost.of(row, type));
        return RowEncoding.decode(row, type);
    }

    /**
     * Returns the newest version of a document, recent or not; it may be a tombstone. Touches
     * mappings: only for the node's own threads.
     *
     * @param reads is told what comes from the device
     * @param room asked before its values are made
     */
    Optional<Row> newest(DocumentId id, ReadContext reads, ValueBudget room) {
        Optional<Row> recent = recent(id, room);
        if (recent.isPresent()) {
            return recent;
        }
        try (RunView view = runs.acquire()) {
            return view.newest(RowKey.of(id), reads, room);
        }
    }

    /** Returns what is there now, for one reader. */
    OrderedView view() {
        Tables held = hold();
        RunView runView;
        try {
            runView = runs.acquire();
        } catch (RuntimeException e) {
            held.release();
            throw e;
        }
        openViews.incrementAndGet();
        Runnable whenClosed =
                () -> {
                    held.release();
                    openViews.decrementAndGet();
                };
        return new RecentView(held.active(), held.frozen(), runView, whenClosed);
    }

    private Tables hold() {
        Tables now = tables;
        while (!now.tryHold()) {
            if (isClosed) {
                throw new IllegalStateException("partition %d is closed".formatted(number));
            }
            now = tables;
        }
        return now;
    }

    /**
     * Writes what is recent now as one run. One thread at a time does; others wait. What an earlier
     * flush could not write is written first.
     *
     * @return whether there was anything to write
     * @throws IOException if the run could not be written; its rows stay recent
     */
    boolean flush() throws IOException {
        synchronized (flushing) {
            return flushNow();
        }
    }

    private boolean flushNow() throws IOException {
        boolean wasFrozen = flushFrozen();
        synchronized (applying) {
            if (tables.active().isEmpty()) {
                return wasFrozen;
            }
            frozenPosition = applied;
            frozenTimestamp = appliedTimestamp;
            firstFrozen = firstActive;
            firstFrozenTimestamp = firstActiveTimestamp;
            firstActive = Long.MAX_VALUE;
            firstActiveTimestamp = Long.MAX_VALUE;
            RecentTable full = tables.active();
            full.freeze();
            var next = new RecentTable(Optional.of(full), budget, types);
            tables = new Tables(next, Optional.of(full));
        }
        return flushFrozen();
    }

    /**
     * Writes what is recent, and notes that there is nothing up to {@code position} that is in no
     * run.
     */
    void cover(long position) throws IOException {
        flush();
        runs.add(_ -> {}, position, runs.lastTimestamp(), now());
    }

    private boolean flushFrozen() throws IOException {
        Optional<RecentTable> frozen = tables.frozen();
        if (frozen.isEmpty()) {
            return false;
        }
        runs.add(run -> frozen.get().writeTo(run), frozenPosition, frozenTimestamp, now());
        synchronized (applying) {
            tables = new Tables(tables.active(), Optional.empty());
            firstFrozen = Long.MAX_VALUE;
            firstFrozenTimestamp = Long.MAX_VALUE;
        }
        frozen.get().flushed();
        frozen.get().release();
        return true;
    }

    /** Merges a part of the runs, if there is something to merge. */
    Optional<CompactionStep> compact(CompactionSettings settings, CompactionPace pace)
            throws IOException {
        return runs.compact(settings, pace, now());
    }

    /** Returns whether a merge is due, or a run is written now. */
    boolean isMergeDue(CompactionSettings settings) {
        return runs.isBusy() || runs.isMergeDue(settings, now());
    }

    /** Returns whether merging would have to wait for others first. */
    boolean isBusy() {
        return runs.isBusy();
    }

    /** Returns how many tiers of runs there are. */
    int tierCount() {
        return runs.tierCount();
    }

    int openViews() {
        return openViews.get();
    }

    /** What a partition holds, and the bytes that its flushes wrote. */
    record Counts(
            long documents, long tombstones, ContentStatistics.RunTotals runs, long flushedBytes) {}

    Counts counts() {
        Tables held = hold();
        try (RunView view = runs.acquire()) {
            long documents = held.active().documentCount();
            documents += held.frozen().map(RecentTable::documentCount).orElse(0);
            long tombstones = held.active().tombstoneCount();
            tombstones += held.frozen().map(RecentTable::tombstoneCount).orElse(0);
            return new Counts(
                    documents + view.documentCount(),
                    tombstones + view.tombstoneCount(),
                    new ContentStatistics.RunTotals(
                            view.runCount(),
                            view.byteCount(),
                            runs.tierCount(),
                            view.replacedRowCount(),
                            openViews()),
                    runs.addedBytes());
        } finally {
            held.release();
        }
    }

    /** Brings what is in runs into a backup; what is recent is to be flushed before. */
    BackupMoment backup(FileTransfer transfer) throws IOException {
        return runs.backup(transfer);
    }

    /** Returns the runs that there are now. */
    List<RunName> runNames() {
        return runs.names();
    }

    /** Returns what is damaged of runs that are set aside until the next start. */
    List<Damage> setAside() {
        return runs.setAside();
    }

    /** Lets memory and files go, when the last reader has. */
    @Override
    public void close() throws IOException {
        isClosed = true;
        tables.release();
        runs.close();
    }
}
