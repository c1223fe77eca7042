package org.crabro.content.search.execution;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;

class ScanThreadsTest {
    @Test
    void sharesCoresAmongQueries() {
        assertThat(share(16, 1, 8)).isEqualTo(8);
        assertThat(share(16, 1, 64)).isEqualTo(16);
        assertThat(share(16, 3, 8)).isEqualTo(5);
        assertThat(share(16, 16, 8)).isEqualTo(1);
        assertThat(share(2, 500, 8)).isEqualTo(1);
    }

    private static int share(int cores, int inFlight, int ceiling) {
        return new ScanThreads(Runnable::run, cores, ceiling).share(inFlight);
    }
}
