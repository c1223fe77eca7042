package org.crabro.server.warmup;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import java.util.Optional;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.locks.LockSupport;
import java.util.function.BooleanSupplier;
import org.junit.jupiter.api.Test;

class QueryWarmUpTest {
    @Test
    void sendsQueriesBeforeTheServerIsReadyAndAfterwards() {
        try (var warmUp = new QueryWarmUp(QueryWarmUp.BEFORE_READY, () -> 0, () -> 0)) {
            warmUp.beforeReady(Optional.empty());
            long before = warmUp.queries();

            await(() -> warmUp.queries() > before + 10);
        }
    }

    @Test
    void waitsWhileARequestIsInProgressAndGoesOnAfterIt() {
        var inProgress = new AtomicLong(1);
        try (var warmUp = new QueryWarmUp(Duration.ofMillis(1), () -> 0, inProgress::get)) {
            warmUp.deployed(WarmUpModel.builtIn());
            await(warmUp::isWaiting);
            long before = warmUp.queries();
            inProgress.set(0);

            assertThat(before).isZero();
            await(() -> warmUp.queries() > 0);
        }
    }

    @Test
    void sendsNothingIfTheSettingIsZero() {
        try (var warmUp = new QueryWarmUp(Duration.ZERO, () -> 0, () -> 0)) {
            warmUp.beforeReady(Optional.empty());
            warmUp.deployed(WarmUpModel.builtIn());

            assertThat(warmUp.isStarted()).isFalse();
        }
    }

    private static void await(BooleanSupplier condition) {
        while (!condition.getAsBoolean()) {
            LockSupport.parkNanos(1_000_000);
        }
    }
}
