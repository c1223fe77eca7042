package org.crabro.perf.check;

import java.util.List;
import java.util.function.ToDoubleFunction;

/**
 * The measurements of a server in one interval.
 *
 * @param minute since the load began
 * @param diskBytes of all files below the data directory
 * @param heapBytes in use after a full collection
 * @param anonymousBytes of memory that is not mapped from files
 * @param recentBytes of documents that are not yet in a run
 * @param runs files with documents
 * @param writes per second
 * @param queries per second
 */
record SoakSample(
        double minute,
        double diskBytes,
        double heapBytes,
        double anonymousBytes,
        double recentBytes,
        double runs,
        double writes,
        double queries,
        double writeP50Millis,
        double writeP99Millis,
        double queryP50Millis,
        double queryP99Millis) {
    private static final double MIB = 1 << 20;

    /**
     * A value that must stay constant: its median over the last third of a soak is at most a factor
     * times that over the first third, plus a tolerance.
     */
    record Bound(
            String what,
            ToDoubleFunction<SoakSample> value,
            double unit,
            double times,
            double plus) {
        /** Returns whether {@code last} is no more than {@code first} allows. */
        boolean holds(double first, double last) {
            return last <= first * times + plus;
        }
    }

    /** Latencies of others on the machine are in these too, so that they may double. */
    static final List<Bound> BOUNDS =
            List.of(
                    new Bound("disk, MiB", SoakSample::diskBytes, MIB, 1.2, 64 * MIB),
                    new Bound("heap after GC, MiB", SoakSample::heapBytes, MIB, 1.2, 16 * MIB),
                    new Bound(
                            "anonymous memory, MiB",
                            SoakSample::anonymousBytes,
                            MIB,
                            1.2,
                            64 * MIB),
                    new Bound("write p99, ms", SoakSample::writeP99Millis, 1, 2, 5),
                    new Bound("query p50, ms", SoakSample::queryP50Millis, 1, 1.5, 1),
                    new Bound("query p99, ms", SoakSample::queryP99Millis, 1, 2, 5));

    static String header() {
        return "minute   disk MiB  heap MiB  anon MiB  recent MiB  runs  writes/s  p50 ms  p99 ms"
                + "  queries/s  p50 ms  p99 ms";
    }

    String line() {
        return "%6.1f %10.1f %9.1f %9.1f %11.1f %5.0f %9.0f %7.2f %7.2f %10.0f %7.2f %7.2f"
                .formatted(
                        minute,
                        diskBytes / MIB,
                        heapBytes / MIB,
                        anonymousBytes / MIB,
                        recentBytes / MIB,
                        runs,
                        writes,
                        writeP50Millis,
                        writeP99Millis,
                        queries,
                        queryP50Millis,
                        queryP99Millis);
    }
}
