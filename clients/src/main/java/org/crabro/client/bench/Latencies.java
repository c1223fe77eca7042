package org.crabro.client.bench;

import java.util.ArrayList;
import java.util.List;
import org.HdrHistogram.Histogram;

/** The latencies of the successful requests of a run, in milliseconds, to three digits. */
public final class Latencies {
    /** The percentiles that reports have. */
    public static final List<Double> PERCENTILES =
            List.of(25.0, 50.0, 75.0, 90.0, 95.0, 98.0, 99.0, 99.5, 99.9, 99.99);

    private static final double MICROS_PER_MILLI = 1e3;

    private final Histogram histogram;
    private final List<LoadResult.Interval> intervals;

    /**
     * @param histogram in microseconds; not changed later
     */
    Latencies(Histogram histogram, List<LoadResult.Interval> intervals) {
        this.histogram = histogram;
        this.intervals = List.copyOf(intervals);
    }

    /** A point of the curve of latencies. */
    record Point(double percentile, double millis) {}

    /** Returns whether no request was successful. */
    public boolean isEmpty() {
        return histogram.getTotalCount() == 0;
    }

    /** Returns the latency that a share of the requests do not exceed. */
    public double percentile(double percent) {
        return histogram.getValueAtPercentile(percent) / MICROS_PER_MILLI;
    }

    /** Returns the mean. */
    public double mean() {
        return isEmpty() ? 0 : histogram.getMean() / MICROS_PER_MILLI;
    }

    /** Returns the smallest latency. */
    public double smallest() {
        return isEmpty() ? 0 : histogram.getMinValue() / MICROS_PER_MILLI;
    }

    /** Returns the largest latency. */
    public double largest() {
        return histogram.getMaxValue() / MICROS_PER_MILLI;
    }

    /** Returns the intervals of the run, in order. */
    public List<LoadResult.Interval> intervals() {
        return intervals;
    }

    /** Returns the curve of latencies by percentile, which is finer near 100. */
    List<Point> curve() {
        var points = new ArrayList<Point>();
        histogram
                .percentiles(5)
                .forEach(value ->
                        points.add(
                                new Point(
                                        value.getPercentileLevelIteratedTo(),
                                        value.getValueIteratedTo() / MICROS_PER_MILLI)));
        return points;
    }
}
