package org.crabro.server;

import static org.assertj.core.api.Assertions.assertThat;

import io.micrometer.core.instrument.Measurement;
import io.micrometer.core.instrument.Meter;
import io.micrometer.core.instrument.simple.SimpleMeterRegistry;
import java.io.IOException;
import java.nio.file.Path;
import org.crabro.content.node.ContentNode;
import org.crabro.content.node.ContentSettings;
import org.crabro.content.storage.admission.FeedLimits;
import org.crabro.content.storage.store.RecentSettings;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class ServerMetersTest {
    private static final String LAST_PASS = "content.store.scrubbed.last_pass";
    private static final String ABOVE_LIMIT = "cluster-controller.resource_usage.nodes_above_limit";

    @TempDir Path data;

    private final SimpleMeterRegistry registry = new SimpleMeterRegistry();

    @Test
    void reportsANodeUnderTheNamesOfThePage() throws IOException {
        try (ContentStores node = open(ContentSettings.in(data.resolve("content-data")))) {
            new ServerMeters(registry).measure(node, data);

            assertThat(registry.getMeters())
                    .extracting(meter -> meter.getId().getName())
                    .contains(
                            "content.proton.documentdb.documents.total",
                            "content.proton.documentdb.documents.active",
                            "content.proton.documentdb.documents.ready",
                            "content.proton.documentdb.documents.stored",
                            "content.proton.documentdb.documents.removed",
                            "content.get.device.bytes",
                            "content.search.device.bytes",
                            "content.proton.resource_usage.disk",
                            "vds.idealstate.buckets",
                            "vds.datastored.alldisks.docs",
                            "vds.datastored.alldisks.bytes",
                            ABOVE_LIMIT,
                            "cluster-controller.resource_usage.max_disk_utilization",
                            "mem.heap.used",
                            "jdisc.gc.count",
                            "jdisc.gc.ms");
            assertThat(gauge(LAST_PASS)).as("before the first pass").isNaN();
            for (Meter meter : registry.getMeters()) {
                if (meter.getId().getName().equals(LAST_PASS)) {
                    continue;
                }
                for (Measurement measurement : meter.measure()) {
                    assertThat(measurement.getValue())
                            .as(meter.getId().getName())
                            .isFinite()
                            .isNotNegative();
                }
            }
            assertThat(gauge("content.proton.resource_usage.disk")).isBetween(0.0, 1.0);
            assertThat(gauge(ABOVE_LIMIT)).isZero();
        }
    }

    @Test
    void countsANodeThatTakesNoWritesAsAboveTheLimit() throws IOException {
        RecentSettings blocked =
                RecentSettings.DEFAULT.withFeed(
                        FeedLimits.DEFAULT.withReservedBytes(Long.MAX_VALUE));
        try (ContentStores node =
                open(ContentSettings.in(data.resolve("content-data")).withRecent(blocked))) {
            new ServerMeters(registry).measure(node, data);

            assertThat(gauge(ABOVE_LIMIT)).isOne();
        }
    }

    private static ContentStores open(ContentSettings settings) throws IOException {
        return ContentStores.open(
                settings,
                ContentNode::open,
                new StoreLinks(WireSettings.ofHeap(1 << 20)),
                new UncaughtErrors());
    }

    private double gauge(String name) {
        return registry.get(name).gauge().value();
    }
}
