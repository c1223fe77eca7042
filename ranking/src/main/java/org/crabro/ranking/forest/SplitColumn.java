package org.crabro.ranking.forest;

import java.util.Arrays;

/** Turns the values of an input into places that splits compare with integers. */
sealed interface SplitColumn {
    /** Returns the number of the input. */
    int feature();

    /**
     * Writes the places of some rows: at most a split's threshold where the split holds.
     *
     * @param values of the input
     * @param from the first row
     * @param into receives the place of row {@code i} at {@code first + i * stride}
     */
    void place(double[] values, int from, int rows, int[] into, int first, int stride);

    /** How many thresholds a value is not below; NaN is below all or none. */
    final class Thresholds implements SplitColumn {
        private final int feature;
        private final boolean missingIsYes;
        private final double[] rising;

        /**
         * @param rising each once
         */
        Thresholds(int feature, boolean missingIsYes, double[] rising) {
            this.feature = feature;
            this.missingIsYes = missingIsYes;
            this.rising = rising;
        }

        /** Returns the index of a threshold, which splits contain. */
        int threshold(double value) {
            return Arrays.binarySearch(rising, value);
        }

        @Override
        public int feature() {
            return feature;
        }

        @Override
        public void place(double[] values, int from, int rows, int[] into, int first, int stride) {
            int missing = missingIsYes ? 0 : rising.length;
            for (int i = 0; i < rows; i++) {
                double value = values[from + i];
                into[first + i * stride] = Double.isNaN(value) ? missing : reached(value);
            }
        }

        /** Halves without a branch that depends on the value. */
        private int reached(double value) {
            int base = 0;
            int length = rising.length;
            while (length > 1) {
                int half = length >>> 1;
                base = rising[base + half - 1] <= value ? base + half : base;
                length -= half;
            }
            return rising[base] <= value ? base + 1 : base;
        }

        @Override
        public boolean equals(Object other) {
            return other instanceof Thresholds that
                    && feature == that.feature
                    && missingIsYes == that.missingIsYes
                    && Arrays.equals(rising, that.rising);
        }

        @Override
        public int hashCode() {
            return 31 * feature + Arrays.hashCode(rising);
        }
    }

    /** 0 where a value is one of some, else 1: splits on it have the threshold 0. */
    final class Members implements SplitColumn {
        private final int feature;
        private final boolean missingIsYes;
        private final double[] rising;

        /**
         * @param rising each once
         */
        Members(int feature, boolean missingIsYes, double[] rising) {
            this.feature = feature;
            this.missingIsYes = missingIsYes;
            this.rising = rising;
        }

        @Override
        public int feature() {
            return feature;
        }

        @Override
        public void place(double[] values, int from, int rows, int[] into, int first, int stride) {
            for (int i = 0; i < rows; i++) {
                double value = values[from + i];
                // One zero of the two, as there is one among the values.
                boolean isYes =
                        Double.isNaN(value)
                                ? missingIsYes
                                : Arrays.binarySearch(rising, value + 0.0) >= 0;
                into[first + i * stride] = isYes ? 0 : 1;
            }
        }

        @Override
        public boolean equals(Object other) {
            return other instanceof Members that
                    && feature == that.feature
                    && missingIsYes == that.missingIsYes
                    && Arrays.equals(rising, that.rising);
        }

        @Override
        public int hashCode() {
            return 31 * feature + Arrays.hashCode(rising);
        }
    }
}
