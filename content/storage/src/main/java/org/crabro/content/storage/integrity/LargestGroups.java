package org.crabro.content.storage.integrity;

import java.util.Comparator;
import java.util.List;
import java.util.PriorityQueue;

/** Collects the largest groups, and counts all. */
public final class LargestGroups {
    private static final Comparator<GroupSummary> ORDER =
            Comparator.comparingLong(GroupSummary::bytes)
                    .thenComparing(GroupSummary::group, Comparator.reverseOrder());

    private final int most;
    private final PriorityQueue<GroupSummary> largest = new PriorityQueue<>(ORDER);
    private long count;

    /**
     * @param most the number of groups that are kept, 0 for none
     */
    public LargestGroups(int most) {
        this.most = most;
    }

    /** Returns whether any are kept. */
    boolean isWanted() {
        return most > 0;
    }

    void add(GroupSummary group) {
        count++;
        largest.add(group);
        if (largest.size() > most) {
            largest.remove();
        }
    }

    /** Returns the number of all groups. */
    public long count() {
        return count;
    }

    /** Returns the largest groups, the largest first. */
    public List<GroupSummary> groups() {
        return largest.stream().sorted(ORDER.reversed()).toList();
    }
}
