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
import org.crabro.document.FieldValue;

/**
 * Keeps only the first hits with the same value of a field. It requests more hits than the query
 * returns, and more again if too few remain.
 */
final class FieldCollapse implements SearchStep {
    /** The number of further requests. */
    private static final int MAX_ROUNDS = 4;

    @Override
    public SearchResult search(SearchQuery query, Execution next) {
        if (query.hits().collapse().fields().isEmpty() || query.hits().count() == 0) {
            return next.search(query);
        }
        int wanted = query.hits().offset() + query.hits().count();
        long asked = 2L * (wanted + 1);
        for (int round = 0; ; round++) {
            int window = (int) Math.min(asked, Integer.MAX_VALUE);
            SearchResult found = next.search(query.withWindow(0, window));
            List<ResultHit> kept = kept(found.page().hits(), query);
            boolean exhausted = found.page().hits().size() < window;
            if (kept.size() >= wanted || exhausted || round == MAX_ROUNDS) {
                return found.withHits(
                        kept.stream()
                                .skip(query.hits().offset())
                                .limit(query.hits().count())
                                .toList(),
                        exhausted ? kept.size() : found.page().totalCount());
            }
            asked *= 2;
        }
    }

    private static List<ResultHit> kept(List<ResultHit> hits, SearchQuery query) {
        List<ResultHit> kept = hits;
        for (Collapse.Field field : query.hits().collapse().fields()) {
            Map<FieldValue, Integer> seen = new HashMap<>();
            var fewer = new ArrayList<ResultHit>();
            for (ResultHit hit : kept) {
                Optional<FieldValue> value = value(hit, field, query);
                if (value.isEmpty() || seen.merge(value.get(), 1, Integer::sum) <= field.size()) {
                    fewer.add(hit);
                }
            }
            kept = fewer;
        }
        return kept.stream().map(FieldCollapse::shown).toList();
    }

    private static Optional<FieldValue> value(
            ResultHit hit, Collapse.Field field, SearchQuery query) {
        return query.targets().stream()
                .filter(target -> target.schema().name().equals(hit.documentType()))
                .map(target -> query.hits().collapse().source(field, target.schema()))
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
