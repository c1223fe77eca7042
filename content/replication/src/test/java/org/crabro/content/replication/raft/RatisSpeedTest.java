package org.crabro.content.replication.raft;

import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.atomic.AtomicReference;
import org.awaitility.Awaitility;
import org.crabro.content.storage.block.SearchedTexts;
import org.crabro.content.storage.store.DocumentStore;
import org.crabro.content.storage.store.Freshness;
import org.crabro.content.storage.store.Notes;
import org.crabro.content.storage.store.RecentSettings;
import org.crabro.protocol.feed.Write;
import org.crabro.protocol.feed.WriteReply;
import org.crabro.protocol.wire.Deadline;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.condition.EnabledIfSystemProperty;
import org.junit.jupiter.api.io.TempDir;

/** Prints the speed of three nodes in one process: {@code -Dcrabro.raft.speed=true}. */
@EnabledIfSystemProperty(named = "crabro.raft.speed", matches = "true")
class RatisSpeedTest {
    private static final Duration TIME = Duration.ofSeconds(10);

    private final AtomicLong documents = new AtomicLong();

    @Test
    void writesAndReads(@TempDir Path directory) throws Exception {
        try (RaftNodes nodes = RaftNodes.start(directory, 3, 1, RecentSettings.DEFAULT)) {
            var leader = new AtomicReference<DocumentStore>();
            Awaitility.await()
                    .atMost(Duration.ofSeconds(60))
                    .until(() -> {
                        nodes.leader(0).flatMap(RaftNodes.Node::store).ifPresent(leader::set);
                        return leader.get() != null;
                    });
            DocumentStore store = leader.get();
            store.keep(Notes.TYPE, SearchedTexts.NONE);
            run("warm-up, one writer", 1, number -> put(store, number, 1));
            run("one writer, a document each", 1, number -> put(store, number, 1));
            run("64 writers, a document each", 64, number -> put(store, number, 1));
            run("16 writers, 100 documents each", 16, number -> put(store, number, 100));
            run("one reader", 1, _ -> read(store));
            run("64 readers", 64, _ -> read(store));
        }
    }

    private interface Work {
        void run(int number);
    }

    private void run(String what, int threads, Work work) throws InterruptedException {
        documents.set(0);
        long end = System.nanoTime() + TIME.toNanos();
        List<long[]> times = new ArrayList<>();
        List<Thread> all = new ArrayList<>();
        for (int i = 0; i < threads; i++) {
            int number = i;
            var own = new long[1_000_000];
            times.add(own);
            all.add(
                    Thread.ofPlatform()
                            .start(() -> {
                                int count = 0;
                                long now = System.nanoTime();
                                while (now < end && count < own.length) {
                                    work.run(number);
                                    long then = now;
                                    now = System.nanoTime();
                                    own[count] = now - then;
                                    count++;
                                }
                            }));
        }
        for (Thread each : all) {
            each.join();
        }
        long[] sorted =
                times.stream()
                        .flatMapToLong(Arrays::stream)
                        .filter(each -> each > 0)
                        .sorted()
                        .toArray();
        System.out.printf(
                "%s: %,d/s, calls %,d/s, median %.2f ms, 99 %% %.2f ms%n",
                what,
                documents.get() / TIME.toSeconds(),
                sorted.length / TIME.toSeconds(),
                sorted[sorted.length / 2] / 1e6,
                sorted[sorted.length * 99 / 100] / 1e6);
    }

    private void put(DocumentStore store, int thread, int count) {
        List<Write.Row> writes = new ArrayList<>();
        for (int i = 0; i < count; i++) {
            writes.add(Notes.write(Notes.plain(thread * 1_000 + i), "x".repeat(100)));
        }
        for (WriteReply each :
                store.write(writes, List.of(), Deadline.after(Duration.ofSeconds(10)))) {
            if (each instanceof WriteReply.Stored) {
                documents.incrementAndGet();
            }
        }
    }

    private void read(DocumentStore store) {
        if (store.awaitCurrent(List.of(0), Deadline.after(Duration.ofSeconds(10)))
                == Freshness.CURRENT) {
            documents.incrementAndGet();
        }
    }
}
