package org.crabro.perf.cluster;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Path;
import java.time.Duration;
import java.util.EnumMap;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Three servers as processes; {@code bin/perf faults} also cuts links and fills disks. */
class FaultRoundIT {
    private static final long SEED = Long.getLong("crabro.seed", 2_026);

    @TempDir Path directory;

    @Test
    void historiesOverProcessesAreLinearizable() throws Exception {
        var network = new ClusterNetwork.Loopback();
        try (var cluster =
                new ProcessCluster(
                        directory, network, FaultsCommand.JAVA, FaultsCommand.SETTINGS)) {
            cluster.startAll();

            List<String> problems =
                    new FaultRound(
                                    cluster,
                                    network,
                                    SmallDisks.none(),
                                    SEED,
                                    new EnumMap<>(FaultInjector.Fault.class),
                                    System.out)
                            .run(Duration.ofSeconds(8));

            assertThat(problems).as("seed %d", SEED).isEmpty();
        }
    }
}
