package org.crabro.content.recent;

import java.util.BitSet;
import java.util.SortedMap;
import java.util.TreeMap;
import org.crabro.content.block.EncodedBlock;
import org.crabro.content.block.key.KeyBounds;
import org.crabro.content.dead.RemovedGroups;

/** Groups of a type that were removed, and from which rows of a table. Immutable. */
final class RecentRemovals {
    static final RecentRemovals NONE = of(new TreeMap<>());

    private final RemovedGroups groups;

    /** By group: the address below which its rows are removed. */
    private final int[] below;

    private RecentRemovals(RemovedGroups groups, int[] below) {
        this.groups = groups;
        this.below = below;
    }

    /**
     * @param below the address of its tombstone, by group
     */
    static RecentRemovals of(SortedMap<KeyBounds, Integer> below) {
        return new RecentRemovals(
                RemovedGroups.of(below.keySet()),
                below.values().stream().mapToInt(Integer::intValue).toArray());
    }

    /** Returns these groups, to be removed from all that is older than the table. */
    RemovedGroups groups() {
        return groups;
    }

    /**
     * Adds the rows of a block of the table that are removed.
     *
     * @param addresses of the rows of the block
     */
    void addTo(BitSet rows, EncodedBlock block, int[] addresses) {
        groups.forEachIn(
                block,
                (group, from, to) -> {
                    for (int row = from; row < to; row++) {
                        if (addresses[row] < below[group]) {
                            rows.set(row);
                        }
                    }
                });
    }
}
