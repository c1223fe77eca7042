package org.crabro.container.query;

import java.util.List;
import java.util.Optional;
import org.crabro.protocol.search.HitPosition;
import org.crabro.protocol.search.SortKey;

/**
 * The matching documents that a query returns.
 *
 * @param sorting the order; empty for descending relevance
 * @param count the number of hits to return
 * @param offset the number of hits to skip
 * @param page where the page begins, if the client pages by position
 * @param collapse the fields whose values are limited to a few hits each
 */
public record HitSelection(
        List<SortKey> sorting, int count, int offset, Page page, Collapse collapse) {
    public HitSelection {
        sorting = List.copyOf(sorting);
    }

    /**
     * Where a page of hits begins, in addition to the offset.
     *
     * @param isTold whether the result contains the position of the next page
     * @param after the last hit of the previous page; empty for the first page
     */
    public record Page(boolean isTold, Optional<HitPosition> after) {
        /** A page that only the offset determines. */
        public static final Page COUNTED = new Page(false, Optional.empty());
    }

    /** Returns the selection of the first hit in the order of {@code key}. */
    static HitSelection firstBy(SortKey key) {
        return new HitSelection(List.of(key), 1, 0, Page.COUNTED, Collapse.NONE);
    }

    HitSelection withWindow(int otherOffset, int otherCount) {
        return new HitSelection(sorting, otherCount, otherOffset, page, collapse);
    }
}
