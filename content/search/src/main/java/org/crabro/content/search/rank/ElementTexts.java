package org.crabro.content.search.rank;

import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import org.crabro.ranking.tensor.TensorData;
import org.crabro.tensor.TensorType;

/**
 * A tensor with the BM25 score of each element of a text field, by element index. Elements without
 * a term have no cell.
 *
 * <p>Immutable and equal by content.
 *
 * @param inverseFrequencies by term of the query, the inverse document frequency
 * @param saturation k1 of BM25: the larger, the more repeated occurrences count
 * @param lengthNormalisation b of BM25, from 0 to 1: the larger, the less long elements score
 * @param averageLength the average number of words of an element
 */
record ElementTexts(
        String field,
        TensorType type,
        List<Double> inverseFrequencies,
        double saturation,
        double lengthNormalisation,
        double averageLength) {
    ElementTexts {
        inverseFrequencies = List.copyOf(inverseFrequencies);
    }

    /** Computes tensors for documents. For one thread. */
    interface Computation {
        /**
         * Returns the tensor of one document.
         *
         * @param row of the open slice
         */
        TensorData compute(int row);
    }

    /** Returns a computation for one thread. */
    Computation computation(DocumentTerms terms) {
        FieldTerms fieldTerms = terms.field(field);
        return row -> {
            fieldTerms.go(row);
            var scores = new TreeMap<Integer, Double>();
            for (int term = 0; term < fieldTerms.count(); term++) {
                double weight = inverseFrequencies.get(fieldTerms.term(term)) * (saturation + 1);
                // Occurrences are in the order of elements.
                int at = 0;
                while (at < fieldTerms.occurrences(term)) {
                    int element = fieldTerms.element(term, at);
                    int from = at;
                    while (at < fieldTerms.occurrences(term)
                            && fieldTerms.element(term, at) == element) {
                        at++;
                    }
                    int times = at - from;
                    double length = fieldTerms.elementLength(element) / averageLength;
                    double norm =
                            saturation * (1 - lengthNormalisation + lengthNormalisation * length);
                    scores.merge(element, weight * times / (times + norm), Double::sum);
                }
            }
            return tensor(scores);
        };
    }

    private TensorData tensor(Map<Integer, Double> scores) {
        var labels = new ArrayList<String[]>();
        double[] cells = new double[scores.size()];
        scores.forEach((element, score) -> {
            cells[labels.size()] = score;
            labels.add(new String[] {element.toString()});
        });
        return TensorData.mixed(type, labels.toArray(String[][]::new), cells);
    }
}
