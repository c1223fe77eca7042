package org.crabro.content.integrity;

import java.util.Comparator;
import java.util.List;
import java.util.PriorityQueue;

/** Keeps the groups that take most, and counts all. */
public final class LargestGroups {
    private static final Comparator<GroupSummary> ORDER =
            Comparator.comparingLong(GroupSummary::bytes)
                    .thenComparing(GroupSummary::group, Comparator.reverseOrder());

    private final int most;
    private final PriorityQueue<GroupSummary> kept = new PriorityQueue<>(ORDER);
    private long count;

    /**
     * @param most how many are kept, 0 for none
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
        kept.add(group);
        if (kept.size() > most) {
            kept.remove();
        }
    }

    /** Returns how many groups there are. */
    public long count() {
        return count;
    }

    /** Returns those that take most, the largest first. */
    public List<GroupSummary> groups() {
        return kept.stream().sorted(ORDER.reversed()).toList();
    }
}
