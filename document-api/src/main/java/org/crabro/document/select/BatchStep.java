package org.crabro.document.select;

import java.util.Arrays;
import org.jspecify.annotations.Nullable;

/** A condition that is evaluated for many rows. For one thread. */
sealed interface BatchStep
        permits BatchStep.Fixed,
                BatchStep.Not,
                BatchStep.All,
                BatchStep.Each,
                BatchStep.ByNumber,
                BatchNumbers,
                BatchTexts {
    /** Sets the rows for the next calls. */
    void enter(SelectedRows rows);

    /** Writes the results for the first {@code count} of {@code rows} to {@code truths}. */
    void run(int[] rows, int count, Truth[] truths);

    /** The same for all rows. */
    record Fixed(Truth truth) implements BatchStep {
        @Override
        public void enter(SelectedRows rows) {}

        @Override
        public void run(int[] rows, int count, Truth[] truths) {
            Arrays.fill(truths, 0, count, truth);
        }
    }

    record Not(BatchStep of) implements BatchStep {
        @Override
        public void enter(SelectedRows rows) {
            of.enter(rows);
        }

        @Override
        public void run(int[] rows, int count, Truth[] truths) {
            of.run(rows, count, truths);
            for (int i = 0; i < count; i++) {
                truths[i] = truths[i].not();
            }
        }
    }

    /**
     * And, or: each operand is evaluated only for the rows that the operands before it did not
     * decide.
     */
    final class All implements BatchStep {
        /** The units of work of a row in one part. */
        private static final int ROW_UNITS = 4;

        private final BatchStep[] parts;
        private final boolean isAnd;
        private final Truth decided;
        private final int[] open = new int[BatchSelection.ROWS_MAX];
        private final int[] places = new int[BatchSelection.ROWS_MAX];
        private final Truth[] said = new Truth[BatchSelection.ROWS_MAX];
        private final EvaluationContext context;

        All(BatchStep[] parts, boolean isAnd, EvaluationContext context) {
            this.context = context;
            this.parts = parts;
            this.isAnd = isAnd;
            this.decided = isAnd ? Truth.FALSE : Truth.TRUE;
        }

        @Override
        public void enter(SelectedRows rows) {
            for (BatchStep part : parts) {
                part.enter(rows);
            }
        }

        @Override
        public void run(int[] rows, int count, Truth[] truths) {
            parts[0].run(rows, count, truths);
            for (int part = 1; part < parts.length; part++) {
                int left = 0;
                for (int i = 0; i < count; i++) {
                    if (truths[i] != decided) {
                        open[left] = rows[i];
                        places[left] = i;
                        left++;
                    }
                }
                if (left == 0) {
                    return;
                }
                context.report((long) ROW_UNITS * left);
                parts[part].run(open, left, said);
                for (int i = 0; i < left; i++) {
                    Truth before = truths[places[i]];
                    truths[places[i]] = isAnd ? before.and(said[i]) : before.or(said[i]);
                }
            }
        }
    }

    /** A condition that can only be evaluated row by row. */
    final class Each implements BatchStep {
        private final Condition condition;
        private final EvaluationContext context;
        private @Nullable SelectedRows from;

        Each(Condition condition, EvaluationContext context) {
            this.condition = condition;
            this.context = context;
        }

        @Override
        public void enter(SelectedRows rows) {
            from = rows;
        }

        @Override
        public void run(int[] rows, int count, Truth[] truths) {
            for (int i = 0; i < count; i++) {
                truths[i] = of(rows[i]);
            }
        }

        Truth of(int row) {
            if (from == null) {
                throw new IllegalStateException("no rows");
            }
            return new Evaluation(from.document(row), context).of(condition);
        }
    }

    /** A condition that depends on a part of the id only, which has a number. */
    final class ByNumber implements BatchStep {
        private static final int NUMBERS_MIN = 16;

        private final Each one;
        private final boolean isGroup;
        private @Nullable SelectedRows from;

        /** The results by that number. */
        private @Nullable Truth[] cached = new @Nullable Truth[NUMBERS_MIN];

        /**
         * @param isGroup true if the part is group or number, false if it is namespace and type
         */
        ByNumber(Each one, boolean isGroup) {
            this.one = one;
            this.isGroup = isGroup;
        }

        @Override
        public void enter(SelectedRows rows) {
            one.enter(rows);
            from = rows;
            Arrays.fill(cached, null);
        }

        @Override
        public void run(int[] rows, int count, Truth[] truths) {
            SelectedRows of = from;
            if (of == null) {
                throw new IllegalStateException("no rows");
            }
            for (int i = 0; i < count; i++) {
                int row = rows[i];
                int number = isGroup ? of.group(row) : of.head(row);
                if (number >= cached.length) {
                    cached = Arrays.copyOf(cached, Math.max(2 * cached.length, number + 1));
                }
                Truth truth = cached[number];
                if (truth == null) {
                    truth = one.of(row);
                    cached[number] = truth;
                }
                truths[i] = truth;
            }
        }
    }
}
