package org.crabro.content.storage.index;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;

class BuildThreadsTest {
    private final BuildThreads threads = new BuildThreads(2);

    @Test
    void givesNoMoreThanThereAre() {
        assertThat(threads.take(1)).isEqualTo(1);
        assertThat(threads.take(3)).isEqualTo(1);
        assertThat(threads.take(1)).isZero();
    }

    @Test
    void givesNoneIfNoneAreWanted() {
        assertThat(threads.take(0)).isZero();
        assertThat(threads.take(-1)).isZero();
        assertThat(threads.take(2)).isEqualTo(2);
    }

    @Test
    void givesThreadsAgainThatWereGivenBack() {
        assertThat(threads.take(2)).isEqualTo(2);
        threads.giveBack(1);

        assertThat(threads.take(2)).isEqualTo(1);
    }
}
