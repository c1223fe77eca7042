package org.crabro.protocol.grouping;

import java.util.List;

/**
 * A grouping as it is carried out.
 *
 * @param everything whether documents take part that do not match the query
 * @param documents how many of the best documents take part, or {@link GroupingOperation#UNLIMITED}
 * @param root what is done with all of them together
 * @param pages which page is shown of lists of which it is not the first
 */
public record GroupingRequest(
        boolean everything, int documents, GroupPlan root, List<GroupPage> pages) {
    public GroupingRequest {
        pages = List.copyOf(pages);
    }

    /** Returns whether it cannot be answered without the scores of documents. */
    public boolean needsScores() {
        return !everything && (documents >= 0 || root.needsScores());
    }
}
