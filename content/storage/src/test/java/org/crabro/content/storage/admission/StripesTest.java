package org.crabro.content.storage.admission;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;
import static org.awaitility.Durations.ONE_MILLISECOND;
import static org.awaitility.Durations.ONE_MINUTE;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.atomic.AtomicIntegerArray;
import org.crabro.content.storage.store.Notes;
import org.crabro.protocol.wire.Deadline;
import org.junit.jupiter.api.Test;

class StripesTest {
    private static final long SEED = Long.getLong("crabro.seed", 2026);
    private static final int BITS = 2;
    private static final int ALONE = 1_000_000;
    private static final Deadline NOW = Deadline.after(Duration.ZERO);

    private final Stripes stripes = new Stripes(BITS);

    /**
     * A lock that is held exclusively has no other holder, and every operation gets it in the end.
     */
    @Test
    void keepsThoseApartWhoHoldALockAlone() throws Exception {
        var holders = new AtomicIntegerArray(1 << BITS);
        List<Future<Boolean>> working = new ArrayList<>();
        try (ExecutorService threads = Executors.newVirtualThreadPerTaskExecutor()) {
            for (int thread = 0; thread < 16; thread++) {
                var random = new Random(SEED + thread);
                working.add(threads.submit(() -> work(random, holders)));
            }
            for (Future<Boolean> each : working) {
                assertThat(each.get()).as("seed %d", SEED).isTrue();
            }
        }
        for (int stripe = 0; stripe < 1 << BITS; stripe++) {
            assertThat(stripes.hold(stripe, NOW)).as("seed %d", SEED).isTrue();
        }
    }

    private boolean work(Random random, AtomicIntegerArray holders) {
        boolean isRight = true;
        for (int i = 0; i < 5_000; i++) {
            int stripe = random.nextInt(1 << BITS);
            // Some requests time out as soon as they have to wait.
            Deadline deadline = random.nextInt(4) == 0 ? NOW : Notes.soon();
            int part = random.nextInt(3) == 0 ? ALONE : 1;
            boolean isTaken =
                    part == ALONE
                            ? stripes.hold(stripe, deadline)
                            : stripes.share(stripe, deadline);
            if (!isTaken) {
                isRight &= deadline.equals(NOW);
                continue;
            }
            int now = holders.addAndGet(stripe, part);
            isRight &= part == ALONE ? now == ALONE : now < ALONE;
            if (random.nextInt(8) == 0) {
                Thread.onSpinWait();
            }
            holders.addAndGet(stripe, -part);
            if (part == ALONE) {
                stripes.releaseOne(stripe);
            } else {
                stripes.unshare(stripe);
            }
        }
        return isRight;
    }

    @Test
    void letsNobodyPassWhoComesLater() throws Exception {
        assertThat(stripes.share(1, NOW)).isTrue();
        try (ExecutorService threads = Executors.newVirtualThreadPerTaskExecutor()) {
            Future<Boolean> alone = threads.submit(() -> stripes.hold(1, Notes.soon()));
            await().atMost(ONE_MINUTE)
                    .pollInterval(ONE_MILLISECOND)
                    .untilAsserted(() -> assertThat(sharesAndLetsGo(1)).isFalse());
            assertThat(alone.isDone()).isFalse();
            stripes.unshare(1);
            assertThat(alone.get()).isTrue();
        }
        assertThat(stripes.share(1, NOW)).isFalse();
        stripes.releaseOne(1);
        assertThat(stripes.share(1, NOW)).isTrue();
    }

    /** Returns whether a stripe can be shared now: not while a thread waits to hold it alone. */
    private boolean sharesAndLetsGo(int stripe) {
        boolean isShared = stripes.share(stripe, NOW);
        if (isShared) {
            stripes.unshare(stripe);
        }
        return isShared;
    }

    @Test
    void locksAllOrNone() {
        assertThat(stripes.hold(2, NOW)).isTrue();

        assertThat(stripes.tryShare(new int[] {3, 1, 3, 2})).isFalse();
        assertThat(stripes.share(new int[] {1, 2, 3}, NOW)).isFalse();

        assertThat(stripes.hold(1, NOW)).isTrue();
        assertThat(stripes.hold(3, NOW)).isTrue();
        assertThat(Stripes.ordered(new int[] {3, 1, 3, 2})).containsExactly(1, 2, 3);
    }
}
