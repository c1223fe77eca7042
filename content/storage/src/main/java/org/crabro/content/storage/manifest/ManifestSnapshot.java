package org.crabro.content.storage.manifest;

import java.io.IOException;
import java.nio.file.NoSuchFileException;
import java.util.ArrayList;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;
import org.crabro.content.storage.file.CorruptRunException;
import org.crabro.content.storage.journal.Damage;
import org.crabro.content.storage.journal.LogFiles;

/**
 * The content of a partition's manifest at one moment, read without changing it, also while a node
 * appends to it. Both of its files are read, so damage of one is reported even if no data is lost.
 *
 * @param state of the file with the most edits
 * @param damage bytes that differ from the bytes that were written. One file may be one edit behind
 *     the other, during an append and after a crash: this is not damage. The read of an apparent
 *     error is repeated, and only an error that every repetition finds is reported. Half an edit,
 *     left by a crash, is reported until a start repairs it
 */
public record ManifestSnapshot(ManifestState state, List<Damage> damage) {
    private static final int LOOKS = 3;

    /** The number of attempts, because a running node may rewrite the files meanwhile. */
    private static final int TRIES = 20;

    public ManifestSnapshot {
        damage = List.copyOf(damage);
    }

    /** Reads the manifest of the partition in {@code directory}. */
    public static ManifestSnapshot read(LogFiles files, String directory) throws IOException {
        ManifestSnapshot snapshot = look(files, directory);
        Set<Damage> lasting = new LinkedHashSet<>(snapshot.damage());
        for (int look = 1; look < LOOKS && !lasting.isEmpty(); look++) {
            snapshot = look(files, directory);
            lasting.retainAll(snapshot.damage());
        }
        return new ManifestSnapshot(snapshot.state(), List.copyOf(lasting));
    }

    private static ManifestSnapshot look(LogFiles files, String directory) throws IOException {
        for (int tries = 1; ; tries++) {
            try {
                return lookOnce(files, directory);
            } catch (NoSuchFileException e) {
                if (tries == TRIES) {
                    throw e;
                }
            }
        }
    }

    private static ManifestSnapshot lookOnce(LogFiles files, String directory) throws IOException {
        List<Damage> damage = new ArrayList<>();
        List<ManifestFile> candidates = new ArrayList<>();
        boolean hasRuns = false;
        for (String name : files.list(directory)) {
            hasRuns |= name.endsWith(RunEntry.SUFFIX);
            if (Manifest.NAME.matcher(name).matches()) {
                try (ManifestFile file = ManifestFile.open(files, directory + "/" + name)) {
                    candidates.add(file);
                } catch (CorruptRunException e) {
                    damage.add(e.damage());
                }
            }
        }
        ManifestState state = ManifestState.EMPTY;
        for (ManifestFile file : candidates) {
            if (file.storedState().editCount() > state.editCount()) {
                state = file.storedState();
            }
        }
        boolean isLost = Manifest.loss(candidates, state).isPresent();
        for (ManifestFile file : candidates) {
            addDamage(file, state, isLost, damage);
        }
        // A manifest is durable before the first run is written.
        if (hasRuns && damage.isEmpty() && Manifest.isNew(candidates)) {
            damage.add(Manifest.missing(directory));
        }
        return new ManifestSnapshot(state, damage);
    }

    private static void addDamage(
            ManifestFile file, ManifestState state, boolean isLost, List<Damage> damage) {
        boolean isTail =
                !isLost
                        && file.highestNumber() <= file.storedState().editCount()
                        && file.storedState().equals(state);
        if (file.damage().isPresent() && !isTail) {
            damage.add(file.damage().get().damage());
        } else if (file.damage().isEmpty()
                && file.storedState().editCount() + 1 < state.editCount()) {
            damage.add(
                    new Damage(
                            file.path(),
                            file.end(),
                            "edits up to %d, as in the other file".formatted(state.editCount()),
                            "edits up to %d".formatted(file.storedState().editCount())));
        }
    }

    /**
     * Writes a manifest with {@code state}; when this returns, it is durable, except for its names.
     *
     * @return the paths of its files
     */
    public static List<String> write(LogFiles files, String directory, ManifestState state)
            throws IOException {
        List<String> paths = new ArrayList<>();
        for (int copy = 1; copy <= 2; copy++) {
            paths.add(directory + "/" + Manifest.PREFIX + copy);
            ManifestFile.create(files, paths.getLast(), state).close();
        }
        return paths;
    }
}
