package org.crabro.content.rank;

import java.util.ArrayList;
import java.util.List;
import org.crabro.content.match.Matcher;
import org.crabro.content.match.TermLook;

/** A weighted set of strings whose keys ranked terms of the query search. Immutable. */
final class SearchedKeys {
    private final String field;
    private final List<TermLook> looks;
    private final int[] terms;

    private SearchedKeys(String field, List<TermLook> looks, int[] terms) {
        this.field = field;
        this.looks = looks;
        this.terms = terms;
    }

    /** Returns what looks for words among the keys of {@code field}. */
    static SearchedKeys of(String field, Matcher matcher) {
        var looks = new ArrayList<TermLook>();
        var terms = new ArrayList<Integer>();
        for (int term = 0; term < matcher.termCount(); term++) {
            for (TermLook look : matcher.looks(term)) {
                if (look.field().equals(field) && look.isWordOfElement()) {
                    looks.add(look);
                    terms.add(term);
                }
            }
        }
        return new SearchedKeys(
                field, List.copyOf(looks), terms.stream().mapToInt(Integer::intValue).toArray());
    }

    String field() {
        return field;
    }

    /** Returns what is looked for, in the order of the query. */
    List<TermLook> looks() {
        return looks;
    }

    /** Returns of which ranked term each of {@link #looks} is. */
    int[] terms() {
        return terms;
    }
}
