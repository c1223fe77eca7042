package org.crabro.content.run;

import java.io.IOException;
import java.util.HashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import org.crabro.content.journal.LogFiles;
import org.crabro.content.journal.LogFiles.LogFile;

/**
 * The log of one partition: a row of runs, the manifest that names them, and what readers see of
 * them. One thread at a time adds runs, any number reads.
 *
 * {@snippet :
 * log.add(
 *         run -> {
 *             run.begin(type);
 *             for (MemorySegment row : rowsInKeyOrder) {
 *                 run.add(SortKey.of(RowEncoding.id(row)), row);
 *             }
 *         },
 *         covered,
 *         lastTimestamp,
 *         now);
 * }
 */
public final class RunLog implements AutoCloseable {
    /** Writes the rows of a run. */
    @FunctionalInterface
    public interface Contents {
        /** Adds every row to {@code run}: type by type, in key order. */
        void writeTo(RunWriter run) throws IOException;
    }

    private final LogFiles files;
    private final String directory;
    private final StoredTypes types;
    private final Manifest manifest;
    private long lastNumber;
    private volatile ManifestState state;
    private volatile PublishedRuns published;

    private RunLog(
            LogFiles files,
            String directory,
            StoredTypes types,
            Manifest manifest,
            PublishedRuns published) {
        this.files = files;
        this.directory = directory;
        this.types = types;
        this.manifest = manifest;
        this.published = published;
        this.state = manifest.state();
        this.lastNumber = state.lastNumber();
    }

    /**
     * Opens the log in {@code directory}, an empty one where there is none, and deletes runs that
     * the manifest does not name.
     *
     * @param directory of the partition, in the data directory
     * @throws CorruptRunException if the manifest, or what a run says of itself, is not as it was
     *     written
     */
    public static RunLog open(LogFiles files, String directory, StoredTypes types)
            throws IOException {
        Manifest manifest = Manifest.open(files, directory);
        boolean isOpen = false;
        try {
            PublishedRuns runs = openRuns(files, directory, types, manifest);
            isOpen = true;
            return new RunLog(files, directory, types, manifest, runs);
        } finally {
            if (!isOpen) {
                manifest.close();
            }
        }
    }

    private static PublishedRuns openRuns(
            LogFiles files, String directory, StoredTypes types, Manifest manifest)
            throws IOException {
        Set<String> names = new HashSet<>(files.list(directory));
        Set<String> named = new HashSet<>();
        PublishedRuns runs = PublishedRuns.none();
        boolean isOpen = false;
        try {
            for (RunEntry entry : manifest.state().runs()) {
                named.add(entry.fileName());
                String path = directory + "/" + entry.fileName();
                if (!names.contains(entry.fileName())) {
                    throw new CorruptRunException(
                            path, 0, "the file that " + manifest.path() + " names", "none");
                }
                runs = with(runs, open(files, path, entry, types), entry);
            }
            for (String name : files.list(directory)) {
                if (name.endsWith(RunEntry.SUFFIX) && !named.contains(name)) {
                    files.delete(directory + "/" + name);
                }
            }
            isOpen = true;
            return runs;
        } finally {
            if (!isOpen) {
                runs.release();
            }
        }
    }

    private static Run open(LogFiles files, String path, RunEntry entry, StoredTypes types)
            throws IOException {
        Run run = Run.open(files, path, entry.number(), types);
        if (run.byteCount() != entry.byteCount() || run.rowCount() != entry.rowCount()) {
            run.release();
            throw new CorruptRunException(
                    path,
                    0,
                    "%d rows in %d bytes, as the manifest says"
                            .formatted(entry.rowCount(), entry.byteCount()),
                    "%d rows in %d bytes".formatted(run.rowCount(), run.byteCount()));
        }
        return run;
    }

    /** Takes over both: what is returned holds the run, and {@code runs} is let go. */
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
     * Returns what is there now. The view is to be closed after a slice of work.
     *
     * @throws IllegalStateException if this was closed
     */
    public RunView acquire() {
        while (true) {
            PublishedRuns runs = published;
            if (runs.tryHold()) {
                return new RunView(runs);
            }
            // What is let go of was replaced before, unless the log was closed.
            if (runs == published) {
                throw new IllegalStateException(directory + " is closed");
            }
        }
    }

    /** Returns the runs that the manifest names now. */
    public List<RunName> names() {
        return state.runs().stream()
                .map(run -> new RunName(directory + "/" + run.fileName(), run.number()))
                .toList();
    }

    /** Returns the journal position up to which everything is in runs; 0 at first. */
    public long covered() {
        return state.covered();
    }

    /** Returns the highest timestamp up to {@link #covered()}, microseconds since the epoch. */
    public long lastTimestamp() {
        return state.lastTimestamp();
    }

    /**
     * Adds a run that is younger than all others. When this returns it is durable, named by the
     * manifest, and seen by every view taken afterwards. Without any row only the position is
     * noted.
     *
     * @param covered the journal position up to which everything is in runs now
     * @param lastTimestamp the highest timestamp up to there
     * @param created the time now, microseconds since the epoch
     * @throws IOException if the run could not be made durable. Views show what they did; the run
     *     may be there or not when the log is opened anew, which it must be before more is added
     *     where the manifest was what failed
     */
    public synchronized void add(Contents contents, long covered, long lastTimestamp, long created)
            throws IOException {
        manifest.checkAppendable();
        lastNumber++;
        String path = directory + "/" + RunEntry.fileName(lastNumber);
        Optional<RunEntry> entry;
        Optional<PublishedRuns> after;
        try {
            entry = write(path, contents, created);
            after = entry.isPresent() ? Optional.of(with(path, entry.get())) : Optional.empty();
        } catch (IOException | RuntimeException e) {
            try {
                files.delete(path);
            } catch (IOException left) {
                e.addSuppressed(left);
            }
            throw e;
        }
        if (entry.isEmpty()) {
            files.delete(path);
        }
        List<RunEntry> added = entry.stream().toList();
        List<OpenMerge> merges = state.merges();
        append(
                new ManifestEdit(
                        covered, lastTimestamp, lastNumber, List.of(), List.of(), added, merges),
                after);
        after.ifPresent(this::publish);
    }

    /** Returns when the file and its name are on the device; nothing where it has no row. */
    private Optional<RunEntry> write(String path, Contents contents, long created)
            throws IOException {
        try (LogFile file = files.create(path)) {
            var writer = new RunWriter(file, lastNumber, published.parts(), types);
            contents.writeTo(writer);
            if (writer.isEmpty()) {
                return Optional.empty();
            }
            // Younger than all: numbers only rise, and a merge keeps the number of its youngest.
            RunEntry entry = writer.finish(lastNumber, created);
            files.forceDirectory(directory);
            return Optional.of(entry);
        }
    }

    private PublishedRuns with(String path, RunEntry entry) throws IOException {
        Run run = open(files, path, entry, types);
        try {
            return published.with(RunPart.of(run, entry));
        } finally {
            run.release();
        }
    }

    private void append(ManifestEdit edit, Optional<PublishedRuns> after) throws IOException {
        boolean isDurable = false;
        try {
            manifest.append(edit);
            isDurable = true;
        } finally {
            if (!isDurable) {
                after.ifPresent(PublishedRuns::release);
            }
        }
        state = manifest.state();
    }

    private void publish(PublishedRuns after) {
        PublishedRuns before = published;
        published = after;
        before.release();
    }

    /** Lets the runs go; those that a view holds stay mapped until it is closed. */
    @Override
    public synchronized void close() throws IOException {
        published.release();
        manifest.close();
    }
}
