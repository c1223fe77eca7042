package org.crabro.client.feed;

import java.io.IOException;
import java.io.InputStream;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.HashSet;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Semaphore;
import java.util.function.LongConsumer;
import org.crabro.document.InvalidDocumentException;

/**
 * Feeds files of operations, with many concurrent requests.
 *
 * <p>Operations on one document are sent in the order of the file. If a server is busy (429, 503)
 * or does not answer, the request is sent again after a pause, at most {@value #TRIES} times.
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
    private static final int LONGEST = 64 << 20;
    private static final Duration FIRST_PAUSE = Duration.ofMillis(50);
    private static final Duration REQUEST_TIMEOUT = Duration.ofSeconds(190);
    private static final URI HANDSHAKE =
            URI.create("/document/v1/feeder/handshake/docid/dummy?dryRun=true");

    private final FeedServer server;
    private final int inFlight;
    private final HttpClient http;
    private boolean isMultiplexed;
    private final ExecutorService threads = Executors.newVirtualThreadPerTaskExecutor();

    private FeedClient(FeedServer server, int inFlight, HttpClient.Version version) {
        this.server = server;
        this.inFlight = inFlight;
        this.http = HttpClient.newBuilder().version(version).build();
    }

    /**
     * Makes a client that has a connection for each request in flight, and sends no token.
     *
     * @param inFlight how many requests may wait for an answer at once, at least 1
     */
    public FeedClient(URI server, int inFlight) {
        this(new FeedServer(server), inFlight, HttpClient.Version.HTTP_1_1);
    }

    /**
     * Makes a client that shakes hands with the server. Where that speaks HTTP/2 all requests go
     * through one connection from then on.
     *
     * @param inFlight how many requests may wait for an answer at once, at least 1
     * @throws IOException if the server does not answer as one that takes documents
     */
    public static FeedClient shakingHands(FeedServer server, int inFlight)
            throws IOException, InterruptedException {
        var client = new FeedClient(server, inFlight, HttpClient.Version.HTTP_2);
        boolean isDone = false;
        try {
            HttpResponse<String> response =
                    client.http.send(
                            server.request(HANDSHAKE)
                                    .timeout(REQUEST_TIMEOUT)
                                    .POST(HttpRequest.BodyPublishers.noBody())
                                    .build(),
                            HttpResponse.BodyHandlers.ofString());
            if (response.statusCode() != 200) {
                throw new IOException(
                        server + " answered " + response.statusCode() + ": " + response.body());
            }
            client.isMultiplexed = response.version() == HttpClient.Version.HTTP_2;
            isDone = true;
            return client;
        } finally {
            if (!isDone) {
                client.close();
            }
        }
    }

    /** Returns whether all requests go through one connection. */
    public boolean isMultiplexed() {
        return isMultiplexed;
    }

    /**
     * Sends every operation of {@code operations} and waits for all answers.
     *
     * @param progress called repeatedly with the number of answered operations
     * @throws IOException if {@code operations} cannot be read
     */
    public FeedResult feed(InputStream operations, LongConsumer progress)
            throws IOException, InterruptedException {
        long begin = System.nanoTime();
        FeedStatistics statistics = run(operations, progress);
        return new FeedResult(
                statistics.ok(),
                statistics.operations() - statistics.ok(),
                statistics.problems(),
                Duration.ofNanos(System.nanoTime() - begin));
    }

    /**
     * Sends every operation of {@code operations} and waits for all answers.
     *
     * @param operations consecutive, or in an array
     * @throws IOException if they cannot be read; earlier operations were sent
     */
    public FeedStatistics feed(InputStream operations) throws IOException, InterruptedException {
        return run(operations, _ -> {});
    }

    private FeedStatistics run(InputStream operations, LongConsumer progress)
            throws IOException, InterruptedException {
        var run = new Run(progress);
        try {
            var splitter = new OperationSplitter(operations, LONGEST);
            for (Optional<byte[]> next = splitter.next();
                    next.isPresent();
                    next = splitter.next()) {
                run.start(new String(next.get(), StandardCharsets.UTF_8), splitter.number());
            }
        } finally {
            run.awaitAll();
        }
        return run.statistics;
    }

    @Override
    public void close() {
        threads.close();
        http.close();
    }

    /** The state of one feed. */
    private final class Run {
        private final LongConsumer progress;
        private final Semaphore permits = new Semaphore(inFlight);
        private final FeedStatistics statistics = new FeedStatistics();

        /** Ids in flight: a second operation on one waits for the first. Guarded by itself. */
        private final Set<String> busy = new HashSet<>();

        Run(LongConsumer progress) {
            this.progress = progress;
        }

        void start(String operationText, long number) throws InterruptedException {
            FeedOperation operation;
            try {
                operation = FeedOperation.parse(operationText);
            } catch (InvalidDocumentException e) {
                fail("operation " + number + ": " + e.getMessage());
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

        private void send(FeedOperation operation, long number) {
            String where = "operation " + number + ", " + operation.id() + ": ";
            try {
                HttpResponse<String> response = sendPatiently(request(operation), size(operation));
                statistics.answered(
                        response.statusCode(),
                        where + response.statusCode() + " " + response.body());
                progress.accept(statistics.operations());
            } catch (IOException e) {
                fail(where + e);
            } catch (InterruptedException e) {
                Thread.currentThread().interrupt();
                fail(where + "interrupted");
            }
        }

        private void fail(String problem) {
            statistics.failed(problem);
            progress.accept(statistics.operations());
        }

        private HttpResponse<String> sendPatiently(HttpRequest request, long bytes)
                throws IOException, InterruptedException {
            Duration pause = FIRST_PAUSE;
            for (int attempt = 1; ; attempt++) {
                try {
                    HttpResponse<String> response = sendOnce(request, bytes);
                    int status = response.statusCode();
                    if (attempt == TRIES || (status != 429 && status != 503)) {
                        return response;
                    }
                } catch (IOException e) {
                    statistics.excepted();
                    if (attempt == TRIES) {
                        throw e;
                    }
                }
                Thread.sleep(pause);
                pause = pause.multipliedBy(2);
            }
        }

        private HttpResponse<String> sendOnce(HttpRequest request, long bytes)
                throws IOException, InterruptedException {
            statistics.requested(bytes);
            long begin = System.nanoTime();
            HttpResponse<String> response =
                    http.send(request, HttpResponse.BodyHandlers.ofString());
            statistics.responded(response.body().length(), (System.nanoTime() - begin) / 1_000_000);
            return response;
        }
    }

    private HttpRequest request(FeedOperation operation) {
        URI address =
                operation
                        .condition()
                        .map(condition ->
                                DocumentUrl.of(server.address(), operation.id(), condition))
                        .orElseGet(() -> DocumentUrl.of(server.address(), operation.id()));
        return server.request(address)
                .timeout(REQUEST_TIMEOUT)
                .header("Content-Type", "application/json")
                .method(
                        operation.method(),
                        operation
                                .body()
                                .map(HttpRequest.BodyPublishers::ofString)
                                .orElseGet(HttpRequest.BodyPublishers::noBody))
                .build();
    }

    private static long size(FeedOperation operation) {
        return operation.body().map(body -> (long) body.length()).orElse(0L);
    }
}
