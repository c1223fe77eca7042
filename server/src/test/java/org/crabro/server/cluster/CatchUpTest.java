package org.crabro.server.cluster;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;

class CatchUpTest {
    private final CatchUp catchUp = new CatchUp();

    @Test
    void asksEachShardUntilAllHaveCaughtUp() {
        assertThat(catchUp.isDone(0, 0, _ -> true)).as("before the first state").isFalse();
        assertThat(catchUp.isDone(0, 2, shard -> shard == 0)).isFalse();
        assertThat(catchUp.isDone(0, 2, _ -> true)).isTrue();

        assertThat(catchUp.isDone(0, 2, _ -> false)).as("it is not asked again").isTrue();
    }

    @Test
    void asksAgainAfterAReplacement() {
        assertThat(catchUp.isDone(0, 1, _ -> true)).isTrue();

        catchUp.begin(0);

        assertThat(catchUp.isDone(0, 1, _ -> false)).as("the files are the former ones").isTrue();
        assertThat(catchUp.isDone(1, 1, _ -> true)).as("the replica may be the former").isFalse();
        catchUp.end(0);
        assertThat(catchUp.isDone(2, 1, _ -> false)).isFalse();
        assertThat(catchUp.isDone(2, 1, _ -> true)).isTrue();
    }
}
