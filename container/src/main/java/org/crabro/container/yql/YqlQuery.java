package org.crabro.container.yql;

import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.OptionalInt;
import org.crabro.protocol.query.QueryNode;
import org.crabro.protocol.search.SortKey;

/**
 * The content of a YQL statement. Parameters of the request supply what the statement leaves out.
 *
 * @param sorting empty if the statement has no order
 * @param groupings in the order of the statement
 */
public record YqlQuery(
        QueryNode tree,
        Select select,
        List<SortKey> sorting,
        Window window,
        Optional<Duration> timeout,
        List<YqlGrouping> groupings) {
    public YqlQuery {
        sorting = List.copyOf(sorting);
        groupings = List.copyOf(groupings);
    }

    /**
     * The first clauses of a statement.
     *
     * @param fields the summary fields; empty for all
     * @param sources clusters or schemas; empty for all
     */
    public record Select(List<String> fields, List<String> sources) {
        public Select {
            fields = List.copyOf(fields);
            sources = List.copyOf(sources);
        }
    }

    /**
     * The hits to return.
     *
     * @param limit the end of the window, counted from the first hit and not from the offset
     * @param offset the number of hits to skip
     */
    public record Window(OptionalInt limit, OptionalInt offset) {
        /** The statement has neither limit nor offset. */
        public static final Window NONE = new Window(OptionalInt.empty(), OptionalInt.empty());

        /** Returns the number of hits between offset and limit; empty without limit. */
        public OptionalInt hits() {
            return limit.isEmpty()
                    ? OptionalInt.empty()
                    : OptionalInt.of(Math.max(0, limit.getAsInt() - offset.orElse(0)));
        }
    }

    /** Returns the same query with another tree. */
    public YqlQuery withTree(QueryNode other) {
        return new YqlQuery(other, select, sorting, window, timeout, groupings);
    }
}
