package org.crabro.content.recent;

import java.io.IOException;
import java.lang.foreign.MemorySegment;
import java.nio.ByteBuffer;
import java.time.Duration;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collection;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalDouble;
import java.util.Set;
import java.util.concurrent.TimeoutException;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.LongAdder;
import java.util.function.DoubleSupplier;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.crabro.content.journal.Damage;
import org.crabro.content.journal.FileTransfer;
import org.crabro.content.journal.LogFiles;
import org.crabro.content.journal.LostFiles;
import org.crabro.content.journal.SegmentedLog;
import org.crabro.content.recent.Proposal.Outcome;
import org.crabro.content.run.BackupMoment;
import org.crabro.content.run.BlockSlice;
import org.crabro.content.run.CompactionPace;
import org.crabro.content.run.CompactionSettings;
import org.crabro.content.run.CompactionStep;
import org.crabro.content.run.CorruptRunException;
import org.crabro.content.run.DamageRegister;
import org.crabro.content.run.KeyRange;
import org.crabro.content.run.LogExtent;
import org.crabro.content.run.OrderedView;
import org.crabro.content.run.PartitionList;
import org.crabro.content.run.QueryReads;
import org.crabro.content.run.RunLog;
import org.crabro.content.run.RunName;
import org.crabro.content.run.SearchedTexts;
import org.crabro.content.run.ValueRoom;
import org.crabro.content.run.View;
import org.crabro.document.DocumentId;
import org.crabro.document.DocumentType;
import org.crabro.document.LocationKey;
import org.crabro.protocol.cluster.NodeHealth;
import org.crabro.protocol.cluster.PartitionPosition;
import org.crabro.protocol.encoding.Row;
import org.crabro.protocol.encoding.RowEncoding;
import org.crabro.protocol.feed.EncodedWrite;
import org.crabro.protocol.feed.FeedReply;
import org.crabro.protocol.wire.Deadline;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * All partitions of a node with their journal: what was acknowledged is in it after any crash, each
 * document once.
 *
 * {@snippet :
 * try (DocumentStore store = DocumentStore.open(files, 16, settings, InstantSource.system())) {
 *     store.keep(type, searchedTexts);
 *     FeedReply reply = store.write(new EncodedWrite(3, id, encodedRow), deadline);
 *     store.flush();
 * }
 * }
 *
 * <p>Safe for use by many threads, virtual ones too where a method does not say otherwise.
 */
public final class DocumentStore implements AutoCloseable {
    private static final Logger LOG = LoggerFactory.getLogger(DocumentStore.class);
    static final String JOURNAL = "journal";

    /** So many damaged files are named in the health. */
    private static final int DAMAGE_SHOWN = 3;

    private static final String REBUILD = "rebuild-manifest";

    private final RecentSettings settings;
    private final TypeFiles types;
    private final DamageRegister damage;
    private final List<Partition> partitions;
    private final RecentBudget budget;
    private final FeedBlock block;
    private final RowLimits rowLimits;
    private final GroupSizes groups;
    private final Journal journal;
    private final Compactor compactor;
    private final Flusher flusher;
    private final WriteLocks locks = new WriteLocks();
    private final LongAdder stored = new LongAdder();

    private DocumentStore(
            LogFiles files,
            RecentSettings settings,
            TypeFiles types,
            DamageRegister damage,
            List<Partition> partitions,
            RecentBudget budget,
            SegmentedLog log,
            InstantSource clock,
            DoubleSupplier memoryShare) {
        this.settings = settings;
        this.types = types;
        this.damage = damage;
        this.partitions = partitions;
        this.budget = budget;
        this.block = new FeedBlock(files, settings.feed(), memoryShare);
        this.rowLimits =
                new RowLimits(settings.feed().rowBytes(), Runtime.getRuntime().maxMemory());
        this.groups = new GroupSizes(settings.feed().groupBytes(), clock);
        this.journal = LocalJournal.start(log, settings.journal(), this::apply);
        this.compactor = new Compactor(partitions, settings.compaction());
        this.flusher = new Flusher(partitions, journal, budget, settings, clock, compactor);
    }

    /** Opens a store that does not look at how much memory there is. */
    public static DocumentStore open(
            LogFiles files, int partitionCount, RecentSettings settings, InstantSource clock)
            throws IOException {
        return open(files, partitionCount, settings, clock, () -> 0);
    }

    /**
     * Opens what is in {@code files}, or begins a store there: reads manifests, and replays the
     * journal behind them.
     *
     * @param partitionCount 1 to 65,536, the same as ever
     * @param memoryShare of the machine's memory that this process has, 0 to 1, or NaN where that
     *     is not known
     * @throws IOException if something cannot be read, or was durable once and is not what it was
     */
    public static DocumentStore open(
            LogFiles files,
            int partitionCount,
            RecentSettings settings,
            InstantSource clock,
            DoubleSupplier memoryShare)
            throws IOException {
        TypeFiles types = TypeFiles.open(files);
        var budget = new RecentBudget(settings.recentBytes());
        var damage = new DamageRegister();
        var lost = new LostFiles(files, clock);
        var partitions = new ArrayList<Partition>();
        try {
            var list = PartitionList.open(files, partitionCount);
            List<Optional<LogExtent>> least = new ArrayList<>();
            for (int i = 0; i < partitionCount; i++) {
                least.add(list.check(i, directory(i)));
            }
            long covered = 0;
            List<LogExtent> extents = new ArrayList<>();
            for (int i = 0; i < partitionCount; i++) {
                RunLog runs = openRuns(files, i, types, damage, lost, least.get(i));
                partitions.add(new Partition(i, runs, types, clock, budget));
                covered = Math.max(covered, partitions.getLast().covered());
                extents.add(runs.extent());
                int partition = i;
                runs.reportTo(extent -> list.update(partition, extent));
            }
            long known = Math.max(covered, list.journal());
            refuseMissingJournal(files, known, types);
            list.start(directories(partitionCount), extents);
            lost.trim();
            SegmentedLog log =
                    openJournal(
                            files,
                            settings.journal().segmentBytes(),
                            known + 1,
                            (number, record) -> replay(partitions, types, number, record),
                            lost);
            list.reached(log.nextNumber() - 1, false);
            log.reportTo(list::reached);
            var store =
                    new DocumentStore(
                            files,
                            settings,
                            types,
                            damage,
                            List.copyOf(partitions),
                            budget,
                            log,
                            clock,
                            memoryShare);
            store.flusher.start();
            store.compactor.start();
            return store;
        } catch (IOException | RuntimeException e) {
            for (Partition partition : partitions) {
                partition.close();
            }
            throw e;
        }
    }

    private static SegmentedLog openJournal(
            LogFiles files,
            int segmentBytes,
            long firstNumber,
            SegmentedLog.Replay replay,
            LostFiles lost)
            throws IOException {
        SegmentedLog log =
                SegmentedLog.open(
                        files,
                        JOURNAL,
                        segmentBytes,
                        firstNumber,
                        (number, record) -> {
                            JournalRecord.check(number, record);
                            if (!JournalRecord.isEmpty(record)) {
                                replay.record(number, record);
                            }
                        },
                        lost);
        try {
            log.begin();
            return log;
        } catch (IOException e) {
            log.close();
            throw e;
        }
    }

    /** A journal is begun before the first type is kept, and is never without a file afterwards. */
    private static void refuseMissingJournal(LogFiles files, long covered, TypeFiles types)
            throws IOException {
        if ((covered > 0 || !types.isEmpty()) && !SegmentedLog.exists(files, JOURNAL)) {
            throw new IOException(
                    ("'%s' has no files, but there were some: it holds what was acknowledged and is"
                                    + " in no run. Put it back from where it was moved, or all of"
                                    + " the data from a backup")
                            .formatted(JOURNAL));
        }
    }

    private static RunLog openRuns(
            LogFiles files,
            int partition,
            TypeFiles types,
            DamageRegister damage,
            LostFiles lost,
            Optional<LogExtent> least)
            throws IOException {
        try {
            return RunLog.open(files, directory(partition), types, damage, lost, least);
        } catch (CorruptRunException e) {
            String message = String.valueOf(e.getMessage());
            throw new IOException(
                    message.contains(REBUILD)
                            ? message
                            : message
                                    + ". No run was deleted. Put back the file as it was, or all"
                                    + " of the data from a backup. Otherwise 'crabro "
                                    + REBUILD
                                    + "' tells what would be lost by going on without it",
                    e);
        }
    }

    private static List<String> directories(int partitions) {
        return IntStream.range(0, partitions).mapToObj(DocumentStore::directory).toList();
    }

    /** Returns where the log of a partition lies in the data directory. */
    public static String directory(int partition) {
        return "partitions/%02d".formatted(partition);
    }

    /** Gives a record of the journal to the partition that it is of. */
    static void replay(List<Partition> partitions, TypeFiles types, long number, ByteBuffer record)
            throws IOException {
        int partition = JournalRecord.partition(record);
        if (partition >= partitions.size()) {
            throw new IOException(
                    "journal record %d is of partition %d, but there are %d partitions"
                            .formatted(number, partition, partitions.size()));
        }
        byte[] row = JournalRecord.row(record);
        try {
            long fingerprint = RowEncoding.fingerprint(MemorySegment.ofArray(row));
            if (types.type(fingerprint).isEmpty()) {
                throw new IOException(
                        "journal record %d is of the type with fingerprint %016x, which is not in '%s'"
                                .formatted(number, fingerprint, TypeFiles.DIRECTORY));
            }
            partitions.get(partition).replay(number, row);
        } catch (IllegalArgumentException | IndexOutOfBoundsException e) {
            // An id is searched for its colons without a check of each byte.
            throw new IOException(
                    "journal record %d is not a row: %s".formatted(number, e.getMessage()), e);
        }
    }

    private void apply(int partition, long first, List<byte[]> rows) {
        partitions.get(partition).apply(first, rows);
        flusher.wake();
    }

    /**
     * Returns when {@code type} is durable; rows of it may be written from then on. Runs whose
     * texts were analysed in another way, or not at all, are written anew in the background: what
     * they hold is right, and slow to search.
     *
     * @param texts how its texts are searched from now on
     */
    public void keep(DocumentType type, SearchedTexts texts) throws IOException {
        types.keep(type, texts);
        compactor.wake();
    }

    /**
     * Refuses puts above other shares of the disk and of memory from now on, each above 0 and up to
     * 1; above those of the settings where there is none.
     */
    public void limitFeed(OptionalDouble diskShare, OptionalDouble memoryShare) {
        block.limit(diskShare, memoryShare);
    }

    /**
     * Refuses larger documents of these types from now on, by their names and in bytes; those of
     * others above what the settings say.
     */
    public void limitDocuments(Map<String, Integer> byType) {
        rowLimits.set(byType);
    }

    /** Returns the type that rows with {@code fingerprint} were written with. */
    public Optional<DocumentType> type(long fingerprint) {
        return types.type(fingerprint);
    }

    /**
     * Writes a row as the newest version of its document, and returns when it is durable and
     * visible. Reads nothing.
     *
     * @param write of a type that is kept; its timestamp is set here
     */
    public FeedReply write(EncodedWrite write, Deadline deadline) {
        int partition = write.partition();
        DocumentId id = write.id();
        byte[] row = write.row();
        Optional<FeedReply> refusal = refusal(partition, id, row, !isTombstone(row));
        if (refusal.isPresent()) {
            return refusal.get();
        }
        if (!awaitRoom(deadline)) {
            return overloaded(!isTombstone(row));
        }
        if (!locks.share(id, deadline)) {
            return new FeedReply.TimedOut();
        }
        Optional<Proposal> proposal =
                partitions.get(partition).propose(journal, List.of(row), () -> locks.unshare(id));
        if (proposal.isEmpty()) {
            locks.unshare(id);
            return overloaded(!isTombstone(row));
        }
        return reply(proposal.get().await(deadline), partition, row);
    }

    /**
     * Writes what is made of the newest version of a document, and returns when it is durable and
     * visible. Nobody else writes the document between the reading and that.
     *
     * @param mayGrow whether what is made may be refused where the disk is too full for documents;
     *     then nothing is read there
     * @throws TimeoutException if {@code making} does
     */
    public FeedReply write(
            int partition, DocumentId id, boolean mayGrow, RowMaking making, Deadline deadline)
            throws TimeoutException, InterruptedException {
        Optional<String> refusal = block.refusal(0, !mayGrow);
        if (refusal.isPresent()) {
            return new FeedReply.OutOfSpace(refusal.get());
        }
        if (!awaitRoom(deadline)) {
            return overloaded(mayGrow);
        }
        if (!locks.holdDocument(id, deadline)) {
            return new FeedReply.TimedOut();
        }
        byte[] row = {};
        Optional<Proposal> proposal = Optional.empty();
        try {
            RowMaking.Made made = making.make();
            row = made.row();
            Optional<FeedReply> reply =
                    made.reply().or(() -> refusal(partition, id, made.row(), made.mayGrow()));
            if (reply.isPresent()) {
                return reply.get();
            }
            proposal =
                    partitions
                            .get(partition)
                            .propose(journal, List.of(row), () -> locks.letGoDocument(id));
        } finally {
            if (proposal.isEmpty()) {
                locks.letGoDocument(id);
            }
        }
        return proposal.isEmpty()
                ? overloaded(!isTombstone(row))
                : reply(proposal.get().await(deadline), partition, row);
    }

    /**
     * Removes all documents of a type in a group that were written before, whatever their
     * namespace; returns when that is durable and visible. It takes one small row, however many
     * documents there are. No document of the group is being written meanwhile.
     *
     * @param partition of the group
     * @param type kept
     * @param group no {@link LocationKey.Plain}
     */
    public FeedReply removeGroup(
            int partition, DocumentType type, LocationKey group, Deadline deadline) {
        byte[] row = RowEncoding.groupTombstone(type, group);
        Optional<String> refusal = block.refusal(row.length, true);
        if (refusal.isPresent()) {
            return new FeedReply.OutOfSpace(refusal.get());
        }
        if (!awaitRoom(deadline)) {
            return overloaded(false);
        }
        if (!locks.holdGroup(type.name(), group, deadline)) {
            return new FeedReply.TimedOut();
        }
        Optional<Proposal> proposal =
                partitions
                        .get(partition)
                        .propose(journal, List.of(row), () -> locks.letGoGroup(type.name(), group));
        if (proposal.isEmpty()) {
            locks.letGoGroup(type.name(), group);
            return overloaded(false);
        }
        Outcome outcome = proposal.get().await(deadline);
        groups.removed(type.name(), group);
        return reply(outcome, partition, row);
    }

    /** Returns why a row is not taken whatever else waits, or nothing where it may be. */
    private Optional<FeedReply> refusal(int partition, DocumentId id, byte[] row, boolean mayGrow) {
        Optional<String> tooLarge = rowLimits.refusal(id, row.length);
        if (tooLarge.isPresent()) {
            return Optional.of(new FeedReply.Rejected(tooLarge.get()));
        }
        Optional<String> refusal = block.refusal(row.length, !mayGrow);
        if (refusal.isEmpty() && mayGrow) {
            refusal = groups.refusal(partitions.get(partition), id, row.length);
        }
        return refusal.map(FeedReply.OutOfSpace::new);
    }

    private boolean awaitRoom(Deadline deadline) {
        return budget.awaitRoom(shorter(deadline.remaining(), settings.flushWait()));
    }

    /**
     * Returns the answer to a write that finds no room in memory or in the queue: flushes that fail
     * on a full disk leave none either.
     */
    private FeedReply overloaded(boolean mayGrow) {
        Optional<String> full = mayGrow ? block.blocked() : block.full();
        return full.<FeedReply>map(FeedReply.OutOfSpace::new)
                .orElseGet(() -> new FeedReply.Overloaded(settings.retryAfter()));
    }

    private static boolean isTombstone(byte[] row) {
        return RowEncoding.isTombstone(MemorySegment.ofArray(row));
    }

    /** Returns what is said of a row that was proposed alone. */
    private FeedReply reply(Outcome outcome, int partition, byte[] row) {
        count(outcome, 1);
        return reply(outcome, partition, row, 0);
    }

    private void count(Outcome outcome, int rows) {
        if (outcome instanceof Outcome.Applied) {
            stored.add(rows);
        }
    }

    /** Returns what is said of the {@code index}-th row of a proposal. */
    private static FeedReply reply(Outcome outcome, int partition, byte[] row, int index) {
        return switch (outcome) {
            case Outcome.Applied(long first) ->
                    new FeedReply.Stored(
                            RowEncoding.timestamp(MemorySegment.ofArray(row)),
                            new PartitionPosition(partition, first + index));
            case Outcome.Failed(String reason) -> new FeedReply.Failed(reason);
            case Outcome.TimedOut() -> new FeedReply.TimedOut();
        };
    }

    /**
     * Writes many rows, and returns when all are durable and visible, or will not be: the reply to
     * each, in their order. Rows of one document are applied in that order; one may be written and
     * another not, but none where one before of its partition was answered with {@code Overloaded}.
     */
    public List<FeedReply> write(List<EncodedWrite> writes, Deadline deadline) {
        var replies = new FeedReply[writes.size()];
        var ids = new ArrayList<DocumentId>(replies.length);
        int[] admitted = new int[replies.length];
        for (int i = 0; i < replies.length; i++) {
            EncodedWrite write = writes.get(i);
            Optional<FeedReply> refusal =
                    refusal(write.partition(), write.id(), write.row(), !isTombstone(write.row()));
            if (refusal.isPresent()) {
                replies[i] = refusal.get();
            } else {
                admitted[ids.size()] = i;
                ids.add(write.id());
            }
        }
        admitted = Arrays.copyOf(admitted, ids.size());
        WriteLocks.Several several = locks.several(ids);
        if (!awaitRoom(deadline)) {
            for (int index : admitted) {
                replies[index] = overloaded(!isTombstone(writes.get(index).row()));
            }
        } else if (!locks.share(several, deadline)) {
            for (int index : admitted) {
                replies[index] = new FeedReply.TimedOut();
            }
        } else {
            write(writes, admitted, () -> locks.unshare(several), replies, deadline);
        }
        return List.of(replies);
    }

    /**
     * Writes the rows of these indexes; calls {@code whenDone} when none can be applied any more.
     */
    private void write(
            List<EncodedWrite> writes,
            int[] indexes,
            Runnable whenDone,
            FeedReply[] replies,
            Deadline deadline) {
        List<RowGroup> groups = RowGroup.of(writes, indexes);
        // One more than there are groups, for the time in which they are proposed.
        var left = new AtomicInteger(groups.size() + 1);
        Runnable whenOneIsDone =
                () -> {
                    if (left.decrementAndGet() == 0) {
                        whenDone.run();
                    }
                };
        List<Optional<Proposal>> proposals = journal.together(() -> propose(groups, whenOneIsDone));
        whenOneIsDone.run();
        // They are applied in their order: who waits for the last one first is woken once.
        for (int i = groups.size() - 1; i >= 0; i--) {
            RowGroup group = groups.get(i);
            Optional<Outcome> outcome = proposals.get(i).map(proposal -> proposal.await(deadline));
            outcome.ifPresent(of -> count(of, group.rows().size()));
            for (int row = 0; row < group.rows().size(); row++) {
                replies[group.index(row)] =
                        outcome.isEmpty()
                                ? overloaded(!isTombstone(group.rows().get(row)))
                                : reply(
                                        outcome.get(),
                                        group.partition(),
                                        group.rows().get(row),
                                        row);
            }
        }
    }

    /** Runs {@code whenOneIsDone} for those that find no room as well. */
    private List<Optional<Proposal>> propose(List<RowGroup> groups, Runnable whenOneIsDone) {
        List<Optional<Proposal>> proposals = new ArrayList<>();
        Set<Integer> full = new HashSet<>();
        for (RowGroup group : groups) {
            // Behind rows that found no room none is written: of one document the last one counts.
            Optional<Proposal> proposal =
                    full.contains(group.partition())
                            ? Optional.empty()
                            : partitions
                                    .get(group.partition())
                                    .propose(journal, group.rows(), whenOneIsDone);
            if (proposal.isEmpty()) {
                full.add(group.partition());
                whenOneIsDone.run();
            }
            proposals.add(proposal);
        }
        return proposals;
    }

    private static Duration shorter(Duration left, Duration right) {
        return left.compareTo(right) < 0 ? left : right;
    }

    /** Waits until a partition has come as far as {@code position}; returns whether it has. */
    public boolean await(PartitionPosition position, Deadline deadline) {
        return partitions.get(position.partition()).await(position.position(), deadline);
    }

    /**
     * Returns the newest version of a document where it is in no run yet; maybe a tombstone.
     *
     * @param room asked before its values are made
     */
    public Optional<Row> recent(int partition, DocumentId id, ValueRoom room) {
        return partitions.get(partition).recent(id, room);
    }

    /**
     * Returns the newest version of a document, which may be a tombstone. Touches mappings: only
     * for the node's own threads.
     *
     * @param reads is told what comes from the device
     * @param room asked before its values are made
     */
    public Optional<Row> newest(int partition, DocumentId id, QueryReads reads, ValueRoom room) {
        return partitions.get(partition).newest(id, reads, room);
    }

    /** Returns what a partition holds now; to be closed after a slice of work. */
    public OrderedView view(int partition) {
        return partitions.get(partition).view();
    }

    /**
     * Returns whether a document of a type is stored. Touches mappings: only for the node's own
     * threads.
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

    /** Writes everything recent into runs, and releases the journal. */
    public void flush() throws IOException {
        flusher.flushAll();
    }

    /** Writes what was written too long ago into runs, and lets files go that are kept too long. */
    void flushOld() throws IOException {
        flusher.flushOld();
    }

    /** Writes what is recent of one partition into a run, and releases what only it kept. */
    void flush(int partition) throws IOException {
        flusher.flush(partition);
    }

    /**
     * Flushes, and brings all that is in runs then into a backup, with its types and a journal that
     * goes on behind, while readers and writers go on. Everything is durable when this returns.
     *
     * @return the moment of each partition; everything that was acknowledged before is in it
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
            // A journal without a batch would look like one that was lost.
            log.commit(List.of(JournalRecord.empty()));
        }
        for (String name : target.list(JOURNAL)) {
            transfer.note(JOURNAL + "/" + name);
        }
        return moments;
    }

    /** Returns what is known to be damaged of the runs of all partitions. */
    public DamageRegister damage() {
        return damage;
    }

    /** Returns the runs of all partitions that there are now. */
    public List<RunName> runNames() {
        return partitions.stream().flatMap(partition -> partition.runNames().stream()).toList();
    }

    /** Merges everything that is to be merged now, at full speed, on the caller's thread. */
    public void compact() throws IOException {
        compactor.compactAll();
    }

    /** Does one step of merging in a partition, as other settings say; returns what it did. */
    Optional<CompactionStep> compact(int partition, CompactionSettings with) throws IOException {
        return partitions.get(partition).compact(with, CompactionPace.UNLIMITED);
    }

    /** Returns whether writes are taken, and what else does not work. */
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
        Optional<String> failed = journal.failure();
        if (failed.isPresent()) {
            String reason = "the journal failed, writes need a restart: " + failed.get();
            return new NodeHealth(Optional.of(reason), problems);
        }
        Optional<String> full = block.full();
        if (full.isEmpty()) {
            block.blocked().ifPresent(reason -> problems.add("puts are refused: " + reason));
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
     * Returns what is damaged of runs that are set aside: those whose footer, index or sections
     * could not be read when this was opened. A file that is put back is used from the next open.
     */
    public List<Damage> setAside() {
        return partitions.stream().flatMap(partition -> partition.setAside().stream()).toList();
    }

    /** Returns why the journal failed, if it did: then no write is taken until the next open. */
    public Optional<String> journalFailure() {
        return journal.failure();
    }

    /** Returns how much there is of what. */
    public ContentStatistics statistics() {
        List<Partition.Counts> counts = partitions.stream().map(Partition::counts).toList();
        return new ContentStatistics(
                counts.stream().mapToLong(Partition.Counts::documents).sum(),
                counts.stream().mapToLong(Partition.Counts::tombstones).sum(),
                (int) counts.stream().filter(of -> of.documents() > 0).count(),
                stored.sum(),
                journal.forces(),
                journal.waiting(),
                journal.bytes(),
                budget.bytes(),
                flusher.flushes(),
                counts.stream().mapToLong(Partition.Counts::runs).sum(),
                counts.stream().mapToLong(Partition.Counts::runBytes).sum(),
                counts.stream().mapToLong(Partition.Counts::tiers).sum(),
                counts.stream().mapToLong(Partition.Counts::deadRows).sum(),
                counts.stream().mapToLong(Partition.Counts::flushedBytes).sum(),
                compactor.bytesRead(),
                compactor.bytesWritten(),
                partitions.stream().mapToInt(Partition::openViews).sum(),
                block.blocked().isPresent());
    }

    /** Makes durable what was proposed, and lets everything go. Nothing is flushed. */
    @Override
    public void close() {
        budget.end();
        groups.close();
        journal.close();
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
