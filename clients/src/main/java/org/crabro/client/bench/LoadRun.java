package org.crabro.client.bench;

import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;

/** Sends requests from many clients, and measures them. */
public final class LoadRun {
    private final LoadSettings settings;
    private final LoadSource source;
    private final LoadRecorder recorder;
    private final LoadClock clock;
    private final AtomicLong tickets = new AtomicLong();

    public LoadRun(LoadSettings settings, LoadSource source) {
        this(settings, source, LoadClock.SYSTEM);
    }

    LoadRun(LoadSettings settings, LoadSource source, LoadClock clock) {
        this.settings = settings;
        this.source = source;
        this.clock = clock;
        this.recorder = new LoadRecorder(clock.nanoTime() + settings.warmUp().toNanos());
    }

    /**
     * Runs to the end of the time, or until no client has more requests.
     *
     * @throws InterruptedException if the thread is interrupted; all clients have ended then
     */
    public LoadResult run() throws InterruptedException {
        try (ExecutorService clients =
                Executors.newThreadPerTaskExecutor(
                        Thread.ofVirtual().name("load-client").factory())) {
            List<Future<?>> running = new ArrayList<>();
            for (int i = 0; i < settings.clients(); i++) {
                int client = i;
                running.add(
                        clients.submit(() -> {
                            run(client);
                            return null;
                        }));
            }
            try {
                for (Future<?> each : running) {
                    each.get();
                }
            } catch (InterruptedException e) {
                clients.shutdownNow();
                throw e;
            } catch (ExecutionException e) {
                clients.shutdownNow();
                throw new IllegalStateException(e.getCause());
            }
        }
        return recorder.result(settings, source.items(), clock.nanoTime());
    }

    /** Returns the counts so far; for any thread. */
    public LoadProgress progress() {
        return recorder.progress();
    }

    private void run(int client) throws InterruptedException {
        long end = recorder.begin() + settings.time().toNanos();
        long start = clock.nanoTime();
        for (long number = 0; ; number++) {
            if (settings.rate().isPresent()) {
                start = nextTicket();
            }
            if (start >= end) {
                return;
            }
            clock.sleepUntil(start);
            long begin = settings.rate().isPresent() ? start : clock.nanoTime();
            if (begin >= end) {
                return;
            }
            Optional<LoadAnswer> answer = source.send(client);
            if (answer.isEmpty()) {
                return;
            }
            long done = clock.nanoTime();
            if (number >= settings.ignored() && begin >= recorder.begin()) {
                recorder.record(begin, done, answer.get());
            }
            start = begin + settings.cycle().toNanos();
            if (!settings.cycle().isZero() && done > start) {
                recorder.missCycle();
            }
        }
    }

    /** Returns the intended start of the next request of any client. */
    private long nextTicket() {
        double nanosBetween = TimeUnit.SECONDS.toNanos(1) / settings.rate().orElseThrow();
        long first = recorder.begin() - settings.warmUp().toNanos();
        return first + (long) (tickets.getAndIncrement() * nanosBetween);
    }
}
