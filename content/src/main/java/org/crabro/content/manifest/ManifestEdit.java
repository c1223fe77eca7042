package org.crabro.content.manifest;

import java.util.List;

/**
 * One step of a partition's log, which happened whole or not at all.
 *
 * @param covered the journal position up to which everything is in runs
 * @param lastTimestamp the highest timestamp up to there, microseconds since the epoch
 * @param lastNumber the highest run number given until then
 * @param removed numbers of runs that leave
 * @param bounded runs of which fewer rows count from now on
 * @param added runs that come
 * @param merges all merges that go on afterwards
 */
public record ManifestEdit(
        long covered,
        long lastTimestamp,
        long lastNumber,
        List<Long> removed,
        List<RunBounds> bounded,
        List<RunEntry> added,
        List<OpenMerge> merges) {
    public ManifestEdit {
        removed = List.copyOf(removed);
        bounded = List.copyOf(bounded);
        added = List.copyOf(added);
        merges = List.copyOf(merges);
    }
}
