package org.crabro.perf.search;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.InstantSource;
import java.util.List;
import java.util.stream.Stream;
import org.crabro.content.storage.journal.MappedLogFiles;
import org.crabro.content.storage.store.DocumentStore;
import org.crabro.content.storage.store.StoreOptions;
import org.crabro.perf.data.GeneratedStore;
import org.crabro.perf.harness.Benchmark;
import org.crabro.perf.harness.Figures;
import org.crabro.perf.harness.Scale;
import org.crabro.protocol.cluster.Partitions;

/** Feeds a million groups of five documents, merges them, and starts over them again and again. */
public final class GroupsBenchmark implements Benchmark {
    private static final int GROUPS = Scale.of(1_000_000);
    private static final int DOCUMENTS = 5;
    private static final long RECENT_BYTES = 256L << 20;

    @Override
    public String name() {
        return "groups";
    }

    @Override
    public String summary() {
        return "starts over a million groups of five documents, to the first answer";
    }

    @Override
    public Prepared prepare(Path folder) throws Exception {
        Path data = Files.createDirectory(folder.resolve("data"));
        List<GeneratedStore.User> users = GeneratedStore.users("item", GROUPS, DOCUMENTS);
        long begin = System.nanoTime();
        try (GeneratedStore store = open(data)) {
            store.scatter(users);
        }
        double fed = (System.nanoTime() - begin) / 1e9;
        try (var files = new MappedLogFiles(data);
                DocumentStore store =
                        DocumentStore.open(
                                files,
                                StoreOptions.of(
                                        Partitions.DEFAULT.count(),
                                        GeneratedStore.recent(RECENT_BYTES),
                                        InstantSource.system()))) {
            store.compact();
        }
        double merged = (System.nanoTime() - begin) / 1e9;
        return figures -> {
            figures.add("fed and flushed", "s", fed);
            figures.add("fed and merged", "s", merged);
            start(data, users, figures);
        };
    }

    private static void start(Path data, List<GeneratedStore.User> users, Figures figures)
            throws IOException {
        long before = mappings();
        long begin = System.nanoTime();
        try (GeneratedStore store = open(data)) {
            double open = (System.nanoTime() - begin) / 1e9;
            store.search(users.getLast(), 0);
            double answered = (System.nanoTime() - begin) / 1e9;
            figures.add("start over %,d groups of five".formatted(users.size()), "s", open);
            figures.add("start until the first answer", "s", answered);
            for (int i = 0; i < 1_000; i++) {
                store.search(users.get((int) ((long) i * users.size() / 1_000)), i);
            }
            double bytes = store.statistics().runs().bytes();
            figures.add("runs", "GB", bytes / 1e9);
            figures.add("mappings more", "", (double) (mappings() - before));
            figures.add("mappings allowed", "", bytes / (64 << 20) + 1_000);
        }
    }

    private static GeneratedStore open(Path data) throws IOException {
        return GeneratedStore.open(data, 2, GeneratedStore.recent(RECENT_BYTES), true);
    }

    /** Returns the number of mappings of this process, 0 if the system does not report it. */
    private static long mappings() throws IOException {
        Path maps = Path.of("/proc/self/maps");
        if (!Files.isReadable(maps)) {
            return 0;
        }
        try (Stream<String> lines = Files.lines(maps)) {
            return lines.count();
        }
    }
}
