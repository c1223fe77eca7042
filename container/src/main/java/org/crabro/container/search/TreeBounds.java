package org.crabro.container.search;

import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.crabro.container.query.ErrorCode;
import org.crabro.container.query.IllegalQueryException;
import org.crabro.container.query.SearchQuery;
import org.crabro.protocol.query.QueryNode;

/** Rejects trees that are too large, and phrases that repeat a word many times. */
final class TreeBounds implements SearchStep {
    /** The number of times that a phrase may contain a word: in a row, and in all. */
    private static final int MAX_IN_A_ROW = 5;

    private static final int MAX_IN_ALL = 10;

    @Override
    public SearchResult search(SearchQuery query, Execution next) {
        var items = new int[1];
        QueryTrees.forEach(
                query.condition().tree(),
                node -> {
                    items[0]++;
                    if (node instanceof QueryNode.Phrase(_, var words, _)) {
                        items[0] += words.size();
                        checkWords(words);
                    }
                });
        if (items[0] > query.condition().maxItems()) {
            throw new IllegalQueryException(
                    ErrorCode.INVALID_PARAMETER,
                    "the query has %d items, max allowed: %d"
                            .formatted(items[0], query.condition().maxItems()));
        }
        return next.search(query);
    }

    private static void checkWords(List<String> words) {
        Map<String, Integer> counts = new HashMap<>();
        int row = 0;
        String last = "";
        for (String word : words) {
            row = word.equals(last) ? row + 1 : 1;
            last = word;
            if (row > MAX_IN_A_ROW || counts.merge(word, 1, Integer::sum) > MAX_IN_ALL) {
                throw new IllegalQueryException(
                        ErrorCode.ILLEGAL_QUERY,
                        "a phrase may have a word %d times in a row and %d times in all: '%s'"
                                .formatted(MAX_IN_A_ROW, MAX_IN_ALL, word));
            }
        }
    }
}
