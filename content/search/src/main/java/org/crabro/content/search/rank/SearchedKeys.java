package org.crabro.content.search.rank;

import java.util.ArrayList;
import java.util.List;
import org.crabro.content.search.match.Matcher;
import org.crabro.content.search.match.TermCondition;

/** A weighted set of strings whose keys ranked terms of the query search. Immutable. */
final class SearchedKeys {
    private final String field;
    private final List<TermCondition> conditions;
    private final int[] terms;

    private SearchedKeys(String field, List<TermCondition> conditions, int[] terms) {
        this.field = field;
        this.conditions = conditions;
        this.terms = terms;
    }

    /** Returns the ranked terms that search keys of {@code field}. */
    static SearchedKeys of(String field, Matcher matcher) {
        var conditions = new ArrayList<TermCondition>();
        var terms = new ArrayList<Integer>();
        for (int term = 0; term < matcher.termCount(); term++) {
            for (TermCondition condition : matcher.conditions(term)) {
                if (condition.field().equals(field) && condition.isWordOfElement()) {
                    conditions.add(condition);
                    terms.add(term);
                }
            }
        }
        return new SearchedKeys(
                field,
                List.copyOf(conditions),
                terms.stream().mapToInt(Integer::intValue).toArray());
    }

    String field() {
        return field;
    }

    /** Returns the conditions in the order of the query. */
    List<TermCondition> conditions() {
        return conditions;
    }

    /** Returns the index of the ranked term of each of {@link #conditions}. */
    int[] terms() {
        return terms;
    }
}
