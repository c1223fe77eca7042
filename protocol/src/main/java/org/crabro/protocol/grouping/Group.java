package org.crabro.protocol.grouping;

import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Optional;
import java.util.function.Function;

/**
 * A group of documents and its aggregates, by a {@link GroupPlan}. Groups of disjoint documents can
 * be merged.
 *
 * @param <H> the type of hits
 * @param relevance the best score of its documents
 * @param aggregates in the order of the plan
 * @param lists in the order of the plan
 * @param hits in the order of the plan
 */
public record Group<H>(
        GroupId id,
        double relevance,
        List<AggregateValue> aggregates,
        List<GroupList<H>> lists,
        List<GroupHits<H>> hits) {
    public Group {
        aggregates = List.copyOf(aggregates);
        lists = List.copyOf(lists);
        hits = List.copyOf(hits);
    }

    /**
     * Returns the group of the documents of both. Both must have the same plan and id, and complete
     * lists.
     *
     * @param order of hits, the best first
     */
    public Group<H> plus(Group<H> that, GroupPlan plan, Comparator<H> order) {
        List<AggregateValue> allAggregates = new ArrayList<>();
        for (int i = 0; i < aggregates.size(); i++) {
            allAggregates.add(aggregates.get(i).plus(that.aggregates.get(i)));
        }
        List<GroupList<H>> allLists = new ArrayList<>();
        for (int i = 0; i < lists.size(); i++) {
            allLists.add(lists.get(i).plus(that.lists.get(i), plan.lists().get(i).group(), order));
        }
        List<GroupHits<H>> allHits = new ArrayList<>();
        for (int i = 0; i < hits.size(); i++) {
            allHits.add(hits.get(i).plus(that.hits.get(i), order));
        }
        return new Group<>(
                id, Math.max(relevance, that.relevance), allAggregates, allLists, allHits);
    }

    /** Returns the group with converted hits. Hits without a result are removed. */
    public <R> Group<R> map(Function<H, Optional<R>> hit) {
        return new Group<>(
                id,
                relevance,
                aggregates,
                lists.stream().map(list -> list.map(hit)).toList(),
                hits.stream().map(list -> list.map(hit)).toList());
    }
}
