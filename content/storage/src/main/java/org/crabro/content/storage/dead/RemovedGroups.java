package org.crabro.content.storage.dead;

import java.util.Collection;
import java.util.List;
import java.util.TreeSet;
import org.crabro.content.storage.block.EncodedBlock;
import org.crabro.content.storage.block.key.GroupColumn;
import org.crabro.content.storage.block.key.KeyBounds;
import org.crabro.content.storage.block.key.RowRange;

/**
 * Removed groups of one document type. They remove rows from all older tables and runs. Immutable.
 */
public final class RemovedGroups {
    /** No group. */
    public static final RemovedGroups NONE = new RemovedGroups(List.of());

    /** Receives the rows of one of the groups. */
    @FunctionalInterface
    public interface Rows {
        /**
         * Receives the rows.
         *
         * @param group the index of the group, in the order of keys
         * @param from its first row
         * @param to the end of its rows, exclusive
         */
        void rows(int group, int from, int to);
    }

    // In the order of keys.
    private final List<KeyBounds> groups;

    private RemovedGroups(List<KeyBounds> groups) {
        this.groups = groups;
    }

    /**
     * Returns the distinct groups.
     *
     * @param groups none of them is the range of all keys
     */
    public static RemovedGroups of(Collection<KeyBounds> groups) {
        return groups.isEmpty() ? NONE : new RemovedGroups(List.copyOf(new TreeSet<>(groups)));
    }

    public boolean isEmpty() {
        return groups.isEmpty();
    }

    /** Returns the groups in the order of keys. */
    public List<KeyBounds> groups() {
        return groups;
    }

    /** Returns whether a group is among these. */
    public boolean has(KeyBounds group) {
        int at = firstNotBefore(0, group);
        return at < groups.size() && groups.get(at).compareTo(group) == 0;
    }

    private int firstNotBefore(int from, KeyBounds group) {
        int low = from;
        int high = groups.size();
        while (low < high) {
            int middle = (low + high) >>> 1;
            if (groups.get(middle).compareTo(group) < 0) {
                low = middle + 1;
            } else {
                high = middle;
            }
        }
        return low;
    }

    /**
     * Finds the rows of the groups in a block in memory. The number of searches is about the number
     * of groups, here or in the block, whichever is smaller.
     */
    public void forEachIn(EncodedBlock block, Rows action) {
        if (isEmpty()) {
            return;
        }
        GroupColumn column = block.groups();
        int number = 0;
        int group = 0;
        while (number < column.count()) {
            group = firstNotBefore(group, column, number);
            if (group == groups.size()) {
                return;
            }
            KeyBounds bounds = groups.get(group);
            number = bounds.firstNotBefore(column);
            if (number < column.count() && bounds.compare(column, number) == 0) {
                action.rows(group, column.firstRow(number), column.firstRow(number + 1));
                number++;
            }
            group++;
        }
    }

    /** Returns the first group from {@code from} on that is not before one of {@code column}. */
    private int firstNotBefore(int from, GroupColumn column, int number) {
        int low = from;
        int high = groups.size();
        while (low < high) {
            int middle = (low + high) >>> 1;
            if (groups.get(middle).compare(column, number) > 0) {
                low = middle + 1;
            } else {
                high = middle;
            }
        }
        return low;
    }

    /**
     * Returns the rows of a block of a run that are in these groups. Reads the groups of the block
     * only if the index does not exclude all of these groups.
     *
     * @param index of the block in its section
     */
    public DeadRows in(BlockIndex section, int index, EncodedBlock block) {
        GroupColumn firstGroups = section.firstKeys().groups();
        DeadRows dead = DeadRows.NONE;
        int group = firstNotBefore(0, firstGroups, firstGroups.groupOf(index));
        boolean isLast = index + 1 == section.blockCount();
        int next = isLast ? -1 : firstGroups.groupOf(index + 1);
        while (group < groups.size()
                && (isLast || groups.get(group).compare(firstGroups, next) >= 0)) {
            RowRange rows =
                    section.isInside(index, groups.get(group))
                            ? new RowRange(0, section.rowCount(index))
                            : block.rowsIn(groups.get(group));
            dead = dead.and(DeadRows.between(rows.from(), rows.to()));
            group++;
        }
        return dead;
    }
}
