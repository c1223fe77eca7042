package org.crabro.document.memory;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowableOfType;
import static org.awaitility.Awaitility.await;
import static org.awaitility.Durations.ONE_MILLISECOND;
import static org.awaitility.Durations.ONE_MINUTE;

import java.util.Random;
import org.junit.jupiter.api.Test;

class RequestMemoryTest {
    private static final long MIB = 1 << 20;

    private final RequestMemory memory = new RequestMemory(16 * MIB);

    @Test
    void returnsAllMemoryWhenSharesClose() {
        try (MemoryShare one = memory.open();
                MemoryShare other = memory.open()) {
            one.charge(3 * MIB);
            other.charge(2 * MIB);
            other.release(MIB);

            assertThat(memory.used()).isEqualTo(4 * MIB);
        }
        assertThat(memory.used()).isZero();
    }

    @Test
    void rejectsForGoodWhatNeverFits() {
        try (MemoryShare share = memory.open()) {
            share.charge(12 * MIB);
            MemoryRefusedException refusal = refusal(() -> share.charge(1));

            assertThat(refusal.isTooLarge()).isTrue();
            assertThat(refusal)
                    .hasMessage(
                            "the values of this request take 12648448 bytes of memory or more, at most 12582912 are allowed (requests.memory)");
            assertThat(share.bytes()).as("nothing is added").isEqualTo(12 * MIB);
        }
    }

    @Test
    void leavesAQuarterToSmallRequests() {
        try (MemoryShare large = memory.open();
                MemoryShare second = memory.open();
                MemoryShare small = memory.open()) {
            large.charge(12 * MIB);

            assertThat(refusal(() -> second.chargeNow(2 * MIB)).isTooLarge()).isFalse();
            small.chargeNow(MIB);
            second.chargeNow(MIB);
        }
    }

    @Test
    void aRequestWaitsForTheMemoryOfAnother() {
        MemoryShare first = memory.open();
        MemoryShare second = memory.open();
        first.charge(10 * MIB);
        Thread waiting = Thread.ofVirtual().start(() -> second.charge(10 * MIB));
        await().atMost(ONE_MINUTE)
                .pollInterval(ONE_MILLISECOND)
                .untilAsserted(
                        () -> assertThat(waiting.getState()).isEqualTo(Thread.State.TIMED_WAITING));

        first.close();

        await().atMost(ONE_MINUTE)
                .pollInterval(ONE_MILLISECOND)
                .untilAsserted(() -> assertThat(second.bytes()).isEqualTo(10 * MIB));
        second.close();
    }

    @Test
    void rejectsTheNewestOfRequestsThatWaitForEachOther() throws InterruptedException {
        MemoryShare older = memory.open();
        MemoryShare newer = memory.open();
        older.charge(5 * MIB);
        newer.charge(5 * MIB);
        Thread first = Thread.ofVirtual().start(() -> charge(older, 5 * MIB));
        Thread second = Thread.ofVirtual().start(() -> charge(newer, 5 * MIB));

        first.join();
        second.join();

        assertThat(older.bytes()).isEqualTo(10 * MIB);
        assertThat(newer.bytes()).as("refused and closed").isZero();
        older.close();
    }

    /** Closes the share if it is refused, as a request does. */
    private static void charge(MemoryShare share, long bytes) {
        try {
            share.charge(bytes);
        } catch (MemoryRefusedException e) {
            assertThat(e.isTooLarge()).isFalse();
            share.close();
        }
    }

    @Test
    void doesNotWaitBeyondTheDeadlineOfARequest() {
        try (MemoryShare first = memory.open();
                MemoryShare second = memory.open()) {
            first.charge(12 * MIB);
            second.waitUntil(System.nanoTime());

            assertThat(refusal(() -> second.charge(2 * MIB)))
                    .hasMessageStartingWith("overload: there is no memory for the values");
        }
    }

    @Test
    void closesThePartsOfARequestWithIt() {
        MemoryShare whole = memory.open();
        MemoryShare part = whole.part();
        part.charge(MIB);

        whole.close();

        assertThat(memory.used()).isZero();
        whole.part().charge(MIB);
        assertThat(memory.used()).as("after the end nothing is charged").isZero();
    }

    @Test
    void isTheShareOfItsThreadWhileItRuns() {
        try (MemoryShare share = memory.open()) {
            assertThat(share.<MemoryShare, RuntimeException>call(MemoryShare::current))
                    .isSameAs(share);
        }
        assertThat(MemoryShare.current()).isSameAs(MemoryShare.UNLIMITED);
    }

    @Test
    void countsLikeAModel() {
        long seed = Long.getLong("crabro.seed", 20_26);
        var random = new Random(seed);
        for (int round = 0; round < 200; round++) {
            var shares = new MemoryShare[4];
            var expected = new long[shares.length];
            for (int i = 0; i < shares.length; i++) {
                shares[i] = memory.open();
            }
            for (int step = 0; step < 50; step++) {
                int i = random.nextInt(shares.length);
                long bytes = random.nextLong(3 * MIB);
                if (random.nextBoolean()) {
                    try {
                        shares[i].chargeNow(bytes);
                        expected[i] += bytes;
                    } catch (MemoryRefusedException _) {
                        // The share keeps what it had.
                    }
                } else {
                    long some = Math.min(bytes, expected[i]);
                    shares[i].release(some);
                    expected[i] -= some;
                }
                long sum = 0;
                for (int k = 0; k < shares.length; k++) {
                    assertThat(shares[k].bytes()).as("seed %d", seed).isEqualTo(expected[k]);
                    sum += expected[k];
                }
                assertThat(memory.used())
                        .as("seed %d", seed)
                        .isBetween(sum, Math.min(memory.most(), sum + shares.length * MIB / 4));
            }
            for (MemoryShare share : shares) {
                share.close();
            }
            assertThat(memory.used()).as("seed %d", seed).isZero();
        }
    }

    private static MemoryRefusedException refusal(Runnable charging) {
        return catchThrowableOfType(MemoryRefusedException.class, charging::run);
    }
}
