package org.crabro.content.storage.store;

import java.io.IOException;
import java.io.InterruptedIOException;
import java.io.UncheckedIOException;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.Collection;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalDouble;
import java.util.Set;
import java.util.concurrent.TimeoutException;
import java.util.function.BooleanSupplier;
import java.util.stream.Collectors;
import org.crabro.content.storage.block.SearchedTexts;
import org.crabro.content.storage.block.ValueBudget;
import org.crabro.content.storage.block.key.KeyRange;
import org.crabro.content.storage.commit.Journal;
import org.crabro.content.storage.commit.JournalRecord;
import org.crabro.content.storage.commit.Proposal;
import org.crabro.content.storage.file.DamageRegister;
import org.crabro.content.storage.file.ReadContext;
import org.crabro.content.storage.graph.GraphFields;
import org.crabro.content.storage.index.IndexSettings;
import org.crabro.content.storage.index.IndexedFields;
import org.crabro.content.storage.journal.Damage;
import org.crabro.content.storage.journal.FileTransfer;
import org.crabro.content.storage.journal.LogFiles;
import org.crabro.content.storage.journal.SegmentedLog;
import org.crabro.content.storage.memtable.RecentBudget;
import org.crabro.content.storage.merge.CompactionPace;
import org.crabro.content.storage.merge.CompactionSettings;
import org.crabro.content.storage.merge.CompactionStep;
import org.crabro.content.storage.partition.BackupMoment;
import org.crabro.content.storage.partition.RunName;
import org.crabro.content.storage.read.BlockSlice;
import org.crabro.content.storage.read.View;
import org.crabro.content.storage.replica.ReplicatedStore;
import org.crabro.content.storage.run.OrderedView;
import org.crabro.content.storage.store.ContentStatistics.HeldRows;
import org.crabro.content.storage.store.ContentStatistics.MergeTotals;
import org.crabro.content.storage.store.ContentStatistics.RunTotals;
import org.crabro.content.storage.store.ContentStatistics.WriteTotals;
import org.crabro.document.DocumentId;
import org.crabro.document.DocumentType;
import org.crabro.document.LocationKey;
import org.crabro.protocol.cluster.NodeHealth;
import org.crabro.protocol.cluster.PartitionPosition;
import org.crabro.protocol.encoding.Row;
import org.crabro.protocol.feed.OperationId;
import org.crabro.protocol.feed.Write;
import org.crabro.protocol.feed.WriteReply;
import org.crabro.protocol.wire.Deadline;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The documents of a node: all its partitions, and their journals. After a crash it has every
 * acknowledged write, and each document once.
 *
 * {@snippet :
 * var options = StoreOptions.of(16, settings, InstantSource.system());
 * try (DocumentStore store = DocumentStore.open(files, options)) {
 *     store.keep(type, searchedTexts);
 *     var row = new Write.Row(3, id, encodedRow);
 *     WriteReply reply = store.write(row, Optional.empty(), deadline);
 *     store.flush();
 * }
 * }
 *
 * <p>Thread-safe. Virtual threads may call every method whose description does not exclude them.
 *
 * <p>It is the only entry to the partitions; the parts do the work.
 */
public final class DocumentStore implements AutoCloseable, ReplicatedStore {
    private static final Logger LOG = LoggerFactory.getLogger(DocumentStore.class);
    public static final String JOURNAL = "journal";

    /** The most damaged files that the health names. */
    private static final int DAMAGE_SHOWN = 3;

    private final RecentSettings settings;
    private final TypeFiles types;
    private final DamageRegister damage;
    private final PartitionTable partitions;
    private final PartitionOpener opener;
    private final RecentBudget budget;
    private final WriteLimits limits;
    private final Shards shards;
    private final StoreWrites writes;
    private final Compactor compactor;
    private final Flusher flusher;

    /** Held while a replica is replaced. */
    private final Object replacing = new Object();

    /** Guarded by its lock. */
    private boolean isClosed;

    private DocumentStore(
            RecoveredStore recovered,
            WriteLimits limits,
            RecentSettings settings,
            InstantSource clock) {
        this.settings = settings;
        this.types = recovered.types();
        this.damage = recovered.damage();
        this.partitions = new PartitionTable(recovered.partitions());
        this.opener = recovered.opener();
        this.budget = recovered.budget();
        this.limits = limits;
        this.shards = new Shards(partitions, recovered.journals(), new StoreApplier());
        this.writes = new StoreWrites(partitions, shards, budget, limits, settings, types::type);
        this.compactor = new Compactor(partitions, settings.compaction());
        this.flusher = new Flusher(partitions, shards, budget, settings, clock, compactor);
        shards.start();
    }

    /**
     * Opens the store in {@code files}, or an empty store if there are no files: reads the
     * manifests, and replays the journal after them.
     *
     * @throws IOException if a file cannot be read, or bytes that were durable are missing or
     *     different
     */
    public static DocumentStore open(LogFiles files, StoreOptions options) throws IOException {
        var recovered = RecoveredStore.open(files, options);
        WriteLimits limits =
                WriteLimits.of(
                        files,
                        options.settings().feed(),
                        options.clock(),
                        options.memoryShare(),
                        options.journals().isPresent());
        DocumentStore store;
        try {
            store = new DocumentStore(recovered, limits, options.settings(), options.clock());
        } catch (RuntimeException e) {
            limits.close();
            for (Partition partition : recovered.partitions()) {
                partition.close();
            }
            throw e;
        }
        store.flusher.start();
        store.compactor.start();
        return store;
    }

    /** Returns the directory of a partition's log in the data directory. */
    public static String directory(int partition) {
        return "partitions/%02d".formatted(partition);
    }

    /** Makes rows visible that are durable. */
    private final class StoreApplier implements Journal.Applier {
        @Override
        public void apply(int partition, long first, List<byte[]> rows) {
            partitions.get(partition).apply(first, rows);
            flusher.wake();
        }

        @Override
        public void awaitRoom() {
            budget.awaitRoomToApply(settings.overload().flushWait());
        }

        @Override
        public Optional<DocumentType> type(long fingerprint) {
            return types.type(fingerprint);
        }

        @Override
        public void learn(DocumentType type) {
            try {
                types.learn(type);
            } catch (IOException e) {
                throw new UncheckedIOException(
                        "the type '%s' could not be stored".formatted(type.name()), e);
            }
        }
    }

    /**
     * Stores a document type. When this returns, the type is durable and its rows may be written.
     * Runs whose texts were analysed differently are merged again in the background. Until then
     * searches of their texts are correct, and slow.
     *
     * @param texts how texts of the type are analysed for searches from now on
     */
    public void keep(DocumentType type, SearchedTexts texts) throws IOException {
        keep(type, texts, IndexedFields.NONE, GraphFields.NONE);
    }

    /**
     * Stores a document type, some of whose fields have an index.
     *
     * @param indexed the fields of the indexes of its rows from now on
     * @param neighbors the fields of the graphs of its rows from now on
     * @see #keep(DocumentType, SearchedTexts)
     */
    public void keep(
            DocumentType type, SearchedTexts texts, IndexedFields indexed, GraphFields neighbors)
            throws IOException {
        types.keep(type, texts, indexed, neighbors);
        compactor.wake();
        compactor.reportRuns();
    }

    /** Calls {@code listener} whenever runs, or the fields of their indexes, have changed. */
    void reportRuns(Runnable listener) {
        compactor.reportTo(listener);
    }

    /**
     * Opens or builds, on the caller's thread and others, the indexes that rows of runs should have
     * and do not have. After a failure, the other partitions continue.
     *
     * @param isClosing ends a build when it returns true
     * @throws InterruptedIOException if {@code isClosing}
     * @throws IOException if an index could not be built; searches scan its rows
     */
    public void index(IndexSettings with, BooleanSupplier isClosing) throws IOException {
        new IndexBuilds(partitions, with, isClosing).run();
    }

    /**
     * Sets the shares of the disk and of memory above which puts are refused. An empty value
     * restores the share of the settings.
     *
     * @param diskShare above 0, at most 1
     * @param memoryShare above 0, at most 1
     */
    public void limitFeed(OptionalDouble diskShare, OptionalDouble memoryShare) {
        limits.limitFeed(diskShare, memoryShare);
    }

    /**
     * Sets the size above which documents of a type are rejected. Types that are not listed have
     * the limit of the settings.
     *
     * @param byType bytes, by the name of the type
     */
    public void limitDocuments(Map<String, Integer> byType) {
        limits.limitDocuments(byType);
    }

    /**
     * Refuses puts to some shards, from the next write on. Removes are accepted.
     *
     * @param byShard why puts are refused
     */
    public void refusePuts(Map<Integer, String> byShard) {
        limits.refusePuts(
                partition -> Optional.ofNullable(byShard.get(partition % shards.all().size())));
    }

    /** Returns why disk or memory has no room for puts; empty if both have. */
    public Optional<String> putsRefused() {
        return limits.blocked();
    }

    /** Returns the type that rows with {@code fingerprint} were written with. */
    public Optional<DocumentType> type(long fingerprint) {
        return types.type(fingerprint);
    }

    /**
     * Writes a row as the newest version of its document, and returns when it is durable and
     * visible. Reads nothing: its condition is ignored.
     *
     * @param row of a stored type; its timestamp is set here
     * @param operation identifies the write. A write with the same operation is carried out once.
     *     Only nodes with replicas remember operations
     */
    public WriteReply write(Write.Row row, Optional<OperationId> operation, Deadline deadline) {
        return writes.write(row, operation, deadline);
    }

    /**
     * Writes many rows, and returns when each is durable and visible, or has failed.
     *
     * @param operations the operation of each row; empty if they have no ids
     * @return the reply to each, in their order. Rows of one document are applied in that order.
     *     After a row that was answered with {@code Overloaded}, no later row of its partition is
     *     written.
     * @see #write(Write.Row, Optional, Deadline)
     */
    public List<WriteReply> write(
            List<Write.Row> rows, List<OperationId> operations, Deadline deadline) {
        return writes.write(rows, operations, deadline);
    }

    /**
     * Writes a row that {@code making} makes of the newest version of a document, and returns when
     * it is durable and visible. No other write of the document is applied between the read and
     * that moment.
     *
     * @param mayGrow whether the write may be refused if the disk is too full for documents; a
     *     refused write reads nothing
     * @param operation see {@link #write(Write.Row, Optional, Deadline)}
     * @throws TimeoutException if {@code making} throws it
     */
    public WriteReply write(
            int partition,
            DocumentId id,
            boolean mayGrow,
            RowMaking making,
            Optional<OperationId> operation,
            Deadline deadline)
            throws TimeoutException, InterruptedException {
        return writes.write(partition, id, mayGrow, making, operation, deadline);
    }

    /**
     * Removes all documents of a type in a group that were written before, in all namespaces.
     * Returns when the removal is durable and visible. The cost is one small row, independent of
     * the number of documents. No document of the group is written meanwhile.
     *
     * @param partition of the group
     * @param type a stored type
     * @param group not a {@link LocationKey.Plain}
     * @param operation see {@link #write(Write.Row, Optional, Deadline)}
     */
    public WriteReply removeGroup(
            int partition,
            DocumentType type,
            LocationKey group,
            Optional<OperationId> operation,
            Deadline deadline) {
        return writes.removeGroup(partition, type, group, operation, deadline);
    }

    /** Waits until the row at {@code position} is visible; returns whether it is. */
    public boolean await(PartitionPosition position, Deadline deadline) {
        return partitions.get(position.partition()).await(position.position(), deadline);
    }

    /**
     * Waits until this node has all rows of some partitions that any replica acknowledged before
     * the call. A node without replicas has them always.
     */
    public Freshness awaitCurrent(Collection<Integer> of, Deadline deadline) {
        for (Proposal each : currentOf(of)) {
            switch (each.await(deadline)) {
                case Proposal.Outcome.Applied _ -> {
                    // The next one counts.
                }
                case Proposal.Outcome.TimedOut() -> {
                    return Freshness.TIMED_OUT;
                }
                default -> {
                    return Freshness.ELSEWHERE;
                }
            }
        }
        return Freshness.CURRENT;
    }

    /** Asks all shards of some partitions, so that the caller awaits their answers together. */
    private List<Proposal> currentOf(Collection<Integer> partitions) {
        if (partitions.size() == 1) {
            return List.of(shards.of(partitions.iterator().next()).journal().current());
        }
        return partitions.stream()
                .map(shards::of)
                .distinct()
                .map(each -> each.journal().current())
                .toList();
    }

    /**
     * Returns the newest version of a document if it is in no run yet; it may be a tombstone.
     *
     * @param room reserves memory before the values are decoded
     */
    public Optional<Row> recent(int partition, DocumentId id, ValueBudget room) {
        return partitions.get(partition).recent(id, room);
    }

    /**
     * Returns the newest version of a document, which may be a tombstone. Reads mapped files: not
     * for virtual threads.
     *
     * @param reads counts the bytes read from the device
     * @param room reserves memory before the values are decoded
     */
    public Optional<Row> newest(int partition, DocumentId id, ReadContext reads, ValueBudget room) {
        return partitions.get(partition).newest(id, reads, room);
    }

    /** Returns a view of the current rows of a partition. The caller closes the view soon. */
    public OrderedView view(int partition) {
        return partitions.get(partition).view();
    }

    /**
     * Returns whether a document of a type is stored. Reads mapped files: not for virtual threads.
     */
    public boolean hasDocuments(String documentType) {
        for (Partition partition : partitions) {
            try (View view = partition.view()) {
                for (BlockSlice slice : view.slices(documentType, new KeyRange.Everything())) {
                    if (slice.liveCount() > 0) {
                        return true;
                    }
                }
            }
        }
        return false;
    }

    /**
     * Returns about how many documents of a type have a value in a field: reads some blocks of a
     * large partition. Reads mapped files: not for virtual threads.
     *
     * @param path the field, and the members of structs in it, with dots between them
     */
    public long documentsWith(String documentType, String path) {
        long count = 0;
        for (Partition partition : partitions) {
            try (View view = partition.view()) {
                count += new StoredValues(path).about(view, documentType);
            }
        }
        return count;
    }

    /**
     * Writes all recent rows into runs, releases the journal, and deletes its files above the
     * number that is kept for reuse.
     */
    @Override
    public void flush() throws IOException {
        flusher.flushAll();
    }

    /**
     * Flushes rows that are older than the settings allow, and deletes journal files that are too
     * old.
     */
    void flushOld() throws IOException {
        flusher.flushOld();
    }

    /** Writes the recent rows of one partition into a run, and releases their journal records. */
    void flush(int partition) throws IOException {
        flusher.flush(partition);
    }

    /**
     * Flushes, and copies all runs into a backup, with the types and an empty journal that
     * continues after them. Reads and writes continue meanwhile. The backup is durable when this
     * returns.
     *
     * @return the moment of each partition; the backup has all writes that were acknowledged before
     *     it
     */
    public List<BackupMoment> backup(FileTransfer transfer) throws IOException {
        flush();
        List<BackupMoment> moments = new ArrayList<>();
        for (Partition partition : partitions) {
            moments.add(partition.backup(transfer));
        }
        types.backup(transfer);
        LogFiles target = transfer.target();
        int segmentBytes = settings.journal().segmentBytes();
        long last = moments.stream().mapToLong(BackupMoment::position).max().orElse(0);
        try (SegmentedLog log = SegmentedLog.beginBehind(target, JOURNAL, segmentBytes, last + 1)) {
            // A journal without a batch would look like a lost journal.
            log.commit(List.of(JournalRecord.empty()));
        }
        for (String name : target.list(JOURNAL)) {
            transfer.note(JOURNAL + "/" + name);
        }
        return moments;
    }

    @Override
    public List<Integer> export(int shard, FileTransfer transfer) throws IOException {
        List<Partition> exported = shards.all().get(shard).partitions();
        for (Partition each : exported) {
            flusher.flush(each.number());
            BackupMoment _ = each.backup(transfer);
        }
        types.backup(transfer);
        return exported.stream().map(Partition::number).toList();
    }

    @Override
    public List<Integer> partitions(int shard) {
        return shards.partitions(shard).stream().map(Partition::number).toList();
    }

    @Override
    public Set<String> directories(int shard) {
        Set<String> directories = new HashSet<>();
        directories.add(TypeFiles.DIRECTORY);
        partitions(shard).forEach(partition -> directories.add(directory(partition)));
        return directories;
    }

    @Override
    public void replace(int shard, FileChange change, boolean isHere) throws IOException {
        synchronized (replacing) {
            if (isClosed) {
                throw new IOException("the store is closed");
            }
            partitions.noteChange();
            shards.end(shard);
            List<Partition> former = shards.partitions(shard);
            for (Partition each : former) {
                each.discard();
                each.runNames().forEach(run -> damage.forget(run.file()));
            }
            change.run(opener);
            types.refresh();
            for (Partition each : former) {
                int number = each.number();
                partitions.replace(opener.open(number, opener.check(number)));
            }
            partitions.noteChange();
            if (isHere) {
                try {
                    shards.begin(shard);
                } catch (UncheckedIOException e) {
                    throw e.getCause();
                }
            }
        }
    }

    /**
     * Returns a number that changes when partitions are replaced. A reader notes it before {@link
     * #awaitCurrent}, and passes it with its views.
     */
    public long replacements() {
        return partitions.changes();
    }

    /**
     * Throws if partitions were replaced since.
     *
     * @throws PartitionClosedException then the views of a reader may be those of a replica that
     *     was not asked whether it is current
     */
    public void checkReplacements(int partition, long since) {
        if (partitions.changes() != since) {
            throw new PartitionClosedException(partition);
        }
    }

    /** Returns the known damage of the runs of all partitions. */
    public DamageRegister damage() {
        return damage;
    }

    /** Returns the names of the runs of all partitions. */
    public List<RunName> runNames() {
        return partitions.stream().flatMap(partition -> partition.runNames().stream()).toList();
    }

    /** Merges on the caller's thread at full speed until no merge is due. */
    public void compact() throws IOException {
        compactor.compactAll();
    }

    /**
     * Flushes all rows that were applied before, then merges on the caller's thread at full speed
     * until no merge is due. A step that runs at the deadline is finished.
     *
     * @param isClosing whether the current step ends without a result
     * @return whether no merge is due
     * @throws IOException if a flush or a merge fails, or {@code isClosing}
     */
    public boolean settle(Deadline deadline, BooleanSupplier isClosing) throws IOException {
        flush();
        int unmerged = backlog().unmergedPartitions();
        while (unmerged > 0 && !deadline.hasPassed()) {
            compactor.compactAll(deadline, isClosing);
            unmerged = backlog().unmergedPartitions();
        }
        return unmerged == 0;
    }

    /** Returns the flushes and merges that are still to be done. */
    public StoreBacklog backlog() {
        return new StoreBacklog(
                partitions.stream().mapToLong(Partition::recentBytes).sum(),
                (int)
                        partitions.stream()
                                .filter(each -> each.isMergeDue(settings.compaction()))
                                .count());
    }

    /**
     * Does one step of a merge in a partition with other settings. Returns the step; empty if no
     * merge is due.
     */
    Optional<CompactionStep> compact(int partition, CompactionSettings with) throws IOException {
        return partitions.get(partition).compact(with, CompactionPace.UNLIMITED);
    }

    /** Returns whether writes are accepted, and the known problems. */
    public NodeHealth health() {
        List<String> problems = new ArrayList<>();
        flusher.failure().ifPresent(reason -> problems.add("a flush failed: " + reason));
        List<Damage> setAside = setAside();
        if (!setAside.isEmpty()) {
            problems.add("runs set aside until the next start: " + shown(setAside));
        }
        Set<String> damaged = damage.files();
        setAside.forEach(each -> damaged.remove(each.file()));
        if (!damaged.isEmpty()) {
            problems.add("runs with damage: " + shown(damaged));
        }
        Optional<String> failed = shards.failure();
        if (failed.isPresent()) {
            String reason = "the journal failed, writes need a restart: " + failed.get();
            return new NodeHealth(Optional.of(reason), problems);
        }
        Optional<String> full = limits.full();
        if (full.isEmpty()) {
            limits.blocked().ifPresent(reason -> problems.add("puts are refused: " + reason));
        }
        return new NodeHealth(full.map(reason -> "all writes are refused: " + reason), problems);
    }

    private static String shown(Collection<?> all) {
        String first =
                all.stream()
                        .limit(DAMAGE_SHOWN)
                        .map(Object::toString)
                        .collect(Collectors.joining("; "));
        int more = all.size() - DAMAGE_SHOWN;
        return more > 0 ? "%s; and %d more".formatted(first, more) : first;
    }

    /**
     * Returns the damage of runs that are set aside: their footer, index or sections could not be
     * read when the store was opened. A restored file is used from the next open.
     */
    public List<Damage> setAside() {
        return partitions.stream().flatMap(partition -> partition.setAside().stream()).toList();
    }

    /**
     * Returns why the journal failed; empty if it works. After a failure no write is accepted until
     * the next open.
     */
    public Optional<String> journalFailure() {
        return shards.failure();
    }

    /** Returns counts and sizes, for metrics. */
    public ContentStatistics statistics() {
        List<Partition.Counts> counts = partitions.stream().map(Partition::counts).toList();
        return new ContentStatistics(
                new HeldRows(
                        counts.stream().mapToLong(Partition.Counts::documents).sum(),
                        counts.stream().mapToLong(Partition.Counts::tombstones).sum(),
                        (int) counts.stream().filter(of -> of.documents() > 0).count()),
                new WriteTotals(
                        writes.stored(),
                        shards.forces(),
                        shards.waiting(),
                        shards.bytes(),
                        budget.bytes(),
                        limits.blocked().isPresent()),
                counts.stream().map(Partition.Counts::runs).reduce(RunTotals.NONE, RunTotals::plus),
                new MergeTotals(
                        flusher.flushes(),
                        counts.stream().mapToLong(Partition.Counts::flushedBytes).sum(),
                        compactor.bytesRead(),
                        compactor.bytesWritten()));
    }

    /** Makes proposed rows durable, and releases all files and memory. Flushes nothing. */
    @Override
    public void close() {
        budget.end();
        limits.close();
        synchronized (replacing) {
            isClosed = true;
            shards.close();
        }
        compactor.close();
        flusher.close();
        for (Partition partition : partitions) {
            try {
                partition.close();
            } catch (IOException e) {
                LOG.warn("Files of a partition could not be closed", e);
            }
        }
        budget.rowMemory().close();
    }
}
