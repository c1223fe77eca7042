package org.crabro.content.manifest;

import java.io.IOException;
import java.nio.file.NoSuchFileException;
import java.util.ArrayList;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;
import org.crabro.content.file.CorruptRunException;
import org.crabro.content.journal.Damage;
import org.crabro.content.journal.LogFiles;

/**
 * What a partition's manifest says at one moment, read without changing it: also while the node
 * that owns it appends. Both of its files are looked at, so damage to one is told though nothing is
 * lost by it.
 *
 * @param state of the file that says most
 * @param damage what is not as it was written. One file may be an edit behind the other: it is,
 *     while that is appended, and after a crash. What looks wrong is looked at again, and counts
 *     where every look finds the same. A crash may leave half an edit: that is told until a start
 *     mends it
 */
public record ManifestSnapshot(ManifestState state, List<Damage> damage) {
    private static final int LOOKS = 3;

    /** A node at work may write the files anew meanwhile. */
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
        List<ManifestFile> found = new ArrayList<>();
        boolean hasRuns = false;
        for (String name : files.list(directory)) {
            hasRuns |= name.endsWith(RunEntry.SUFFIX);
            if (Manifest.NAME.matcher(name).matches()) {
                try (ManifestFile file = ManifestFile.open(files, directory + "/" + name)) {
                    found.add(file);
                } catch (CorruptRunException e) {
                    damage.add(e.damage());
                }
            }
        }
        ManifestState state = ManifestState.EMPTY;
        for (ManifestFile file : found) {
            if (file.found().editCount() > state.editCount()) {
                state = file.found();
            }
        }
        boolean isLost = Manifest.loss(found, state).isPresent();
        for (ManifestFile file : found) {
            addDamage(file, state, isLost, damage);
        }
        // A manifest is durable before the first run is written.
        if (hasRuns && damage.isEmpty() && Manifest.isNew(found)) {
            damage.add(Manifest.missing(directory));
        }
        return new ManifestSnapshot(state, damage);
    }

    private static void addDamage(
            ManifestFile file, ManifestState state, boolean isLost, List<Damage> damage) {
        boolean isTail =
                !isLost
                        && file.highestNumber() <= file.found().editCount()
                        && file.found().equals(state);
        if (file.damage().isPresent() && !isTail) {
            damage.add(file.damage().get().damage());
        } else if (file.damage().isEmpty() && file.found().editCount() + 1 < state.editCount()) {
            damage.add(
                    new Damage(
                            file.path(),
                            file.end(),
                            "edits up to %d, as the other file has".formatted(state.editCount()),
                            "edits up to %d".formatted(file.found().editCount())));
        }
    }

    /**
     * Writes a manifest that says {@code state}; durable when this returns, but for its names.
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
