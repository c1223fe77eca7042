package org.crabro.content.search.rank;

import java.util.ArrayList;
import java.util.List;

/**
 * The terms that search one field, with each phrase split into its words at their positions, and
 * the elements of the field joined to one sequence of words. For one thread.
 */
final class SplitTerms {
    private final FieldTerms terms;
    private final int[] index;
    private final int[] word;
    private final double[] weights;
    private final double[] significances;
    private final double[] connectedness;
    private final boolean[] repeated;
    private int[] starts = {};

    SplitTerms(RankedTerms ranked, FieldTerms terms) {
        this.terms = terms;
        var indexes = new ArrayList<Integer>();
        var words = new ArrayList<Integer>();
        for (int i = 0; i < terms.count(); i++) {
            for (int j = 0; j < terms.wordCount(i); j++) {
                indexes.add(i);
                words.add(j);
            }
        }
        this.index = ints(indexes);
        this.word = ints(words);
        this.weights = new double[index.length];
        this.significances = new double[index.length];
        this.connectedness = new double[index.length];
        this.repeated = new boolean[index.length];
        for (int i = 0; i < index.length; i++) {
            int term = terms.term(index[i]);
            weights[i] = ranked.weight(term);
            significances[i] = ranked.significance(term);
            connectedness[i] =
                    word[i] == 0 ? ranked.connectedness(term) : RankedTerms.CONNECTEDNESS;
        }
    }

    private static int[] ints(List<Integer> numbers) {
        return numbers.stream().mapToInt(Integer::intValue).toArray();
    }

    /** Moves to a row of the open slice. */
    void go(int row) {
        terms.go(row);
        int count = terms.elementCount();
        if (starts.length < count) {
            starts = new int[count];
        }
        int start = 0;
        for (int i = 0; i < count; i++) {
            starts[i] = start;
            start += terms.elementLength(i);
        }
        for (int i = 0; i < index.length; i++) {
            repeated[i] = stoodBefore(i);
        }
    }

    private boolean stoodBefore(int term) {
        if (occurrences(term) == 0) {
            return false;
        }
        int first = place(term, 0);
        for (int i = 0; i < term; i++) {
            if (occurrences(i) > 0 && place(i, 0) == first) {
                return true;
            }
        }
        return false;
    }

    int count() {
        return index.length;
    }

    /**
     * Returns the number of words as which one of the query's terms counts. A phrase is split only
     * if it searches this field.
     */
    int wordCount(int term) {
        int index = terms.index(term);
        return index < 0 ? 1 : terms.wordCount(index);
    }

    /** Returns the number of words of the field. */
    int length() {
        return terms.length();
    }

    int occurrences(int term) {
        return terms.occurrences(index[term]);
    }

    /** Returns the word position in the field of an occurrence, from 0. */
    int place(int term, int occurrence) {
        int of = index[term];
        return starts[terms.element(of, occurrence)] + terms.position(of, occurrence) + word[term];
    }

    double weight(int term) {
        return weights[term];
    }

    double significance(int term) {
        return significances[term];
    }

    /** Returns the connectedness of a term with the previous one. */
    double connectedness(int term) {
        return connectedness[term];
    }

    /**
     * Returns whether a term first occurs at the same position as an earlier one, because they are
     * the same word.
     */
    boolean isRepeated(int term) {
        return repeated[term];
    }
}
