package org.crabro.content.storage.store;

import java.io.IOException;
import java.lang.foreign.MemorySegment;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.stream.IntStream;
import org.crabro.content.storage.commit.JournalRecord;
import org.crabro.content.storage.commit.LocalJournal;
import org.crabro.content.storage.commit.ShardJournals;
import org.crabro.content.storage.file.DamageRegister;
import org.crabro.content.storage.journal.LogFiles;
import org.crabro.content.storage.journal.LostFiles;
import org.crabro.content.storage.journal.SegmentedLog;
import org.crabro.content.storage.manifest.LogExtent;
import org.crabro.content.storage.memtable.RecentBudget;
import org.crabro.content.storage.partition.PartitionList;
import org.crabro.content.storage.replica.ReplicaInstallation;
import org.crabro.protocol.encoding.RowEncoding;

/**
 * The state of a store after it was opened: its types, the runs of each partition, and, without
 * replicas, the applied rows that are only in the journal.
 *
 * @param types the types that rows were written with
 * @param damage the known damage of runs
 * @param budget the memory budget of the recent rows of all partitions
 * @param partitions by number
 * @param opener opens partitions again
 * @param journals to be started
 */
record RecoveredStore(
        TypeFiles types,
        DamageRegister damage,
        RecentBudget budget,
        List<Partition> partitions,
        PartitionOpener opener,
        ShardJournals journals) {
    RecoveredStore {
        partitions = List.copyOf(partitions);
    }

    /**
     * Reads the manifests, and replays the journal after them if it is in {@code files}. An empty
     * directory becomes an empty store.
     *
     * @param options their journals of a node with replicas are stored elsewhere, and replay
     *     themselves
     * @throws IOException if a file cannot be read, or bytes that were durable are missing or
     *     different
     */
    static RecoveredStore open(LogFiles files, StoreOptions options) throws IOException {
        RecentSettings settings = options.settings();
        int partitionCount = options.partitions();
        Optional<ShardJournals> replicated = options.journals();
        TypeFiles types = TypeFiles.open(files);
        var budget = new RecentBudget(settings.recentBytes());
        var damage = new DamageRegister();
        var partitions = new ArrayList<Partition>();
        try {
            var list = PartitionList.open(files, partitionCount);
            var opener = new PartitionOpener(files, list, types, damage, options.clock(), budget);
            LostFiles lost = opener.lost();
            if (replicated.isPresent()) {
                ReplicaInstallation.finishAll(files, opener);
                types.refresh();
            }
            List<Optional<LogExtent>> least = new ArrayList<>();
            for (int i = 0; i < partitionCount; i++) {
                least.add(opener.check(i));
            }
            long covered = 0;
            List<LogExtent> extents = new ArrayList<>();
            for (int i = 0; i < partitionCount; i++) {
                partitions.add(opener.open(i, least.get(i)));
                covered = Math.max(covered, partitions.getLast().covered());
                extents.add(partitions.getLast().extent());
            }
            long lastDurable = Math.max(covered, list.journal());
            checkJournal(files, lastDurable, types, replicated.isPresent());
            list.start(
                    IntStream.range(0, partitionCount).mapToObj(DocumentStore::directory).toList(),
                    extents);
            lost.trim();
            if (replicated.isPresent()) {
                return new RecoveredStore(
                        types, damage, budget, partitions, opener, replicated.get());
            }
            SegmentedLog log =
                    openJournal(
                            files,
                            settings.journal().segmentBytes(),
                            lastDurable + 1,
                            (number, record) -> replay(partitions, types, number, record),
                            lost);
            list.reached(log.nextNumber() - 1, false);
            log.reportTo(list::reached);
            partitions.forEach(Partition::continueTimestamps);
            return new RecoveredStore(
                    types,
                    damage,
                    budget,
                    partitions,
                    opener,
                    new LocalJournal.Single(log, settings.journal()));
        } catch (IOException | RuntimeException e) {
            for (Partition partition : partitions) {
                partition.close();
            }
            throw e;
        }
    }

    /**
     * Throws if the journal is missing, or belongs to a node without replicas and this one has
     * some. A journal is begun before the first type is stored, and always has a file after that.
     */
    private static void checkJournal(
            LogFiles files, long covered, TypeFiles types, boolean isReplicated)
            throws IOException {
        boolean isThere = SegmentedLog.exists(files, DocumentStore.JOURNAL);
        if (isReplicated) {
            if (isThere) {
                throw new IOException(
                        "'%s' has files of a node without replicas. Nothing was changed. A node of a cluster needs an empty data directory, or its own"
                                .formatted(DocumentStore.JOURNAL));
            }
        } else if ((covered > 0 || !types.isEmpty()) && !isThere) {
            throw new IOException(
                    ("'%s' has no files, but it had some: they contain acknowledged writes that"
                                    + " are in no run. Move them back, or restore all data from a"
                                    + " backup")
                            .formatted(DocumentStore.JOURNAL));
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
                        DocumentStore.JOURNAL,
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

    /** Applies a record of the journal to its partition. */
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
            partitions.get(partition).apply(number, List.of(row));
        } catch (IllegalArgumentException | IndexOutOfBoundsException e) {
            // The search for the colons of an id does not check bounds.
            throw new IOException(
                    "journal record %d is not a row: %s".formatted(number, e.getMessage()), e);
        }
    }
}
