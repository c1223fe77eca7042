package org.crabro.content.search.rank;

import java.util.List;

/**
 * The match of all fields: the weighted average over the fields with a match.
 *
 * @param parts one for each field
 */
record MatchOfFields(List<Part> parts) implements RowFeature {
    static final int SCORE = 0;
    static final int TOTAL_WEIGHT = 1;

    MatchOfFields {
        parts = List.copyOf(parts);
    }

    /**
     * One field.
     *
     * @param measure its first output is the match, from 0 to 1
     * @param weight the weight of the field in the average
     */
    record Part(RowFeature measure, int weight) {}

    @Override
    public int outputCount() {
        return 2;
    }

    @Override
    public Computation computation(DocumentTerms terms) {
        List<Computation> computations =
                parts.stream().map(part -> part.measure.computation(terms)).toList();
        double[] ofOne =
                new double[parts.stream().mapToInt(p -> p.measure.outputCount()).max().orElse(0)];
        return (row, outputs) -> {
            double weights = 0;
            double sum = 0;
            for (int i = 0; i < parts.size(); i++) {
                computations.get(i).compute(row, ofOne);
                if (ofOne[0] > 0) {
                    weights += parts.get(i).weight;
                    sum += ofOne[0] * parts.get(i).weight;
                }
            }
            outputs[SCORE] = weights > 0 ? sum / weights : 0;
            outputs[TOTAL_WEIGHT] = weights;
        };
    }
}
