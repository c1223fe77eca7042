package org.crabro.perf.search;

import java.io.IOException;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.nio.channels.FileChannel;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.crabro.perf.data.GeneratedStore;
import org.crabro.perf.harness.Benchmark;
import org.crabro.perf.harness.Clients;
import org.crabro.perf.harness.DirectReads;
import org.crabro.perf.harness.Figures;
import org.crabro.perf.harness.PageCache;
import org.crabro.perf.harness.Scale;
import org.crabro.protocol.search.SearchReply;
import org.crabro.ranking.kernel.MemoryRead;

/**
 * Queries of users whose documents are only on disk: the bytes read relative to those needed, and
 * the speed relative to direct reads of the same pages. Also compares a warm scan with reading
 * memory.
 *
 * <p>The environment variable {@code CRABRO_PERF_SCALE} makes the large groups smaller or larger,
 * and fewer or more.
 *
 * <p>The operating system's count of the bytes that the process read determines whether a query was
 * cold.
 */
public final class ColdBenchmark implements Benchmark {
    private static final List<String> TYPES = List.of("item", "mail");
    private static final int LARGE = Scale.of(100_000);
    private static final int[] SIZES = {LARGE, 10_000, 100, 5};
    private static final int CLIENTS = 16;
    private static final int SMALL_USERS = 256;
    private static final int SMALL_REPEATS = 4;
    private static final int USERS_ASKED = 8;
    private static final int WARM_QUERIES = 30;
    private static final int SMALL_WARM_UPS = 60;
    private static final int COLD_WARM_UPS = 60;

    @Override
    public String name() {
        return "cold";
    }

    @Override
    public String summary() {
        return "queries of users that are on the disk alone, against direct reads of the same pages";
    }

    @Override
    public Prepared prepare(Path folder) throws Exception {
        Path data = Files.createDirectory(folder.resolve("data"));
        try (var store = GeneratedStore.open(data, 1)) {
            var users = new ArrayList<GeneratedStore.User>();
            for (String type : TYPES) {
                for (int size : SIZES) {
                    users.addAll(users(type, size));
                }
            }
            store.feed(users);
        }
        var measured = new Measured(data);
        measured.warmUp();
        return measured;
    }

    private static List<GeneratedStore.User> users(String type, int size) {
        int count = size == LARGE ? 1 : size == 10_000 ? Scale.of(CLIENTS) : SMALL_USERS;
        return GeneratedStore.users(type, count, size);
    }

    private static final class Measured implements Prepared {
        private final Path data;
        private final PageCache cache = new PageCache();
        private GeneratedStore store;

        Measured(Path data) throws IOException {
            this.data = data;
            this.store = GeneratedStore.open(data, Runtime.getRuntime().availableProcessors());
        }

        void warmUp() throws Exception {
            for (int i = 0; i < 200; i++) {
                for (String type : TYPES) {
                    for (int size : SIZES) {
                        if (size < LARGE || i < WARM_QUERIES) {
                            store.search(users(type, size).getFirst(), i);
                        }
                    }
                }
            }
            List<GeneratedStore.User> small = users("item", 100);
            for (int i = 0; i < SMALL_WARM_UPS; i++) {
                Clients.run(CLIENTS, small.size(), user -> store.search(small.get(user), user));
            }
            // Code that waits for the disk is compiled late; rounds in memory do not warm it up.
            for (int i = 0; i < COLD_WARM_UPS; i++) {
                evict();
                Clients.run(CLIENTS, small.size(), user -> store.search(small.get(user), user));
            }
        }

        @Override
        public void measure(Figures figures) throws Exception {
            for (String type : TYPES) {
                for (int size : SIZES) {
                    measureBytes(figures, type, size);
                }
            }
            measureRate(figures, users("item", LARGE), 1);
            measureRate(figures, users("item", 10_000), CLIENTS);
            measureRate(figures, users("item", 100), CLIENTS);
            measureWarm(figures);
        }

        private void evict() throws IOException, InterruptedException {
            cache.evict(data);
            // A store caches for a while that pages are in memory, and does not check them again.
            TimeUnit.MILLISECONDS.sleep(700);
        }

        private void measureBytes(Figures figures, String type, int size) throws Exception {
            List<GeneratedStore.User> users = users(type, size);
            int count = Math.min(USERS_ASKED, users.size());
            long read = 0;
            long told = 0;
            long named = 0;
            long reads = 0;
            evict();
            for (int i = 0; i < count; i++) {
                GeneratedStore.User user = users.get(i * users.size() / count);
                long before = PageCache.deviceBytes();
                SearchReply.Found result = store.search(user, i);
                read += PageCache.deviceBytes() - before;
                told += result.report().cost().deviceBytes();
                named +=
                        type.equals("item")
                                ? (long) size * GeneratedStore.VECTOR_SIZE
                                : result.report().cost().bytes();
            }
            reads += cache.resident(data).size();
            String what = "%ss, groups of %,d: ".formatted(type, size);
            figures.add(what + "read over named", "", (double) read / named);
            figures.add(what + "told over read", "", (double) told / read);
            if (size <= 100) {
                figures.add(what + "read", "KiB", read / 1024.0 / count);
                figures.add(what + "ranges read", "", (double) reads / count);
            }
        }

        private void measureRate(Figures figures, List<GeneratedStore.User> users, int clients)
                throws Exception {
            double nanos = 0;
            double directNanos = 0;
            long read = 0;
            long direct = 0;
            // A round of small users is over in the time of a few of the system's ticks.
            int repeats = users.size() == SMALL_USERS ? SMALL_REPEATS : 1;
            for (int i = 0; i < repeats; i++) {
                evict();
                long before = PageCache.deviceBytes();
                long begin = System.nanoTime();
                Clients.run(clients, users.size(), user -> store.search(users.get(user), user));
                nanos += System.nanoTime() - begin;
                read += PageCache.deviceBytes() - before;
                List<PageCache.Range> ranges = DirectReads.pieces(cache.resident(data));
                evict();
                long directBegin = System.nanoTime();
                // With the same read-ahead as queries.
                DirectReads.read(ranges, clients == 1 ? 8 : CLIENTS);
                directNanos += System.nanoTime() - directBegin;
                direct += ranges.stream().mapToLong(PageCache.Range::size).sum();
            }
            String what =
                    "cold, %d users of %,d, %d clients: "
                            .formatted(users.size(), users.getFirst().documents(), clients);
            double rate = read * 1e3 / nanos;
            double directRate = direct * 1e3 / directNanos;
            figures.add(what + "read", "MB/s", rate);
            figures.add(what + "direct", "MB/s", directRate);
            figures.add(what + "read over direct", "", rate / directRate);
        }

        /** Scans of one thread against plain reads of the file that they scan. */
        private void measureWarm(Figures figures) throws Exception {
            store.close();
            store = GeneratedStore.open(data, 1);
            GeneratedStore.User user = users("item", LARGE).getFirst();
            long bytes = (long) user.documents() * GeneratedStore.VECTOR_SIZE;
            Path largest =
                    PageCache.runs(data).stream()
                            .max(Comparator.comparingLong(run -> run.toFile().length()))
                            .orElseThrow();
            double scan = Double.POSITIVE_INFINITY;
            double read = Double.POSITIVE_INFINITY;
            long sum = 0;
            try (Arena arena = Arena.ofConfined();
                    FileChannel channel = FileChannel.open(largest)) {
                MemorySegment mapping = channel.map(FileChannel.MapMode.READ_ONLY, 0, bytes, arena);
                for (int i = 0; i < WARM_QUERIES; i++) {
                    long begin = System.nanoTime();
                    store.search(user, i);
                    long middle = System.nanoTime();
                    sum += MemoryRead.all(mapping);
                    long end = System.nanoTime();
                    scan = Math.min(scan, (double) middle - begin);
                    read = Math.min(read, (double) end - middle);
                }
            }
            String what = "warm, %,d items, one thread: ".formatted(LARGE);
            figures.add(what + "scan", "GB/s", bytes / scan);
            figures.add(what + "read", "GB/s", bytes / read);
            figures.add(what + "scan over read", "", sum == 0 ? Double.NaN : read / scan);
            store.close();
            store = GeneratedStore.open(data, Runtime.getRuntime().availableProcessors());
        }

        @Override
        public void close() {
            store.close();
        }
    }
}
