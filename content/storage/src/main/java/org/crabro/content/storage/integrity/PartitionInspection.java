package org.crabro.content.storage.integrity;

import static java.nio.charset.StandardCharsets.UTF_8;

import java.io.IOException;
import java.nio.file.NoSuchFileException;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import java.util.function.Consumer;
import org.crabro.content.storage.block.BlockContents;
import org.crabro.content.storage.dead.GroupTombstone;
import org.crabro.content.storage.dead.GroupTombstones;
import org.crabro.content.storage.dead.RemovedRows;
import org.crabro.content.storage.dead.RunDeadRows;
import org.crabro.content.storage.dead.SupersededRows;
import org.crabro.content.storage.file.CorruptRunException;
import org.crabro.content.storage.journal.Damage;
import org.crabro.content.storage.journal.LogFiles;
import org.crabro.content.storage.layout.RunLayout;
import org.crabro.content.storage.manifest.ManifestSnapshot;
import org.crabro.content.storage.manifest.ManifestState;
import org.crabro.content.storage.manifest.RunEntry;
import org.crabro.content.storage.run.RunFile;
import org.crabro.content.storage.run.RunSection;
import org.crabro.content.storage.run.StoredTypes;
import org.crabro.document.InvalidDocumentException;

/**
 * Inspects the log of a partition without changing it, also while a node writes it. All files of
 * the manifest are opened before the first report, so that the report is consistent. Memory grows
 * by a bit per row, and with the number of runs.
 */
public final class PartitionInspection {
    /**
     * The number of attempts to open all files, because a running node may remove some meanwhile.
     */
    private static final int TRIES = 20;

    /**
     * The options of an inspection.
     *
     * @param verifies whether every checksum is checked, which reads all bytes
     * @param tellsBlocks whether blocks are reported
     */
    public record Options(boolean verifies, boolean tellsBlocks) {}

    private final LogFiles files;
    private final int partition;
    private final String directory;
    private final StoredTypes types;
    private final Options options;
    private final RunReport report;

    // From old to young; only runs that could be opened.
    private final Map<Long, RunFile> runs = new LinkedHashMap<>();
    private final Map<Long, RunDeadRows> dead = new HashMap<>();
    private final List<Damage> damage = new ArrayList<>();

    /**
     * @param directory of the partition, in the data directory
     */
    public PartitionInspection(
            LogFiles files,
            int partition,
            String directory,
            StoredTypes types,
            Options options,
            RunReport report) {
        this.files = files;
        this.partition = partition;
        this.directory = directory;
        this.types = types;
        this.options = options;
        this.report = report;
    }

    /** Reports the whole partition. */
    public void run(ColumnTotals columns, LargestGroups groups) throws IOException {
        try {
            ManifestSnapshot manifest = open();
            tell(manifest);
            tellDamage();
            Map<Long, Unseen> unseen = findDeadRows(manifest.state());
            tellDamage();
            for (RunEntry entry : manifest.state().runs()) {
                RunFile run = runs.get(entry.number());
                Unseen rows = unseen.get(entry.number());
                if (run != null && rows != null) {
                    report.run(summary(entry, run, rows));
                    look(run, entry.number(), columns);
                    tellDamage();
                }
            }
            if (groups.isWanted()) {
                Consumer<Damage> sink = options.verifies() ? _ -> {} : damage::add;
                var merge = new GroupMerge(groups, sink);
                runs.forEach((number, run) -> merge.add(run, deadOf(number)));
                merge.run(partition);
                tellDamage();
            }
        } finally {
            close();
        }
    }

    private ManifestSnapshot open() throws IOException {
        for (int tries = 1; ; tries++) {
            ManifestSnapshot manifest = ManifestSnapshot.read(files, directory);
            if (openAll(manifest.state(), tries == TRIES)) {
                damage.addAll(manifest.damage());
                return manifest;
            }
            close();
        }
    }

    /** Returns whether every file exists, or missing files were reported. */
    private boolean openAll(ManifestState state, boolean tellsMissing) throws IOException {
        for (RunEntry entry : state.runs()) {
            String path = directory + "/" + entry.fileName();
            try {
                RunFile run = RunFile.open(files, path, entry.number(), types);
                runs.put(entry.number(), run);
                checkEntry(entry, run);
            } catch (NoSuchFileException e) {
                boolean isNamedStill =
                        ManifestSnapshot.read(files, directory).state().runs().contains(entry);
                if (!isNamedStill && !tellsMissing) {
                    return false;
                }
                damage.add(new Damage(path, 0, "the file that the manifest lists", "none"));
            } catch (CorruptRunException e) {
                damage.add(e.damage());
            } catch (IOException e) {
                damage.add(
                        new Damage(
                                path,
                                0,
                                "a file that can be read",
                                String.valueOf(e.getMessage())));
            }
        }
        return true;
    }

    private void checkEntry(RunEntry entry, RunFile run) {
        if (run.byteCount() != entry.byteCount() || run.reader().rowCount() != entry.rowCount()) {
            damage.add(
                    new Damage(
                            run.path(),
                            0,
                            "%d rows in %d bytes, as in the manifest"
                                    .formatted(entry.rowCount(), entry.byteCount()),
                            "%d rows in %d bytes"
                                    .formatted(run.reader().rowCount(), run.byteCount())));
        }
    }

    private void tell(ManifestSnapshot manifest) throws IOException {
        ManifestState state = manifest.state();
        Set<String> unnamed = new TreeSet<>(files.list(directory));
        unnamed.removeIf(name -> !name.endsWith(RunEntry.SUFFIX));
        state.runs().forEach(run -> unnamed.remove(run.fileName()));
        report.partition(
                new PartitionSummary(
                        partition,
                        summary(state),
                        state.editCount(),
                        new PartitionSummary.Covered(state.covered(), state.lastTimestamp()),
                        unnamed.size()));
    }

    private static PartitionSummary.Runs summary(ManifestState state) {
        return new PartitionSummary.Runs(
                state.runs().size(),
                (int) state.runs().stream().mapToLong(RunEntry::tier).distinct().count(),
                state.merges().size(),
                state.runs().stream().mapToLong(RunEntry::byteCount).sum());
    }

    /** The dead rows of a run, each counted by the first reason that applies. */
    private record Unseen(
            long merged, long replaced, long tombstones, long supersedes, long groupTombstones) {}

    private Map<Long, Unseen> findDeadRows(ManifestState state) {
        Map<Long, Integer> merged = new HashMap<>();
        for (RunEntry entry : state.runs()) {
            RunFile run = runs.get(entry.number());
            if (run != null) {
                var bits = new RunDeadRows(run.sections());
                dead.put(entry.number(), bits);
                guarded(run, () -> addMerged(entry, run, bits));
                merged.put(entry.number(), bits.count());
            }
        }
        Map<Long, Integer> supersedes = new HashMap<>();
        runs.forEach((number, run) -> guarded(run, () -> supersedes.put(number, addReplaced(run))));
        Map<Long, Integer> groups = new HashMap<>();
        runs.forEach((number, run) -> guarded(run, () -> groups.put(number, addRemoved(run))));
        Map<Long, Unseen> unseen = new HashMap<>();
        runs.forEach((number, run) -> {
            RunDeadRows bits = deadOf(number);
            int before = bits.count();
            guarded(run, () -> add(run, run.reader().tombstones(), bits));
            int mergedRows = merged.getOrDefault(number, 0);
            unseen.put(
                    number,
                    new Unseen(
                            mergedRows,
                            before - mergedRows,
                            bits.count() - before,
                            supersedes.getOrDefault(number, 0),
                            groups.getOrDefault(number, 0)));
        });
        return unseen;
    }

    /** Runs {@code reading}, which reads a mapping, and reports a failure. */
    private void guarded(RunFile run, Runnable reading) {
        try {
            reading.run();
        } catch (CorruptRunException e) {
            damage.add(e.damage());
        } catch (InternalError e) {
            damage.add(RunFile.unreadable(run.path(), e).damage());
        }
    }

    private RunDeadRows deadOf(long number) {
        return dead.computeIfAbsent(number, _ -> new RunDeadRows(List.of()));
    }

    /** Marks the rows that are outside the bounds of the manifest. */
    private static void addMerged(RunEntry entry, RunFile run, RunDeadRows bits) {
        if (entry.isWhole()) {
            return;
        }
        for (RunSection section : run.sections()) {
            long first = RunLayout.address(section.firstBlock(), 0);
            long end = RunLayout.address(section.firstBlock() + section.blockCount(), 0);
            if (entry.first() != entry.stored().first()) {
                bits.addRange(first, section.firstNotBelow(entry.first()));
            }
            if (entry.last() != entry.stored().last()) {
                bits.addRange(section.firstAbove(entry.last()), end);
            }
        }
    }

    /** Marks the rows that a run replaces; returns the number of its entries. */
    private int addReplaced(RunFile run) {
        SupersededRows superseded = run.reader().superseded();
        int wrong = 0;
        for (int i = 0; i < superseded.count(); i++) {
            // Rows of deleted runs stay listed until the listing run is deleted, too.
            RunDeadRows bits = dead.get(superseded.run(i));
            boolean isKnown = RunLayout.row(superseded.address(i)) != RunLayout.ANY_ROW;
            if (bits != null && isKnown && !bits.add(superseded.address(i))) {
                wrong++;
            }
        }
        tellWrong(run, "superseded rows that older runs have", wrong);
        return superseded.count();
    }

    /** Marks the rows that a run removes with their groups; returns the number of these groups. */
    private int addRemoved(RunFile run) {
        RemovedRows removed = run.reader().removed();
        int wrong = 0;
        for (int i = 0; i < removed.count(); i++) {
            // Rows of deleted runs stay listed here, too.
            RunDeadRows bits = dead.get(removed.run(i));
            if (bits != null && !bits.add(removed.rows(i))) {
                wrong++;
            }
        }
        tellWrong(run, "removed rows that older runs have", wrong);
        GroupTombstones tombstones = run.reader().groupTombstones();
        tellWrong(run, "group tombstones in order, each of a group", wrongGroups(tombstones));
        return tombstones.count();
    }

    private static int wrongGroups(GroupTombstones tombstones) {
        int wrong = 0;
        for (int i = 0; i < tombstones.count(); i++) {
            try {
                GroupTombstone tombstone = tombstones.get(i);
                boolean isBehind =
                        i == 0
                                || tombstones.compare(
                                                i - 1,
                                                tombstones.place(i),
                                                tombstone.text().getBytes(UTF_8))
                                        < 0;
                if (!isBehind || tombstone.bounds().place() != tombstones.place(i)) {
                    wrong++;
                }
            } catch (InvalidDocumentException _) {
                wrong++;
            }
        }
        return wrong;
    }

    private void add(RunFile run, long[] tombstones, RunDeadRows bits) {
        int wrong = 0;
        for (long address : tombstones) {
            if (!bits.add(address)) {
                wrong++;
            }
        }
        tellWrong(run, "tombstones in rows that the run has", wrong);
    }

    private void tellWrong(RunFile run, String expected, int count) {
        if (count > 0) {
            damage.add(
                    new Damage(
                            run.path(),
                            run.byteCount() - RunLayout.FOOTER_SIZE,
                            expected,
                            "%d that are not".formatted(count)));
        }
    }

    private RunSummary summary(RunEntry entry, RunFile run, Unseen unseen) {
        long live = entry.rowCount() - unseen.merged() - unseen.replaced() - unseen.tombstones();
        long blocks = run.sections().stream().mapToLong(RunSection::blockCount).sum();
        return new RunSummary(
                new RunSummary.Origin(partition, entry.number(), entry.tier(), entry.created()),
                new RunSummary.StoredFile(run.path(), run.byteCount(), blocks),
                new RunSummary.Rows(
                        entry.rowCount(),
                        live,
                        unseen.merged(),
                        unseen.tombstones(),
                        unseen.replaced()),
                new RunSummary.Older(unseen.supersedes(), unseen.groupTombstones()),
                new RunSummary.Places(entry.stored().first(), entry.stored().last()),
                run.sections().stream().map(section -> section.type().name()).toList());
    }

    /** Carries an exception of a report out of the iteration over blocks. */
    private static final class ReportException extends RuntimeException {
        private static final long serialVersionUID = 1;

        private final transient IOException reason;

        private ReportException(IOException reason) {
            super(reason);
            this.reason = reason;
        }
    }

    private void look(RunFile run, long number, ColumnTotals columns) throws IOException {
        RunCheck.Blocks blocks =
                (section, index, contents) -> {
                    columns.add(contents);
                    if (options.tellsBlocks()) {
                        try {
                            report.block(summary(number, section, index, contents));
                        } catch (IOException e) {
                            throw new ReportException(e);
                        }
                    }
                };
        try {
            new RunCheck(run, options.verifies(), damage::add, RunCheck.Pace.UNBOUNDED, blocks)
                    .run();
        } catch (ReportException e) {
            throw e.reason;
        }
    }

    private BlockSummary summary(
            long number, RunSection section, int index, BlockContents contents) {
        var chunks = new ArrayList<BlockSummary.Chunk>();
        for (int i = 0; i < contents.chunkCount(); i++) {
            chunks.add(
                    new BlockSummary.Chunk(
                            contents.field(i), contents.encodingName(i), contents.length(i)));
        }
        return new BlockSummary(
                new BlockSummary.Origin(partition, number, section.firstBlock() + index),
                section.type().name(),
                section.offset(index),
                section.byteCount(index),
                section.rowCount(index),
                chunks);
    }

    private void tellDamage() throws IOException {
        for (Damage each : damage) {
            report.damage(each);
        }
        damage.clear();
    }

    private void close() throws IOException {
        for (RunFile run : runs.values()) {
            run.close();
        }
        runs.clear();
        dead.clear();
        damage.clear();
    }
}
