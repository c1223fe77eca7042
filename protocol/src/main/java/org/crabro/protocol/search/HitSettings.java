package org.crabro.protocol.search;

import java.util.List;
import java.util.Optional;

/**
 * Which hits are returned, in which order, and with which fields.
 *
 * @param count how many of the best to return, including the hits that an offset skips; 0 returns
 *     the count of matches only
 * @param sorting empty sorts by relevance, descending
 * @param after the position in the order after which hits are returned. It changes neither the
 *     count of matches nor the groups
 * @param summary the fields of each hit
 */
public record HitSettings(
        int count, List<SortKey> sorting, Optional<HitPosition> after, SummarySettings summary) {
    public HitSettings {
        sorting = List.copyOf(sorting);
    }

    /** Settings that return the best hits. */
    public HitSettings(int count, List<SortKey> sorting, SummarySettings summary) {
        this(count, sorting, Optional.empty(), summary);
    }

    /** Returns the same settings with another summary. */
    public HitSettings with(SummarySettings other) {
        return new HitSettings(count, sorting, after, other);
    }

    /** Returns the same settings for hits after a position. */
    public HitSettings after(HitPosition position) {
        return new HitSettings(count, sorting, Optional.of(position), summary);
    }
}
