package org.crabro.protocol.grouping;

import java.util.List;

/**
 * What a search is asked to group.
 *
 * @param requests in the order in which they are answered
 * @param timeZone by its id, for functions of time
 * @param isWhole whether there is no other answer that this one is merged with, so that only what
 *     is shown need be told
 * @param maxBytes a search whose groups need more memory is refused
 */
public record GroupingSettings(
        List<GroupingRequest> requests, String timeZone, boolean isWhole, long maxBytes) {
    /** Nothing is grouped. */
    public static final GroupingSettings NONE = new GroupingSettings(List.of(), "UTC", true, 0);

    public GroupingSettings {
        requests = List.copyOf(requests);
    }

    /** Returns whether it cannot be answered without the scores of documents. */
    public boolean needsScores() {
        return requests.stream().anyMatch(GroupingRequest::needsScores);
    }

    /** Returns whether documents take part that do not match the query. */
    public boolean needsEverything() {
        // Asked slice by slice.
        for (int i = 0; i < requests.size(); i++) {
            if (requests.get(i).everything()) {
                return true;
            }
        }
        return false;
    }
}
