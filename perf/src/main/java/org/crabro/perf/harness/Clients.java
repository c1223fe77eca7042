package org.crabro.perf.harness;

import java.util.ArrayList;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.atomic.AtomicInteger;

/** Threads that run numbered tasks, each one task after another. */
public final class Clients {
    /** Something to do, by number. */
    public interface Task {
        void run(int number) throws Exception;
    }

    private Clients() {}

    /** Does tasks 0 to {@code count} - 1, and returns when all are done. */
    public static void run(int threads, int count, Task task) throws Exception {
        var next = new AtomicInteger();
        try (ExecutorService pool = Executors.newFixedThreadPool(threads)) {
            var parts = new ArrayList<Future<Boolean>>();
            for (int i = 0; i < threads; i++) {
                parts.add(
                        pool.submit(() -> {
                            for (int each = next.getAndIncrement();
                                    each < count;
                                    each = next.getAndIncrement()) {
                                task.run(each);
                            }
                            return true;
                        }));
            }
            for (Future<Boolean> part : parts) {
                part.get();
            }
        }
    }
}
