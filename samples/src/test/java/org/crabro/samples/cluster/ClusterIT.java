package org.crabro.samples.cluster;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import java.io.IOException;
import java.nio.file.Path;
import java.util.Optional;
import org.crabro.samples.fixture.Http;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Three servers of a cluster in one process. */
class ClusterIT {
    private static final ClusterPackage NOTES =
            ClusterPackage.of(3, Optional.empty(), 2, "<document type='note' mode='streaming'/>");

    @TempDir Path directory;
    private HostCluster cluster;

    @BeforeEach
    void start() throws IOException {
        cluster = new HostCluster(directory, 1);
        cluster.startAll(3);
    }

    @AfterEach
    void stop() {
        cluster.close();
    }

    @Test
    void servesOverTheLossOfANode() throws Exception {
        Http.Answer deployed = cluster.deploy(0, NOTES.hosts(), NOTES.services());
        assertThat(deployed.status()).as(deployed.toString()).isEqualTo(200);
        cluster.awaitNodes(3);
        for (int i = 0; i < 60; i++) {
            cluster.put(i % 2, i);
        }
        for (int container = 0; container < 2; container++) {
            assertThat(cluster.hitCount(container, "streaming.groupname=g1")).isEqualTo(6);
            assertThat(cluster.hitCount(container)).isEqualTo(60);
        }
        assertThat(cluster.visited(1)).hasSize(60);
        Http.Answer tooLarge = cluster.put(0, 60, "x".repeat(9 << 20));
        assertThat(tooLarge.status()).as(tooLarge.toString()).isEqualTo(413);

        cluster.stop(2);

        for (int i = 60; i < 80; i++) {
            cluster.put(i % 2, i);
        }
        await().atMost(HostCluster.PATIENCE)
                .untilAsserted(() -> assertThat(cluster.hitCount(0)).isEqualTo(80));
        cluster.start(2);
        cluster.awaitNodes(3);
        await().atMost(HostCluster.PATIENCE)
                .untilAsserted(() -> assertThat(cluster.hitCount(1)).isEqualTo(80));
        assertThat(cluster.visited(0)).hasSize(80);
    }

    @Test
    void refusesPackagesForHostsThatDoNotRun() throws Exception {
        Http.Answer answer = cluster.deploy(0, NOTES.hosts().replace("n3", "n9"), NOTES.services());

        assertThat(answer.status()).isEqualTo(400);
        assertThat(answer.body().toString())
                .contains("no server runs as host n9, which the package names");
    }
}
