package org.crabro.content.search.rank;

import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.crabro.content.search.query.QueryRejectedException;
import org.crabro.ranking.expression.Expression.Feature;
import org.crabro.ranking.expression.ExpressionParser;
import org.crabro.ranking.expression.ExpressionSyntaxException;
import org.crabro.ranking.program.BatchEvaluation;
import org.crabro.ranking.program.FeatureValues;
import org.crabro.ranking.program.RankProgram;

/**
 * The feature {@code elementSimilarity}: a similarity to the query for each element of a field, and
 * the maximum, average or sum of these.
 *
 * @param output the formula, such as {@code max(p * w)}, of the proximity of terms (p), their order
 *     (o), the coverage of the query (q) and of the element (f), and the element's weight (w)
 */
record ElementSimilarity(String field, String output) implements RowFeature {
    private static final String DEFAULT = "max((0.35*p+0.15*o+0.30*q+0.20*f)*w)";
    private static final Pattern FORM =
            Pattern.compile("\\s*(max|avg|sum)\\s*\\((.*)\\)\\s*", Pattern.DOTALL);
    private static final List<String> NAMES = List.of("p", "o", "q", "f", "w");

    @Override
    public int outputCount() {
        return 1;
    }

    @Override
    public Computation computation(DocumentTerms terms) {
        RankedTerms ranked = terms.ranked();
        String name = "elementSimilarity(" + field + ").output." + output;
        String said = ranked.profile().settings().properties().get(name);
        if (said == null && !output.equals("default")) {
            throw new QueryRejectedException("there is no rank property " + name);
        }
        String text = said == null ? DEFAULT : said;
        Matcher form = FORM.matcher(text);
        if (!form.matches()) {
            throw new QueryRejectedException(
                    "rank property %s: expected max(…), avg(…) or sum(…) but found '%s'"
                            .formatted(name, text));
        }
        var element = new ElementScores(ranked, terms.field(field));
        var figure = new Figure(element, program(name, form.group(2)));
        String aggregator = form.group(1);
        return (row, outputs) -> {
            element.go(row);
            double result = 0;
            int count = 0;
            for (int i = 0; i < element.elementCount(); i++) {
                if (element.measure(i)) {
                    double value = figure.of(i);
                    result =
                            count++ == 0
                                    ? value
                                    : aggregator.equals("max")
                                            ? Math.max(result, value)
                                            : result + value;
                }
            }
            outputs[0] = aggregator.equals("avg") && count > 0 ? result / count : result;
        };
    }

    private static RankProgram program(String name, String text) {
        RankProgram program;
        try {
            program = RankProgram.compile(ExpressionParser.parse(text));
        } catch (ExpressionSyntaxException | IllegalArgumentException e) {
            throw new QueryRejectedException("rank property " + name + ": " + e.getMessage());
        }
        for (Feature feature : program.features()) {
            if (!NAMES.contains(feature.toString())) {
                throw new QueryRejectedException(
                        "rank property %s: '%s' is none of %s"
                                .formatted(name, feature, String.join(", ", NAMES)));
            }
        }
        return program;
    }

    /** Evaluates the formula for an element. For one thread. */
    private static final class Figure implements FeatureValues {
        private final ElementScores element;
        private final BatchEvaluation evaluation;
        private final int[] slots;
        private final double[] value = new double[1];
        private double weight;

        Figure(ElementScores element, RankProgram program) {
            this.element = element;
            this.evaluation = program.evaluation(1);
            this.slots =
                    program.features().stream()
                            .mapToInt(feature -> NAMES.indexOf(feature.toString()))
                            .toArray();
        }

        double of(int index) {
            weight = element.elementWeight(index);
            evaluation.evaluate(this, 1, value);
            return value[0];
        }

        @Override
        public void read(int slot, double[] into, int count) {
            into[0] =
                    switch (slots[slot]) {
                        case 0 -> element.proximity();
                        case 1 -> element.order();
                        case 2 -> element.queryCoverage();
                        case 3 -> element.fieldCoverage();
                        default -> weight;
                    };
        }
    }
}
