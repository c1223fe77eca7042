package org.crabro.content.search.rank;

import java.util.Arrays;
import java.util.List;
import java.util.OptionalDouble;
import java.util.OptionalInt;
import org.crabro.content.search.match.BlockScan;
import org.crabro.content.search.match.KeyWeights;
import org.crabro.content.search.match.NearestSearch;
import org.crabro.content.search.match.TermCondition;
import org.crabro.content.search.match.TextPositions;
import org.jspecify.annotations.Nullable;

/**
 * The matches in a document of the terms that search one field: in texts with their positions, in
 * attributes with their weights. For one thread.
 */
final class FieldTerms {
    private final RankedTerms ranked;
    private final BlockScan scan;
    private final int[] terms;
    private final List<List<TermCondition>> conditions;
    private final boolean isIndexed;
    private final boolean isFilter;
    private final @Nullable TextPositions places;
    private final int[] one = new int[1];
    private final double[] distance = new double[1];
    private final int[] wordCounts;
    private final boolean[] matched;
    private final double[] weights;
    private final int[] counts;
    private final int[][] elements;
    private final int[][] positions;
    private final KeyWeights[] keys;
    private int row = -1;
    private int slice = -1;

    FieldTerms(RankedTerms ranked, String field, BlockScan scan) {
        this.ranked = ranked;
        this.scan = scan;
        this.terms = ranked.searching(field);
        this.isIndexed = ranked.isIndexed(field);
        this.isFilter = ranked.ranking(field).filter().orElse(false);
        this.conditions =
                Arrays.stream(terms).mapToObj(term -> ranked.conditions(term, field)).toList();
        OptionalInt scanned = textScan(conditions);
        this.places = scanned.isPresent() ? scan.textPositions(scanned.getAsInt()) : null;
        this.matched = new boolean[terms.length];
        this.weights = new double[terms.length];
        this.counts = new int[terms.length];
        this.elements = new int[terms.length][4];
        this.positions = new int[terms.length][4];
        this.keys = new KeyWeights[terms.length];
        Arrays.setAll(keys, _ -> new KeyWeights());
        this.wordCounts = new int[terms.length];
        Arrays.setAll(wordCounts, i -> conditions.get(i).getFirst().wordCount());
    }

    /** Returns the number of the text scan, which is the same for all conditions of a field. */
    private static OptionalInt textScan(List<List<TermCondition>> conditions) {
        for (List<TermCondition> ofTerm : conditions) {
            for (TermCondition condition : ofTerm) {
                if (condition.textScan().isPresent()) {
                    return condition.textScan();
                }
            }
        }
        return OptionalInt.empty();
    }

    /** Moves to a row of the open slice. */
    void go(int wanted) {
        if (row == wanted && slice == scan.index()) {
            return;
        }
        row = wanted;
        slice = scan.index();
        if (places != null) {
            places.read(wanted);
        }
        for (int i = 0; i < terms.length; i++) {
            matched[i] = false;
            weights[i] = 0;
            counts[i] = 0;
            keys[i].clear();
            List<TermCondition> ofTerm = conditions.get(i);
            for (int j = 0; j < ofTerm.size(); j++) {
                condition(i, ofTerm.get(j));
            }
            if (ofTerm.size() > 1) {
                sort(i);
            }
        }
    }

    private void condition(int index, TermCondition condition) {
        if (condition.textScan().isPresent() && places != null) {
            int pattern = condition.pattern();
            int count = places.count(pattern);
            // Whole values have no positions.
            for (int i = 0; i < count && isIndexed; i++) {
                add(index, places.element(pattern, i), places.place(pattern, i));
            }
            matched[index] |= count > 0;
            weights[index] += count;
            return;
        }
        if (condition.hasKeys()) {
            int before = keys[index].count();
            condition.addKeys(scan, row, keys[index]);
            int count = keys[index].count();
            for (int i = before; i < count && !isIndexed; i++) {
                add(index, 0, 0);
            }
            if (count > before) {
                matched[index] = true;
                weights[index] = keys[index].weight(0);
            }
            return;
        }
        OptionalDouble weight = condition.weight(scan, row, one);
        if (weight.isPresent()) {
            matched[index] = true;
            weights[index] += weight.getAsDouble();
        }
    }

    /** Adds an occurrence. Filters only match: they have no occurrences. */
    private void add(int index, int element, int position) {
        if (isFilter) {
            return;
        }
        int count = counts[index];
        if (count == positions[index].length) {
            elements[index] = Arrays.copyOf(elements[index], 2 * count);
            positions[index] = Arrays.copyOf(positions[index], 2 * count);
        }
        elements[index][count] = element;
        positions[index][count] = position;
        counts[index]++;
    }

    /** Sorts the occurrences of the several words of one term by their order in the text. */
    private void sort(int index) {
        int[] ofElement = elements[index];
        int[] ofPosition = positions[index];
        for (int i = 1; i < counts[index]; i++) {
            int element = ofElement[i];
            int position = ofPosition[i];
            int at = i;
            while (at > 0
                    && (ofElement[at - 1] > element
                            || (ofElement[at - 1] == element && ofPosition[at - 1] > position))) {
                ofElement[at] = ofElement[at - 1];
                ofPosition[at] = ofPosition[at - 1];
                at--;
            }
            ofElement[at] = element;
            ofPosition[at] = position;
        }
    }

    /** Returns the number of terms that search the field. */
    int count() {
        return terms.length;
    }

    /** Returns the number in the query of a term, by its index among the terms of this field. */
    int term(int index) {
        return terms[index];
    }

    /**
     * Returns the index among the terms of this field of one of the query's terms; -1 if that term
     * does not search this field.
     */
    int index(int term) {
        return Math.max(-1, Arrays.binarySearch(terms, term));
    }

    boolean isFound(int index) {
        return matched[index];
    }

    /** Returns the number of matching terms. */
    int matchedCount() {
        int count = 0;
        for (boolean each : matched) {
            count += each ? 1 : 0;
        }
        return count;
    }

    /** Returns the weight of the match of a term. */
    double weight(int index) {
        return weights[index];
    }

    /**
     * Returns how often a term occurs in the text. In an attribute it is the number of matching
     * keys, which have position 0.
     */
    int occurrences(int index) {
        return counts[index];
    }

    int element(int index, int occurrence) {
        return elements[index][occurrence];
    }

    int position(int index, int occurrence) {
        return positions[index][occurrence];
    }

    /** Returns the weight of the element that contains an occurrence, or of a matching key. */
    int weight(int index, int occurrence) {
        return isIndexed
                ? elementWeight(element(index, occurrence))
                : keys[index].weight(occurrence);
    }

    /** Returns the number of consecutive words of a term. */
    int wordCount(int index) {
        return wordCounts[index];
    }

    /** Returns whether the field only filters, so that features see no lengths and positions. */
    boolean isFilter() {
        return isFilter;
    }

    /** Returns the number of words of the field; 0 if it is no searched text. */
    int length() {
        return places == null || !isIndexed ? 0 : places.length();
    }

    int elementCount() {
        return places == null ? 0 : places.elementCount();
    }

    int elementLength(int element) {
        return places == null ? 0 : places.elementLength(element);
    }

    int elementWeight(int element) {
        return places == null ? 1 : places.elementWeight(element);
    }

    /**
     * Returns the score that a term itself provides, such as a vector's closeness; 0 if it provides
     * none.
     */
    double rawScore(int index) {
        double score = 0;
        List<TermCondition> ofTerm = conditions.get(index);
        for (int i = 0; i < ofTerm.size() && matched[index]; i++) {
            TermCondition condition = ofTerm.get(i);
            if (condition.nearest().isPresent()) {
                NearestSearch search = ranked.nearest(condition.nearest().getAsInt());
                one[0] = row;
                search.distances(scan, one, 1, distance);
                score += search.closeness(distance[0]);
            } else if (condition.isProduct()) {
                score += weights[index];
            }
        }
        return score;
    }
}
