package org.crabro.content.search.execution;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.BooleanSupplier;
import org.crabro.protocol.wire.Deadline;
import org.junit.jupiter.api.Test;

class SearchDeadlineTest {
    private static final long MILLI = 1_000_000;

    private final AtomicLong now = new AtomicLong(50);
    private final AtomicBoolean stopping = new AtomicBoolean();
    private final AtomicBoolean cancelled = new AtomicBoolean();
    private final SearchDeadline deadline =
            new SearchDeadline(
                    new Deadline(100, cancelled::get),
                    new SearchResources.Clock(now::get, stopping));

    @Test
    void endsAtTheDeadline() {
        BooleanSupplier isOver = deadline.isOver();

        now.set(99);
        assertThat(isOver.getAsBoolean()).isFalse();
        assertThat(deadline.nanosLeft()).isEqualTo(1);
        now.set(100);
        assertThat(isOver.getAsBoolean()).isTrue();
    }

    @Test
    void endsAPartBeforeTheDeadline() {
        BooleanSupplier isOver = deadline.isOver(10);
        BooleanSupplier isLong = deadline.isOver(1_000);

        now.set(60);
        assertThat(isOver.getAsBoolean()).isTrue();
        assertThat(isLong.getAsBoolean()).isFalse();
        now.set(100);
        assertThat(isLong.getAsBoolean()).isTrue();
    }

    @Test
    void givesAReplyTimeAfterTheDeadline() {
        now.set(300);
        BooleanSupplier isOverdue = deadline.isOverdue();

        now.set(300 + 199 * MILLI);
        assertThat(isOverdue.getAsBoolean()).isFalse();
        now.set(300 + 200 * MILLI);
        assertThat(isOverdue.getAsBoolean()).isTrue();
    }

    @Test
    void endsWhenTheClientCancels() {
        BooleanSupplier isOver = deadline.isOver();
        BooleanSupplier isOverdue = deadline.isOverdue();

        cancelled.set(true);

        assertThat(isOver.getAsBoolean()).isTrue();
        assertThat(isOverdue.getAsBoolean()).isTrue();
    }

    @Test
    void endsWhenTheNodeStops() {
        BooleanSupplier isOverdue = deadline.isOverdue();

        stopping.set(true);

        assertThat(isOverdue.getAsBoolean()).isTrue();
    }
}
