package org.crabro.perf.harness;

import java.util.ArrayList;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import org.HdrHistogram.Histogram;

/** Threads that do a part each, at the same time, and the times that all of them took. */
public final class Together {
    private static final long LONGEST_NANOS = 60_000_000_000L;

    /** The work of one thread. */
    public interface Part {
        /**
         * Does the work of a thread.
         *
         * @param thread from 0
         * @param times receives the time of each step, in nanoseconds
         */
        void run(int thread, Histogram times) throws Exception;
    }

    private Together() {}

    /** Returns no times yet, of up to a minute each, to three digits. */
    public static Histogram noTimes() {
        return new Histogram(LONGEST_NANOS, 3);
    }

    /** Returns the times of all threads. */
    public static Histogram times(int threads, Part part) throws Exception {
        Histogram all = noTimes();
        try (ExecutorService pool = Executors.newFixedThreadPool(threads)) {
            var parts = new ArrayList<Future<Histogram>>();
            for (int i = 0; i < threads; i++) {
                int thread = i;
                parts.add(
                        pool.submit(() -> {
                            Histogram times = noTimes();
                            part.run(thread, times);
                            return times;
                        }));
            }
            for (Future<Histogram> each : parts) {
                all.add(each.get());
            }
        }
        return all;
    }
}
