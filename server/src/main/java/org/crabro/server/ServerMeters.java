package org.crabro.server;

import io.micrometer.core.instrument.FunctionCounter;
import io.micrometer.core.instrument.Gauge;
import io.micrometer.core.instrument.MeterRegistry;
import java.io.File;
import java.lang.management.GarbageCollectorMXBean;
import java.lang.management.ManagementFactory;
import java.nio.file.Path;
import java.time.Instant;
import java.util.List;
import java.util.Locale;
import java.util.function.ToDoubleFunction;
import org.crabro.content.node.ContentNode;
import org.crabro.content.node.MemoryUsage;
import org.crabro.content.node.WriteRefusals;
import org.crabro.content.storage.store.ContentStatistics;
import org.crabro.protocol.cluster.NodeHealth;

/** The metrics of the whole process, under the names that Vespa uses. */
record ServerMeters(MeterRegistry registry) {
    private static final String CLUSTER = "cluster-controller.resource_usage.";
    private static final String DOCUMENTS = "content.proton.documentdb.documents.";

    /** The states in which a document is counted: here all are in each of them. */
    private static final List<String> STATES = List.of("total", "active", "ready", "stored");

    /**
     * Registers the metrics of memory, garbage collections, the disk of {@code data} and the
     * stores. A count is the sum over all stores.
     */
    void measure(ContentStores content, Path data) {
        measureProcess();
        measureDisk(data.toFile());
        MemoryUsage.ofThisMachine().ifPresent(this::measureMemory);
        measureDocuments(content);
        measureDamage(content);
        measureStore(content);
        measureReads(content);
    }

    private void measureProcess() {
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
    }

    private void measureDisk(File data) {
        gauge("content.proton.resource_usage.disk", data, ServerMeters::usedShare);
        gauge(CLUSTER + "max_disk_utilization", data, ServerMeters::usedShare);
    }

    private void measureMemory(MemoryUsage memory) {
        gauge("content.proton.resource_usage.memory", memory, MemoryUsage::share);
        gauge(CLUSTER + "max_memory_utilization", memory, MemoryUsage::share);
    }

    private void measureDocuments(ContentStores content) {
        for (String state : STATES) {
            store(DOCUMENTS + state, content, of -> of.held().documents());
        }
        gauge(
                CLUSTER + "nodes_above_limit",
                content,
                of ->
                        of.nodes().stream()
                                        .anyMatch(
                                                node -> node.statistics().writes().isFeedBlocked())
                                ? 1
                                : 0);
        store(DOCUMENTS + "removed", content, of -> of.held().tombstones());
        store("vds.idealstate.buckets", content, of -> of.held().partitions());
        store("vds.datastored.alldisks.docs", content, of -> of.held().documents());
        store(
                "vds.datastored.alldisks.bytes",
                content,
                of -> (double) of.runs().bytes() + of.writes().recentBytes());
    }

    private void measureDamage(ContentStores content) {
        node(
                "content.store.scrubbed.bytes",
                content,
                node -> (double) node.scrubStatistics().bytes());
        node(
                "content.store.scrubbed.passes",
                content,
                node -> (double) node.scrubStatistics().passes());
        gauge("content.store.scrubbed.last_pass", content, ServerMeters::lastPass);
        node("content.store.damaged.files", content, node -> node.scrubStatistics().damagedFiles());
        node("content.store.set_aside.files", content, ContentNode::setAsideFiles);
        node("content.store.lost.files", content, node -> node.lostFiles().files());
        node("content.store.lost.bytes", content, node -> node.lostFiles().bytes());
    }

    private void measureStore(ContentStores content) {
        store("content.store.writes", content, of -> of.writes().stored());
        store("content.store.flushes", content, of -> of.merges().flushes());
        store("content.store.runs", content, of -> of.runs().count());
        store("content.store.tiers", content, of -> of.runs().tiers());
        gauge("content.store.dead.share", content, of -> mostOf(of, ContentStatistics::deadShare));
        store("content.store.flush.bytes", content, of -> of.merges().flushedBytes());
        store("content.store.compaction.read", content, of -> of.merges().bytesRead());
        store("content.store.compaction.written", content, of -> of.merges().bytesWritten());
        gauge(
                "content.store.write.amplification",
                content,
                of -> mostOf(of, ContentStatistics::writeAmplification));
        store("content.store.recent.bytes", content, of -> of.writes().recentBytes());
        store("content.store.journal.forces", content, of -> of.writes().forces());
        store("content.store.journal.waiting", content, of -> of.writes().waiting());
        node(
                "content.store.journal.failed",
                content,
                each -> each.journalFailure().isPresent() ? 1 : 0);
        node("content.store.problems", content, each -> problems(each.health()));
        for (WriteRefusals.Reason reason : WriteRefusals.Reason.values()) {
            FunctionCounter.builder(
                            "content.store.writes.refused",
                            content,
                            of ->
                                    of.nodes().stream()
                                            .mapToDouble(each -> each.refusals().count(reason))
                                            .sum())
                    .tag("reason", reason.name().toLowerCase(Locale.ROOT))
                    .register(registry);
        }
        store("content.store.journal.bytes", content, of -> of.writes().journalBytes());
    }

    private void measureReads(ContentStores content) {
        node("content.get.device.bytes", content, ContentNode::deviceBytesOfGets);
        node("content.search.device.bytes", content, of -> of.searches().deviceBytes());
        node("content.search.waiting", content, of -> of.searches().waiting());
        node("content.search.refused", content, of -> of.searches().refused());
        node("content.search.suspensions", content, of -> of.searches().suspensions());
        node("content.search.unreadable", content, of -> of.searches().setAside());
    }

    /**
     * Returns the time of the oldest last pass, in seconds since the epoch; NaN if one is missing.
     */
    private static double lastPass(ContentStores stores) {
        return stores.nodes().stream()
                .mapToDouble(node ->
                        node.scrubStatistics()
                                .lastPass()
                                .map(Instant::getEpochSecond)
                                .map(Long::doubleValue)
                                .orElse(Double.NaN))
                .reduce(Math::min)
                .orElse(Double.NaN);
    }

    /** Returns the largest value of a store: a ratio has no sum. */
    private static double mostOf(ContentStores stores, ToDoubleFunction<ContentStatistics> ratio) {
        return stores.nodes().stream()
                .mapToDouble(node -> ratio.applyAsDouble(node.statistics()))
                .max()
                .orElse(0);
    }

    private static int problems(NodeHealth health) {
        return health.problems().size() + (health.failure().isPresent() ? 1 : 0);
    }

    private void store(
            String name, ContentStores stores, ToDoubleFunction<ContentStatistics> value) {
        node(name, stores, each -> value.applyAsDouble(each.statistics()));
    }

    /** Registers the sum of a value over the nodes of all stores. */
    private void node(String name, ContentStores stores, ToDoubleFunction<ContentNode> value) {
        gauge(name, stores, of -> of.nodes().stream().mapToDouble(value).sum());
    }

    private <T> void gauge(String name, T of, ToDoubleFunction<T> value) {
        Gauge.builder(name, of, value).strongReference(true).register(registry);
    }

    private static double usedShare(File disk) {
        long total = disk.getTotalSpace();
        return total == 0 ? Double.NaN : 1 - (double) disk.getUsableSpace() / total;
    }
}
