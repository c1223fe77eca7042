package org.crabro.protocol.grouping;

import java.util.List;

/**
 * A compiled grouping.
 *
 * @param everything whether documents that do not match the query take part
 * @param documents how many of the best documents take part, or {@link GroupingOperation#UNLIMITED}
 * @param root the plan of the root group
 * @param pages the pages of lists that do not start at the first entry
 */
public record GroupingRequest(
        boolean everything, int documents, GroupPlan root, List<GroupPage> pages) {
    public GroupingRequest {
        pages = List.copyOf(pages);
    }

    /** Returns whether the scores of documents are needed. */
    public boolean needsScores() {
        return !everything && (documents >= 0 || root.needsScores());
    }
}
