package org.crabro.content.run;

import java.util.List;

/**
 * One step of a partition's log, which happened whole or not at all.
 *
 * @param covered the journal position up to which everything is in runs
 * @param lastTimestamp the highest timestamp up to there, microseconds since the epoch
 * @param removed numbers of runs that leave
 * @param added runs that take their place, old to young; the youngest of all where none leaves
 */
record ManifestEdit(long covered, long lastTimestamp, List<Long> removed, List<RunEntry> added) {
    ManifestEdit {
        removed = List.copyOf(removed);
        added = List.copyOf(added);
    }
}
