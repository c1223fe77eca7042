package org.crabro.perf.feed;

import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import org.crabro.perf.data.GeneratedStore;
import org.crabro.perf.harness.Benchmark;
import org.crabro.perf.harness.Scale;

/** Starts a store with a journal of which no record is in a run, as after a crash. */
public final class ReplayBenchmark implements Benchmark {
    private static final int DOCUMENTS = 10_000;

    /** 1 GB of journal. */
    private static final int USERS = Scale.of(120);

    private static final long RECENT_BYTES = 2L << 30;

    @Override
    public String name() {
        return "replay";
    }

    @Override
    public String summary() {
        return "starts over a journal that holds everything, to the first answer";
    }

    @Override
    public Prepared prepare(Path folder) throws Exception {
        Path data = Files.createDirectory(folder.resolve("data"));
        List<GeneratedStore.User> users = GeneratedStore.users("item", USERS, DOCUMENTS);
        try (GeneratedStore store = open(data)) {
            store.write(users);
        }
        return figures -> {
            long begin = System.nanoTime();
            try (GeneratedStore store = open(data)) {
                double seconds = (System.nanoTime() - begin) / 1e9;
                store.search(users.getLast(), 0);
                double answered = (System.nanoTime() - begin) / 1e9;
                long bytes = store.statistics().writes().journalBytes();
                figures.add("journal", "MB", bytes / 1e6);
                figures.add("replay", "MB/s", bytes / 1e6 / seconds);
                figures.add("until the first answer", "s", answered);
            }
        };
    }

    private static GeneratedStore open(Path data) throws Exception {
        return GeneratedStore.open(data, 2, GeneratedStore.recent(RECENT_BYTES), false);
    }
}
