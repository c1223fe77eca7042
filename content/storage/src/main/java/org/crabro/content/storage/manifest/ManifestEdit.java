package org.crabro.content.storage.manifest;

import java.util.List;

/**
 * One atomic change of a partition's log.
 *
 * @param covered the journal position up to which all rows are in runs
 * @param lastTimestamp the highest timestamp up to that position, microseconds since the epoch
 * @param lastNumber the highest run number assigned so far
 * @param merges all unfinished merges after the edit
 */
public record ManifestEdit(
        long covered,
        long lastTimestamp,
        long lastNumber,
        RunChanges runs,
        List<OpenMerge> merges) {
    public ManifestEdit {
        merges = List.copyOf(merges);
    }
}
