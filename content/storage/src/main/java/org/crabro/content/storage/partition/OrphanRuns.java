package org.crabro.content.storage.partition;

import java.io.IOException;
import java.lang.foreign.Arena;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import org.crabro.content.storage.file.CorruptRunException;
import org.crabro.content.storage.file.RunBytes;
import org.crabro.content.storage.journal.Damage;
import org.crabro.content.storage.journal.LogFiles;
import org.crabro.content.storage.journal.LostFiles;
import org.crabro.content.storage.manifest.ManifestLayout;
import org.crabro.content.storage.manifest.ManifestState;
import org.crabro.content.storage.manifest.RunEntry;
import org.crabro.content.storage.run.RunReader;

/**
 * The run files in the directory of a partition that its manifest does not list. A start moves them
 * to {@code lost+found}.
 *
 * <p>A crash leaves such files: the output of a flush or merge whose edit was not appended, or the
 * inputs of a finished merge that it did not delete. A restored older manifest leaves them too, and
 * then they have documents. If a whole run is newer than all runs of the manifest, both are
 * possible: it is kept forever.
 */
public final class OrphanRuns {
    private static final Pattern NAME = Pattern.compile("(\\d{1,18})\\.run");

    private final String directory;
    private final ManifestState state;

    /** Complete runs with higher numbers than the manifest has assigned. */
    private final List<String> newer = new ArrayList<>();

    private final List<String> unfinished = new ArrayList<>();
    private final List<String> merged = new ArrayList<>();

    private OrphanRuns(String directory, ManifestState state) {
        this.directory = directory;
        this.state = state;
    }

    /** Reads the headers and footers of the files that {@code state} does not list. */
    public static OrphanRuns find(LogFiles files, String directory, ManifestState state)
            throws IOException {
        Set<String> named =
                state.runs().stream().map(RunEntry::fileName).collect(Collectors.toSet());
        var orphans = new OrphanRuns(directory, state);
        for (String name : files.list(directory)) {
            if (name.endsWith(RunEntry.SUFFIX) && !named.contains(name)) {
                orphans.add(files, name);
            }
        }
        return orphans;
    }

    private void add(LogFiles files, String name) throws IOException {
        String path = directory + "/" + name;
        long number = number(name).orElse(Long.MAX_VALUE);
        if (number <= state.lastNumber()) {
            merged.add(path);
        } else if (isWhole(files, path, number)) {
            newer.add(path);
        } else {
            unfinished.add(path);
        }
    }

    /** Returns the number of the run with a file name; empty if it is not the name of a run. */
    public static Optional<Long> number(String name) {
        Matcher matcher = NAME.matcher(name);
        return matcher.matches() ? Optional.of(Long.valueOf(matcher.group(1))) : Optional.empty();
    }

    private static boolean isWhole(LogFiles files, String path, long number) throws IOException {
        try (Arena arena = Arena.ofConfined()) {
            var bytes = new RunBytes(path, files.map(path, arena), files.residency());
            return new RunReader(bytes, number).rowCount() > 0;
        } catch (CorruptRunException _) {
            return false;
        } catch (InternalError e) {
            throw new IOException(path + " cannot be read: " + e.getMessage(), e);
        }
    }

    /**
     * Checks that the manifest is plausible: one run at a time is written before it is listed.
     *
     * @throws CorruptRunException if it never listed a run, and there are several
     */
    public void check(String manifest) {
        if (state.editCount() == 0 && newer.size() > 1) {
            throw CorruptRunException.ofManifest(
                    new Damage(
                            manifest,
                            ManifestLayout.HEADER_SIZE,
                            "edits that list " + String.join(", ", newer),
                            "none"));
        }
    }

    /** Moves all of them to the files that are never deleted. */
    public void keepAll(LostFiles lost) throws IOException {
        for (List<String> paths : List.of(newer, unfinished, merged)) {
            for (String path : paths) {
                lost.keep(path, "the manifest was rebuilt without it");
            }
        }
    }

    void moveTo(LostFiles lost) throws IOException {
        for (String path : newer) {
            lost.keep(path, "it is complete, and the manifest does not list it");
        }
        for (String path : unfinished) {
            lost.keepLeftover(path, "a crash interrupted its write before the footer");
        }
        for (String path : merged) {
            lost.keepLeftover(
                    path,
                    "the manifest has assigned its number and does not list it: it was merged, or"
                            + " its write failed");
        }
    }
}
