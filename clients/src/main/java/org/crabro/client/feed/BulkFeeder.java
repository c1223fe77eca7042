package org.crabro.client.feed;

import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.InputStream;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.locks.Condition;
import java.util.concurrent.locks.ReentrantLock;
import java.util.function.LongConsumer;
import org.crabro.client.http.RetryPauses;
import org.crabro.client.http.ServerAccess;
import org.crabro.document.InvalidDocumentException;
import tools.jackson.core.JacksonException;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;

/**
 * Feeds files of operations, many per request if the server has bulk requests, else one per
 * request.
 *
 * <p>Operations on one document are sent in the order of the file: its id determines a lane, and a
 * lane sends one request after another. If a server is busy (429, 503), the rejected lines are sent
 * again after a pause, at most {@value #TRIES} times.
 *
 * {@snippet :
 * try (var feeder = new BulkFeeder(URI.create("http://127.0.0.1:8080"), 2)) {
 *     FeedStatistics statistics = feeder.feed(new FileInputStream("feed.jsonl"));
 * }
 * }
 */
public final class BulkFeeder implements AutoCloseable {
    private static final URI BULK = URI.create("/document/v1/");
    private static final int TRIES = 10;

    /** The maximum size of a request; the server accepts it before the client reads answers. */
    private static final int REQUEST_BYTES = 1 << 20;

    private static final int LONGEST = 64 << 20;
    private static final int LANES = 8;
    private static final int FIRST_LANES = 4;
    private static final Duration REQUEST_TIMEOUT = Duration.ofSeconds(190);
    private static final JsonMapper JSON = new JsonMapper();

    private final ServerAccess server;
    private final int lanes;
    private final Turns turns;
    private final HttpClient http;

    /** An operation of the file. */
    private static final class Line {
        private final long number;
        private final byte[] json;
        private final Optional<String> id;

        Line(long number, byte[] json, Optional<String> id) {
            this.number = number;
            this.json = json;
            this.id = id;
        }

        long number() {
            return number;
        }

        byte[] json() {
            return json;
        }

        Optional<String> id() {
            return id;
        }
    }

    /** The answer for a line. */
    private record Answer(int status, String message) {}

    /**
     * Makes a feeder whose requests carry no token.
     *
     * @param lanes the maximum number of concurrent requests, at least 1
     */
    public BulkFeeder(URI server, int lanes) {
        this(ServerAccess.of(server), lanes);
    }

    /**
     * @param lanes the maximum number of concurrent requests, at least 1
     */
    public BulkFeeder(ServerAccess server, int lanes) {
        this(server, lanes, SendWindow.fixed(lanes));
    }

    private BulkFeeder(ServerAccess server, int lanes, SendWindow window) {
        this.server = server;
        this.lanes = lanes;
        this.turns = new Turns(window);
        this.http = server.open(HttpClient.Version.HTTP_1_1);
    }

    /**
     * Makes a feeder whose number of concurrent requests follows the throughput, from {@value
     * #FIRST_LANES} to {@value #LANES}.
     */
    public static BulkFeeder adaptive(ServerAccess server) {
        return new BulkFeeder(server, LANES, SendWindow.growing(FIRST_LANES, LANES));
    }

    /**
     * Returns whether the server takes many operations in a request.
     *
     * @throws IOException if it does not answer
     */
    public boolean isOffered() throws IOException, InterruptedException {
        HttpResponse<String> response =
                server.send(http, request(new byte[0]), HttpResponse.BodyHandlers.ofString());
        return response.statusCode() == 429 || response.statusCode() == 503 || isBulk(response);
    }

    private static boolean isBulk(HttpResponse<?> response) {
        return response.statusCode() == 200
                && response.headers()
                        .firstValue("Content-Type")
                        .filter(type -> type.startsWith("application/jsonl"))
                        .isPresent();
    }

    private HttpRequest request(byte[] lines) {
        return server.request(BULK)
                .timeout(REQUEST_TIMEOUT)
                .header("Content-Type", "application/jsonl")
                .POST(HttpRequest.BodyPublishers.ofByteArray(lines))
                .build();
    }

    /**
     * Sends every operation of {@code operations} and waits for all answers.
     *
     * @throws IOException if {@code operations} cannot be read; all that came before was sent
     */
    public FeedStatistics feed(InputStream operations) throws IOException, InterruptedException {
        var statistics = new FeedStatistics();
        feed(operations, statistics, _ -> {});
        return statistics;
    }

    /**
     * Sends every operation of {@code operations} and waits for all answers.
     *
     * @param statistics counts the operations
     * @param progress called with the number of answered operations after each request, by any
     *     thread
     * @throws IOException if {@code operations} cannot be read; all that came before was sent
     */
    public void feed(InputStream operations, FeedStatistics statistics, LongConsumer progress)
            throws IOException, InterruptedException {
        List<Lane> open = new ArrayList<>();
        for (int i = 0; i < lanes; i++) {
            open.add(new Lane(statistics, progress));
            open.getLast().start();
        }
        try {
            var splitter = new OperationSplitter(operations, LONGEST);
            for (Optional<byte[]> next = splitter.next();
                    next.isPresent();
                    next = splitter.next()) {
                Optional<String> id = id(next.get());
                // An operation without an id is rejected in any lane.
                int lane = Math.floorMod(id.hashCode(), lanes);
                statistics.begun();
                open.get(lane).add(new Line(splitter.number(), next.get(), id));
            }
        } finally {
            for (Lane lane : open) {
                lane.end();
            }
            for (Lane lane : open) {
                lane.join();
            }
        }
    }

    private static Optional<String> id(byte[] operation) {
        try {
            return Optional.of(FeedOperation.id(operation).toString());
        } catch (InvalidDocumentException _) {
            return Optional.empty();
        }
    }

    @Override
    public void close() {
        http.close();
    }

    /** Sends some of the operations, one request after another. */
    private final class Lane {
        private final FeedStatistics statistics;
        private final LongConsumer progress;
        private final BlockingQueue<List<Line>> full = new LinkedBlockingQueue<>(1);
        private final Thread thread;
        private List<Line> filling = new ArrayList<>();
        private int bytes;

        Lane(FeedStatistics statistics, LongConsumer progress) {
            this.statistics = statistics;
            this.progress = progress;
            this.thread = Thread.ofVirtual().name("feed-lane").unstarted(this::sendAll);
        }

        void start() {
            thread.start();
        }

        void add(Line line) throws InterruptedException {
            if (!filling.isEmpty() && bytes + line.json().length >= REQUEST_BYTES) {
                full.put(filling);
                filling = new ArrayList<>();
                bytes = 0;
            }
            filling.add(line);
            bytes += line.json().length + 1;
        }

        void end() throws InterruptedException {
            if (!filling.isEmpty()) {
                full.put(filling);
            }
            full.put(List.of());
        }

        void join() throws InterruptedException {
            thread.join();
        }

        private void sendAll() {
            try {
                for (List<Line> next = full.take(); !next.isEmpty(); next = full.take()) {
                    send(next);
                }
            } catch (InterruptedException _) {
                Thread.currentThread().interrupt();
            }
        }

        private void send(List<Line> lines) throws InterruptedException {
            List<Line> left = lines;
            for (int attempt = 1; !left.isEmpty(); attempt++) {
                int count = left.size();
                turns.begin();
                try {
                    left = send(left, attempt == TRIES);
                } finally {
                    turns.end(count - left.size());
                }
                progress.accept(statistics.operations());
                if (!left.isEmpty()) {
                    Thread.sleep(RetryPauses.DEFAULT.after(attempt));
                }
            }
        }

        /** Sends lines once, and returns those to send again. */
        private List<Line> send(List<Line> lines, boolean isLast) throws InterruptedException {
            byte[] body = body(lines);
            statistics.requested(body.length);
            long begin = System.nanoTime();
            HttpResponse<String> response;
            try {
                response = server.send(http, request(body), HttpResponse.BodyHandlers.ofString());
            } catch (IOException e) {
                statistics.excepted();
                return unanswered(lines, isLast, String.valueOf(e));
            }
            statistics.responded(response.body().length(), (System.nanoTime() - begin) / 1_000_000);
            if (!isBulk(response)) {
                boolean isBusy = response.statusCode() == 429 || response.statusCode() == 503;
                return unanswered(
                        lines, isLast || !isBusy, response.statusCode() + " " + response.body());
            }
            try {
                return answered(lines, answers(response.body()), isLast);
            } catch (JacksonException e) {
                return unanswered(lines, true, "an answer that is no JSON: " + e.getMessage());
            }
        }

        private List<Line> unanswered(List<Line> lines, boolean isLast, String problem) {
            if (!isLast) {
                return lines;
            }
            lines.forEach(line -> statistics.failed(where(line) + problem));
            return List.of();
        }

        private List<Line> answered(
                List<Line> lines, Map<Integer, Answer> answers, boolean isLast) {
            List<Line> again = new ArrayList<>();
            Set<String> carriedOut = new HashSet<>();
            // From the last line: a line is not sent again if a later operation on its document
            // succeeded.
            for (int i = lines.size() - 1; i >= 0; i--) {
                Line line = lines.get(i);
                String id = line.id().orElse("");
                Answer answer = answers.get(i + 1);
                if (answer == null) {
                    statistics.failed(where(line) + "no answer");
                } else if ((answer.status() == 429 || answer.status() == 503)
                        && !isLast
                        && !carriedOut.contains(id)) {
                    again.addFirst(line);
                } else {
                    statistics.answered(
                            answer.status(),
                            where(line) + answer.status() + " " + answer.message());
                    if (answer.status() == 200) {
                        carriedOut.add(id);
                    }
                }
            }
            return again;
        }
    }

    /** Lets as many requests run as the window allows. */
    private static final class Turns {
        private final ReentrantLock lock = new ReentrantLock();
        private final Condition changed = lock.newCondition();
        private final SendWindow window;
        private int running;

        Turns(SendWindow window) {
            this.window = window;
        }

        void begin() throws InterruptedException {
            lock.lockInterruptibly();
            try {
                if (running + 1 >= window.size()) {
                    window.filled();
                }
                while (running >= window.size()) {
                    changed.await();
                }
                running++;
            } finally {
                lock.unlock();
            }
        }

        /**
         * @param done the operations that were answered; if there are none, the server is busy
         */
        void end(int done) {
            lock.lock();
            try {
                running--;
                if (done == 0) {
                    window.refused(System.nanoTime());
                } else {
                    window.answered(done, System.nanoTime());
                }
                changed.signalAll();
            } finally {
                lock.unlock();
            }
        }
    }

    private static String where(Line line) {
        return "operation " + line.number() + line.id().map(id -> ", " + id).orElse("") + ": ";
    }

    private static byte[] body(List<Line> lines) {
        var body = new ByteArrayOutputStream();
        for (Line line : lines) {
            body.writeBytes(line.json());
            body.write('\n');
        }
        return body.toByteArray();
    }

    /** Returns the answers of a body by the number of their line; without those of no line. */
    private static Map<Integer, Answer> answers(String body) {
        Map<Integer, Answer> answers = new HashMap<>();
        for (String text : body.split("\n", -1)) {
            if (!text.isEmpty()) {
                JsonNode answer = JSON.readTree(text);
                if (answer.has("line")) {
                    answers.put(
                            answer.get("line").asInt(),
                            new Answer(
                                    answer.path("status").asInt(),
                                    answer.path("message").asString("")));
                }
            }
        }
        return answers;
    }
}
