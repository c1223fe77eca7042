package org.crabro.perf;

import java.io.IOException;
import java.io.PrintStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Random;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.locks.LockSupport;
import org.HdrHistogram.Histogram;
import org.crabro.content.recent.RecentSettings;

/** Asks for random users in a process with little memory, and prints what it saw. */
final class RandomUsers {
    private static final int[] CLIENTS = {1, 2, 4, 8, 16, 32};
    private static final int DIRECT_DEPTH = 16;
    private static final int DIRECT_PIECES = 4_096;
    private static final int WARM_UP = 200;
    private static final long STEP_NANOS = TimeUnit.SECONDS.toNanos(5);
    private static final long LONGEST_NANOS = TimeUnit.MINUTES.toNanos(1);

    /** The load at which times are looked at, of the most that there was. */
    private static final double CALM = 0.8;

    private final GeneratedStore store;
    private final List<GeneratedStore.User> users;
    private final PrintStream out;
    private final AtomicInteger next = new AtomicInteger();

    private RandomUsers(GeneratedStore store, PrintStream out) {
        this.store = store;
        this.users = new ArrayList<>(LoadBenchmark.users());
        Collections.shuffle(users, new Random(5));
        this.out = out;
    }

    /**
     * Prints to standard output what the parent process reads.
     *
     * @param arguments the data's folder, and how many bytes of memory there are
     */
    public static void main(String[] arguments) throws Exception {
        Path data = Path.of(arguments[0]);
        int threads = Runtime.getRuntime().availableProcessors();
        try (var _ = MemoryLimit.of(Long.parseLong(arguments[1]));
                var store = GeneratedStore.open(data, threads, RecentSettings.DEFAULT, false)) {
            new RandomUsers(store, System.out).measure(data);
        }
    }

    private void measure(Path data) throws Exception {
        for (int i = 0; i < WARM_UP; i++) {
            ask(next.getAndIncrement());
        }
        long anonymous = anonymousKilobytes();
        double direct = directRate(data);
        out.println(LoadBenchmark.line("direct reads", "MB/s", direct / 1e6));
        Histogram alone = new Histogram(LONGEST_NANOS, 3);
        double best = 0;
        for (int clients : CLIENTS) {
            int first = next.get();
            long before = PageCache.deviceBytes();
            long begin = System.nanoTime();
            Histogram times = askUntil(clients, begin + STEP_NANOS, 0);
            double seconds = (System.nanoTime() - begin) / 1e9;
            double rate = (PageCache.deviceBytes() - before) / seconds;
            best = Math.max(best, (next.get() - first) / seconds);
            String what = clients + " clients: ";
            out.println(LoadBenchmark.line(what + "device", "MB/s", rate / 1e6));
            out.println(LoadBenchmark.line(what + "over direct", "", rate / direct));
            if (clients == 1) {
                alone = times;
            }
        }
        Histogram calm =
                askUntil(
                        CLIENTS[CLIENTS.length - 1],
                        System.nanoTime() + 2 * STEP_NANOS,
                        CALM * best);
        print("alone: ", alone);
        print("0.8 of the load: ", calm);
        out.println(
                LoadBenchmark.line(
                        "p99 at 0.8 of the load over alone",
                        "",
                        (double) calm.getValueAtPercentile(99) / alone.getValueAtPercentile(99)));
        out.println(
                LoadBenchmark.line(
                        "anonymous memory, end over begin",
                        "",
                        (double) anonymousKilobytes() / anonymous));
    }

    private void print(String what, Histogram times) {
        for (int percent : new int[] {50, 99}) {
            double millis = times.getValueAtPercentile(percent) / 1e6;
            out.println(LoadBenchmark.line(what + "p" + percent, "ms", millis));
        }
    }

    private void ask(int number) {
        store.search(users.get(new Random(number).nextInt(users.size())), number);
    }

    /**
     * Asks until {@code end}.
     *
     * @param perSecond how many queries begin; 0 for as many as there may be. Times count from when
     *     a query was to begin
     */
    private Histogram askUntil(int clients, long end, double perSecond) throws Exception {
        int first = next.get();
        long begin = System.nanoTime();
        var all = new Histogram(LONGEST_NANOS, 3);
        try (ExecutorService pool = Executors.newFixedThreadPool(clients)) {
            var parts = new ArrayList<Future<Histogram>>();
            for (int i = 0; i < clients; i++) {
                parts.add(
                        pool.submit(() -> {
                            var times = new Histogram(LONGEST_NANOS, 3);
                            while (System.nanoTime() < end) {
                                int number = next.getAndIncrement();
                                long due = System.nanoTime();
                                if (perSecond > 0) {
                                    due = begin + (long) ((number - first) * 1e9 / perSecond);
                                    LockSupport.parkNanos(due - System.nanoTime());
                                }
                                ask(number);
                                times.recordValue(
                                        Math.clamp(System.nanoTime() - due, 0, LONGEST_NANOS));
                            }
                            return times;
                        }));
            }
            for (Future<Histogram> part : parts) {
                all.add(part.get());
            }
        }
        return all;
    }

    /** Returns bytes per second of pieces of 1 MiB, anywhere in the runs. */
    private static double directRate(Path data) throws Exception {
        var pieces = new ArrayList<PageCache.Range>();
        for (Path run : PageCache.runs(data)) {
            long whole = Files.size(run) >> 20 << 20;
            pieces.addAll(DirectReads.pieces(List.of(new PageCache.Range(run, 0, whole))));
        }
        Collections.shuffle(pieces, new Random(9));
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
