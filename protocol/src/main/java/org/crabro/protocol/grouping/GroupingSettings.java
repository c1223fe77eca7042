package org.crabro.protocol.grouping;

import java.util.List;

/**
 * The groupings of a search.
 *
 * @param requests in the order of the results
 * @param timeZone by its id, for time functions
 * @param isWhole whether the reply is not merged with others, so that only the returned groups must
 *     be sent
 * @param maxBytes the memory limit of the groups; a search that exceeds it is rejected
 */
public record GroupingSettings(
        List<GroupingRequest> requests, String timeZone, boolean isWhole, long maxBytes) {
    /** No groupings. */
    public static final GroupingSettings NONE = new GroupingSettings(List.of(), "UTC", true, 0);

    public GroupingSettings {
        requests = List.copyOf(requests);
    }

    /** Returns whether the scores of documents are needed. */
    public boolean needsScores() {
        return requests.stream().anyMatch(GroupingRequest::needsScores);
    }

    /** Returns whether documents that do not match the query take part. */
    public boolean needsEverything() {
        // Called for each slice, so without a stream.
        for (int i = 0; i < requests.size(); i++) {
            if (requests.get(i).everything()) {
                return true;
            }
        }
        return false;
    }
}
