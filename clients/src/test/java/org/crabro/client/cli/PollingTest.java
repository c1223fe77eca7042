package org.crabro.client.cli;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;

class PollingTest {
    private final AtomicInteger calls = new AtomicInteger();

    @Test
    void repeatsACallUntilItsReplyMeetsTheCondition() throws Exception {
        int reply = Polling.until(each -> each == 3, 0, calls::incrementAndGet, Duration.ZERO);

        assertThat(reply).isEqualTo(3);
        assertThat(calls).hasValue(3);
    }

    @Test
    void sendsNothingIfTheFirstReplyMeetsTheCondition() throws Exception {
        int reply = Polling.until(each -> each == 0, 0, calls::incrementAndGet, Duration.ofDays(1));

        assertThat(reply).isZero();
        assertThat(calls).hasValue(0);
    }
}
