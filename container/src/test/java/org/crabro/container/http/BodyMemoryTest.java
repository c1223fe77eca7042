package org.crabro.container.http;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatCode;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import java.util.concurrent.atomic.AtomicLong;
import org.junit.jupiter.api.Test;

class BodyMemoryTest {
    private static final long MIB = 1 << 20;
    private static final long STALLED = Duration.ofSeconds(1).toNanos();

    private final AtomicLong now = new AtomicLong(7);
    private final BodyMemory memory =
            new BodyMemory(new BodyLimits(4, 100 * MIB, Duration.ofNanos(STALLED)), now::get);

    @Test
    void countsNothingForABodyOfWhichNothingIsReceived() {
        try (BodyMemory.Share idle = memory.enter(0)) {
            idle.beginWaiting(0);

            assertThat(memory.count()).isEqualTo(1);
            assertThat(memory.bytes()).isZero();
        }
        assertThat(memory.count()).isZero();
    }

    @Test
    void anAloneBodyMayCountForMoreThanThereIs() {
        try (BodyMemory.Share alone = memory.enter(0)) {
            receive(alone, 300);

            assertThat(memory.bytes()).isEqualTo(300 * MIB);
        }
        assertThat(memory.bytes()).isZero();
    }

    @Test
    void leavesAQuarterToSmallBodies() {
        BodyMemory.Share large = memory.enter(0);
        receive(large, 300);

        var small = new ArrayList<BodyMemory.Share>();
        for (int i = 0; i < 3; i++) {
            BodyMemory.Share each = memory.enter(i);
            receive(each, 1);
            small.add(each);
        }

        assertThat(memory.bytes()).isEqualTo(303 * MIB);
        small.forEach(BodyMemory.Share::close);
        BodyMemory.Share other = memory.enter(9);
        assertThatThrownBy(() -> receive(other, 2))
                .isInstanceOf(BodyRefusedException.class)
                .hasMessage(
                        "overload: 314572800 bytes of requests already enqueued and 2097152 more,"
                                + " at most 104857600");
        assertThat(memory.bytes()).as("what was refused is free").isEqualTo(300 * MIB);
        other.close();
        large.close();
        assertThat(memory.count()).isZero();
    }

    @Test
    void aStalledBodyGivesWay() {
        BodyMemory.Share stalled = memory.enter(0);
        receive(stalled, 80);
        stalled.beginWaiting(80 * MIB);
        BodyMemory.Share other = memory.enter(1);
        assertThatThrownBy(() -> receive(other, 30)).isInstanceOf(BodyRefusedException.class);

        now.addAndGet(STALLED);
        BodyMemory.Share next = memory.enter(2);
        receive(next, 30);

        assertThat(memory.bytes()).isEqualTo(30 * MIB);
        assertThatThrownBy(stalled::endWaiting)
                .isInstanceOf(BodyRefusedException.class)
                .hasMessageStartingWith("overload: this request was stopped");
        assertThat(memory.gaveWay()).isEqualTo(1);
        stalled.close();
        next.close();
        assertThat(memory.bytes()).isZero();
        assertThat(memory.count()).isZero();
    }

    @Test
    void aBodyThatDripsHasStalled() {
        BodyMemory.Share dripping = memory.enter(0);
        receive(dripping, 80);
        for (int i = 1; i < 5; i++) {
            dripping.beginWaiting(80 * MIB + i - 1);
            now.addAndGet(STALLED / 4);
            dripping.endWaiting();
            dripping.receive(80 * MIB + i);
        }
        dripping.beginWaiting(80 * MIB + 4);

        receive(memory.enter(1), 30);

        assertThat(dripping.hasGivenWay()).isTrue();
    }

    @Test
    void aBodyThatMakesProgressHasNotStalled() {
        BodyMemory.Share slow = memory.enter(0);
        receive(slow, 80);
        slow.beginWaiting(80 * MIB);
        now.addAndGet(STALLED - 1);
        slow.endWaiting();
        slow.receive(80 * MIB + BodyMemory.PROGRESS_BYTES);
        slow.beginWaiting(80 * MIB + BodyMemory.PROGRESS_BYTES);
        now.addAndGet(STALLED - 1);

        BodyMemory.Share other = memory.enter(1);
        assertThatThrownBy(() -> receive(other, 30)).isInstanceOf(BodyRefusedException.class);

        assertThatCode(slow::endWaiting).doesNotThrowAnyException();
    }

    @Test
    void timeInWhichTheReaderIsBusyDoesNotCount() {
        BodyMemory.Share busy = memory.enter(0);
        receive(busy, 80);
        busy.beginWaiting(80 * MIB);
        now.addAndGet(STALLED / 2);
        busy.endWaiting();
        now.addAndGet(10 * STALLED);
        busy.beginWaiting(80 * MIB + 1);
        now.addAndGet(STALLED / 2 - 1);

        BodyMemory.Share other = memory.enter(1);
        assertThatThrownBy(() -> receive(other, 30)).isInstanceOf(BodyRefusedException.class);
        now.incrementAndGet();
        receive(memory.enter(2), 30);

        assertThat(busy.hasGivenWay()).isTrue();
    }

    @Test
    void theNewestGivesWayToAnOlderOne() {
        BodyMemory.Share oldest = memory.enter(0);
        BodyMemory.Share middle = memory.enter(1);
        BodyMemory.Share newest = memory.enter(2);
        receive(oldest, 20);
        receive(middle, 20);
        receive(newest, 20);

        receive(oldest, 35);
        assertThat(newest.hasGivenWay()).as("three quarters are taken").isFalse();

        receive(oldest, 36);
        assertThat(newest.hasGivenWay()).isTrue();
        assertThat(middle.hasGivenWay()).isFalse();

        receive(oldest, 56);
        assertThat(middle.hasGivenWay()).isTrue();
        assertThatThrownBy(() -> receive(newest, 21)).isInstanceOf(BodyRefusedException.class);
    }

    @Test
    void aWholeBodyDoesNotGiveWay() {
        BodyMemory.Share older = memory.enter(0);
        BodyMemory.Share whole = memory.enter(1);
        receive(older, 30);
        receive(whole, 40);
        whole.complete();

        assertThatThrownBy(() -> receive(older, 60)).isInstanceOf(BodyRefusedException.class);
        assertThat(memory.bytes()).isEqualTo(40 * MIB);
    }

    /** The reader of the last bytes has not yet reported that it no longer waits. */
    @Test
    void aWholeBodyHasNotStalled() {
        BodyMemory.Share whole = memory.enter(0);
        receive(whole, 80);
        whole.beginWaiting(80 * MIB);
        whole.complete();
        now.addAndGet(STALLED);

        assertThatThrownBy(() -> receive(memory.enter(1), 30))
                .isInstanceOf(BodyRefusedException.class);
    }

    @Test
    void aStalledBodyGivesUpItsPlace() {
        var idle = new ArrayList<BodyMemory.Share>();
        for (int i = 0; i < 4; i++) {
            BodyMemory.Share each = memory.enter(i);
            each.beginWaiting(0);
            idle.add(each);
            now.incrementAndGet();
        }
        assertThatThrownBy(() -> memory.enter(9))
                .isInstanceOf(BodyRefusedException.class)
                .hasMessage("overload: 4 requests already enqueued, at most 4");

        now.addAndGet(STALLED);
        memory.enter(9);

        assertThat(idle.stream().map(BodyMemory.Share::hasGivenWay))
                .containsExactly(true, false, false, false);
        assertThat(memory.count()).isEqualTo(4);
    }

    /** Whatever bodies do, the bounds hold, everything is given back, and the oldest goes on. */
    @Test
    void holdsItsBoundsInRandomHistories() {
        long first = Long.getLong("crabro.seed", 1);
        for (long seed = first; seed < first + 300; seed++) {
            history(seed);
        }
    }

    private static void history(long seed) {
        var random = new Random(seed);
        var now = new AtomicLong();
        long most = 40 * MIB;
        var memory = new BodyMemory(new BodyLimits(8, most, Duration.ofNanos(STALLED)), now::get);
        List<Sender> senders = new ArrayList<>();
        for (int step = 0; step < 200; step++) {
            now.addAndGet(random.nextLong(STALLED / 5));
            if (senders.isEmpty() || random.nextInt(4) == 0) {
                try {
                    senders.add(new Sender(memory.enter(now.get())));
                } catch (BodyRefusedException _) {
                    assertThat(memory.count()).as("seed %d", seed).isEqualTo(8);
                }
            } else {
                Sender sender = senders.get(random.nextInt(senders.size()));
                if (!sender.act(random)) {
                    sender.share.close();
                    senders.remove(sender);
                }
            }
            long largest = senders.stream().mapToLong(each -> each.counts).max().orElse(0);
            assertThat(memory.bytes())
                    .as("seed %d", seed)
                    .isLessThanOrEqualTo(Math.max(most, largest + most / 4));
            assertThat(memory.count()).as("seed %d", seed).isLessThanOrEqualTo(8);
            assertThat(memory.bytes())
                    .as("seed %d", seed)
                    .isEqualTo(
                            senders.stream()
                                    .filter(each -> !each.share.hasGivenWay())
                                    .mapToLong(each -> each.counts)
                                    .sum());
        }
        senders.forEach(each -> each.share.close());
        assertThat(memory.bytes()).as("seed %d", seed).isZero();
        assertThat(memory.count()).as("seed %d", seed).isZero();
    }

    private static final class Sender {
        private final BodyMemory.Share share;
        private long counts;
        private boolean isWaiting;

        Sender(BodyMemory.Share share) {
            this.share = share;
        }

        /** Returns whether the request goes on. */
        boolean act(Random random) {
            try {
                switch (random.nextInt(8)) {
                    case 0 -> {
                        return false;
                    }
                    case 1 -> share.complete();
                    case 2, 3 -> {
                        isWaiting = true;
                        share.beginWaiting(counts);
                    }
                    default -> {
                        if (isWaiting) {
                            isWaiting = false;
                            share.endWaiting();
                        }
                        counts += random.nextLong(random.nextBoolean() ? MIB / 2 : 8 * MIB);
                        share.receive(counts);
                    }
                }
                return true;
            } catch (BodyRefusedException _) {
                counts = 0;
                return false;
            }
        }
    }

    private static void receive(BodyMemory.Share share, long mebibytes) {
        share.receive(mebibytes * MIB);
    }
}
