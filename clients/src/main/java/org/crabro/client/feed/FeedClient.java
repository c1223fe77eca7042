package org.crabro.client.feed;

import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.function.LongConsumer;
import org.crabro.client.http.ServerAccess;
import org.crabro.client.http.ServerRefusalException;
import org.crabro.client.spool.Spool;
import org.crabro.client.spool.SpoolSettings;
import org.crabro.document.InvalidDocumentException;
import org.jspecify.annotations.Nullable;

/**
 * Sends operations on documents, each in a request of its own, with many requests in flight.
 *
 * <ul>
 *   <li>The number of requests in flight follows the throughput, or is fixed: {@link FeedSettings}.
 *   <li>Operations on one document are sent in the order of the calls, one after another.
 *   <li>If the server is full (429, 503), an operation is sent again after the time that the server
 *       asks for, see {@link FeedSettings#busy}.
 *   <li>If the server does not answer, an operation is sent again after a pause that doubles. An
 *       update that was sent twice may be carried out twice.
 *   <li>If the server has not answered any request for long, operations fail without being sent.
 * </ul>
 *
 * <p>Thread-safe.
 *
 * {@snippet :
 * try (var client = FeedClient.connect(ServerAccess.of(URI.create("http://127.0.0.1:8080")))) {
 *     client.send(FeedOperation.put("id:home:note:g=anna:1", Map.of("text", "Water the plants")))
 *             .thenAccept(outcome -> System.out.println(outcome.status()));
 *     client.awaitAll();
 * }
 * }
 */
public final class FeedClient implements AutoCloseable {
    /** How many problems a result lists. */
    public static final int PROBLEMS_KEPT = 10;

    private static final int LONGEST = 64 << 20;
    private static final URI HANDSHAKE =
            URI.create("/document/v1/feeder/handshake/docid/dummy?dryRun=true");

    private final OperationSender sender;
    private final boolean isMultiplexed;
    private final FeedStatistics statistics = new FeedStatistics();
    private volatile @Nullable SpooledSending spooled;

    private FeedClient(OperationSender sender, boolean isMultiplexed) {
        this.sender = sender;
        this.isMultiplexed = isMultiplexed;
    }

    /**
     * Makes a client that has an HTTP/1.1 connection for each request in flight, and sends no
     * token.
     *
     * @param inFlight how many operations may be unfinished, at least 1
     */
    public FeedClient(URI server, int inFlight) {
        this(
                new OperationSender(
                        ServerAccess.of(server),
                        FeedSettings.DEFAULT.withWindow(inFlight),
                        List.of(ServerAccess.of(server).open(HttpClient.Version.HTTP_1_1))),
                false);
    }

    /**
     * Makes a client with {@link FeedSettings#DEFAULT}.
     *
     * @throws IOException as below
     */
    public static FeedClient connect(ServerAccess server) throws IOException, InterruptedException {
        return connect(server, FeedSettings.DEFAULT);
    }

    /**
     * Makes a client and asks the server whether it takes documents. Waits for a full server. If
     * the server speaks HTTP/2, requests share connections.
     *
     * @throws ServerRefusalException if the server answers with an error
     * @throws IOException if it does not answer
     */
    public static FeedClient connect(ServerAccess server, FeedSettings settings)
            throws IOException, InterruptedException {
        List<HttpClient> connections = new ArrayList<>();
        boolean isMultiplexed = true;
        boolean isDone = false;
        try {
            while (connections.size() < settings.connections()) {
                HttpClient next = server.open(HttpClient.Version.HTTP_2);
                connections.add(next);
                isMultiplexed &= shakeHands(server, next, settings);
            }
            var client =
                    new FeedClient(
                            new OperationSender(server, settings, connections), isMultiplexed);
            isDone = true;
            return client;
        } finally {
            if (!isDone) {
                connections.forEach(HttpClient::close);
            }
        }
    }

    /** Opens a connection, and returns whether it is HTTP/2. */
    private static boolean shakeHands(ServerAccess server, HttpClient http, FeedSettings settings)
            throws IOException, InterruptedException {
        HttpResponse<String> response =
                server.sendPatiently(
                        http,
                        server.request(HANDSHAKE)
                                .timeout(settings.timeout())
                                .POST(HttpRequest.BodyPublishers.noBody())
                                .build(),
                        settings.busy());
        if (response.statusCode() != 200) {
            throw ServerRefusalException.of(response);
        }
        return response.version() == HttpClient.Version.HTTP_2;
    }

    /** Returns whether requests share connections. */
    public boolean isMultiplexed() {
        return isMultiplexed;
    }

    /** Returns how many operations may be unfinished at present. */
    public int window() {
        return sender.windowSize();
    }

    /**
     * Sends an operation. If the window is full, the call waits for a place.
     *
     * @return completes with the answer of the server, whatever its status; completes exceptionally
     *     with an {@link IOException} if there is none after all attempts
     */
    public CompletableFuture<OperationOutcome> send(FeedOperation operation)
            throws InterruptedException {
        return send(operation, operation.id() + ": ", statistics);
    }

    private CompletableFuture<OperationOutcome> send(
            FeedOperation operation, String where, FeedStatistics counts)
            throws InterruptedException {
        SpooledSending into = spooled;
        return counted(
                into == null ? sender.send(operation, counts) : into.send(operation, counts),
                where,
                counts);
    }

    /** Counts an operation when it is over. */
    static CompletableFuture<OperationOutcome> counted(
            CompletableFuture<OperationOutcome> sent, String where, FeedStatistics counts) {
        return sent.whenComplete((outcome, failure) -> {
            if (outcome == null) {
                counts.failed(where + failure);
            } else {
                counts.answered(outcome.status(), where + outcome.status() + " " + outcome.body());
            }
        });
    }

    /**
     * Keeps operations in a directory from now on, with {@link SpoolSettings#DEFAULT}.
     *
     * @return this client
     * @throws IOException as below
     */
    public FeedClient spool(Path directory) throws IOException, InterruptedException {
        return spool(directory, SpoolSettings.DEFAULT);
    }

    /**
     * Keeps operations in a directory from now on, until the server has carried them out or refused
     * them for good (status 400, 412 or 413). Each is there when {@link #send} returns, and stays
     * there if this process is killed. What an earlier client left is sent first. If an operation
     * stays in the directory, this client sends no later ones on its document; the next client
     * does.
     *
     * <p>{@link #send} returns a future that has failed with an {@link IOException} if the spool
     * did not accept the operation, such as {@link org.crabro.client.spool.SpoolFullException}.
     *
     * @return this client, which is closed if this throws an exception
     * @throws org.crabro.client.spool.SpoolUnavailableException if the library {@code
     *     chronicle-bytes} or options of the JVM are missing; the message names them
     * @throws IOException if the directory cannot be used, or a file in it is damaged
     * @throws IllegalStateException if this client has a spool
     */
    public synchronized FeedClient spool(Path directory, SpoolSettings settings)
            throws IOException, InterruptedException {
        if (spooled != null) {
            throw new IllegalStateException("this client has a spool already");
        }
        boolean isDone = false;
        try {
            var into = new SpooledSending(Spool.open(directory, settings), sender);
            spooled = into;
            into.sendLeft(statistics);
            isDone = true;
            return this;
        } finally {
            if (!isDone) {
                close();
            }
        }
    }

    /** Returns how many operations are in the spool; 0 without one. */
    public long spooled() {
        SpooledSending into = spooled;
        return into == null ? 0 : into.waiting();
    }

    /** Returns what was remarkable about the files of the spool when it was opened. */
    public List<String> spoolNotices() {
        SpooledSending into = spooled;
        return into == null ? List.of() : into.notices();
    }

    /**
     * Waits until every operation is finished and counted. Not to be called when an outcome
     * completes, by its callbacks.
     */
    public void awaitAll() throws InterruptedException {
        sender.awaitAll();
    }

    /** Returns counts of the operations of {@link #send}. They change while it sends. */
    public FeedStatistics statistics() {
        return statistics;
    }

    /**
     * Sends every operation of {@code operations} and waits for all answers.
     *
     * @param progress called repeatedly with the number of answered operations, by any thread
     * @throws IOException if {@code operations} cannot be read
     */
    public FeedResult feed(InputStream operations, LongConsumer progress)
            throws IOException, InterruptedException {
        long begin = System.nanoTime();
        var counts = new FeedStatistics();
        feed(operations, counts, progress);
        return new FeedResult(
                counts.ok(),
                counts.operations() - counts.ok(),
                counts.problems(),
                Duration.ofNanos(System.nanoTime() - begin));
    }

    /**
     * Sends every operation of {@code operations} and waits for all answers.
     *
     * @param operations consecutive, or in an array
     * @throws IOException if they cannot be read; earlier operations were sent
     */
    public FeedStatistics feed(InputStream operations) throws IOException, InterruptedException {
        var counts = new FeedStatistics();
        feed(operations, counts, _ -> {});
        return counts;
    }

    /**
     * Sends every operation of {@code operations} and waits for all answers.
     *
     * @param operations consecutive, or in an array
     * @param counts counts the operations
     * @param progress called repeatedly with the number of answered operations, by any thread
     * @throws IOException if they cannot be read; earlier operations were sent
     */
    public void feed(InputStream operations, FeedStatistics counts, LongConsumer progress)
            throws IOException, InterruptedException {
        var pending = new Pending();
        try {
            var splitter = new OperationSplitter(operations, LONGEST);
            for (Optional<byte[]> next = splitter.next();
                    next.isPresent();
                    next = splitter.next()) {
                String where = "operation " + splitter.number();
                FeedOperation operation;
                try {
                    operation = FeedOperation.parse(next.get());
                } catch (InvalidDocumentException e) {
                    counts.begun();
                    counts.failed(where + ": " + e.getMessage());
                    progress.accept(counts.operations());
                    continue;
                }
                CompletableFuture<OperationOutcome> sent =
                        send(operation, where + ", " + operation.id() + ": ", counts);
                pending.begin();
                var _ =
                        sent.whenComplete((_, _) -> {
                            progress.accept(counts.operations());
                            pending.end();
                        });
            }
        } finally {
            pending.await();
        }
    }

    /** Counts the operations of a feed that are not finished. */
    private static final class Pending {
        private long count;

        synchronized void begin() {
            count++;
        }

        synchronized void end() {
            if (--count == 0) {
                notifyAll();
            }
        }

        synchronized void await() throws InterruptedException {
            while (count > 0) {
                wait();
            }
        }
    }

    /**
     * Sends operations that wait for another try at once, and waits for all answers. A spool keeps
     * what is not done.
     *
     * @throws UncheckedIOException if the spool failed at some time
     */
    @Override
    public void close() {
        sender.close();
        SpooledSending into = spooled;
        if (into != null) {
            try {
                into.close();
            } catch (IOException e) {
                throw new UncheckedIOException(e);
            }
        }
    }
}
