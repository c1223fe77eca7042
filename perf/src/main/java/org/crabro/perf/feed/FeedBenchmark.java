package org.crabro.perf.feed;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.time.Duration;
import java.time.InstantSource;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.Executors;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.stream.Stream;
import org.crabro.content.storage.admission.FeedLimits;
import org.crabro.content.storage.block.SearchedTexts;
import org.crabro.content.storage.commit.JournalSettings;
import org.crabro.content.storage.journal.MappedLogFiles;
import org.crabro.content.storage.store.ContentStatistics;
import org.crabro.content.storage.store.DocumentStore;
import org.crabro.content.storage.store.RecentSettings;
import org.crabro.content.storage.store.StoreOptions;
import org.crabro.document.DocumentId;
import org.crabro.document.DocumentType;
import org.crabro.document.Field;
import org.crabro.document.FieldType;
import org.crabro.document.FieldValue;
import org.crabro.perf.data.Items;
import org.crabro.perf.harness.Benchmark;
import org.crabro.perf.harness.Figures;
import org.crabro.perf.harness.ProcessorTime;
import org.crabro.perf.harness.Scale;
import org.crabro.protocol.cluster.Partitions;
import org.crabro.protocol.feed.Write;

/**
 * Feeds a store without HTTP: documents of 800 bytes, with a vector each, into random groups, every
 * write durable. Compares with appending the same bytes to a file with the same number of forces.
 *
 * <p>The environment variable {@code CRABRO_PERF_SCALE} makes everything smaller or larger;
 * published claims use 1.
 */
public final class FeedBenchmark implements Benchmark {
    /** 240 MB of journal in each round. */
    private static final int DOCUMENTS = Scale.of(300_000);

    private static final int GROUPS = Scale.of(3_000);
    private static final int SMALL_DOCUMENTS = Scale.of(5_000_000);
    private static final int SMALL_GROUPS = Scale.of(50_000);
    private static final int WRITERS = 512;
    private static final double MB = 1e6;

    private static final DocumentType SMALL =
            new DocumentType("small", List.of(new Field("n", FieldType.Primitive.INT, true)));

    @Override
    public String name() {
        return "feed";
    }

    @Override
    public String summary() {
        return "documents of %d bytes into random groups without HTTP, against appending the bytes"
                .formatted(Items.ROW_BYTES);
    }

    @Override
    public Prepared prepare(Path folder) throws IOException {
        List<Write.Row> writes = new Items(GROUPS).writes(DOCUMENTS);
        var round = new AtomicInteger();
        return figures -> {
            int number = round.incrementAndGet();
            Path data = folder.resolve("round" + number);
            burst(data, writes, figures);
            replay(data, figures);
            delete(data);
            oneByOne(data, writes, figures);
            delete(data);
            sustained(data, writes, figures);
            delete(data);
            if (number == 1) {
                heap(data, figures);
                delete(data);
            }
        };
    }

    private static RecentSettings settings(long recentBytes) {
        return RecentSettings.DEFAULT
                .withRecentBytes(recentBytes)
                .withFlushWait(Duration.ofMinutes(5))
                .withFeed(FeedLimits.DEFAULT.withReservedBytes(0).withDisk(1, 0))
                .withJournal(
                        new JournalSettings(
                                4L << 30, 64 << 20, 64, Duration.ofDays(1), 16_384, 64 << 20));
    }

    private static DocumentStore open(MappedLogFiles files, long recentBytes) throws IOException {
        DocumentStore store =
                DocumentStore.open(
                        files,
                        StoreOptions.of(
                                Partitions.DEFAULT.count(),
                                settings(recentBytes),
                                InstantSource.system()));
        store.keep(Items.TYPE, SearchedTexts.NONE);
        store.keep(SMALL, SearchedTexts.NONE);
        return store;
    }

    /** Into journal and memory alone, many rows a call; the store is left unflushed. */
    private static void burst(Path data, List<Write.Row> writes, Figures figures) throws Exception {
        try (var files = new MappedLogFiles(data);
                DocumentStore store = open(files, 4L << 30)) {
            long cpu = ProcessorTime.nanos();
            long begin = System.nanoTime();
            feed(store, writes);
            double seconds = (System.nanoTime() - begin) / 1e9;
            double cpuSeconds = (ProcessorTime.nanos() - cpu) / 1e9;
            double bytes = Items.bytes(writes);
            figures.add("burst: per second of processor time", "MB", bytes / MB / cpuSeconds);
            compare("burst", data, store.statistics(), writes, seconds, figures);
        }
    }

    /** One row a call, from many virtual threads. */
    private static void oneByOne(Path data, List<Write.Row> writes, Figures figures)
            throws Exception {
        try (var files = new MappedLogFiles(data);
                DocumentStore store = open(files, 4L << 30)) {
            var next = new AtomicInteger();
            long begin = System.nanoTime();
            Items.onThreads(
                    Executors.newVirtualThreadPerTaskExecutor(),
                    WRITERS,
                    () -> {
                        for (int i = next.getAndIncrement();
                                i < writes.size();
                                i = next.getAndIncrement()) {
                            Items.check(store.write(writes.get(i), Optional.empty(), Items.soon()));
                        }
                    });
            double seconds = (System.nanoTime() - begin) / 1e9;
            compare("one a call", data, store.statistics(), writes, seconds, figures);
        }
    }

    /** Until everything is in runs. */
    private static void sustained(Path data, List<Write.Row> writes, Figures figures)
            throws Exception {
        try (var files = new MappedLogFiles(data);
                DocumentStore store = open(files, 64L << 20)) {
            long begin = System.nanoTime();
            feed(store, writes);
            store.flush();
            double seconds = (System.nanoTime() - begin) / 1e9;
            compare("until flushed", data, store.statistics(), writes, seconds, figures);
            figures.add(
                    "until flushed: flushes", "", (double) store.statistics().merges().flushes());
        }
    }

    private static void compare(
            String what,
            Path data,
            ContentStatistics statistics,
            List<Write.Row> writes,
            double seconds,
            Figures figures)
            throws IOException {
        double bytes = Items.bytes(writes);
        double raw = append(data.resolve("raw"), writes, (int) statistics.writes().forces());
        figures.add(what, "MB/s", bytes / MB / seconds);
        figures.add(what + ": appending the same", "MB/s", bytes / MB / raw);
        figures.add(what + " over appending", "", raw / seconds);
        figures.add(
                what + ": forces", "per MiB", statistics.writes().forces() / (bytes / (1 << 20)));
    }

    /** Appends the rows with {@code forces} forces, and returns the time in seconds. */
    static double append(Path file, List<Write.Row> writes, int forces) throws IOException {
        int perForce = Math.ceilDiv(writes.size(), Math.max(1, forces));
        ByteBuffer batch = ByteBuffer.allocateDirect(perForce * (Items.ROW_BYTES + 200));
        try (FileChannel channel =
                FileChannel.open(file, StandardOpenOption.CREATE, StandardOpenOption.WRITE)) {
            long begin = System.nanoTime();
            for (int from = 0; from < writes.size(); from += perForce) {
                batch.clear();
                int to = Math.min(writes.size(), from + perForce);
                for (Write.Row write : writes.subList(from, to)) {
                    batch.put(write.bytes());
                }
                batch.flip();
                while (batch.hasRemaining()) {
                    channel.write(batch);
                }
                channel.force(false);
            }
            return (System.nanoTime() - begin) / 1e9;
        }
    }

    /** Opens a store whose journal was not flushed. */
    private static void replay(Path data, Figures figures) throws IOException {
        try (var files = new MappedLogFiles(data)) {
            long begin = System.nanoTime();
            try (DocumentStore store = open(files, 4L << 30)) {
                double seconds = (System.nanoTime() - begin) / 1e9;
                figures.add(
                        "replay",
                        "MB/s",
                        store.statistics().writes().journalBytes() / MB / seconds);
            }
        }
    }

    /** Measures the heap that a node needs for documents in runs. */
    private static void heap(Path data, Figures figures) throws Exception {
        try (var files = new MappedLogFiles(data);
                DocumentStore store = open(files, 64L << 20)) {
            long empty = heapBytes();
            feedSmall(store, SMALL_DOCUMENTS, SMALL_GROUPS);
            store.flush();
            double each = (double) (heapBytes() - empty) / SMALL_DOCUMENTS;
            figures.add("heap per small document in a run", "bytes", each);
            figures.add("heap: documents", "", (double) store.statistics().held().documents());
        }
    }

    private static void feed(DocumentStore store, List<Write.Row> writes) throws Exception {
        Items.feed(store, writes.size(), writes::get);
    }

    private static void feedSmall(DocumentStore store, int documents, int groups) throws Exception {
        Items.feed(
                store,
                documents,
                number -> {
                    String id = "id:p:small:g=user%d:%d".formatted(number % groups, number);
                    return Items.write(
                            DocumentId.parse(id),
                            SMALL,
                            Map.of("n", new FieldValue.IntValue(number)));
                });
    }

    private static long heapBytes() {
        Runtime runtime = Runtime.getRuntime();
        long least = Long.MAX_VALUE;
        for (int i = 0; i < 3; i++) {
            System.gc();
            least = Math.min(least, runtime.totalMemory() - runtime.freeMemory());
        }
        return least;
    }

    static void delete(Path data) throws IOException {
        try (Stream<Path> paths = Files.walk(data)) {
            for (Path path : paths.toList().reversed()) {
                Files.delete(path);
            }
        }
    }
}
