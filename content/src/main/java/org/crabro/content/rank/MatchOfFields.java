package org.crabro.content.rank;

import java.util.List;

/**
 * How well all fields are matched, on the weighted average of those that are matched at all.
 *
 * @param parts each by its own measure
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
     * @param measure whose first output is from 0 to 1
     * @param weight how much the field counts beside others
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
