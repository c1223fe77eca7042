package org.crabro.server;

import io.micrometer.core.instrument.FunctionCounter;
import io.micrometer.core.instrument.Gauge;
import io.micrometer.core.instrument.MeterRegistry;
import java.lang.management.GarbageCollectorMXBean;
import java.lang.management.ManagementFactory;
import java.nio.file.Path;
import java.util.List;
import java.util.function.ToDoubleFunction;
import org.crabro.content.ContentNode;
import org.crabro.content.recent.ContentStatistics;

/** What the whole process tells of itself, under the names that operators of Vespa know. */
record ServerMeters(MeterRegistry registry) {
    /** Registers what is told of memory, collections, the disk below {@code data} and the store. */
    void measure(ContentNode content, Path data) {
        Runtime runtime = Runtime.getRuntime();
        gauge("mem.heap.used", runtime, of -> of.totalMemory() - of.freeMemory());
        gauge("mem.heap.max", runtime, Runtime::maxMemory);
        for (GarbageCollectorMXBean collector : ManagementFactory.getGarbageCollectorMXBeans()) {
            FunctionCounter.builder(
                            "jdisc.gc.count", collector, GarbageCollectorMXBean::getCollectionCount)
                    .tag("gcName", collector.getName())
                    .register(registry);
            FunctionCounter.builder(
                            "jdisc.gc.ms", collector, GarbageCollectorMXBean::getCollectionTime)
                    .tag("gcName", collector.getName())
                    .register(registry);
        }
        gauge(
                "content.proton.resource_usage.disk",
                data.toFile(),
                disk -> usedShare(disk.getTotalSpace(), disk.getUsableSpace()));
        for (String state : List.of("total", "active", "ready", "stored")) {
            store(
                    "content.proton.documentdb.documents." + state,
                    content,
                    ContentStatistics::documents);
        }
        store("content.store.writes", content, ContentStatistics::stored);
        store("content.store.flushes", content, ContentStatistics::flushes);
        store("content.store.runs", content, ContentStatistics::runs);
        store("content.store.recent.bytes", content, ContentStatistics::recentBytes);
        store("content.store.journal.forces", content, ContentStatistics::forces);
        store("content.store.journal.waiting", content, ContentStatistics::waiting);
        store("content.store.journal.bytes", content, ContentStatistics::journalBytes);
    }

    private void store(
            String name, ContentNode content, ToDoubleFunction<ContentStatistics> value) {
        gauge(name, content, node -> value.applyAsDouble(node.statistics()));
    }

    private <T> void gauge(String name, T of, ToDoubleFunction<T> value) {
        Gauge.builder(name, of, value).strongReference(true).register(registry);
    }

    private static double usedShare(long total, long usable) {
        return total == 0 ? 0 : 1 - (double) usable / total;
    }
}
