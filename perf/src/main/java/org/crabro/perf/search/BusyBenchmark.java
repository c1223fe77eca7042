package org.crabro.perf.search;

import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.locks.LockSupport;
import org.HdrHistogram.Histogram;
import org.crabro.content.storage.store.ContentStatistics;
import org.crabro.content.storage.store.RecentSettings;
import org.crabro.perf.data.GeneratedStore;
import org.crabro.perf.data.Items;
import org.crabro.perf.harness.Benchmark;
import org.crabro.perf.harness.Figures;

/**
 * Nearest neighbors of users of 10,000 vectors, one query after the other, while other users'
 * documents are fed at half of the rate that is possible and runs are merged: against an idle
 * store.
 */
public final class BusyBenchmark implements Benchmark {
    private static final int USERS = 8;
    private static final int DOCUMENTS = 10_000;
    private static final int OTHER_GROUPS = 2_000;
    private static final int WRITERS = 64;
    private static final int QUERIES = 2_000;
    private static final long FASTEST_NANOS = TimeUnit.SECONDS.toNanos(6);
    private static final long BUSY_NANOS = TimeUnit.SECONDS.toNanos(20);
    private static final long LONGEST_NANOS = TimeUnit.MINUTES.toNanos(1);

    @Override
    public String name() {
        return "busy";
    }

    @Override
    public String summary() {
        return "queries while documents are fed and runs merged, against queries of an idle store";
    }

    @Override
    public Prepared prepare(Path folder) throws Exception {
        Path data = Files.createDirectory(folder.resolve("data"));
        List<GeneratedStore.User> users = GeneratedStore.users("item", USERS, DOCUMENTS);
        GeneratedStore store =
                GeneratedStore.open(
                        data,
                        Runtime.getRuntime().availableProcessors(),
                        RecentSettings.DEFAULT,
                        true);
        store.feed(users);
        ask(store, users, QUERIES);
        var next = new AtomicInteger();
        return new Prepared() {
            @Override
            public void measure(Figures figures) throws Exception {
                BusyBenchmark.measure(store, users, next, figures);
            }

            @Override
            public void close() {
                store.close();
            }
        };
    }

    private static void measure(
            GeneratedStore store,
            List<GeneratedStore.User> users,
            AtomicInteger next,
            Figures figures)
            throws Exception {
        Histogram idle = ask(store, users, QUERIES);

        int first = next.get();
        long begin = System.nanoTime();
        feed(store, next, begin + FASTEST_NANOS, 0);
        double most = (next.get() - first) * 1e9 / (System.nanoTime() - begin);

        ContentStatistics before = store.statistics();
        Histogram busy = new Histogram(LONGEST_NANOS, 3);
        var isOver = new AtomicBoolean();
        int firstBusy = next.get();
        long busyBegin = System.nanoTime();
        try (ExecutorService asker = Executors.newSingleThreadExecutor()) {
            var asking =
                    asker.submit(() -> {
                        while (!isOver.get()) {
                            busy.add(ask(store, users, 1));
                        }
                        return null;
                    });
            feed(store, next, busyBegin + BUSY_NANOS, most / 2);
            isOver.set(true);
            asking.get();
        }
        double rate = (next.get() - firstBusy) * 1e9 / (System.nanoTime() - busyBegin);
        ContentStatistics after = store.statistics();

        figures.add("idle: p50", "ms", idle.getValueAtPercentile(50) / 1e6);
        figures.add("idle: p99", "ms", idle.getValueAtPercentile(99) / 1e6);
        figures.add("feeding alone", "documents/s", most);
        figures.add("feeding beside queries", "documents/s", rate);
        figures.add("busy: queries", "", (double) busy.getTotalCount());
        figures.add("busy: p50", "ms", busy.getValueAtPercentile(50) / 1e6);
        figures.add("busy: p99", "ms", busy.getValueAtPercentile(99) / 1e6);
        figures.add(
                "busy: flushed",
                "MB",
                (after.merges().flushedBytes() - before.merges().flushedBytes()) / 1e6);
        figures.add(
                "busy: merged",
                "MB",
                (after.merges().bytesWritten() - before.merges().bytesWritten()) / 1e6);
        figures.add(
                "p99 busy over idle",
                "",
                (double) busy.getValueAtPercentile(99) / idle.getValueAtPercentile(99));
    }

    private static Histogram ask(GeneratedStore store, List<GeneratedStore.User> users, int count) {
        var times = new Histogram(LONGEST_NANOS, 3);
        for (int i = 0; i < count; i++) {
            long begin = System.nanoTime();
            store.search(users.get(i % users.size()), i);
            times.recordValue(Math.min(LONGEST_NANOS, System.nanoTime() - begin));
        }
        return times;
    }

    /**
     * Feeds until {@code end}.
     *
     * @param perSecond the number of documents per second; 0 for the maximum rate
     */
    private static void feed(GeneratedStore store, AtomicInteger next, long end, double perSecond)
            throws Exception {
        int first = next.get();
        long begin = System.nanoTime();
        Items.onThreads(
                Executors.newVirtualThreadPerTaskExecutor(),
                WRITERS,
                () -> {
                    while (System.nanoTime() < end) {
                        int number = next.getAndIncrement();
                        if (perSecond > 0) {
                            long due = begin + (long) ((number - first) * 1e9 / perSecond);
                            LockSupport.parkNanos(due - System.nanoTime());
                        }
                        store.putItem(number, OTHER_GROUPS);
                    }
                });
    }
}
