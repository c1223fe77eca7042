package org.crabro.content.storage.dead;

import java.util.BitSet;
import java.util.SortedMap;
import java.util.TreeMap;
import org.crabro.content.storage.block.EncodedBlock;
import org.crabro.content.storage.block.key.KeyBounds;

/**
 * Removed groups of one document type in a table of recent rows, each with the address of its
 * tombstone. A row of the group with a lower address is removed. Immutable.
 */
public final class RecentRemovedGroups {
    public static final RecentRemovedGroups NONE = of(new TreeMap<>());

    private final RemovedGroups groups;

    /** By group: the address below which its rows are removed. */
    private final int[] below;

    private RecentRemovedGroups(RemovedGroups groups, int[] below) {
        this.groups = groups;
        this.below = below;
    }

    /**
     * Returns these groups.
     *
     * @param below the address of the tombstone, by group
     */
    public static RecentRemovedGroups of(SortedMap<KeyBounds, Integer> below) {
        return new RecentRemovedGroups(
                RemovedGroups.of(below.keySet()),
                below.values().stream().mapToInt(Integer::intValue).toArray());
    }

    /** Returns these groups, to be removed from all older tables and runs. */
    public RemovedGroups groups() {
        return groups;
    }

    /**
     * Adds the removed rows of a block of the table.
     *
     * @param addresses of the rows of the block
     */
    public void addTo(BitSet rows, EncodedBlock block, int[] addresses) {
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
