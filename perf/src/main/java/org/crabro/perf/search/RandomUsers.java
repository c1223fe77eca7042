package org.crabro.perf.search;

import java.io.IOException;
import java.io.PrintStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Random;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;
import org.HdrHistogram.Histogram;
import org.crabro.content.storage.store.RecentSettings;
import org.crabro.perf.data.GeneratedStore;
import org.crabro.perf.harness.ChildJvm;
import org.crabro.perf.harness.Clients;
import org.crabro.perf.harness.DirectReads;
import org.crabro.perf.harness.MemoryLimit;
import org.crabro.perf.harness.PageCache;

/**
 * Queries random users in a process with little memory, and prints the measurements.
 *
 * <p>Every step queries the same users in the same order: the cost of users differs by a factor of
 * 1,000, so different users would be different loads.
 */
final class RandomUsers {
    private static final int[] CLIENTS = {1, 2, 4, 8, 16, 32};
    private static final int DIRECT_DEPTH = 16;
    private static final int DIRECT_PIECES = 4_096;

    /** The queries of a step: enough that the slowest of a hundred are ten. */
    private static final int QUERIES = 1_000;

    /** The number of passes before a measurement, which the compiler needs. */
    private static final int WARM_TIMES = 3;

    /** The number of passes of a measurement of times. */
    private static final int CALM_TIMES = 2;

    private static final long LONGEST_NANOS = TimeUnit.MINUTES.toNanos(1);

    /** The load at which times are measured, as a share of the maximum rate. */
    private static final double CALM = 0.8;

    private final GeneratedStore store;
    private final List<GeneratedStore.User> asked = new ArrayList<>();
    private final PrintStream out;

    private RandomUsers(GeneratedStore store, PrintStream out) {
        this.store = store;
        this.out = out;
        List<GeneratedStore.User> users = LoadBenchmark.users();
        var random = new Random(5);
        for (int i = 0; i < QUERIES; i++) {
            asked.add(users.get(random.nextInt(users.size())));
        }
    }

    /**
     * Prints the figures for the parent process to standard output.
     *
     * @param arguments the data's folder, the memory limit in bytes, and the round, which
     *     determines the pieces that are read directly
     */
    public static void main(String[] arguments) throws Exception {
        Path data = Path.of(arguments[0]);
        int threads = Runtime.getRuntime().availableProcessors();
        try (var _ = MemoryLimit.of(Long.parseLong(arguments[1]));
                var store = GeneratedStore.open(data, threads, RecentSettings.DEFAULT, false)) {
            new RandomUsers(store, System.out).measure(data, Long.parseLong(arguments[2]));
        }
    }

    private void measure(Path data, long round) throws Exception {
        double direct = directRate(data, round);
        out.println(ChildJvm.line("direct reads", "MB/s", direct / 1e6));
        // From now on code is compiled, and all threads exist.
        Histogram alone = ask(CLIENTS[CLIENTS.length - 1], WARM_TIMES * QUERIES, 0).times();
        long anonymous = anonymousKilobytes();
        double best = 0;
        for (int clients : CLIENTS) {
            Step step = ask(clients, QUERIES, 0);
            best = Math.max(best, step.queriesPerSecond());
            String what = clients + " clients: ";
            out.println(ChildJvm.line(what + "device", "MB/s", step.bytesPerSecond() / 1e6));
            out.println(ChildJvm.line(what + "over direct", "", step.bytesPerSecond() / direct));
            if (clients == 1) {
                alone = step.times();
            }
        }
        out.println(ChildJvm.line("the most queries", "per second", best));
        Histogram calm =
                ask(CLIENTS[CLIENTS.length - 1], CALM_TIMES * QUERIES, CALM * best).times();
        print("alone: ", alone);
        print("0.8 of the load: ", calm);
        out.println(
                ChildJvm.line(
                        "p99 at 0.8 of the load over alone",
                        "",
                        (double) calm.getValueAtPercentile(99) / alone.getValueAtPercentile(99)));
        out.println(
                ChildJvm.line(
                        "anonymous memory, end over begin",
                        "",
                        (double) anonymousKilobytes() / anonymous));
    }

    private void print(String what, Histogram times) {
        for (int percent : new int[] {50, 99}) {
            double millis = times.getValueAtPercentile(percent) / 1e6;
            out.println(ChildJvm.line(what + "p" + percent, "ms", millis));
        }
    }

    /** The measurements of a number of queries. */
    private record Step(Histogram times, double queriesPerSecond, double bytesPerSecond) {}

    /**
     * Queries users in their order.
     *
     * @param perSecond the rate at which queries are due, at equal intervals; 0 for the maximum
     *     rate. Times count from when a query was due
     */
    private Step ask(int clients, int count, double perSecond) throws Exception {
        var times = new Histogram(LONGEST_NANOS, 3);
        long bytes = PageCache.deviceBytes();
        long begin = System.nanoTime();
        Clients.run(
                clients,
                count,
                number -> {
                    long due = System.nanoTime();
                    if (perSecond > 0) {
                        due = begin + (long) (number * 1e9 / perSecond);
                        LockSupport.parkNanos(due - System.nanoTime());
                    }
                    store.search(asked.get(number % QUERIES), number);
                    long nanos = Math.clamp(System.nanoTime() - due, 0, LONGEST_NANOS);
                    synchronized (times) {
                        times.recordValue(nanos);
                    }
                });
        double seconds = (System.nanoTime() - begin) / 1e9;
        return new Step(times, count / seconds, (PageCache.deviceBytes() - bytes) / seconds);
    }

    /**
     * Returns the rate in bytes per second of direct reads of pieces of 1 MiB anywhere in the runs.
     * Each round reads other pieces, because the storage of a virtual disk may cache recent reads.
     */
    private static double directRate(Path data, long round) throws Exception {
        var pieces = new ArrayList<PageCache.Range>();
        for (Path run : PageCache.runs(data)) {
            long whole = Files.size(run) >> 20 << 20;
            pieces.addAll(DirectReads.pieces(List.of(new PageCache.Range(run, 0, whole))));
        }
        Collections.shuffle(pieces, new Random(round));
        List<PageCache.Range> some = pieces.subList(0, Math.min(DIRECT_PIECES, pieces.size()));
        long begin = System.nanoTime();
        DirectReads.read(some, DIRECT_DEPTH);
        return some.stream().mapToLong(PageCache.Range::size).sum()
                * 1e9
                / (System.nanoTime() - begin);
    }

    private static long anonymousKilobytes() throws IOException {
        return Files.readAllLines(Path.of("/proc/self/status")).stream()
                .filter(line -> line.startsWith("RssAnon:"))
                .mapToLong(line -> Long.parseLong(line.replaceAll("\\D", "")))
                .findFirst()
                .orElseThrow();
    }
}
