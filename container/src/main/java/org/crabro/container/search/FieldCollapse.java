package org.crabro.container.search;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.crabro.container.query.Collapse;
import org.crabro.container.query.SearchQuery;
import org.crabro.container.query.SummaryNames;
import org.crabro.container.query.Target;
import org.crabro.document.FieldValue;

/**
 * Keeps only the first hits with the same value of a field. It requests more hits than the query
 * returns, and more again if too few remain.
 */
final class FieldCollapse implements SearchStep {
    /** The number of further requests. */
    private static final int MAX_ROUNDS = 4;

    private final boolean isOneOfSeveral;

    /**
     * @param isOneOfSeveral whether {@link #merged} follows, which needs the same fields
     */
    FieldCollapse(boolean isOneOfSeveral) {
        this.isOneOfSeveral = isOneOfSeveral;
    }

    /** Returns the hits of several sources, in their order, with the first of each value. */
    static List<ResultHit> merged(List<ResultHit> hits, Collapse collapse, List<Target> targets) {
        return collapse.fields().isEmpty()
                ? hits
                : collapsed(hits, collapse, targets).stream().map(FieldCollapse::shown).toList();
    }

    @Override
    public SearchResult search(SearchQuery query, Execution next) {
        if (query.hits().collapse().fields().isEmpty() || query.hits().count() == 0) {
            return next.search(query);
        }
        int wanted = query.hits().offset() + query.hits().count();
        long asked = 2L * (wanted + 1);
        for (int round = 0; ; round++) {
            int window = (int) Math.min(asked, Integer.MAX_VALUE);
            SearchResult result = next.search(query.withWindow(0, window));
            List<ResultHit> retained =
                    collapsed(result.page().hits(), query.hits().collapse(), query.targets());
            boolean exhausted = result.page().hits().size() < window;
            if (retained.size() >= wanted || exhausted || round == MAX_ROUNDS) {
                return result.withHits(
                        retained.stream()
                                .skip(query.hits().offset())
                                .limit(query.hits().count())
                                .map(hit -> isOneOfSeveral ? hit : shown(hit))
                                .toList(),
                        exhausted ? retained.size() : result.page().totalCount());
            }
            asked *= 2;
        }
    }

    private static List<ResultHit> collapsed(
            List<ResultHit> hits, Collapse collapse, List<Target> targets) {
        List<ResultHit> retained = hits;
        for (Collapse.Field field : collapse.fields()) {
            Map<FieldValue, Integer> seen = new HashMap<>();
            var fewer = new ArrayList<ResultHit>();
            for (ResultHit hit : retained) {
                Optional<FieldValue> value = value(hit, field, collapse, targets);
                if (value.isEmpty() || seen.merge(value.get(), 1, Integer::sum) <= field.size()) {
                    fewer.add(hit);
                }
            }
            retained = fewer;
        }
        return retained;
    }

    private static Optional<FieldValue> value(
            ResultHit hit, Collapse.Field field, Collapse collapse, List<Target> targets) {
        return targets.stream()
                .filter(target -> target.schema().name().equals(hit.documentType()))
                .map(target -> collapse.source(field, target.schema()))
                .flatMap(source ->
                        Optional.ofNullable(hit.hit().summary().get(SummaryNames.BESIDES + source))
                                .stream())
                .findFirst();
    }

    /** Removes the fields that were requested only for the comparison. */
    private static ResultHit shown(ResultHit hit) {
        Map<String, FieldValue> summary = new LinkedHashMap<>(hit.hit().summary());
        summary.keySet().removeIf(name -> name.startsWith(SummaryNames.BESIDES));
        return hit.with(hit.hit().withSummary(summary));
    }
}
