package org.crabro.client.bench;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.concurrent.TimeUnit;
import org.HdrHistogram.Histogram;

/** Counts the answers of a run. Thread-safe. */
final class LoadRecorder {
    /** The most different notes that are counted; others are counted together. */
    private static final int NOTES_MAX = 20;

    private static final String OTHER_NOTES = "other notes";

    /** The most intervals; then two become one. */
    static final int INTERVALS_MAX = 600;

    private static final int DIGITS = 3;
    private static final int INTERVAL_DIGITS = 2;

    private final long begin;

    // Guarded by this, like all below.
    private final Histogram latencies = new Histogram(DIGITS);
    private final Map<Integer, Long> statuses = new TreeMap<>();
    private final Map<String, Long> notes = new TreeMap<>();
    private final List<Slot> intervals = new ArrayList<>();
    private long intervalNanos = TimeUnit.SECONDS.toNanos(1);
    private long answers;
    private long failures;
    private long empty;
    private long items;
    private long bytes;
    private long missedCycles;

    /** The answers of an interval, by the time of their end. */
    private static final class Slot {
        private long answers;
        private final Histogram latencies = new Histogram(INTERVAL_DIGITS);
    }

    /**
     * @param begin when counted requests can begin, on the scale of the clock
     */
    LoadRecorder(long begin) {
        this.begin = begin;
    }

    long begin() {
        return begin;
    }

    /**
     * Counts an answer.
     *
     * @param start when the request began, or was intended to
     */
    synchronized void record(long start, long end, LoadAnswer answer) {
        answers++;
        items += answer.items();
        bytes += answer.bytes();
        statuses.merge(answer.status(), 1L, Long::sum);
        if (!answer.note().isEmpty()) {
            boolean hasNote = notes.containsKey(answer.note()) || notes.size() < NOTES_MAX;
            notes.merge(hasNote ? answer.note() : OTHER_NOTES, 1L, Long::sum);
        }
        long micros = TimeUnit.NANOSECONDS.toMicros(Math.max(0, end - start));
        Slot interval = interval(end);
        interval.answers++;
        if (answer.isSuccess()) {
            empty += answer.items() == 0 ? 1 : 0;
            latencies.recordValue(micros);
            interval.latencies.recordValue(micros);
        } else {
            failures++;
        }
    }

    private Slot interval(long end) {
        int index = (int) (Math.max(0, end - begin) / intervalNanos);
        while (index >= INTERVALS_MAX) {
            for (int i = 0; i < intervals.size(); i += 2) {
                Slot merged = intervals.get(i);
                if (i + 1 < intervals.size()) {
                    Slot second = intervals.get(i + 1);
                    merged.answers += second.answers;
                    merged.latencies.add(second.latencies);
                }
                intervals.set(i / 2, merged);
            }
            intervals.subList((intervals.size() + 1) / 2, intervals.size()).clear();
            intervalNanos *= 2;
            index /= 2;
        }
        while (intervals.size() <= index) {
            intervals.add(new Slot());
        }
        return intervals.get(index);
    }

    /** Counts a request of a closed loop that began later than its cycle. */
    synchronized void missCycle() {
        missedCycles++;
    }

    synchronized LoadProgress progress() {
        return new LoadProgress(answers, failures);
    }

    /**
     * @param itemsName what items are
     * @param now when the last answer has arrived
     */
    synchronized LoadResult result(LoadSettings settings, String itemsName, long now) {
        var lines = new ArrayList<LoadResult.Interval>();
        double seconds = intervalNanos / 1e9;
        for (int i = 0; i < intervals.size(); i++) {
            Slot each = intervals.get(i);
            double left = (now - begin - i * intervalNanos) / 1e9;
            lines.add(
                    new LoadResult.Interval(
                            i * seconds,
                            each.answers / Math.clamp(left, 1e-3, seconds),
                            each.latencies.getValueAtPercentile(50) / 1e3,
                            each.latencies.getValueAtPercentile(99) / 1e3));
        }
        return new LoadResult(
                settings,
                Duration.ofNanos(Math.max(1, now - begin)),
                new LoadResult.Counts(answers, failures, empty, missedCycles),
                new LoadResult.Items(itemsName, items, bytes),
                new LoadResult.Breakdown(statuses, notes),
                new Latencies(latencies.copy(), lines));
    }
}
