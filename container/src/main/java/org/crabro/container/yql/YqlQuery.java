package org.crabro.container.yql;

import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.OptionalInt;
import org.crabro.protocol.query.QueryNode;
import org.crabro.protocol.search.SortKey;

/**
 * What a YQL statement says. What it leaves out is for the request's parameters to say.
 *
 * @param summaryFields the fields selected; empty for all
 * @param sources clusters or schemas; empty for all
 * @param sorting empty where the statement has no order
 * @param limit the end of the window of hits, counted from the first hit and not from the offset
 * @param offset how many hits to leave out
 * @param groupings in the order in which they are answered
 */
public record YqlQuery(
        QueryNode tree,
        List<String> summaryFields,
        List<String> sources,
        List<SortKey> sorting,
        OptionalInt limit,
        OptionalInt offset,
        Optional<Duration> timeout,
        List<YqlGrouping> groupings) {
    public YqlQuery {
        summaryFields = List.copyOf(summaryFields);
        sources = List.copyOf(sources);
        sorting = List.copyOf(sorting);
        groupings = List.copyOf(groupings);
    }

    /** Returns the same query for other documents. */
    public YqlQuery withTree(QueryNode other) {
        return new YqlQuery(
                other, summaryFields, sources, sorting, limit, offset, timeout, groupings);
    }

    /** Returns how many hits the window holds: what lies between offset and limit. */
    public OptionalInt hits() {
        return limit.isEmpty()
                ? OptionalInt.empty()
                : OptionalInt.of(Math.max(0, limit.getAsInt() - offset.orElse(0)));
    }
}
