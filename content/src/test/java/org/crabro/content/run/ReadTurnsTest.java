package org.crabro.content.run;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import java.util.concurrent.CountDownLatch;
import org.crabro.protocol.wire.Deadline;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

@Timeout(60)
class ReadTurnsTest {
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
                            second.await();
                            hasTurn.countDown();
                        });
        // Once somebody waits the turn ends with its bytes, and not before.
        assertThat(first.mayRead()).isTrue();
        first.spend(ReadTurns.TURN_BYTES);
        while (first.mayRead()) {
            first.spend(ReadTurns.TURN_BYTES);
            Thread.onSpinWait();
        }

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
        Thread one = Thread.ofPlatform().start(second::await);
        Thread other = Thread.ofPlatform().start(second::await);
        first.end();
        one.join();
        other.join();

        second.end();

        assertThat(large(SOON).mayRead()).isTrue();
    }

    @Test
    void doesNotWaitWhereTimeIsOver() {
        large(SOON);
        ReadTurns.Turn late = turns.newTurn(OVER);
        late.spend(ReadTurns.FREE_BYTES);

        late.await();

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

        second.await();

        assertThat(second.mayRead()).isTrue();
        second.spend(ReadTurns.FREE_BYTES);
        assertThat(second.mayRead()).isFalse();
    }

    @Test
    void takesNoTurnOnceItHasEnded() {
        ReadTurns.Turn ended = large(SOON);
        ended.end();
        ended.spend(ReadTurns.TURN_BYTES);

        assertThat(ended.mayRead()).isFalse();
        assertThat(large(SOON).mayRead()).isTrue();
    }

    /** Returns one that has read so much that it has a turn. */
    private ReadTurns.Turn large(Deadline deadline) {
        ReadTurns.Turn turn = turns.newTurn(deadline);
        turn.spend(ReadTurns.FREE_BYTES + 1);
        assertThat(turn.mayRead()).isTrue();
        assertThat(turn.isLarge()).isTrue();
        return turn;
    }
}
