package org.crabro.protocol.grouping;

import java.util.Comparator;
import java.util.List;
import java.util.Optional;
import java.util.function.Function;
import java.util.stream.Stream;

/**
 * Hits of the documents of a group.
 *
 * @param <H> the type of hits
 * @param hits the best, in order
 * @param first the number of skipped hits before them
 * @param size the number of documents of the group
 */
public record GroupHits<H>(List<H> hits, int first, long size) {
    public GroupHits {
        hits = List.copyOf(hits);
    }

    GroupHits<H> plus(GroupHits<H> that, Comparator<H> order) {
        return new GroupHits<>(
                Stream.concat(hits.stream(), that.hits.stream()).sorted(order).toList(),
                0,
                size + that.size);
    }

    <R> GroupHits<R> map(Function<H, Optional<R>> hit) {
        return new GroupHits<>(
                hits.stream().flatMap(each -> hit.apply(each).stream()).toList(), first, size);
    }
}
