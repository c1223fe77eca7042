package org.crabro.content.replication.log;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/**
 * {@code -Dcrabro.seed=S -Dcrabro.histories=N} runs the histories with the seeds S to S + N - 1.
 */
class ReplicatedHistoryTest {
    private static final long SEED = Long.getLong("crabro.seed", 20_26);
    private static final int HISTORIES = Integer.getInteger("crabro.histories", 60);

    @Test
    @Timeout(value = 600, threadMode = Timeout.ThreadMode.SEPARATE_THREAD)
    void replicasThatStopAndLoseMessagesKeepEveryWriteOnce() throws Exception {
        long stored = 0;
        for (int i = 0; i < HISTORIES; i++) {
            stored += ReplicatedHistory.run(SEED + i);
        }

        // Faults do not prevent most writes.
        assertThat(stored).isGreaterThan(HISTORIES * 40L);
    }
}
