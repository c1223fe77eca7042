package org.crabro.content.replication.raft;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/**
 * {@code -Dcrabro.seed=S -Dcrabro.raft.histories=N} runs the histories with the seeds S to S + N -
 * 1.
 */
class RatisHistoryTest {
    private static final long SEED = Long.getLong("crabro.seed", 20_26);
    private static final int HISTORIES = Integer.getInteger("crabro.raft.histories", 2);

    @Test
    @Timeout(value = 3_600, threadMode = Timeout.ThreadMode.SEPARATE_THREAD)
    void replicasThatStopAndHandOverKeepEveryWriteOnce(@TempDir Path directory) throws Exception {
        long stored = 0;
        for (int i = 0; i < HISTORIES; i++) {
            stored += RatisHistory.run(SEED + i, directory.resolve("history-" + i));
        }

        // Faults do not prevent most writes.
        assertThat(stored).isGreaterThan(HISTORIES * 60L);
    }
}
