package org.crabro.perf.search;

import java.nio.file.Files;
import java.nio.file.Path;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.atomic.AtomicInteger;
import org.crabro.content.storage.admission.FeedLimits;
import org.crabro.content.storage.journal.MappedLogFiles;
import org.crabro.content.storage.store.DocumentStore;
import org.crabro.content.storage.store.RecentSettings;
import org.crabro.content.storage.store.StoreOptions;
import org.crabro.perf.data.GeneratedStore;
import org.crabro.perf.harness.Benchmark;
import org.crabro.perf.harness.ChildJvm;
import org.crabro.perf.harness.Figures;
import org.crabro.perf.harness.PageCache;
import org.crabro.perf.harness.Scale;
import org.crabro.protocol.cluster.Partitions;

/**
 * Queries of random users whose documents are five times as large as the allowed memory, including
 * page cache. Each round has a process of its own, to which the limit applies.
 */
public final class LoadBenchmark implements Benchmark {
    /** The percentages of users by size, as in the generator of personal data. */
    private static final int[] SHARES = {35, 28, 22, 10, 5};

    private static final int[] SIZES = {100, 1_000, 10_000, 50_000, 100_000};

    /** 10 GB of vectors. */
    private static final int USERS = Scale.of(1_050);

    private static final int TIMES = 5;

    @Override
    public String name() {
        return "load";
    }

    @Override
    public String summary() {
        return "queries of random users, data of %d times the memory, against direct reads"
                .formatted(TIMES);
    }

    /** Returns all users, with the sizes of the generator. */
    static List<GeneratedStore.User> users() {
        var users = new ArrayList<GeneratedStore.User>();
        for (int i = 0; i < SIZES.length; i++) {
            int count = Math.max(1, USERS * SHARES[i] / 100);
            users.addAll(GeneratedStore.users("item", count, SIZES[i]));
        }
        return users;
    }

    @Override
    public Prepared prepare(Path folder) throws Exception {
        Path data = Files.createDirectory(folder.resolve("data"));
        RecentSettings settings =
                GeneratedStore.recent(1L << 30)
                        .withFeed(FeedLimits.DEFAULT.withReservedBytes(0).withDisk(1, 0));
        try (var store = GeneratedStore.open(data, 1, settings, true)) {
            store.feed(users());
        }
        try (var files = new MappedLogFiles(data);
                DocumentStore store =
                        DocumentStore.open(
                                files,
                                StoreOptions.of(
                                        Partitions.DEFAULT.count(),
                                        settings,
                                        InstantSource.system()))) {
            store.compact();
        }
        long bytes = 0;
        for (Path run : PageCache.runs(data)) {
            bytes += Files.size(run);
        }
        long memory = bytes / TIMES;
        var rounds = new AtomicInteger();
        return figures -> {
            new PageCache().evict(data);
            inChild(data, memory, rounds.incrementAndGet(), figures);
        };
    }

    private static void inChild(Path data, long memory, int round, Figures figures)
            throws Exception {
        ChildJvm.measure(
                figures,
                // The whole heap is allocated at the start: later growth is other memory.
                List.of("-Xms256m", "-Xmx256m", "-XX:+AlwaysPreTouch"),
                RandomUsers.class,
                data.toString(),
                Long.toString(memory),
                Integer.toString(round));
    }
}
