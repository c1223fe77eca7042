package org.crabro.client.visit;

import java.io.IOException;
import java.net.http.HttpClient;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.concurrent.Flow;
import java.util.concurrent.atomic.AtomicReference;
import java.util.concurrent.locks.ReentrantLock;
import org.crabro.client.http.ServerAccess;
import org.jspecify.annotations.Nullable;

/**
 * Reads many documents, in several slices at the same time. Thread-safe.
 *
 * {@snippet :
 * try (var client = new VisitClient(ServerAccess.of(URI.create("http://127.0.0.1:8080")))) {
 *     client.forEach(
 *             ClientVisit.ofType("home", "note").withSlices(4),
 *             event -> {
 *                 switch (event) {
 *                     case VisitEvent.Visited(String line) -> System.out.println(line);
 *                     case VisitEvent.Progress(String position, _) -> save(position);
 *                 }
 *             });
 * }
 * }
 */
public final class VisitClient implements AutoCloseable {
    private final ServerAccess server;
    private final HttpClient http;

    public VisitClient(ServerAccess server) {
        this.server = server;
        this.http = server.open(HttpClient.Version.HTTP_1_1);
    }

    /** Receives the parts of a visit. */
    public interface Receiver {
        /** Takes one part; calls do not overlap. */
        void accept(VisitEvent event) throws InterruptedException;
    }

    /**
     * Visits documents, and returns at the end of the visit. A receiver that takes long slows the
     * server down; nothing is buffered beyond a page of about 1 MiB per slice.
     *
     * @throws IOException if the server rejects the visit, or does not answer after several
     *     attempts; the visit can be continued from the last progress
     */
    public void forEach(ClientVisit visit, Receiver receiver)
            throws IOException, InterruptedException {
        var run = new Run(visit, receiver);
        for (int slice = 0; slice < visit.slices(); slice++) {
            run.start(slice);
        }
        run.await();
    }

    /**
     * Returns the parts of a visit. Each subscriber starts a visit of its own, on threads of its
     * own, and gets as many parts as it requests. If it requests none, the server waits.
     */
    public Flow.Publisher<VisitEvent> publisher(ClientVisit visit) {
        return subscriber -> {
            var subscription = new VisitSubscription(subscriber);
            subscriber.onSubscribe(subscription);
            subscription.start(() -> forEach(visit, subscription::emit));
        };
    }

    /** One visit. */
    private final class Run {
        private final ClientVisit visit;
        private final Receiver receiver;
        private final List<Thread> threads = new ArrayList<>();
        private final AtomicReference<@Nullable Exception> failure = new AtomicReference<>();

        /** Held while a page is passed on, so that a position covers whole pages. */
        private final ReentrantLock pages = new ReentrantLock();

        // Guarded by the lock.
        private final SlicePositions positions;
        private final double[] percents;

        Run(ClientVisit visit, Receiver receiver) {
            this.visit = visit;
            this.receiver = receiver;
            this.positions =
                    visit.position()
                            .map(SlicePositions::parse)
                            .orElseGet(() -> SlicePositions.none(visit.slices()));
            this.percents = new double[visit.slices()];
        }

        void start(int slice) {
            if (positions.isFinished(slice)) {
                percents[slice] = 100;
                return;
            }
            var reader =
                    new SliceVisit(
                            new SliceVisit.Source(server, http, visit),
                            slice,
                            positions.token(slice),
                            (lines, token, percent) -> pass(slice, lines, token, percent));
            threads.add(
                    Thread.ofVirtual()
                            .name("visit-slice-" + slice)
                            .unstarted(() -> {
                                try {
                                    reader.run();
                                } catch (IOException | InterruptedException | RuntimeException e) {
                                    if (failure.compareAndSet(null, e)) {
                                        threads.forEach(Thread::interrupt);
                                    }
                                }
                            }));
        }

        private void pass(int slice, List<String> lines, String token, double percent)
                throws InterruptedException {
            pages.lockInterruptibly();
            try {
                for (String line : lines) {
                    receiver.accept(new VisitEvent.Visited(line));
                }
                if (token.isEmpty()) {
                    positions.finished(slice);
                    percents[slice] = 100;
                } else {
                    positions.reached(slice, token);
                    percents[slice] = percent;
                }
                receiver.accept(
                        new VisitEvent.Progress(
                                positions.toString(), Arrays.stream(percents).average().orElse(0)));
            } finally {
                pages.unlock();
            }
        }

        void await() throws IOException, InterruptedException {
            threads.forEach(Thread::start);
            try {
                for (Thread thread : threads) {
                    thread.join();
                }
            } catch (InterruptedException e) {
                threads.forEach(Thread::interrupt);
                for (Thread thread : threads) {
                    thread.join();
                }
                throw e;
            }
            switch (failure.get()) {
                case null -> {}
                case IOException e -> throw e;
                case InterruptedException e -> throw e;
                case RuntimeException e -> throw e;
                case Exception e -> throw new IllegalStateException(e);
            }
        }
    }

    @Override
    public void close() {
        http.close();
    }
}
