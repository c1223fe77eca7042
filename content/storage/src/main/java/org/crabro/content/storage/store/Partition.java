package org.crabro.content.storage.store;

import java.io.IOException;
import java.lang.foreign.MemorySegment;
import java.time.Instant;
import java.time.InstantSource;
import java.time.temporal.ChronoUnit;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.BooleanSupplier;
import org.crabro.content.storage.block.ValueBudget;
import org.crabro.content.storage.block.key.RowKey;
import org.crabro.content.storage.commit.Journal;
import org.crabro.content.storage.commit.Proposal;
import org.crabro.content.storage.commit.RowProposal;
import org.crabro.content.storage.file.ReadContext;
import org.crabro.content.storage.index.BuildResources;
import org.crabro.content.storage.index.IndexSettings;
import org.crabro.content.storage.journal.Damage;
import org.crabro.content.storage.journal.FileTransfer;
import org.crabro.content.storage.manifest.LogExtent;
import org.crabro.content.storage.memtable.RecentBudget;
import org.crabro.content.storage.memtable.RecentTable;
import org.crabro.content.storage.memtable.RecentView;
import org.crabro.content.storage.merge.CompactionPace;
import org.crabro.content.storage.merge.CompactionSettings;
import org.crabro.content.storage.merge.CompactionStep;
import org.crabro.content.storage.partition.BackupMoment;
import org.crabro.content.storage.partition.RunLog;
import org.crabro.content.storage.partition.RunName;
import org.crabro.content.storage.run.OrderedView;
import org.crabro.content.storage.run.RunView;
import org.crabro.content.storage.run.StoredTypes;
import org.crabro.document.DocumentId;
import org.crabro.document.DocumentType;
import org.crabro.protocol.encoding.Row;
import org.crabro.protocol.encoding.RowCost;
import org.crabro.protocol.encoding.RowEncoding;
import org.crabro.protocol.wire.Deadline;

/**
 * One partition: a table holds the durable rows, until a flush writes them into a run.
 *
 * <pre>
 *   propose ─► journal ─► apply ─► active table ─► frozen table ─► run
 * </pre>
 *
 * <p>Readers acquire the tables first and the runs second. A flush publishes the run first and
 * releases the frozen table second. So a reader always finds a row in one of both. If it finds a
 * row in both, the table has priority.
 */
public final class Partition implements AutoCloseable {
    private final int number;
    private final RunLog runs;
    private final StoredTypes types;
    private final InstantSource clock;
    private final RecentBudget budget;

    private final AtomicInteger openViews = new AtomicInteger();
    private volatile boolean isClosed;
    private volatile Tables tables;

    private final Object flushing = new Object();

    // Guarded by the lock of proposing. A thread acquires the lock of the journal before it.
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

    /** The tables that a reader uses, the newer first. */
    private record Tables(RecentTable active, Optional<RecentTable> frozen) {
        /** Acquires both tables; returns whether neither was released already. */
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
     * @param budget receives the changes of the memory of recent rows
     */
    public Partition(
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

    /** Returns its number, from 0. */
    public int number() {
        return number;
    }

    /** Returns the position up to which rows were applied. */
    public long applied() {
        synchronized (applying) {
            return applied;
        }
    }

    /** Returns the durable progress of its runs. */
    public LogExtent extent() {
        return runs.extent();
    }

    /** Returns the position up to which rows are in runs. */
    public long covered() {
        return runs.covered();
    }

    /** Returns the position of the first row that is in no run, or {@link Long#MAX_VALUE}. */
    public long firstRecent() {
        synchronized (applying) {
            return Math.min(firstActive, firstFrozen);
        }
    }

    /** Returns whether rows that are in no run were written before {@code time}. */
    public boolean hasRecentBefore(Instant time) {
        synchronized (applying) {
            return Math.min(firstActiveTimestamp, firstFrozenTimestamp) < micros(time);
        }
    }

    private static long micros(Instant time) {
        return ChronoUnit.MICROS.between(Instant.EPOCH, time);
    }

    /** Returns the memory of the rows that are in no run, in bytes. */
    public long recentBytes() {
        Tables now = tables;
        return isClosed
                ? 0
                : now.active().bytes() + now.frozen().map(RecentTable::bytes).orElse(0L);
    }

    /**
     * Sets the timestamps of rows and proposes them: timestamps rise in the order of the journal.
     *
     * @param rows stamped here; not to be changed any more
     */
    public Optional<Proposal> propose(Journal journal, RowProposal rows, Runnable whenDone) {
        return journal.together(() -> {
            stamp(rows.rows());
            return journal.propose(rows, whenDone);
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

    /** Returns the current time in microseconds since the epoch. */
    private long now() {
        return micros(clock.instant());
    }

    /**
     * Makes durable rows visible. Called in the order of positions, by one thread at a time. Skips
     * rows that are already in runs: a journal may pass rows again after a restart.
     *
     * @param first position of the first row; the others follow it
     */
    public void apply(long first, List<byte[]> rows) {
        long alreadyCovered = runs.covered() - first + 1;
        if (alreadyCovered <= 0) {
            applyNew(first, rows);
        } else if (alreadyCovered < rows.size()) {
            applyNew(first + alreadyCovered, rows.subList((int) alreadyCovered, rows.size()));
        }
    }

    private void applyNew(long first, List<byte[]> rows) {
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

    /** Lets the timestamps of proposed rows continue after those of all applied rows. */
    public void continueTimestamps() {
        long last;
        synchronized (applying) {
            last = appliedTimestamp;
        }
        synchronized (proposing) {
            lastTimestamp = Math.max(lastTimestamp, last);
        }
    }

    /** Waits until the rows up to {@code position} are applied; returns whether they are. */
    public boolean await(long position, Deadline deadline) {
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
     * Returns the newest version of a document if it is recent; it may be a tombstone of the
     * document or its group. Touches no mapping.
     *
     * @param room reserves memory before the values are decoded
     */
    public Optional<Row> recent(DocumentId id, ValueBudget room) {
        Tables held = hold();
        try {
            Optional<MemorySegment> recentRow = held.active().find(id);
            if (recentRow.isEmpty() && held.frozen().isPresent()) {
                recentRow = held.frozen().get().find(id);
            }
            return recentRow.map(row -> decode(id, row, room));
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
     * @param reads counts the bytes read from the device
     * @param room reserves memory before the values are decoded
     */
    public Optional<Row> newest(DocumentId id, ReadContext reads, ValueBudget room) {
        Optional<Row> recent = recent(id, room);
        if (recent.isPresent()) {
            return recent;
        }
        try (RunView view = acquire()) {
            return view.newest(RowKey.of(id), reads, room);
        }
    }

    /** Returns a view of the current rows, for one reader. */
    public OrderedView view() {
        Tables held = hold();
        RunView runView;
        try {
            runView = acquire();
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

    private RunView acquire() {
        try {
            return runs.acquire();
        } catch (IllegalStateException e) {
            if (isClosed) {
                throw new PartitionClosedException(number);
            }
            throw e;
        }
    }

    private Tables hold() {
        Tables now = tables;
        while (!now.tryHold()) {
            if (isClosed) {
                throw new PartitionClosedException(number);
            }
            now = tables;
        }
        return now;
    }

    /**
     * Writes the recent rows as one run. One thread at a time flushes; others wait. If an earlier
     * flush failed, its rows are written first.
     *
     * @return whether there were rows to write; false after {@link #discard}
     * @throws IOException if the run could not be written; its rows stay recent
     */
    public boolean flush() throws IOException {
        synchronized (flushing) {
            return !isClosed && flushNow();
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

    /** Writes the recent rows, and records that all rows up to {@code position} are in runs. */
    public void cover(long position) throws IOException {
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

    /** Does one step of a merge, if one is due. */
    public Optional<CompactionStep> compact(CompactionSettings settings, CompactionPace pace)
            throws IOException {
        return isClosed ? Optional.empty() : runs.compact(settings, pace, now());
    }

    /** Returns whether a merge is due or runs. Waits for a flush that runs. */
    public boolean isMergeDue(CompactionSettings settings) {
        return !isClosed && runs.isMergeDue(settings, now());
    }

    /** Opens or builds one index of a run, if one is missing; returns whether one was. */
    public boolean index(
            IndexSettings settings, BuildResources resources, BooleanSupplier isClosing)
            throws IOException {
        return runs.index(settings, resources, isClosing);
    }

    /** Returns whether a merge would first have to wait for other threads. */
    public boolean isBusy() {
        return runs.isBusy();
    }

    /** Returns the number of tiers of runs. */
    public int tierCount() {
        return runs.tierCount();
    }

    public int openViews() {
        return openViews.get();
    }

    /** The content of a partition, and the bytes that its flushes wrote. */
    record Counts(
            long documents, long tombstones, ContentStatistics.RunTotals runs, long flushedBytes) {
        static final Counts NONE = new Counts(0, 0, ContentStatistics.RunTotals.NONE, 0);
    }

    /** Returns its content; none if it is closed. */
    public Counts counts() {
        try {
            return countsNow();
        } catch (PartitionClosedException _) {
            return Counts.NONE;
        }
    }

    private Counts countsNow() {
        Tables held = hold();
        try (RunView view = acquire()) {
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

    /**
     * Copies the runs into a backup. Recent rows are not included; the caller flushes them first.
     */
    public BackupMoment backup(FileTransfer transfer) throws IOException {
        return runs.backup(transfer);
    }

    /** Returns the names of the current runs. */
    public List<RunName> runNames() {
        return runs.names();
    }

    /** Returns the damage of runs that are set aside until the next start. */
    public List<Damage> setAside() {
        return runs.setAside();
    }

    /**
     * Closes this, whose rows are not flushed any more: other files replace its own. Waits for a
     * flush and for a step of a merge. The journal must be closed.
     */
    public void discard() throws IOException {
        synchronized (flushing) {
            Tables now = tables;
            isClosed = true;
            synchronized (applying) {
                firstActive = Long.MAX_VALUE;
                firstActiveTimestamp = Long.MAX_VALUE;
                firstFrozen = Long.MAX_VALUE;
                firstFrozenTimestamp = Long.MAX_VALUE;
            }
            now.active().flushed();
            now.frozen().ifPresent(RecentTable::flushed);
            now.release();
            runs.close();
        }
    }

    /** Releases memory and files; they are freed when the last reader has released them. */
    @Override
    public void close() throws IOException {
        if (!isClosed) {
            isClosed = true;
            tables.release();
            runs.close();
        }
    }
}
