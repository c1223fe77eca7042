package org.crabro.content.search.group;

import com.google.re2j.Pattern;
import java.util.Arrays;
import java.util.List;
import org.crabro.text.WorkedText;

/** Selects rows of a batch. For one thread. */
sealed interface RowFilter {
    /**
     * Writes whether each row is selected.
     *
     * @param into receives an entry per row
     */
    void test(RowBatch batch, boolean[] into);

    /** Selects rows with a text that matches in part. Each text of a batch is tested once. */
    final class Regex implements RowFilter {
        private static final int UNKNOWN = -1;

        private final Evaluator text;
        private final Pattern pattern;
        private int[] results = {};

        /**
         * @param text evaluates to texts
         */
        Regex(Pattern pattern, Evaluator text) {
            this.text = text;
            this.pattern = pattern;
        }

        @Override
        public void test(RowBatch batch, boolean[] into) {
            Values values = text.evaluate(batch);
            if (results.length < batch.texts.size()) {
                results = new int[batch.texts.size() * 2];
            }
            Arrays.fill(results, 0, batch.texts.size(), UNKNOWN);
            for (int row = 0; row < batch.count; row++) {
                into[row] = false;
                for (int i = values.start(row); i < values.end(row) && !into[row]; i++) {
                    int number = values.texts[i];
                    if (results[number] == UNKNOWN) {
                        results[number] = fits(batch, number) ? 1 : 0;
                    }
                    into[row] = results[number] == 1;
                }
            }
        }

        private boolean fits(RowBatch batch, int number) {
            String searched = batch.texts.text(number);
            return pattern.matcher(
                            new WorkedText(searched, batch.spending.work(), pattern.programSize()))
                    .find();
        }
    }

    /** Selects rows with a number in a range. */
    final class Range implements RowFilter {
        private final Evaluator number;
        private final double from;
        private final double to;
        private final boolean fromIncluded;
        private final boolean toIncluded;

        Range(Evaluator number, double from, double to, boolean fromIncluded, boolean toIncluded) {
            this.number = number;
            this.from = from;
            this.to = to;
            this.fromIncluded = fromIncluded;
            this.toIncluded = toIncluded;
        }

        @Override
        public void test(RowBatch batch, boolean[] into) {
            Values values = number.evaluate(batch);
            for (int row = 0; row < batch.count; row++) {
                into[row] = false;
                for (int i = values.start(row); i < values.end(row); i++) {
                    double value = values.number(i);
                    into[row] |=
                            (fromIncluded ? value >= from : value > from)
                                    && (toIncluded ? value <= to : value < to);
                }
            }
        }
    }

    /** Selects rows with the value true. */
    final class IsTrue implements RowFilter {
        private final Evaluator truth;

        IsTrue(Evaluator truth) {
            this.truth = truth;
        }

        @Override
        public void test(RowBatch batch, boolean[] into) {
            Values values = truth.evaluate(batch);
            for (int row = 0; row < batch.count; row++) {
                into[row] = false;
                for (int i = values.start(row); i < values.end(row); i++) {
                    into[row] |= values.longs[i] != 0;
                }
            }
        }
    }

    /** Selects the rows that another filter does not select. */
    final class Not implements RowFilter {
        private final RowFilter operand;

        Not(RowFilter operand) {
            this.operand = operand;
        }

        @Override
        public void test(RowBatch batch, boolean[] into) {
            operand.test(batch, into);
            for (int row = 0; row < batch.count; row++) {
                into[row] = !into[row];
            }
        }
    }

    /** Selects the rows that all filters select, or those that any filter selects. */
    final class Several implements RowFilter {
        private final List<RowFilter> operands;
        private final boolean isAny;
        private boolean[] own = {};

        Several(List<RowFilter> operands, boolean isAny) {
            this.operands = List.copyOf(operands);
            this.isAny = isAny;
        }

        @Override
        public void test(RowBatch batch, boolean[] into) {
            if (own.length < batch.count) {
                own = new boolean[batch.count];
            }
            Arrays.fill(into, 0, batch.count, !isAny);
            for (RowFilter operand : operands) {
                operand.test(batch, own);
                for (int row = 0; row < batch.count; row++) {
                    into[row] = isAny ? into[row] || own[row] : into[row] && own[row];
                }
            }
        }
    }
}
