package org.crabro.ranking.onnx.threads;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import java.time.Duration;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.Executors;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;

class CoreGateTest {
    private static final long LONG = Duration.ofMinutes(5).toNanos();

    /** For one core, and so for two runs. */
    private final CoreGate gate = new CoreGate(new CorePolicy(1, System::nanoTime));

    private final ThreadLevels model = gate.levels(1);

    @Test
    void aRunWaitsForAFreeCore() throws Exception {
        RunRequest first = enter();
        RunRequest second = enter();
        var waits = new CountDownLatch(1);
        try (var threads = Executors.newVirtualThreadPerTaskExecutor()) {
            CompletableFuture<RunRequest> third =
                    CompletableFuture.supplyAsync(
                            () -> {
                                waits.countDown();
                                return enter();
                            },
                            threads);
            waits.await();
            assertThat(third.isDone()).isFalse();

            assertThat(gate.exit(first, true)).isEmpty();

            assertThat(third.get().isStarted()).isTrue();
            gate.exit(third.get(), true);
        }
        gate.exit(second, true);
    }

    @Test
    void aRunThatCannotStartInTimeIsRejected() {
        RunRequest first = enter();
        RunRequest second = enter();

        assertThatExceptionOfType(ModelBusyException.class)
                .isThrownBy(() -> gate.enter(model, 1, System.nanoTime() + 1_000))
                .withMessage("no core was free for the model in time");

        assertThat(gate.waiting()).isZero();
        gate.exit(first, true);
        gate.exit(second, true);
        gate.exit(enter(), true);
    }

    @Test
    void anInterruptEndsTheWait() {
        RunRequest first = enter();
        RunRequest second = enter();

        Thread.currentThread().interrupt();
        assertThatExceptionOfType(ModelBusyException.class)
                .isThrownBy(this::enter)
                .withMessage("the wait for a free core was interrupted");

        assertThat(Thread.interrupted()).isTrue();
        assertThat(gate.waiting()).isZero();
        gate.exit(first, true);
        gate.exit(second, true);
    }

    @Test
    void neverHasMoreThanTwoRunsForACore() throws Exception {
        var running = new AtomicInteger();
        var most = new AtomicInteger();
        try (var threads = Executors.newVirtualThreadPerTaskExecutor()) {
            for (int i = 0; i < 50; i++) {
                threads.execute(() -> {
                    for (int j = 0; j < 50; j++) {
                        RunRequest request = enter();
                        most.accumulateAndGet(running.incrementAndGet(), Math::max);
                        Thread.onSpinWait();
                        running.decrementAndGet();
                        gate.exit(request, true);
                    }
                });
            }
        }

        assertThat(most.get()).isBetween(1, 2);
        assertThat(gate.waiting()).isZero();
    }

    private RunRequest enter() {
        return gate.enter(model, 1, System.nanoTime() + LONG);
    }
}
