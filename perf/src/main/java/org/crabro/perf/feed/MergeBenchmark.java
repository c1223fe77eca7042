package org.crabro.perf.feed;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.time.InstantSource;
import java.util.List;
import java.util.concurrent.atomic.AtomicBoolean;
import org.crabro.content.storage.admission.FeedLimits;
import org.crabro.content.storage.block.SearchedTexts;
import org.crabro.content.storage.journal.LogFiles;
import org.crabro.content.storage.journal.MappedLogFiles;
import org.crabro.content.storage.store.ContentStatistics;
import org.crabro.content.storage.store.DocumentStore;
import org.crabro.content.storage.store.RecentSettings;
import org.crabro.content.storage.store.StoreOptions;
import org.crabro.perf.compare.LuceneFeed;
import org.crabro.perf.data.CountedFiles;
import org.crabro.perf.data.Items;
import org.crabro.perf.harness.Benchmark;
import org.crabro.perf.harness.Figures;
import org.crabro.perf.harness.Scale;
import org.crabro.protocol.cluster.Partitions;
import org.crabro.protocol.feed.Write;

/**
 * Feeds a store without HTTP until everything is in runs and no merge is due. Compares with
 * appending the same bytes with the same number of forces, and with Lucene. Once, with ten times as
 * much data, measures the written bytes per byte, and the forces outside of the journal.
 */
public final class MergeBenchmark implements Benchmark {
    /** 1 GB. */
    private static final int DOCUMENTS = Scale.of(1_250_000);

    /** 10 GB. */
    private static final int MANY_DOCUMENTS = Scale.of(12_500_000);

    private static final int GROUPS = Scale.of(12_500);
    private static final long RECENT_BYTES = 64L << 20;
    private static final double MB = 1e6;

    @Override
    public String name() {
        return "merge";
    }

    @Override
    public String summary() {
        return "documents of %d bytes into random groups until merged, against appending and Lucene"
                .formatted(Items.ROW_BYTES);
    }

    @Override
    public Prepared prepare(Path folder) {
        var items = new Items(GROUPS);
        List<Write.Row> writes = items.writes(DOCUMENTS);
        var isFirst = new AtomicBoolean(true);
        return figures -> {
            sustained(folder, writes, figures);
            if (isFirst.getAndSet(false)) {
                amplification(folder, items, figures);
            }
        };
    }

    private static void sustained(Path folder, List<Write.Row> writes, Figures figures)
            throws Exception {
        Path data = folder.resolve("data");
        double bytes = Items.bytes(writes);
        double seconds;
        ContentStatistics statistics;
        collect();
        try (var files = new MappedLogFiles(data);
                DocumentStore store = open(files, RECENT_BYTES)) {
            long begin = System.nanoTime();
            Items.feed(store, writes.size(), writes::get);
            store.flush();
            store.compact();
            seconds = (System.nanoTime() - begin) / 1e9;
            statistics = store.statistics();
        }
        delete(data);
        double appending =
                FeedBenchmark.append(
                        folder.resolve("raw"), writes, (int) statistics.writes().forces());
        Files.delete(folder.resolve("raw"));
        double lucene = lucene(folder, writes, false);
        double replacing = lucene(folder, writes, true);

        figures.add("until merged", "MB/s", bytes / MB / seconds);
        figures.add("appending the same", "MB/s", bytes / MB / appending);
        figures.add("Lucene until merged", "MB/s", bytes / MB / lucene);
        figures.add("until merged over appending", "", appending / seconds);
        figures.add("until merged over Lucene", "", lucene / seconds);
        figures.add("Lucene until merged, replacing by id", "MB/s", bytes / MB / replacing);
        figures.add("until merged over Lucene, replacing by id", "", replacing / seconds);
        figures.add("flushes", "", (double) statistics.merges().flushes());
        figures.add("tiers left", "", (double) statistics.runs().tiers());
    }

    /** Collects garbage, so that no variant pays for the heap of another. */
    private static void collect() {
        System.gc();
    }

    private static double lucene(Path folder, List<Write.Row> writes, boolean mayReplace)
            throws Exception {
        Path index = folder.resolve("lucene");
        collect();
        double seconds = LuceneFeed.run(index, writes, mayReplace);
        delete(index);
        return seconds;
    }

    /** As a node is set up, with ten times the data. */
    private static void amplification(Path folder, Items items, Figures figures) throws Exception {
        Path data = folder.resolve("data");
        try (var mapped = new MappedLogFiles(data)) {
            var files = new CountedFiles(mapped);
            try (DocumentStore store = open(files, RecentSettings.DEFAULT.recentBytes())) {
                long begin = System.nanoTime();
                double bytes = Items.feed(store, MANY_DOCUMENTS, items::write);
                store.flush();
                store.compact();
                double seconds = (System.nanoTime() - begin) / 1e9;
                String what = "%,.1f GB: ".formatted(bytes / 1e9);
                figures.add(what + "made and fed until merged", "MB/s", bytes / MB / seconds);
                figures.add(
                        what + "written over fed, flushing and merging",
                        "",
                        files.otherBytes() / bytes);
                figures.add(
                        what + "with the journal",
                        "",
                        (files.otherBytes() + files.journalBytes()) / bytes);
                figures.add(
                        what + "forces besides the journal's",
                        "per 4 MiB",
                        files.otherForces() / (bytes / (4 << 20)));
            }
        }
        delete(data);
    }

    private static DocumentStore open(LogFiles files, long recentBytes) throws IOException {
        RecentSettings settings =
                RecentSettings.DEFAULT
                        .withRecentBytes(recentBytes)
                        .withFlushWait(Duration.ofMinutes(5))
                        .withFeed(FeedLimits.DEFAULT.withReservedBytes(0).withDisk(1, 0));
        DocumentStore store =
                DocumentStore.open(
                        files,
                        StoreOptions.of(
                                Partitions.DEFAULT.count(), settings, InstantSource.system()));
        store.keep(Items.TYPE, SearchedTexts.NONE);
        return store;
    }

    private static void delete(Path folder) throws IOException {
        FeedBenchmark.delete(folder);
    }
}
