package org.crabro.container.search;

import java.util.List;

/**
 * The part of a result that one source returned, if sources are not blended. Its hits are those
 * hits of the page whose source is {@link #source}.
 *
 * @param groups the result of each grouping
 */
public record ResultSection(String source, List<ResultGroups> groups) {
    public ResultSection {
        groups = List.copyOf(groups);
    }

    /** Returns the id of the group in results. */
    public String id() {
        return "source:" + source;
    }
}
