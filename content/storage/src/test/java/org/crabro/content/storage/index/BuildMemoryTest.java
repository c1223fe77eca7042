package org.crabro.content.storage.index;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.InterruptedIOException;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.atomic.AtomicLong;
import org.junit.jupiter.api.Test;

class BuildMemoryTest {
    private static final long SEED = Long.getLong("crabro.seed", 2026);

    private final BuildMemory memory = new BuildMemory(100);

    @Test
    void aBuildTakesAtMostAllOfIt() throws Exception {
        long all = memory.take(1_000, () -> false);

        assertThat(all).isEqualTo(100);
        assertThatThrownBy(() -> memory.take(1, () -> true))
                .isInstanceOf(InterruptedIOException.class);

        memory.giveBack(all);
        assertThat(memory.take(60, () -> true)).isEqualTo(60);
        assertThat(memory.take(40, () -> true)).isEqualTo(40);
    }

    @Test
    void buildsTogetherTakeNoMore() throws Exception {
        var taken = new AtomicLong();
        var most = new AtomicLong();
        List<Future<AtomicLong>> builds = new ArrayList<>();
        try (ExecutorService threads = Executors.newFixedThreadPool(4)) {
            for (int thread = 0; thread < 4; thread++) {
                var random = new Random(SEED + thread);
                builds.add(
                        threads.submit(() -> {
                            for (int i = 0; i < 2_000; i++) {
                                long bytes = memory.take(1 + random.nextInt(120), () -> false);
                                most.accumulateAndGet(taken.addAndGet(bytes), Math::max);
                                taken.addAndGet(-bytes);
                                memory.giveBack(bytes);
                            }
                            return most;
                        }));
            }
            for (Future<AtomicLong> build : builds) {
                assertThat(build.get().get()).as("seed %d", SEED).isBetween(1L, 100L);
            }
        }
        assertThat(taken.get()).isZero();
        assertThat(memory.take(100, () -> true)).isEqualTo(100);
    }
}
