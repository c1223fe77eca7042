package org.crabro.client.process;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import java.util.concurrent.atomic.AtomicLong;
import org.junit.jupiter.api.Test;

class ProgressWatchTest {
    /** Near the largest value, so that the clock overflows. */
    private final AtomicLong now = new AtomicLong(Long.MAX_VALUE - 1);

    private final ProgressWatch watch = new ProgressWatch(now::get);

    @Test
    void goesOnAsLongAsSomethingChanges() {
        for (int i = 0; i < 15; i++) {
            pass(ProgressWatch.UNCHANGED_MAX);
            assertThat(watch.end(i)).isEmpty();
        }
    }

    @Test
    void endsAfterTheTimeWithoutAChange() {
        assertThat(watch.end("a")).isEmpty();
        pass(ProgressWatch.UNCHANGED_MAX);
        assertThat(watch.end("a")).isEmpty();
        pass(Duration.ofNanos(1));
        assertThat(watch.end("a")).contains("no progress for 120 s");
    }

    @Test
    void aChangeBeginsTheTimeAgain() {
        assertThat(watch.end("a")).isEmpty();
        pass(ProgressWatch.UNCHANGED_MAX);
        assertThat(watch.end("b")).isEmpty();
        pass(ProgressWatch.UNCHANGED_MAX);
        assertThat(watch.end("b")).isEmpty();
    }

    @Test
    void endsWhenSomethingChangesWithoutAnEnd() {
        for (int i = 0; i < ProgressWatch.WAIT_MAX.toMinutes(); i++) {
            pass(Duration.ofMinutes(1));
            assertThat(watch.end(i)).isEmpty();
        }
        pass(Duration.ofNanos(1));
        assertThat(watch.end("other")).contains("it is not done after 1800 s");
    }

    private void pass(Duration time) {
        now.addAndGet(time.toNanos());
    }
}
