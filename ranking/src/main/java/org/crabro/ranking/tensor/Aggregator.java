package org.crabro.ranking.tensor;

import java.util.Arrays;
import java.util.Locale;
import java.util.Optional;

/** What becomes of several cells of which one is made. */
public enum Aggregator {
    AVG,
    COUNT,
    MAX,
    MEDIAN,
    MIN,
    PROD,
    SUM;

    /** Returns the aggregator written as {@code name}. */
    public static Optional<Aggregator> named(String name) {
        return Arrays.stream(values()).filter(each -> each.toString().equals(name)).findFirst();
    }

    /**
     * Returns what becomes of some cells.
     *
     * @param cells at least one, from index 0 on; may be put in another order
     */
    double of(double[] cells, int count) {
        return switch (this) {
            case AVG -> SUM.of(cells, count) / count;
            case COUNT -> count;
            case MAX -> {
                double max = cells[0];
                for (int i = 1; i < count; i++) {
                    max = max < cells[i] ? cells[i] : max;
                }
                yield max;
            }
            case MEDIAN -> median(cells, count);
            case MIN -> {
                double min = cells[0];
                for (int i = 1; i < count; i++) {
                    min = cells[i] < min ? cells[i] : min;
                }
                yield min;
            }
            case PROD -> {
                double product = 1;
                for (int i = 0; i < count; i++) {
                    product *= cells[i];
                }
                yield product;
            }
            case SUM -> {
                double sum = 0;
                for (int i = 0; i < count; i++) {
                    sum += cells[i];
                }
                yield sum;
            }
        };
    }

    private static double median(double[] cells, int count) {
        Arrays.sort(cells, 0, count);
        if (Double.isNaN(cells[count - 1])) {
            return Double.NaN;
        }
        int middle = count / 2;
        return count % 2 == 1 ? cells[middle] : (cells[middle - 1] + cells[middle]) / 2;
    }

    @Override
    public String toString() {
        return name().toLowerCase(Locale.ROOT);
    }
}
