package org.crabro.samples.cluster;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIOException;
import static org.awaitility.Awaitility.await;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;
import java.util.stream.Stream;
import org.crabro.samples.fixture.Http;
import org.crabro.server.cluster.FormatVersions;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Servers of a cluster in one process, which are restarted with the formats of a newer release. */
class UpgradeIT {
    private static final FormatVersions OLD = new FormatVersions(1, 1);
    private static final FormatVersions NEW = new FormatVersions(1, 3);
    private static final int HOSTS = 3;

    /** Puts between two restarts. */
    private static final int PUTS = 40;

    @TempDir private Path directory;
    private int put;

    @Test
    void usesTheNewFormatsOnceAllServersHaveThem() throws Exception {
        try (var cluster = new HostCluster(directory, 1)) {
            for (int host = 0; host < HOSTS; host++) {
                cluster.start(host, OLD);
            }
            cluster.awaitHosts();
            ClusterPackage files =
                    ClusterPackage.of(
                            HOSTS,
                            Optional.empty(),
                            HOSTS,
                            "<document type='note' mode='streaming'/>");
            Http.Answer answer = cluster.deploy(0, files.hosts(), files.services());
            assertThat(answer.status()).as(answer.toString()).isEqualTo(200);
            cluster.awaitNodes(HOSTS);
            put(cluster, 0);

            for (int host = HOSTS - 1; host >= 0; host--) {
                assertThat(format(cluster)).as("n%d is old", host + 1).isEqualTo(1);
                cluster.stop(host);
                put(cluster, host == 0 ? 1 : 0);
                cluster.start(host, NEW);
                cluster.awaitNodes(HOSTS);
                assertThat(cluster.hitCount(0)).isEqualTo(put);
            }

            await().atMost(HostCluster.PATIENCE)
                    .untilAsserted(() -> assertThat(format(cluster)).isEqualTo(3));
            put(cluster, 0);
            await().atMost(HostCluster.PATIENCE)
                    .untilAsserted(
                            () -> assertThat(decisions(cluster.data(2))).contains("\"format\":3"));
            cluster.stop(2);
            assertThatIOException()
                    .isThrownBy(() -> cluster.start(2, OLD))
                    .withMessageContaining("the cluster uses version 3 of its formats")
                    .withMessageContaining("this server has version 1");
            assertThat(cluster.hitCount(1)).isEqualTo(put);
            assertThat(cluster.visited(0)).hasSize(put);
        }
    }

    private void put(HostCluster cluster, int container) throws Exception {
        for (int i = 0; i < PUTS; i++) {
            cluster.put(container, put);
            put++;
        }
    }

    /** Returns the last decisions of the config server that a server has on its disk. */
    private static String decisions(Path data) throws IOException {
        List<Path> files;
        try (Stream<Path> all = Files.walk(data)) {
            files = all.filter(each -> each.endsWith("decisions.json")).toList();
        }
        return Files.readString(files.getFirst());
    }

    private static int format(HostCluster cluster) throws Exception {
        return cluster.status(0).path("format").asInt();
    }
}
