package org.crabro.content.storage.manifest;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Optional;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.crabro.content.storage.file.CorruptRunException;
import org.crabro.content.storage.journal.Damage;
import org.crabro.content.storage.journal.LogFiles;
import org.crabro.content.storage.journal.LostFiles;
import org.crabro.content.storage.layout.BlockBytes;

/**
 * The list of the runs of a partition: edits, appended and forced one by one, in two files with the
 * same content. A run that the manifest does not list is not used, even if its file exists.
 *
 * <p>An edit is complete when both files have it durably. At a start, an edit that only one file
 * has also counts, because it may have been acknowledged. So one file may be damaged anywhere, also
 * in its last edit, without loss, as long as the other is intact. When the files have grown long,
 * they are rewritten, one after the other.
 *
 * <p>For one thread.
 */
public final class Manifest implements AutoCloseable {
    /**
     * A file is rewritten before it exceeds this size, if it is also longer than twice the needed
     * size.
     */
    static final long FILE_BYTES = 64 << 10;

    static final String PREFIX = "manifest.";
    public static final Pattern NAME = Pattern.compile("manifest\\.(\\d{1,18})");

    private final LogFiles files;
    private final String directory;
    private final List<ManifestFile> copies;
    private ManifestState state;
    private long lastFile;
    private boolean isBroken;

    private Manifest(
            LogFiles files,
            String directory,
            List<ManifestFile> copies,
            ManifestState state,
            long lastFile) {
        this.files = files;
        this.directory = directory;
        this.copies = new ArrayList<>(copies);
        this.state = state;
        this.lastFile = lastFile;
    }

    /**
     * Opens the manifest of a partition. Names of unused files contain the time of the system's
     * clock.
     */
    public static Manifest open(LogFiles files, String directory) throws IOException {
        return open(files, directory, new LostFiles(files, InstantSource.system()));
    }

    /**
     * Opens the manifest of a partition; creates an empty one if there is none. A file that is
     * damaged, or an older copy, is rewritten from the other.
     *
     * @param lost receives such a file, unless its state is one that a crash leaves
     * @throws CorruptRunException if no file is complete, or one has a version that this program
     *     cannot read
     */
    public static Manifest open(LogFiles files, String directory, LostFiles lost)
            throws IOException {
        List<String> names = files.list(directory);
        if (names.contains("manifest")) {
            throw new CorruptRunException(
                    directory + "/manifest",
                    0,
                    "a manifest in two files",
                    "one from before the formats were frozen: feed the documents again");
        }
        List<ManifestFile> candidates = new ArrayList<>();
        boolean isOpen = false;
        try {
            long last = 0;
            for (String name : names) {
                Matcher matcher = NAME.matcher(name);
                if (matcher.matches()) {
                    last = Math.max(last, Long.parseLong(matcher.group(1)));
                    candidates.add(ManifestFile.open(files, directory + "/" + name));
                }
            }
            Manifest manifest = of(files, directory, candidates, last, names, lost);
            isOpen = true;
            return manifest;
        } finally {
            if (!isOpen) {
                close(candidates);
            }
        }
    }

    /**
     * Reads the manifest of a partition without changing it.
     *
     * @throws CorruptRunException like {@link #open}
     */
    public static ManifestState read(LogFiles files, String directory) throws IOException {
        List<String> names = files.list(directory);
        List<ManifestFile> candidates = new ArrayList<>();
        try {
            for (String name : names) {
                if (NAME.matcher(name).matches()) {
                    candidates.add(ManifestFile.open(files, directory + "/" + name));
                }
            }
            ManifestState state = newest(candidates);
            checkNothingIsLost(candidates, state, directory, names);
            return state;
        } finally {
            close(candidates);
        }
    }

    private static ManifestState newest(List<ManifestFile> candidates) {
        return candidates.stream()
                .map(ManifestFile::storedState)
                .max(Comparator.comparingLong(ManifestState::editCount))
                .orElse(ManifestState.EMPTY);
    }

    private static Manifest of(
            LogFiles files,
            String directory,
            List<ManifestFile> candidates,
            long lastFile,
            List<String> names,
            LostFiles lost)
            throws IOException {
        ManifestState state = newest(candidates);
        checkNothingIsLost(candidates, state, directory, names);
        List<ManifestFile> whole = new ArrayList<>();
        List<ManifestFile> others = new ArrayList<>();
        for (ManifestFile each : candidates) {
            boolean isWhole = each.isWhole(state.editCount()) && whole.size() < 2;
            (isWhole ? whole : others).add(each);
        }
        var manifest = new Manifest(files, directory, whole, state, lastFile);
        boolean isMade = false;
        try {
            while (manifest.copies.size() < 2) {
                manifest.copies.add(manifest.create());
            }
            files.forceDirectory(directory);
            for (ManifestFile each : others) {
                each.close();
                remove(files, each, state, lost);
            }
            isMade = true;
            return manifest;
        } finally {
            if (!isMade) {
                close(manifest.copies);
            }
        }
    }

    private static void remove(
            LogFiles files, ManifestFile file, ManifestState state, LostFiles lost)
            throws IOException {
        if (isLeftByCrash(file, state)) {
            files.delete(file.path());
            return;
        }
        String reason =
                file.damage()
                        .map(Throwable::getMessage)
                        .orElseGet(() ->
                                "expected %d edits, found %d"
                                        .formatted(
                                                state.editCount(), file.storedState().editCount()));
        lost.keepLeftover(
                file.path(), reason + "; no data is missing, the file is rewritten from the other");
    }

    /**
     * Returns whether a crash can leave such a file: without a header, with the tail of an edit
     * that neither file has completely, or one edit behind.
     */
    private static boolean isLeftByCrash(ManifestFile file, ManifestState state) {
        return file.isUnborn()
                || file.storedState().equals(state)
                || (file.damage().isEmpty()
                        && file.storedState().editCount() + 1 == state.editCount());
    }

    private static void checkNothingIsLost(
            List<ManifestFile> candidates,
            ManifestState state,
            String directory,
            List<String> names) {
        Optional<Damage> loss =
                loss(candidates, state)
                        .or(() ->
                                hasRuns(names) && isNew(candidates)
                                        ? Optional.of(missing(directory))
                                        : Optional.empty());
        if (loss.isPresent()) {
            throw CorruptRunException.ofManifest(loss.get());
        }
    }

    /**
     * Returns the damage if no file is complete. A crash leaves one file intact, because the files
     * are written one after the other; before the first edit it may leave two files without a
     * header.
     *
     * @param state of the file with the most edits
     */
    static Optional<Damage> loss(List<ManifestFile> candidates, ManifestState state) {
        boolean isWhole =
                isNew(candidates)
                        || candidates.stream().anyMatch(each -> each.isWhole(state.editCount()));
        return candidates.stream()
                .filter(each -> !isWhole || each.highestNumber() > state.editCount())
                .flatMap(each -> each.damage().stream())
                .map(CorruptRunException::damage)
                .findFirst();
    }

    static boolean isNew(List<ManifestFile> candidates) {
        return candidates.stream().allMatch(ManifestFile::isUnborn);
    }

    /** Runs are written only after both files are durable. */
    private static boolean hasRuns(List<String> names) {
        return names.stream().anyMatch(name -> name.endsWith(RunEntry.SUFFIX));
    }

    static Damage missing(String directory) {
        return new Damage(directory + "/" + PREFIX + "1", 0, "the manifest of its runs", "none");
    }

    /** Returns a new file with the state; its name is not forced yet. */
    private ManifestFile create() throws IOException {
        lastFile++;
        return ManifestFile.create(files, directory + "/" + PREFIX + lastFile, state);
    }

    /** Returns the result of all edits. */
    public ManifestState state() {
        return state;
    }

    /** Returns the path of one of the files in the data directory. */
    public String path() {
        return copies.getFirst().path();
    }

    /**
     * Checks that an edit can be appended. Callers check this before they write a run that would be
     * lost.
     *
     * @throws IOException if an earlier edit could not be forced
     */
    public void checkAppendable() throws IOException {
        if (isBroken) {
            throw new IOException(path() + " could not be forced earlier; it must be opened again");
        }
    }

    /**
     * Appends an edit and returns when it is durable. After a failure the edit may or may not be
     * durable: the caller keeps the files that it names until the manifest is opened again.
     *
     * @throws IOException also if an earlier edit could not be forced, because later edits may then
     *     be lost
     */
    public void append(ManifestEdit edit) throws IOException {
        checkAppendable();
        ManifestState next = state.after(edit);
        BlockBytes bytes = ManifestLayout.encode(edit, next.editCount());
        shorten();
        isBroken = true;
        for (ManifestFile copy : copies) {
            copy.append(bytes.written());
        }
        isBroken = false;
        state = next;
    }

    /**
     * Returns when the edits that were read are on the device. An ended process may have left them
     * unforced.
     */
    public void makeDurable() throws IOException {
        isBroken = true;
        for (ManifestFile copy : copies) {
            copy.append(ByteBuffer.allocate(0));
        }
        isBroken = false;
    }

    /** Rewrites files that have grown long. At any moment one complete file has its name. */
    private void shorten() throws IOException {
        if (copies.getFirst().end() <= FILE_BYTES) {
            return;
        }
        long needed = ManifestLayout.encode(state).position();
        for (int i = 0; i < copies.size(); i++) {
            ManifestFile old = copies.get(i);
            if (old.end() > Math.max(FILE_BYTES, 2 * needed)) {
                copies.set(i, create());
                isBroken = true;
                old.close();
                files.forceDirectory(directory);
                files.delete(old.path());
                isBroken = false;
            }
        }
    }

    @Override
    public void close() throws IOException {
        close(copies);
    }

    private static void close(List<ManifestFile> opened) throws IOException {
        for (ManifestFile each : opened) {
            each.close();
        }
    }
}
