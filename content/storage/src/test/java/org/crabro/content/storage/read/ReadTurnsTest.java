package org.crabro.content.storage.read;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;
import static org.awaitility.Durations.ONE_MILLISECOND;
import static org.awaitility.Durations.ONE_MINUTE;

import java.time.Duration;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.AtomicLong;
import org.awaitility.core.ConditionFactory;
import org.crabro.protocol.wire.Deadline;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

@Timeout(60)
class ReadTurnsTest {
    private static final ConditionFactory EVENTUALLY =
            await().atMost(ONE_MINUTE).pollInterval(ONE_MILLISECOND);
    private static final Deadline SOON = Deadline.after(Duration.ofMinutes(1));
    private static final Deadline OVER = new Deadline(System.nanoTime());

    private final ReadTurns turns = new ReadTurns(1, Duration.ofMinutes(1));

    @Test
    void letsLittleBeReadWithoutATurn() {
        large(SOON);
        ReadTurns.Turn small = turns.newTurn(SOON);

        small.spend(ReadTurns.FREE_BYTES - 1);

        assertThat(small.mayRead()).isTrue();
        assertThat(small.isLarge()).isFalse();
    }

    @Test
    void givesOneTurnAtATime() {
        ReadTurns.Turn first = large(SOON);
        ReadTurns.Turn second = turns.newTurn(SOON);
        second.spend(ReadTurns.FREE_BYTES);

        assertThat(second.mayRead()).isFalse();
        first.end();
        assertThat(second.mayRead()).isTrue();
    }

    @Test
    void letsWhoHasATurnGoOnWhereNobodyWaits() {
        ReadTurns.Turn only = large(SOON);

        for (int i = 0; i < 5; i++) {
            only.spend(ReadTurns.TURN_BYTES);
            assertThat(only.mayRead()).isTrue();
        }
    }

    @Test
    void givesTheTurnToWhoWaits() throws InterruptedException {
        ReadTurns.Turn first = large(SOON);
        ReadTurns.Turn second = turns.newTurn(SOON);
        second.spend(ReadTurns.FREE_BYTES);
        var hasTurn = new CountDownLatch(1);
        Thread waiting =
                Thread.ofPlatform()
                        .start(() -> {
                            second.await(() -> 0);
                            hasTurn.countDown();
                        });
        // Once another query waits, the turn ends with its bytes, and not before.
        assertThat(first.mayRead()).isTrue();
        first.spend(ReadTurns.TURN_BYTES);
        EVENTUALLY.untilAsserted(() -> {
            first.spend(ReadTurns.TURN_BYTES);
            assertThat(first.mayRead()).isFalse();
        });

        hasTurn.await();
        waiting.join();
        assertThat(second.mayRead()).isTrue();
        assertThat(first.mayRead()).isFalse();
        second.end();
        assertThat(first.mayRead()).isTrue();
    }

    /** Two threads of a query may wait for the same turn. */
    @Test
    void givesAQueryOneTurn() throws InterruptedException {
        ReadTurns.Turn first = large(SOON);
        ReadTurns.Turn second = turns.newTurn(SOON);
        second.spend(ReadTurns.FREE_BYTES);
        Thread one = Thread.ofPlatform().start(() -> second.await(() -> 0));
        Thread other = Thread.ofPlatform().start(() -> second.await(() -> 0));
        first.end();
        one.join();
        other.join();

        second.end();

        assertThat(large(SOON).mayRead()).isTrue();
    }

    /** Otherwise two queries could wait for each other's threads. */
    @Test
    void letsAllThreadsOfAQueryGoOn() throws InterruptedException {
        var patient = new ReadTurns(1, Duration.ofHours(1));
        Deadline late = Deadline.after(Duration.ofHours(3));
        ReadTurns.Turn first = patient.newTurn(late);
        ReadTurns.Turn second = patient.newTurn(late);
        first.spend(ReadTurns.FREE_BYTES);
        assertThat(first.mayRead()).isTrue();
        second.spend(ReadTurns.FREE_BYTES);
        Thread one = waiting(second, 0);
        Thread other = waiting(second, 0);

        first.end();

        one.join();
        other.join();
        assertThat(second.mayRead()).isTrue();
    }

    @Test
    void givesTurnsToWhoHasLeastToRead() throws InterruptedException {
        assertThat(order(new long[] {70, 30, 50}, Duration.ZERO)).containsExactly(1, 2, 0);
    }

    @Test
    void letsNobodyBeOvertakenForLong() throws InterruptedException {
        assertThat(order(new long[] {70, 30, 50}, Duration.ofSeconds(1))).containsExactly(0, 1, 2);
    }

    /** Queries of the same length. */
    @Test
    void givesTurnsInTheirOrder() throws InterruptedException {
        assertThat(order(new long[] {50, 50, 50, 50}, Duration.ofMillis(1)))
                .containsExactly(0, 1, 2, 3);
    }

    /**
     * Returns the order in which queries get turns, one at a time.
     *
     * @param megabytes the remaining bytes of each
     * @param apart the time between two queries
     */
    private static List<Integer> order(long[] megabytes, Duration apart)
            throws InterruptedException {
        var now = new AtomicLong(7);
        var patient = new ReadTurns(1, Duration.ofHours(1), now::get);
        Deadline late = Deadline.after(Duration.ofHours(3));
        ReadTurns.Turn first = patient.newTurn(late);
        first.spend(ReadTurns.FREE_BYTES);
        assertThat(first.mayRead()).isTrue();
        List<Integer> order = Collections.synchronizedList(new ArrayList<>());
        var threads = new ArrayList<Thread>();
        for (int i = 0; i < megabytes.length; i++) {
            int query = i;
            ReadTurns.Turn turn = patient.newTurn(late);
            turn.spend(ReadTurns.FREE_BYTES);
            threads.add(
                    waiting(() -> {
                        turn.await(() -> megabytes[query] * 1_000_000);
                        order.add(query);
                        turn.end();
                    }));
            now.addAndGet(apart.toNanos());
        }

        first.end();

        for (Thread thread : threads) {
            thread.join();
        }
        return List.copyOf(order);
    }

    private static Thread waiting(ReadTurns.Turn turn, long remaining) {
        return waiting(() -> turn.await(() -> remaining));
    }

    /** Returns a thread that waits for its turn. */
    private static Thread waiting(Runnable task) {
        Thread thread = Thread.ofPlatform().start(task);
        EVENTUALLY.untilAsserted(
                () -> assertThat(thread.getState()).isEqualTo(Thread.State.TIMED_WAITING));
        return thread;
    }

    @Test
    void doesNotWaitWhereTimeIsOver() {
        large(SOON);
        ReadTurns.Turn late = turns.newTurn(OVER);
        late.spend(ReadTurns.FREE_BYTES);

        late.await(() -> 0);

        assertThat(late.mayRead()).isTrue();
    }

    @Test
    void letsNobodyWaitForEver() {
        var impatient = new ReadTurns(1, Duration.ofMillis(1));
        ReadTurns.Turn first = impatient.newTurn(SOON);
        first.spend(ReadTurns.FREE_BYTES);
        assertThat(first.mayRead()).isTrue();
        ReadTurns.Turn second = impatient.newTurn(SOON);
        second.spend(ReadTurns.FREE_BYTES);

        second.await(() -> 0);

        assertThat(second.mayRead()).isTrue();
        second.spend(ReadTurns.FREE_BYTES);
        assertThat(second.mayRead()).isFalse();
    }

    @Test
    void givesNoTurnAfterItsEnd() {
        ReadTurns.Turn ended = large(SOON);
        ended.end();
        ended.spend(ReadTurns.TURN_BYTES);

        assertThat(ended.mayRead()).isFalse();
        assertThat(large(SOON).mayRead()).isTrue();
    }

    /** Returns a query that has read so much that it has a turn. */
    private ReadTurns.Turn large(Deadline deadline) {
        ReadTurns.Turn turn = turns.newTurn(deadline);
        turn.spend(ReadTurns.FREE_BYTES + 1);
        assertThat(turn.mayRead()).isTrue();
        assertThat(turn.isLarge()).isTrue();
        return turn;
    }
}
