package org.crabro.content.manifest;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Optional;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.crabro.content.file.CorruptRunException;
import org.crabro.content.journal.Damage;
import org.crabro.content.journal.LogFiles;
import org.crabro.content.journal.LostFiles;
import org.crabro.content.layout.BlockBytes;

/**
 * What says which runs are a partition's log: edits, appended and forced one by one, in two files
 * that say the same. A run that it does not name is not there, whatever the directory holds.
 *
 * <p>An edit counts when both files have it durably; found in one it counts too, since nobody knows
 * then whether it was told. So a file may be damaged anywhere, also in its last edit, and nothing
 * is lost as long as the other is whole. A file that has grown long is written anew, one after the
 * other.
 *
 * <p>For one thread.
 */
public final class Manifest implements AutoCloseable {
    /** A file is written anew before it becomes longer, and longer than twice what is needed. */
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

    /** Opens the manifest of a partition; the clock of the system names what is not used. */
    public static Manifest open(LogFiles files, String directory) throws IOException {
        return open(files, directory, new LostFiles(files, InstantSource.system()));
    }

    /**
     * Opens the manifest of a partition, and makes an empty one where there is none. A file that is
     * damaged, or an older copy, is written anew from the other.
     *
     * @param lost receives such a file, unless it is as a crash leaves it
     * @throws CorruptRunException if no file says everything any more, or one is of a version that
     *     this program does not read
     */
    public static Manifest open(LogFiles files, String directory, LostFiles lost)
            throws IOException {
        List<String> names = files.list(directory);
        if (names.contains("manifest")) {
            throw new CorruptRunException(
                    directory + "/manifest",
                    0,
                    "a manifest in two files",
                    "one of before the formats were frozen: feed the documents again");
        }
        List<ManifestFile> found = new ArrayList<>();
        boolean isOpen = false;
        try {
            long last = 0;
            for (String name : names) {
                Matcher matcher = NAME.matcher(name);
                if (matcher.matches()) {
                    last = Math.max(last, Long.parseLong(matcher.group(1)));
                    found.add(ManifestFile.open(files, directory + "/" + name));
                }
            }
            Manifest manifest = of(files, directory, found, last, names, lost);
            isOpen = true;
            return manifest;
        } finally {
            if (!isOpen) {
                close(found);
            }
        }
    }

    /**
     * Reads the manifest of a partition without changing it.
     *
     * @throws CorruptRunException as {@link #open} does
     */
    public static ManifestState read(LogFiles files, String directory) throws IOException {
        List<String> names = files.list(directory);
        List<ManifestFile> found = new ArrayList<>();
        try {
            for (String name : names) {
                if (NAME.matcher(name).matches()) {
                    found.add(ManifestFile.open(files, directory + "/" + name));
                }
            }
            ManifestState state = newest(found);
            checkNothingIsLost(found, state, directory, names);
            return state;
        } finally {
            close(found);
        }
    }

    private static ManifestState newest(List<ManifestFile> found) {
        return found.stream()
                .map(ManifestFile::found)
                .max(Comparator.comparingLong(ManifestState::editCount))
                .orElse(ManifestState.EMPTY);
    }

    private static Manifest of(
            LogFiles files,
            String directory,
            List<ManifestFile> found,
            long lastFile,
            List<String> names,
            LostFiles lost)
            throws IOException {
        ManifestState state = newest(found);
        checkNothingIsLost(found, state, directory, names);
        List<ManifestFile> whole = new ArrayList<>();
        List<ManifestFile> others = new ArrayList<>();
        for (ManifestFile each : found) {
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
                                        .formatted(state.editCount(), file.found().editCount()));
        lost.keepLeftover(
                file.path(), reason + "; nothing is missing, the file is made anew from the other");
    }

    /**
     * Returns whether a crash leaves such a file: without a header, with the tail of an edit that
     * neither file has whole, or one edit behind.
     */
    private static boolean isLeftByCrash(ManifestFile file, ManifestState state) {
        return file.isUnborn()
                || file.found().equals(state)
                || (file.damage().isEmpty() && file.found().editCount() + 1 == state.editCount());
    }

    private static void checkNothingIsLost(
            List<ManifestFile> found, ManifestState state, String directory, List<String> names) {
        Optional<Damage> loss =
                loss(found, state)
                        .or(() ->
                                hasRuns(names) && isNew(found)
                                        ? Optional.of(missing(directory))
                                        : Optional.empty());
        if (loss.isPresent()) {
            throw CorruptRunException.ofManifest(loss.get());
        }
    }

    /**
     * Returns what is damaged in files of which none says everything. A crash leaves one file
     * whole, as the other is written after it; before the first edit it may leave two without a
     * header.
     *
     * @param state of the file that says most
     */
    static Optional<Damage> loss(List<ManifestFile> found, ManifestState state) {
        boolean isWhole =
                isNew(found) || found.stream().anyMatch(each -> each.isWhole(state.editCount()));
        return found.stream()
                .filter(each -> !isWhole || each.highestNumber() > state.editCount())
                .flatMap(each -> each.damage().stream())
                .map(CorruptRunException::damage)
                .findFirst();
    }

    static boolean isNew(List<ManifestFile> found) {
        return found.stream().allMatch(ManifestFile::isUnborn);
    }

    /** Runs are written after both files are durable. */
    private static boolean hasRuns(List<String> names) {
        return names.stream().anyMatch(name -> name.endsWith(RunEntry.SUFFIX));
    }

    static Damage missing(String directory) {
        return new Damage(directory + "/" + PREFIX + "1", 0, "the manifest of its runs", "none");
    }

    /** Returns a new file that says the state; its name is not forced yet. */
    private ManifestFile create() throws IOException {
        lastFile++;
        return ManifestFile.create(files, directory + "/" + PREFIX + lastFile, state);
    }

    /** Returns what all edits add up to. */
    public ManifestState state() {
        return state;
    }

    /** Returns the path of one of the files, in the data directory. */
    public String path() {
        return copies.getFirst().path();
    }

    /**
     * Checks that an edit can be appended: to be asked before a run is written for nothing.
     *
     * @throws IOException if an earlier edit could not be forced
     */
    public void checkAppendable() throws IOException {
        if (isBroken) {
            throw new IOException(path() + " could not be forced before; it is to be opened anew");
        }
    }

    /**
     * Appends an edit and returns when it is durable. After a failure the edit may be durable or
     * not: what it names is to be kept until the manifest was opened anew.
     *
     * @throws IOException also when an earlier edit could not be forced: then nothing that follows
     *     is known to be kept
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
     * Returns when what was read is on the device, which a process that ended may not have seen.
     */
    public void makeDurable() throws IOException {
        isBroken = true;
        for (ManifestFile copy : copies) {
            copy.append(ByteBuffer.allocate(0));
        }
        isBroken = false;
    }

    /** Writes files that have grown long anew. At any moment one that is whole has its name. */
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
