package org.crabro.container.visit;

import java.util.Comparator;
import java.util.List;
import java.util.PriorityQueue;
import org.crabro.document.LocationKey;
import org.crabro.protocol.visit.VisitedGroup;

/** Counts documents and groups, and retains the largest groups. For one thread. */
final class GroupTotals {
    /** From the largest to the smallest; groups of the same size by their names. */
    private static final Comparator<VisitedGroup> LARGEST_FIRST =
            Comparator.comparingLong(VisitedGroup::documents)
                    .reversed()
                    .thenComparing(group -> group.key().text());

    private final int limit;
    private final PriorityQueue<VisitedGroup> largest =
            new PriorityQueue<>(LARGEST_FIRST.reversed());
    private long documents;
    private long groupCount;

    /**
     * @param limit how many groups are retained
     */
    GroupTotals(int limit) {
        this.limit = limit;
    }

    void add(VisitedGroup group) {
        documents += group.documents();
        if (group.key() instanceof LocationKey.Plain) {
            return;
        }
        groupCount++;
        largest.add(group);
        if (largest.size() > limit) {
            largest.remove();
        }
    }

    /** Returns the number of documents, also of those without a group. */
    long documents() {
        return documents;
    }

    long groupCount() {
        return groupCount;
    }

    /** Returns the largest groups, the largest one first. */
    List<VisitedGroup> largest() {
        return largest.stream().sorted(LARGEST_FIRST).toList();
    }
}
