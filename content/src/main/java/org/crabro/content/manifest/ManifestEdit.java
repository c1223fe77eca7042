package org.crabro.content.manifest;

import java.util.List;

/**
 * One atomic change of a partition's log.
 *
 * @param covered the journal position up to which all rows are in runs
 * @param lastTimestamp the highest timestamp up to there, microseconds since the epoch
 * @param lastNumber the highest run number assigned so far
 * @param removed the numbers of removed runs
 * @param bounded the runs with fewer valid rows from now on
 * @param added the added runs
 * @param merges all unfinished merges after the edit
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
