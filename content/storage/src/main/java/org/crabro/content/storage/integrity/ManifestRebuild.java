package org.crabro.content.storage.integrity;

import java.io.IOException;
import java.lang.foreign.MemorySegment;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.Iterator;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.NoSuchElementException;
import java.util.Optional;
import java.util.PriorityQueue;
import java.util.Set;
import org.crabro.content.storage.block.EncodedBlock;
import org.crabro.content.storage.block.key.RowKey;
import org.crabro.content.storage.dead.GroupTombstone;
import org.crabro.content.storage.dead.GroupTombstones;
import org.crabro.content.storage.file.CorruptRunException;
import org.crabro.content.storage.journal.Damage;
import org.crabro.content.storage.journal.LogFiles;
import org.crabro.content.storage.journal.LostFiles;
import org.crabro.content.storage.manifest.LogExtent;
import org.crabro.content.storage.manifest.Manifest;
import org.crabro.content.storage.manifest.ManifestEdit;
import org.crabro.content.storage.manifest.ManifestSnapshot;
import org.crabro.content.storage.manifest.ManifestState;
import org.crabro.content.storage.manifest.RunChanges;
import org.crabro.content.storage.manifest.RunEntry;
import org.crabro.content.storage.partition.OrphanRuns;
import org.crabro.content.storage.partition.PartitionList;
import org.crabro.content.storage.partition.PartitionRefusedException;
import org.crabro.content.storage.partition.RunLog;
import org.crabro.content.storage.run.RunFile;
import org.crabro.content.storage.run.RunSection;
import org.crabro.content.storage.run.RunWriter;
import org.crabro.content.storage.run.StoredTypes;
import org.crabro.document.DocumentType;
import org.crabro.document.LocationKey;
import org.crabro.protocol.encoding.Row;
import org.crabro.protocol.encoding.RowEncoding;

/**
 * Makes a manifest for a partition that does not open: reads every run in the directory, and writes
 * the newest version of each document into one new run.
 *
 * <p>The timestamps rise within a partition, so they decide which of two versions is newer. So the
 * order of earlier merges does not matter. The new manifest states that no position of the journal
 * is in runs. The next start therefore replays all of the journal; a version in the journal is
 * newer than one in a run, or the same.
 *
 * <p>It may be stopped at any time and run again. For one thread, while no node uses the directory.
 */
public final class ManifestRebuild {
    /**
     * The findings.
     *
     * @param problem why the partition does not open
     * @param runs the number of runs that could be read, at least in part
     * @param documents in them, without removed documents
     * @param damage the parts that could not be read
     */
    public record Report(String problem, int runs, long documents, List<Damage> damage) {
        public Report {
            damage = List.copyOf(damage);
        }
    }

    private record Group(String documentType, LocationKey key) {}

    private final LogFiles files;
    private final String directory;
    private final StoredTypes types;
    private final Set<Damage> damage = new LinkedHashSet<>();
    private final List<RunFile> runs = new ArrayList<>();
    private final Map<Group, Long> removals = new HashMap<>();
    private long lastTimestamp;
    private long documents;

    private ManifestRebuild(LogFiles files, String directory, StoredTypes types) {
        this.files = files;
        this.directory = directory;
        this.types = types;
    }

    /**
     * Returns why a partition does not open, and the content of its runs.
     *
     * @return empty if it opens
     */
    public static Optional<Report> look(
            LogFiles files, PartitionList list, int partition, String directory, StoredTypes types)
            throws IOException {
        Optional<String> problem = problem(files, list, partition, directory, types);
        if (problem.isEmpty()) {
            return Optional.empty();
        }
        var rebuild = new ManifestRebuild(files, directory, types);
        try {
            rebuild.open();
            rebuild.forEachRow(_ -> {});
            return Optional.of(
                    new Report(
                            problem.get(),
                            rebuild.runs.size(),
                            rebuild.documents,
                            List.copyOf(rebuild.damage)));
        } finally {
            rebuild.close();
        }
    }

    private static Optional<String> problem(
            LogFiles files, PartitionList list, int partition, String directory, StoredTypes types)
            throws IOException {
        try {
            Optional<LogExtent> least = list.check(partition, directory);
            ManifestState state = Manifest.read(files, directory);
            OrphanRuns.find(files, directory, state).check(directory);
            if (least.isPresent()) {
                RunLog.check(directory, LogExtent.of(state), least.get());
            }
            RunLog.checkRuns(files, directory, state, types);
            return Optional.empty();
        } catch (PartitionRefusedException | CorruptRunException e) {
            return Optional.of(String.valueOf(e.getMessage()));
        }
    }

    /**
     * Writes a new run and a manifest that lists only this run. The previous files are moved to
     * {@code lost+found}.
     *
     * @param now microseconds since the epoch
     */
    public static void run(
            LogFiles files,
            PartitionList list,
            int partition,
            String directory,
            StoredTypes types,
            long now)
            throws IOException {
        var rebuild = new ManifestRebuild(files, directory, types);
        ManifestState state;
        try {
            rebuild.open();
            state = rebuild.write(now);
        } finally {
            rebuild.close();
        }
        var lost = new LostFiles(files, java.time.InstantSource.system());
        for (String name : files.list(directory)) {
            if (Manifest.NAME.matcher(name).matches() || name.equals(PartitionList.IDENTITY)) {
                lost.keep(directory + "/" + name, "it was replaced by rebuild-manifest");
            }
        }
        ManifestSnapshot.write(files, directory, state);
        files.forceDirectory(directory);
        OrphanRuns.find(files, directory, state).keepAll(lost);
        list.replace(partition, LogExtent.of(state));
    }

    private void open() throws IOException {
        for (String name : files.list(directory)) {
            Optional<Long> number = OrphanRuns.number(name);
            if (number.isPresent()) {
                try {
                    RunFile run = RunFile.open(files, directory + "/" + name, number.get(), types);
                    runs.add(run);
                    addRemovals(run.reader().groupTombstones());
                } catch (CorruptRunException e) {
                    damage.add(e.damage());
                }
            }
        }
    }

    private void addRemovals(GroupTombstones tombstones) {
        for (int i = 0; i < tombstones.count(); i++) {
            GroupTombstone each = tombstones.get(i);
            lastTimestamp = Math.max(lastTimestamp, each.timestamp());
            removals.merge(
                    new Group(each.documentType(), each.group()), each.timestamp(), Math::max);
        }
    }

    private ManifestState write(long now) throws IOException {
        long number = 1;
        for (String name : files.list(directory)) {
            number = Math.max(number, 1 + OrphanRuns.number(name).orElse(0L));
        }
        String path = directory + "/" + RunEntry.fileName(number);
        List<RunEntry> added = new ArrayList<>();
        try (LogFiles.LogFile file = files.create(path)) {
            var writer = new RunWriter(file, number, List.of(), types);
            writeTo(writer);
            if (!writer.isEmpty()) {
                added.add(writer.finish(number, now));
            }
        }
        if (added.isEmpty()) {
            files.delete(path);
        }
        files.forceDirectory(directory);
        return ManifestState.EMPTY.after(
                new ManifestEdit(
                        0,
                        lastTimestamp,
                        number,
                        new RunChanges(List.of(), List.of(), added),
                        List.of()));
    }

    private void writeTo(RunWriter writer) throws IOException {
        for (DocumentType type : documentTypes().values()) {
            writer.begin(type);
            forEachRow(
                    type.name(),
                    row -> {
                        if (row.fingerprint() == type.fingerprint()) {
                            writer.add(
                                    RowKey.of(row.id()),
                                    MemorySegment.ofArray(RowEncoding.encode(row, type)));
                        }
                    });
        }
    }

    /** Returns the types of the runs' rows, by fingerprint. */
    private Map<Long, DocumentType> documentTypes() {
        Map<Long, DocumentType> byFingerprint = new LinkedHashMap<>();
        for (RunFile run : runs) {
            for (RunSection section : run.sections()) {
                byFingerprint.put(section.fingerprint(), section.type());
            }
        }
        return byFingerprint;
    }

    @FunctionalInterface
    private interface Rows {
        void row(Row row) throws IOException;
    }

    private void forEachRow(Rows rows) throws IOException {
        List<String> names =
                documentTypes().values().stream().map(DocumentType::name).distinct().toList();
        for (String name : names) {
            forEachRow(name, rows);
        }
    }

    /** Passes the newest version of each document of a type, in key order, tombstones included. */
    private void forEachRow(String documentType, Rows rows) throws IOException {
        var heads =
                new PriorityQueue<Head>(
                        Comparator.comparing(Head::key)
                                .thenComparing(Head::timestamp, Comparator.reverseOrder()));
        for (RunFile run : runs) {
            for (RunSection section : run.sections()) {
                if (section.type().name().equals(documentType)) {
                    Head.next(new SectionRows(run, section)).ifPresent(heads::add);
                }
            }
        }
        Optional<RowKey> before = Optional.empty();
        while (!heads.isEmpty()) {
            Head head = heads.remove();
            Row row = head.row();
            lastTimestamp = Math.max(lastTimestamp, row.timestamp());
            if (before.isEmpty() || !before.get().equals(head.key())) {
                before = Optional.of(head.key());
                long removed = removals.getOrDefault(new Group(documentType, row.id().key()), 0L);
                if (row.timestamp() > removed) {
                    documents += row.tombstone() ? 0 : 1;
                    rows.row(row);
                }
            }
            Head.next(head.tail()).ifPresent(heads::add);
        }
    }

    /** The next row of a section, and those after it. */
    private record Head(RowKey key, Row row, SectionRows tail) {
        static Optional<Head> next(SectionRows rows) {
            if (!rows.hasNext()) {
                return Optional.empty();
            }
            Row row = rows.next();
            return Optional.of(new Head(RowKey.of(row.id()), row, rows));
        }

        long timestamp() {
            return row.timestamp();
        }
    }

    /** The rows of a section, without those of unreadable blocks. */
    private final class SectionRows implements Iterator<Row> {
        private final RunFile run;
        private final RunSection section;
        private List<Row> rows = List.of();
        private int nextBlock;
        private int nextRow;

        private SectionRows(RunFile run, RunSection section) {
            this.run = run;
            this.section = section;
        }

        @Override
        public boolean hasNext() {
            while (nextRow == rows.size() && nextBlock < section.blockCount()) {
                rows = rowsOf(nextBlock);
                nextBlock++;
                nextRow = 0;
            }
            return nextRow < rows.size();
        }

        private List<Row> rowsOf(int number) {
            try {
                EncodedBlock block = section.block(number);
                List<Row> read = new ArrayList<>();
                for (int i = 0; i < block.rowCount(); i++) {
                    read.add(block.row(i));
                }
                return read;
            } catch (CorruptRunException e) {
                damage.add(e.damage());
            } catch (InternalError e) {
                damage.add(RunFile.unreadable(run.path(), e).damage());
            }
            return List.of();
        }

        @Override
        public Row next() {
            if (!hasNext()) {
                throw new NoSuchElementException();
            }
            return rows.get(nextRow++);
        }
    }

    private void close() throws IOException {
        for (RunFile run : runs) {
            run.close();
        }
    }
}
