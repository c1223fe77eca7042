package org.crabro.server.warmup;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;
import static org.awaitility.Durations.ONE_MILLISECOND;
import static org.awaitility.Durations.ONE_MINUTE;

import java.nio.file.Path;
import java.time.Duration;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.LongSupplier;
import org.awaitility.core.ConditionFactory;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class QueryWarmUpTest {
    private static final ConditionFactory EVENTUALLY =
            await().atMost(ONE_MINUTE).pollInterval(ONE_MILLISECOND);

    @TempDir private Path directory;

    private QueryWarmUp warmUp(Duration beforeReady, LongSupplier inProgress) {
        return new QueryWarmUp(
                directory.resolve("warm-up"),
                beforeReady,
                Map::of,
                () -> 0,
                inProgress,
                WarmUpServerTest.LINK);
    }

    @Test
    void sendsQueriesBeforeTheServerIsReadyAndAfterwards() {
        try (var warmUp = warmUp(QueryWarmUp.BEFORE_READY, () -> 0)) {
            warmUp.beforeReady(Optional.empty());
            long before = warmUp.queries();

            EVENTUALLY.untilAsserted(() -> assertThat(warmUp.queries()).isGreaterThan(before + 10));
        }
    }

    @Test
    void waitsWhileARequestIsInProgressAndGoesOnAfterIt() {
        var inProgress = new AtomicLong(1);
        try (var warmUp = warmUp(Duration.ofMillis(1), inProgress::get)) {
            warmUp.deployed(WarmUpModel.builtIn());
            EVENTUALLY.untilAsserted(() -> assertThat(warmUp.isWaiting()).as("waits").isTrue());
            long before = warmUp.queries();
            inProgress.set(0);

            assertThat(before).isZero();
            EVENTUALLY.untilAsserted(() -> assertThat(warmUp.queries()).isPositive());
        }
    }

    @Test
    void sendsNothingIfTheSettingIsZero() {
        try (var warmUp = warmUp(Duration.ZERO, () -> 0)) {
            warmUp.beforeReady(Optional.empty());
            warmUp.deployed(WarmUpModel.builtIn());

            assertThat(warmUp.isStarted()).isFalse();
        }
    }
}
