package org.crabro.content.search.execution;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatCode;
import static org.awaitility.Awaitility.await;
import static org.awaitility.Durations.ONE_MILLISECOND;
import static org.awaitility.Durations.ONE_MINUTE;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;
import org.awaitility.core.ConditionFactory;
import org.crabro.protocol.wire.Deadline;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

@Timeout(60)
class ScanSchedulerTest {
    private static final ConditionFactory EVENTUALLY =
            await().atMost(ONE_MINUTE).pollInterval(ONE_MILLISECOND);
    private static final Deadline LATER = in(Duration.ofMinutes(1));

    @Test
    void runsAtOnceWhereThereIsRoom() {
        ScanScheduler turns = turns(2, 10);

        ScanScheduler.Turn one = begun(turns, "a");
        ScanScheduler.Turn two = begun(turns, "a");
        one.step();

        assertThat(turns.running()).isEqualTo(2);
        assertThat(turns.suspensions()).isZero();
        one.end();
        two.end();
        assertThat(turns.running()).isZero();
    }

    @Test
    void anotherClientOvertakes() throws Exception {
        ScanScheduler turns = turns(1, 10);
        ScanScheduler.Turn poison = begun(turns, "many");
        var done = new ConcurrentLinkedQueue<String>();
        try (ExecutorService threads = Executors.newVirtualThreadPerTaskExecutor()) {
            for (int i = 0; i < 3; i++) {
                threads.execute(() -> search(turns, "many", done));
                int waiting = i + 1;
                EVENTUALLY.untilAsserted(() -> assertThat(turns.waiting()).isEqualTo(waiting));
            }
            threads.execute(() -> search(turns, "other", done));
            EVENTUALLY.untilAsserted(() -> assertThat(turns.waiting()).isEqualTo(4));

            poison.step();
            poison.step();

            poison.end();
        }
        assertThat(done).hasSize(4).startsWith("other");
        assertThat(turns.running()).isZero();
        assertThat(turns.waiting()).isZero();
    }

    /** Searches that never end use all threads; then a search of another client starts. */
    @Test
    void aSearchOfAnotherClientRunsWhileAllThreadsScan() throws Exception {
        ScanScheduler turns = turns(2, 10);
        var isOtherDone = new AtomicBoolean();
        try (ExecutorService pool = Executors.newCachedThreadPool()) {
            List<Future<?>> poison = new ArrayList<>();
            for (int i = 0; i < 8; i++) {
                poison.add(
                        pool.submit(() -> {
                            ScanScheduler.Turn turn = begun(turns, "many");
                            while (!isOtherDone.get()) {
                                new SliceTeam<>(
                                                slices(1_000),
                                                () -> slice -> assertThat(slice).isNotNegative(),
                                                isOtherDone::get,
                                                stepping(turn))
                                        .run(pool, 0, System::nanoTime, System::nanoTime);
                            }
                            turn.end();
                        }));
            }
            EVENTUALLY.untilAsserted(() -> {
                assertThat(turns.running()).isEqualTo(2);
                assertThat(turns.waiting()).isPositive();
            });

            ScanScheduler.Turn other = begun(turns, "other");
            isOtherDone.set(true);
            other.end();

            for (Future<?> each : poison) {
                each.get(30, TimeUnit.SECONDS);
            }
        }
        assertThat(turns.running()).isZero();
    }

    @Test
    void isTooLateAtTheDeadline() {
        ScanScheduler turns = turns(1, 10);
        ScanScheduler.Turn first = begun(turns, "a");

        assertThat(turns.begin("b", in(Duration.ofMillis(1))))
                .isEqualTo(new ScanScheduler.Start.TooLate());
        assertThat(turns.waiting()).isZero();
        first.end();
        begun(turns, "b").end();
    }

    @Test
    void doesNotWaitForAClientThatHasLeft() {
        ScanScheduler turns = turns(1, 10);
        ScanScheduler.Turn first = begun(turns, "a");

        ScanScheduler.Start start = turns.begin("b", new Deadline(LATER.nanos(), () -> true));

        assertThat(start).isEqualTo(new ScanScheduler.Start.TooLate());
        assertThat(turns.waiting()).isZero();
        first.end();
    }

    @Test
    void refusesWhereTooManyWait() throws Exception {
        ScanScheduler turns = turns(1, 1);
        ScanScheduler.Turn first = begun(turns, "a");
        try (ExecutorService threads = Executors.newVirtualThreadPerTaskExecutor()) {
            threads.execute(() -> begun(turns, "a").end());
            EVENTUALLY.untilAsserted(() -> assertThat(turns.waiting()).isEqualTo(1));

            assertThat(turns.begin("a", LATER))
                    .isEqualTo(
                            new ScanScheduler.Start.Refused(
                                    "overload: 1 searches of this client wait already, at most"
                                            + " 1"));
            assertThat(turns.refused()).isEqualTo(1);
            first.end();
        }
        assertThat(turns.running()).isZero();
    }

    @Test
    void othersRunWhileASearchWaitsForTheDisk() {
        ScanScheduler turns = turns(1, 10);
        ScanScheduler.Turn reading = begun(turns, "a");
        reading.pause();

        ScanScheduler.Turn other = begun(turns, "b");
        reading.resume();
        other.end();
        reading.end();

        assertThat(turns.running()).isZero();
    }

    /** For all interleavings, all searches end and all counters return to 0. */
    @Test
    void losesNoTurn() throws Exception {
        long seed = Long.getLong("crabro.seed", 1);
        ScanScheduler turns = turns(2, 1_000);
        var most = new AtomicInteger();
        var running = new AtomicInteger();
        try (ExecutorService threads = Executors.newFixedThreadPool(12)) {
            List<Future<?>> all = new ArrayList<>();
            for (int i = 0; i < 12; i++) {
                int client = i % 3;
                var random = new Random(seed * 100 + i);
                all.add(
                        threads.submit(() -> {
                            for (int j = 0; j < 300; j++) {
                                Deadline deadline =
                                        random.nextInt(10) == 0 ? in(Duration.ZERO) : LATER;
                                if (turns.begin("client" + client, deadline)
                                        instanceof ScanScheduler.Turn turn) {
                                    most.accumulateAndGet(running.incrementAndGet(), Math::max);
                                    running.decrementAndGet();
                                    for (int k = random.nextInt(5); k > 0; k--) {
                                        turn.step();
                                    }
                                    turn.end();
                                }
                            }
                        }));
            }
            for (Future<?> each : all) {
                assertThatCode(() -> each.get(30, TimeUnit.SECONDS))
                        .as("seed %d", seed)
                        .doesNotThrowAnyException();
            }
        }
        assertThat(most.get()).as("seed %d", seed).isLessThanOrEqualTo(2);
        assertThat(turns.running()).as("seed %d", seed).isZero();
        assertThat(turns.waiting()).as("seed %d", seed).isZero();
    }

    private static int[] slices(int count) {
        int[] portions = new int[count + 1];
        for (int i = 0; i <= count; i++) {
            portions[i] = i;
        }
        return portions;
    }

    private static SliceTeam.Guard stepping(ScanScheduler.Turn turn) {
        return new SliceTeam.Guard() {
            @Override
            public boolean isWanted(int slice) {
                return true;
            }

            @Override
            public void take(int slice) {
                turn.step();
            }

            @Override
            public void finish(int slice) {}

            @Override
            public boolean setAside(int slice, boolean isBegun, Throwable unreadable) {
                return false;
            }
        };
    }

    private static void search(
            ScanScheduler turns, String client, ConcurrentLinkedQueue<String> done) {
        ScanScheduler.Turn turn = begun(turns, client);
        done.add(client);
        turn.end();
    }

    @Test
    void asManyRunAtATimeAsThreadsAllow() {
        var turns =
                new ScanScheduler(
                        new ScanLimits(2, 1, 1, 1, 1, Duration.ZERO), 3, System::nanoTime);
        var running = new ArrayList<ScanScheduler.Turn>();
        for (int i = 0; i < 6; i++) {
            running.add(begun(turns, "a"));
        }

        assertThat(turns.running()).isEqualTo(6);
        assertThat(turns.begin("a", in(Duration.ZERO)))
                .isInstanceOf(ScanScheduler.Start.TooLate.class);
        running.forEach(ScanScheduler.Turn::end);
    }

    private static ScanScheduler.Turn begun(ScanScheduler turns, String client) {
        ScanScheduler.Start start = turns.begin(client, LATER);
        assertThat(start).isInstanceOf(ScanScheduler.Turn.class);
        return (ScanScheduler.Turn) start;
    }

    private static ScanScheduler turns(int running, int waitingOfClient) {
        return new ScanScheduler(
                new ScanLimits(running, 100, 100, 1_000, waitingOfClient, Duration.ZERO),
                1,
                System::nanoTime);
    }

    private static Deadline in(Duration time) {
        return new Deadline(System.nanoTime() + time.toNanos());
    }
}
