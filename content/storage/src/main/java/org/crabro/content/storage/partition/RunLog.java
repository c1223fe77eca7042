package org.crabro.content.storage.partition;

import java.io.IOException;
import java.io.InterruptedIOException;
import java.time.InstantSource;
import java.util.HashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.LongAdder;
import java.util.function.BooleanSupplier;
import java.util.function.Consumer;
import java.util.function.UnaryOperator;
import org.crabro.content.storage.file.CorruptRunException;
import org.crabro.content.storage.file.DamageRegister;
import org.crabro.content.storage.graph.GraphSources;
import org.crabro.content.storage.graph.StoredGraph;
import org.crabro.content.storage.index.BuildResources;
import org.crabro.content.storage.index.IndexSettings;
import org.crabro.content.storage.index.IndexedRun;
import org.crabro.content.storage.journal.Damage;
import org.crabro.content.storage.journal.FileTransfer;
import org.crabro.content.storage.journal.LogFiles;
import org.crabro.content.storage.journal.LogFiles.LogFile;
import org.crabro.content.storage.journal.LostFiles;
import org.crabro.content.storage.manifest.LogExtent;
import org.crabro.content.storage.manifest.Manifest;
import org.crabro.content.storage.manifest.ManifestEdit;
import org.crabro.content.storage.manifest.ManifestState;
import org.crabro.content.storage.manifest.RunChanges;
import org.crabro.content.storage.manifest.RunEntry;
import org.crabro.content.storage.merge.CompactionPace;
import org.crabro.content.storage.merge.CompactionSettings;
import org.crabro.content.storage.merge.CompactionStep;
import org.crabro.content.storage.merge.MergeChoice;
import org.crabro.content.storage.merge.MergePlan;
import org.crabro.content.storage.merge.PacedFile;
import org.crabro.content.storage.merge.RunMerge;
import org.crabro.content.storage.run.PublishedRuns;
import org.crabro.content.storage.run.Run;
import org.crabro.content.storage.run.RunPart;
import org.crabro.content.storage.run.RunSection;
import org.crabro.content.storage.run.RunView;
import org.crabro.content.storage.run.RunWriter;
import org.crabro.content.storage.run.StoredTypes;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The log of one partition: its runs, the manifest that lists them, and the runs that new views
 * see. One thread at a time adds or merges runs; any number of threads read.
 *
 * <p>Each change writes a run, appends an edit to the manifest, and then publishes.
 *
 * {@snippet :
 * log.add(
 *         run -> {
 *             run.begin(type);
 *             for (MemorySegment row : rowsInKeyOrder) {
 *                 run.add(RowKey.of(RowEncoding.id(row)), row);
 *             }
 *         },
 *         covered,
 *         lastTimestamp,
 *         now);
 * }
 */
public final class RunLog implements AutoCloseable {
    private static final Logger LOG = LoggerFactory.getLogger(RunLog.class);

    /** Writes the rows of a run. */
    @FunctionalInterface
    public interface Contents {
        /** Adds every row to {@code run}: type by type, in key order. */
        void writeTo(RunWriter run) throws IOException;
    }

    private final LogFiles files;
    private final String directory;
    private final StoredTypes types;
    private final DamageRegister damage;
    private final Manifest manifest;
    private final AtomicInteger waiting = new AtomicInteger();
    private final LongAdder addedBytes = new LongAdder();

    /** Files that could not be merged because they are damaged. Guarded by this. */
    private final Set<String> unreadable = new HashSet<>();

    /** Held while an index is opened or built: one at a time. */
    private final Object indexing = new Object();

    private long lastNumber;
    private Consumer<LogExtent> listener = _ -> {};
    private volatile boolean isMerging;

    /** Set before the log is released: a merge or a build that begins later does nothing. */
    private volatile boolean isClosed;

    private volatile ManifestState state;
    private volatile PublishedRuns published;

    private RunLog(
            LogFiles files,
            String directory,
            StoredTypes types,
            DamageRegister damage,
            Manifest manifest,
            PublishedRuns published) {
        this.files = files;
        this.directory = directory;
        this.types = types;
        this.damage = damage;
        this.manifest = manifest;
        this.published = published;
        this.state = manifest.state();
        this.lastNumber = state.lastNumber();
    }

    /** Opens the log in {@code directory}, without known damage of its files. */
    public static RunLog open(LogFiles files, String directory, StoredTypes types)
            throws IOException {
        return open(
                files,
                directory,
                types,
                new DamageRegister(),
                new LostFiles(files, InstantSource.system()),
                Optional.empty());
    }

    /**
     * Opens the log in {@code directory}, or creates an empty one.
     *
     * @param directory of the partition, in the data directory
     * @param damage receives unreadable parts; its known damage is not read again
     * @param lost receives run files that the manifest does not list
     * @param least the minimum progress of the log; empty if unknown
     * @throws CorruptRunException if the manifest is damaged, or a run is missing. A run whose
     *     footer, index of parts or listed part is damaged is {@linkplain #setAside set aside}
     */
    public static RunLog open(
            LogFiles files,
            String directory,
            StoredTypes types,
            DamageRegister damage,
            LostFiles lost,
            Optional<LogExtent> least)
            throws IOException {
        Manifest manifest = Manifest.open(files, directory, lost);
        boolean isOpen = false;
        try {
            if (least.isPresent()) {
                check(directory, LogExtent.of(manifest.state()), least.get());
            } else {
                manifest.makeDurable();
            }
            var unnamed = OrphanRuns.find(files, directory, manifest.state());
            unnamed.check(manifest.path());
            PublishedRuns runs = openRuns(files, directory, types, damage, manifest.state());
            var opened = new RunLog(files, directory, types, damage, manifest, runs);
            try {
                unnamed.moveTo(lost);
                opened.deleteOtherIndexes();
                isOpen = true;
                return opened;
            } finally {
                if (!isOpen) {
                    runs.release();
                }
            }
        } finally {
            if (!isOpen) {
                manifest.close();
            }
        }
    }

    public static void check(String directory, LogExtent extent, LogExtent least)
            throws IOException {
        if (!extent.isNotBefore(least)) {
            throw PartitionList.refused(
                    "%s: expected a manifest with at least %d edits, up to journal position %d and run %d, found %d edits, up to position %d and run %d: an older copy, or that of another partition"
                            .formatted(
                                    directory,
                                    least.edits(),
                                    least.covered(),
                                    least.lastNumber(),
                                    extent.edits(),
                                    extent.covered(),
                                    extent.lastNumber()));
        }
    }

    /** Reports the progress of the log to {@code listener} whenever a change is durable. */
    public synchronized void reportTo(Consumer<LogExtent> listener) {
        this.listener = listener;
    }

    /** Returns the durable progress of the log. */
    public LogExtent extent() {
        return LogExtent.of(state);
    }

    /**
     * Checks that every run in {@code state} can be opened, and none is set aside.
     *
     * @throws CorruptRunException if one cannot
     */
    public static void checkRuns(
            LogFiles files, String directory, ManifestState state, StoredTypes types)
            throws IOException {
        PublishedRuns runs = openRuns(files, directory, types, new DamageRegister(), state);
        List<Damage> lost = runs.lost();
        runs.release();
        if (!lost.isEmpty()) {
            throw new CorruptRunException(lost.getFirst());
        }
    }

    private static PublishedRuns openRuns(
            LogFiles files,
            String directory,
            StoredTypes types,
            DamageRegister damage,
            ManifestState state)
            throws IOException {
        Set<String> names = new HashSet<>(files.list(directory));
        PublishedRuns runs = PublishedRuns.none();
        boolean isOpen = false;
        try {
            for (RunEntry entry : state.runs()) {
                String path = directory + "/" + entry.fileName();
                if (!names.contains(entry.fileName())) {
                    throw new CorruptRunException(
                            path, 0, "the file that the manifest lists", "none");
                }
                Run run = Run.open(files, path, entry, types, damage);
                for (Damage reason : run.lost().reasons()) {
                    damage.add(reason);
                    LOG.error("A run is set aside, its file is not moved: {}", reason);
                }
                runs = with(runs, run, entry);
            }
            isOpen = true;
            return runs;
        } finally {
            if (!isOpen) {
                runs.release();
            }
        }
    }

    /** Takes over both references: the result holds the run, and {@code runs} is released. */
    private static PublishedRuns with(PublishedRuns runs, Run younger, RunEntry entry) {
        try {
            PublishedRuns all = runs.with(RunPart.of(younger, entry));
            runs.release();
            return all;
        } finally {
            younger.release();
        }
    }

    /**
     * Returns a view of the current runs. Close it after a slice of work.
     *
     * @throws IllegalStateException if this was closed
     */
    public RunView acquire() {
        return new RunView(hold());
    }

    private PublishedRuns hold() {
        while (true) {
            PublishedRuns runs = published;
            if (runs.tryHold()) {
                return runs;
            }
            // Released runs were replaced before, unless the log was closed.
            if (runs == published) {
                throw new IllegalStateException(directory + " is closed");
            }
        }
    }

    /**
     * Copies the log as of one moment, while readers and writers continue.
     *
     * @return that moment
     */
    public BackupMoment backup(FileTransfer transfer) throws IOException {
        return PartitionBackup.write(directory, () -> state, transfer);
    }

    /** Returns the runs that the manifest currently lists. */
    public List<RunName> names() {
        return state.runs().stream()
                .map(run -> new RunName(directory + "/" + run.fileName(), run.number()))
                .toList();
    }

    /**
     * Returns the damage of runs that are set aside: runs whose footer, index or sections could not
     * be read when this was opened. Queries and gets omit their rows, and rows of older runs that
     * these rows may replace.
     */
    public List<Damage> setAside() {
        return published.lost();
    }

    /** Returns the journal position up to which all rows are in runs; initially 0. */
    public long covered() {
        return state.covered();
    }

    /** Returns the highest timestamp up to {@link #covered()}, microseconds since the epoch. */
    public long lastTimestamp() {
        return state.lastTimestamp();
    }

    /**
     * Adds a run that is newer than all others. When this returns, it is durable, listed in the
     * manifest, and visible in every later view. If there is no row, only the position is recorded.
     *
     * @param covered the journal position up to which all rows are in runs now
     * @param lastTimestamp the highest timestamp up to there
     * @param created the current time, microseconds since the epoch
     * @throws IOException if the run could not be made durable. Views are unchanged; the run may or
     *     may not exist when the log is opened again. If the manifest failed, the log must be
     *     opened again before more runs are added
     */
    public void add(Contents contents, long covered, long lastTimestamp, long created)
            throws IOException {
        waiting.incrementAndGet();
        try {
            addNow(contents, covered, lastTimestamp, created);
        } finally {
            waiting.decrementAndGet();
        }
    }

    private synchronized void addNow(
            Contents contents, long covered, long lastTimestamp, long created) throws IOException {
        manifest.checkAppendable();
        lastNumber++;
        // The newest tier: numbers only rise, and a merged run has the tier of its newest input.
        long tier = lastNumber;
        Optional<RunPart> added =
                write(contents, published.parts(), tier, created, UnaryOperator.identity());
        var edit =
                new ManifestEdit(
                        covered,
                        lastTimestamp,
                        lastNumber,
                        new RunChanges(
                                List.of(), List.of(), added.map(RunPart::entry).stream().toList()),
                        state.merges());
        PublishedRuns after;
        try {
            after =
                    added.isPresent()
                            ? published.with(added.get())
                            : published.after(state, List.of());
        } finally {
            added.ifPresent(part -> part.run().release());
        }
        commit(edit, after);
        addedBytes.add(added.map(part -> part.entry().byteCount()).orElse(0L));
    }

    /** Returns the bytes of all runs that were added since this was opened, without merged ones. */
    public long addedBytes() {
        return addedBytes.sum();
    }

    /** Returns the number of tiers: the maximum number of runs that a reader of a group uses. */
    public int tierCount() {
        return (int) state.runs().stream().mapToLong(RunEntry::tier).distinct().count();
    }

    /**
     * Does one step of a merge, if one is due. It merges neighbouring tiers of similar size. It
     * also rewrites a run whose texts are searched differently now, or whose dead rows are old. A
     * step merges one range of places, about the size of a file. No run is added meanwhile; readers
     * continue. Damaged runs that cannot be merged are left as they are from then on, and the tiers
     * on either side of them are merged separately.
     *
     * @param now the current time, microseconds since the epoch
     * @return the step; empty if no merge is due
     * @throws IOException if it failed. Then the log is unchanged, unless the manifest failed, or
     *     obsolete files could not be deleted; these are deleted when the log is opened again
     */
    public synchronized Optional<CompactionStep> compact(
            CompactionSettings settings, CompactionPace pace, long now) throws IOException {
        if (isClosed) {
            return Optional.empty();
        }
        manifest.checkAppendable();
        try {
            Optional<MergeChoice> choice = nextMerge(settings, now);
            // Only now: a look that finds nothing to do is no merge.
            isMerging = choice.isPresent();
            return isMerging
                    ? Optional.of(compactNow(choice.get(), settings, pace, now))
                    : Optional.empty();
        } catch (CorruptRunException e) {
            unreadable.add(e.file());
            damage.add(e.damage());
            throw e;
        } finally {
            isMerging = false;
        }
    }

    /**
     * Returns whether {@link #compact} does a step now, or would do one. Waits for a run that is
     * being added.
     *
     * @param now the current time, microseconds since the epoch
     */
    public boolean isMergeDue(CompactionSettings settings, long now) {
        return isMerging || nextMerge(settings, now).isPresent();
    }

    private synchronized Optional<MergeChoice> nextMerge(CompactionSettings settings, long now) {
        return isClosed
                ? Optional.empty()
                : MergeChoice.next(
                        published.parts(),
                        state.merges(),
                        settings,
                        types,
                        now,
                        this::isUnreadable);
    }

    /**
     * Opens or builds one index that rows of a run should have, and do not have. Readers and
     * writers continue.
     *
     * @param resources for the graphs of all partitions
     * @param isClosing ends the build when it returns true
     * @return whether an index was missing
     * @throws IOException if it could not be built; searches scan the rows
     */
    public boolean index(
            IndexSettings settings, BuildResources resources, BooleanSupplier isClosing)
            throws IOException {
        synchronized (indexing) {
            if (isClosed) {
                return false;
            }
            PublishedRuns runs = hold();
            try {
                Optional<MissingIndex> missing = MissingIndex.find(runs.parts(), types, settings);
                BooleanSupplier isEnding = () -> isClosed || isClosing.getAsBoolean();
                if (missing.isPresent()) {
                    missing.get().make(files, directory, settings, isEnding, this::publish);
                    return true;
                }
                Optional<MissingGraph> graph = MissingGraph.find(runs.parts(), types, settings);
                if (graph.isPresent()) {
                    graph.get().make(files, directory, resources, isEnding, this::publish);
                    return true;
                }
                for (RunPart part : runs.parts()) {
                    part.run().sections().forEach(RunSection::dropSources);
                }
                return false;
            } catch (InterruptedIOException e) {
                if (isClosing.getAsBoolean()) {
                    throw e;
                }
                // Only this log is being closed.
                return false;
            } finally {
                runs.release();
            }
        }
    }

    private synchronized void publish(MissingIndex index, String finished, String path)
            throws IOException {
        if (isMoved(index.run(), finished, path) && !index.attach(files, path)) {
            throw new IOException(path + " cannot be read after it was written");
        }
    }

    private synchronized void publish(MissingGraph graph, String finished, String path)
            throws IOException {
        if (isMoved(graph.run(), finished, path) && !graph.attach(files, path)) {
            throw new IOException(path + " cannot be read after it was written");
        }
    }

    /** Moves a file to its place; deletes it and returns false if its run is not listed. */
    private boolean isMoved(IndexedRun of, String finished, String path) throws IOException {
        boolean isListed = state.runs().stream().anyMatch(run -> run.number() == of.number());
        if (isListed) {
            files.move(finished, path);
        } else {
            files.delete(finished);
        }
        return isListed;
    }

    /** Deletes indexes of runs that the manifest does not list, and unfinished ones. */
    private void deleteOtherIndexes() throws IOException {
        for (String name : files.list(directory)) {
            boolean isListed =
                    isFinished(name)
                            && state.runs().stream()
                                    .anyMatch(run ->
                                            name.startsWith(IndexedRun.prefix(run.number())));
            if ((IndexedRun.isName(name) || StoredGraph.isName(name)) && !isListed) {
                files.delete(directory + "/" + name);
            }
        }
    }

    /** Returns whether a file is a finished index, or finished graphs. */
    private static boolean isFinished(String name) {
        return name.endsWith(IndexedRun.SUFFIX) || name.endsWith(StoredGraph.SUFFIX);
    }

    /** Returns whether a run is being added or merged, so that a merge would have to wait. */
    public boolean isBusy() {
        return isMerging || waiting.get() > 0;
    }

    private CompactionStep compactNow(
            MergeChoice choice, CompactionSettings settings, CompactionPace pace, long now)
            throws IOException {
        MergePlan plan = MergePlan.of(choice.runs(), published.parts(), settings.fileBytes());
        var merge =
                new RunMerge(
                        plan,
                        published.parts(),
                        now - settings.removeRetention().toNanos() / 1_000);
        checkRoom(plan);
        lastNumber++;
        Optional<RunPart> merged =
                write(
                        merge::writeTo,
                        List.of(),
                        plan.tier(),
                        now,
                        file -> new PacedFile(file, pace, () -> waiting.get() > 0));
        var edit =
                new ManifestEdit(
                        state.covered(),
                        state.lastTimestamp(),
                        lastNumber,
                        new RunChanges(
                                plan.removed(),
                                plan.bounded(),
                                merged.map(RunPart::entry).stream().toList()),
                        choice.mergesAfter(state.merges(), plan));
        PublishedRuns after;
        try {
            merged.ifPresent(part -> keepGraphs(part.run(), merge));
            after = published.after(state.after(edit), merged.stream().toList());
        } finally {
            merged.ifPresent(part -> part.run().release());
        }
        commit(edit, after);
        delete(plan.removed());
        return new CompactionStep(
                plan.inputs().size(),
                merge.bytesRead(),
                merged.map(part -> part.entry().byteCount()).orElse(0L),
                merge.rowsDropped());
    }

    /** Keeps the graphs of merged rows for those of the new run. */
    private void keepGraphs(Run merged, RunMerge merge) {
        long room = GraphSources.ROWS_MAX;
        for (RunPart part : published.parts()) {
            for (RunSection section : part.run().sections()) {
                room -= section.sources().rowCount();
            }
        }
        for (RunSection section : merged.sections()) {
            GraphSources sources = merge.graphs(section.fingerprint(), room);
            section.keepSources(sources);
            room -= sources.rowCount();
        }
    }

    /**
     * Returns whether merging a run is known to fail, until a check of the whole file finds no
     * error, or this is opened again. It always fails if the run is set aside, or if a newer run
     * does not know which rows of it are replaced.
     */
    private boolean isUnreadable(RunPart part) {
        String file = part.run().file();
        return part.hasUnknown()
                || !part.run().lost().reasons().isEmpty()
                || (unreadable.contains(file) && damage.isDamaged(file));
    }

    /** Checks the free space, because a merge frees its inputs only after it wrote its output. */
    private void checkRoom(MergePlan plan) throws IOException {
        long needed = plan.byteCount();
        long free = files.freeBytes();
        if (free < needed) {
            throw new IOException(
                    "no room to merge runs of %s: up to %d bytes are needed, %d are free"
                            .formatted(directory, needed, free));
        }
    }

    /**
     * Writes the run {@link #lastNumber} and maps it. If it could not be written, or has no row,
     * its file is deleted.
     *
     * @return with a reference for the caller
     */
    private Optional<RunPart> write(
            Contents contents,
            List<RunPart> older,
            long tier,
            long created,
            UnaryOperator<LogFile> paced)
            throws IOException {
        String path = directory + "/" + RunEntry.fileName(lastNumber);
        try {
            Optional<RunEntry> entry = write(path, contents, older, tier, created, paced);
            if (entry.isPresent()) {
                Run run = Run.open(files, path, entry.get(), types, damage);
                List<Damage> lost = run.lost().reasons();
                if (!lost.isEmpty()) {
                    run.release();
                    throw new CorruptRunException(lost.getFirst());
                }
                return Optional.of(RunPart.of(run, entry.get()));
            }
        } catch (IOException | RuntimeException e) {
            try {
                files.delete(path);
            } catch (IOException left) {
                e.addSuppressed(left);
            }
            throw e;
        }
        files.delete(path);
        return Optional.empty();
    }

    /** Returns when the file and its name are on the device; empty if it has no row. */
    private Optional<RunEntry> write(
            String path,
            Contents contents,
            List<RunPart> older,
            long tier,
            long created,
            UnaryOperator<LogFile> paced)
            throws IOException {
        try (LogFile file = files.create(path)) {
            var writer = new RunWriter(paced.apply(file), lastNumber, older, types);
            contents.writeTo(writer);
            if (writer.isEmpty()) {
                return Optional.empty();
            }
            RunEntry entry = writer.finish(tier, created);
            files.forceDirectory(directory);
            return Optional.of(entry);
        }
    }

    /** Makes an edit durable, and publishes the new runs to readers. */
    private void commit(ManifestEdit edit, PublishedRuns after) throws IOException {
        boolean isDurable = false;
        try {
            manifest.append(edit);
            isDurable = true;
        } finally {
            if (!isDurable) {
                after.release();
            }
        }
        state = manifest.state();
        PublishedRuns before = published;
        published = after;
        before.release();
        listener.accept(LogExtent.of(state));
    }

    /** Deletes files that no edit lists any more; open views keep using them. */
    private void delete(List<Long> numbers) throws IOException {
        for (long number : numbers) {
            String path = directory + "/" + RunEntry.fileName(number);
            files.delete(path);
            damage.forget(path);
            unreadable.remove(path);
        }
        for (String name : files.list(directory)) {
            if (isFinished(name)
                    && numbers.stream().anyMatch(run -> name.startsWith(IndexedRun.prefix(run)))) {
                files.delete(directory + "/" + name);
            }
        }
    }

    /** Releases the runs; runs of open views stay mapped until those are closed. */
    @Override
    public void close() throws IOException {
        isClosed = true;
        // A build ends soon. Its files are deleted before the directory may be replaced.
        synchronized (indexing) {
            release();
        }
    }

    private synchronized void release() throws IOException {
        published.release();
        manifest.close();
    }
}
