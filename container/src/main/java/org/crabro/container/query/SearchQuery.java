package org.crabro.container.query;

import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import org.crabro.protocol.grouping.GroupingSettings;
import org.crabro.protocol.query.QueryNode;
import org.crabro.protocol.search.SortKey;
import org.crabro.protocol.wire.Deadline;

/**
 * A checked query. Immutable: a search step that changes a query passes a new one on.
 *
 * @param condition the documents that match
 * @param targets the document types to search, at least one
 * @param hits the matching documents to return
 * @param grouping the groups to make of all documents that match
 * @param caller the sender, and how long it waits
 * @param output how the result is shown, and the trace
 */
public record SearchQuery(
        QueryCondition condition,
        List<Target> targets,
        HitSelection hits,
        GroupingSettings grouping,
        QueryCaller caller,
        QueryOutput output) {
    public SearchQuery {
        targets = List.copyOf(targets);
    }

    /** Returns the same query with another tree. */
    public SearchQuery withTree(QueryNode tree) {
        return new SearchQuery(condition.with(tree), targets, hits, grouping, caller, output);
    }

    /** Returns the same query for another window of hits. */
    public SearchQuery withWindow(int offset, int count) {
        return new SearchQuery(
                condition, targets, hits.withWindow(offset, count), grouping, caller, output);
    }

    /** Returns the same query with other targets. */
    public SearchQuery withTargets(List<Target> others) {
        return new SearchQuery(condition, others, hits, grouping, caller, output);
    }

    /** Returns the same query with another deadline. */
    public SearchQuery withDeadline(Deadline deadline) {
        return new SearchQuery(condition, targets, hits, grouping, caller.with(deadline), output);
    }

    /** Returns the same query with {@code more} lines at the end of its trace. */
    public SearchQuery tracing(List<TraceLine> more) {
        var lines = new ArrayList<>(output.trace());
        lines.addAll(more);
        return new SearchQuery(condition, targets, hits, grouping, caller, output.withTrace(lines));
    }

    /**
     * Returns a query of the same caller with the same deadline. It finds one document: the first
     * by document id that matches {@code source}.
     *
     * @param searched the targets to search
     * @param field the field that the hit contains in addition to its summary
     */
    public SearchQuery lookingUp(QueryNode source, List<Target> searched, String field) {
        var plain = new ArrayList<Target>();
        for (Target target : searched) {
            plain.add(target.lookingUp(field));
        }
        return new SearchQuery(
                new QueryCondition(source, condition.maxItems(), Optional.empty()),
                plain,
                HitSelection.firstBy(new SortKey.DocumentIds(true)),
                GroupingSettings.NONE,
                caller,
                QueryOutput.of(output.presentation()));
    }
}
