package org.crabro.content.storage.store;

import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.atomic.AtomicInteger;
import org.crabro.content.storage.store.StoreHistory.HistoryFailure;
import org.junit.jupiter.api.Test;

/**
 * Random histories of a store against a plain map: writes, reads, flushes, failures and crashes.
 *
 * <p>The message of a failure contains the properties that repeat its history; {@code
 * -Dcrabro.histories=N} runs more histories.
 */
class StoreStressTest {
    private static final long SEED = Long.getLong("crabro.seed", 20_26);
    private static final int HISTORIES = Integer.getInteger("crabro.histories", 500);
    private static final int STEPS = 150;

    /** One history of this many has several threads, and cannot be repeated exactly. */
    private static final int CROWDED = 20;

    @Test
    void keepsWhatItAcknowledgedThroughEveryHistory() {
        int threads = Runtime.getRuntime().availableProcessors();
        var next = new AtomicInteger();
        List<Future<?>> done = new ArrayList<>();
        try (ExecutorService workers = Executors.newFixedThreadPool(threads)) {
            for (int i = 0; i < threads; i++) {
                done.add(workers.submit(() -> runNext(next)));
            }
        }
        for (Future<?> each : done) {
            if (each.state() == Future.State.FAILED) {
                Throwable failure = each.exceptionNow();
                throw new AssertionError(failure.getMessage(), failure.getCause());
            }
        }
    }

    private static void runNext(AtomicInteger next) {
        try {
            for (int i = next.getAndIncrement(); i < HISTORIES; i = next.getAndIncrement()) {
                if (i % CROWDED == CROWDED - 1) {
                    runCrowded(SEED + i);
                } else {
                    run(SEED + i);
                }
            }
        } finally {
            next.set(HISTORIES);
        }
    }

    private static void runCrowded(long seed) {
        try {
            CrowdedHistory.run(seed);
        } catch (AssertionError | Exception e) {
            throw new AssertionError(
                    "crowded history, -Dcrabro.seed=%d -Dcrabro.histories=%d: %s"
                            .formatted(seed - CROWDED + 1, CROWDED, e),
                    e);
        }
    }

    private static void run(long seed) {
        List<HistoryStep> steps = steps(seed);
        try {
            StoreHistory.run(seed, steps);
        } catch (HistoryFailure e) {
            HistoryFailure shortest = new ShorterHistory(seed, steps, e).find();
            throw new AssertionError(
                    "history, -Dcrabro.seed=%d -Dcrabro.histories=1, made shorter:\n%s"
                            .formatted(seed, shortest.getMessage()),
                    shortest.getCause());
        }
    }

    private static List<HistoryStep> steps(long seed) {
        var random = new Random(new Random(~seed).nextLong());
        List<HistoryStep> steps = new ArrayList<>();
        for (int i = random.nextInt(STEPS / 3, STEPS); i > 0; i--) {
            steps.add(HistoryStep.random(random));
        }
        return steps;
    }
}
