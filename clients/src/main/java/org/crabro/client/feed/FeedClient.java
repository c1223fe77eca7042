package org.crabro.client.feed;

import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStream;
import java.io.InputStreamReader;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Semaphore;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.LongConsumer;
import org.crabro.document.InvalidDocumentException;

/**
 * Feeds files of operations, one JSON object a line, with many requests in flight.
 *
 * <p>Operations on one document are sent in the order of the file. A server that is busy (429, 503)
 * is asked again after a while, at most {@value #TRIES} times.
 *
 * {@snippet :
 * try (var client = new FeedClient(URI.create("http://127.0.0.1:8080"), 64)) {
 *     FeedResult result = client.feed(new FileInputStream("feed.jsonl"), done -> {});
 * }
 * }
 */
public final class FeedClient implements AutoCloseable {
    /** How many problems a result lists. */
    public static final int PROBLEMS_KEPT = 10;

    private static final int TRIES = 10;
    private static final Duration FIRST_PAUSE = Duration.ofMillis(50);
    private static final Duration REQUEST_TIMEOUT = Duration.ofSeconds(190);

    private final URI server;
    private final int inFlight;
    private final HttpClient http;
    private final ExecutorService threads = Executors.newVirtualThreadPerTaskExecutor();

    /**
     * @param inFlight how many requests may wait for an answer at once, at least 1
     */
    public FeedClient(URI server, int inFlight) {
        this.server = server;
        this.inFlight = inFlight;
        this.http = HttpClient.newBuilder().version(HttpClient.Version.HTTP_1_1).build();
    }

    /**
     * Sends every operation of {@code lines} and waits for all answers.
     *
     * @param progress told how many operations have their answer, now and then
     * @throws IOException if {@code lines} cannot be read
     */
    public FeedResult feed(InputStream lines, LongConsumer progress)
            throws IOException, InterruptedException {
        var run = new Run(progress);
        long begin = System.nanoTime();
        try (var reader =
                new BufferedReader(new InputStreamReader(lines, StandardCharsets.UTF_8))) {
            long number = 0;
            for (String line = reader.readLine(); line != null; line = reader.readLine()) {
                number++;
                if (!line.isBlank()) {
                    run.start(line, number);
                }
            }
        }
        run.awaitAll();
        return run.result(Duration.ofNanos(System.nanoTime() - begin));
    }

    @Override
    public void close() {
        threads.close();
        http.close();
    }

    /** One feed: what is in flight, and what became of the rest. */
    private final class Run {
        private final LongConsumer progress;
        private final Semaphore permits = new Semaphore(inFlight);
        private final AtomicLong stored = new AtomicLong();
        private final AtomicLong failed = new AtomicLong();
        private final List<String> problems = new ArrayList<>();

        /** Ids in flight: a second operation on one waits for the first. Guarded by itself. */
        private final Set<String> busy = new HashSet<>();

        Run(LongConsumer progress) {
            this.progress = progress;
        }

        void start(String line, long number) throws InterruptedException {
            FeedOperation operation;
            try {
                operation = FeedOperation.parse(line);
            } catch (InvalidDocumentException e) {
                fail("line " + number + ": " + e.getMessage());
                return;
            }
            String id = operation.id().toString();
            permits.acquire();
            synchronized (busy) {
                while (!busy.add(id)) {
                    busy.wait();
                }
            }
            threads.execute(() -> {
                try {
                    send(operation, number);
                } finally {
                    synchronized (busy) {
                        busy.remove(id);
                        busy.notifyAll();
                    }
                    permits.release();
                }
            });
        }

        void awaitAll() throws InterruptedException {
            permits.acquire(inFlight);
        }

        FeedResult result(Duration took) {
            synchronized (problems) {
                return new FeedResult(stored.get(), failed.get(), problems, took);
            }
        }

        private void send(FeedOperation operation, long number) {
            var request =
                    HttpRequest.newBuilder(
                                    operation
                                            .condition()
                                            .map(condition ->
                                                    DocumentUrl.of(
                                                            server, operation.id(), condition))
                                            .orElseGet(
                                                    () -> DocumentUrl.of(server, operation.id())))
                            .timeout(REQUEST_TIMEOUT)
                            .header("Content-Type", "application/json")
                            .method(
                                    operation.method(),
                                    operation
                                            .body()
                                            .map(HttpRequest.BodyPublishers::ofString)
                                            .orElseGet(HttpRequest.BodyPublishers::noBody))
                            .build();
            String where = "line " + number + ", " + operation.id() + ": ";
            try {
                HttpResponse<String> response = sendPatiently(request);
                if (response.statusCode() == 200) {
                    progress.accept(stored.incrementAndGet() + failed.get());
                } else {
                    fail(where + response.statusCode() + " " + response.body());
                }
            } catch (IOException e) {
                fail(where + e);
            } catch (InterruptedException e) {
                Thread.currentThread().interrupt();
                fail(where + "interrupted");
            }
        }

        private void fail(String problem) {
            synchronized (problems) {
                if (problems.size() < PROBLEMS_KEPT) {
                    problems.add(problem);
                }
            }
            progress.accept(stored.get() + failed.incrementAndGet());
        }
    }

    private HttpResponse<String> sendPatiently(HttpRequest request)
            throws IOException, InterruptedException {
        Duration pause = FIRST_PAUSE;
        for (int attempt = 1; ; attempt++) {
            HttpResponse<String> response =
                    http.send(request, HttpResponse.BodyHandlers.ofString());
            int status = response.statusCode();
            if (attempt == TRIES || (status != 429 && status != 503)) {
                return response;
            }
            Thread.sleep(pause);
            pause = pause.multipliedBy(2);
        }
    }
}
