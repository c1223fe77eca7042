package org.crabro.container.search;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.crabro.document.FieldValue;

/**
 * Keeps of hits that have the same value in a field only the first few: asks for more hits than are
 * wanted, and for yet more where too few are left.
 */
final class FieldCollapse implements Searcher {
    /** How often more is asked for. */
    private static final int MAX_ROUNDS = 4;

    @Override
    public Result search(Query query, Execution next) {
        if (query.collapse().fields().isEmpty() || query.hits() == 0) {
            return next.search(query);
        }
        int wanted = query.offset() + query.hits();
        long asked = 2L * (wanted + 1);
        for (int round = 0; ; round++) {
            int window = (int) Math.min(asked, Integer.MAX_VALUE);
            Result found = next.search(query.withWindow(0, window));
            List<ResultHit> kept = kept(found.hits(), query.collapse());
            boolean exhausted = found.hits().size() < window;
            if (kept.size() >= wanted || exhausted || round == MAX_ROUNDS) {
                return found.withHits(
                        kept.stream().skip(query.offset()).limit(query.hits()).toList(),
                        exhausted ? kept.size() : found.totalCount());
            }
            asked *= 2;
        }
    }

    private static List<ResultHit> kept(List<ResultHit> hits, Collapse collapse) {
        List<ResultHit> kept = hits;
        for (Collapse.Field field : collapse.fields()) {
            Map<FieldValue, Integer> seen = new HashMap<>();
            var fewer = new ArrayList<ResultHit>();
            for (ResultHit hit : kept) {
                Optional<FieldValue> value =
                        Optional.ofNullable(hit.hit().summary().get(field.name()));
                if (value.isEmpty() || seen.merge(value.get(), 1, Integer::sum) <= field.size()) {
                    fewer.add(hit);
                }
            }
            kept = fewer;
        }
        return kept;
    }
}
