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
import org.crabro.client.http.BusyServers;
import org.crabro.client.http.BusyWait;
import org.crabro.client.http.RetryAfter;
import org.crabro.client.http.RetryPauses;
import org.crabro.client.http.ServerAccess;
import org.crabro.client.http.ServerRefusalException;
import org.crabro.document.InvalidDocumentException;

/**
 * Feeds files of operations, many per request if the server has bulk requests, else one per
 * request.
 *
 * <p>Operations on one document are sent in the order of the file: its id determines a lane, and a
 * lane sends one request after another. If a server is full (429, 503), the rejected lines are sent
 * again after the time that it asks for, see {@link BusyServers}. A request without an answer is
 * sent at most {@value #TRIES} times.
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

    private final ServerAccess server;
    private final BusyServers busy;
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
        this(server, lanes, BusyServers.DEFAULT);
    }

    /**
     * @param lanes the maximum number of concurrent requests, at least 1
     * @param busy how long a full server is waited for
     */
    public BulkFeeder(ServerAccess server, int lanes, BusyServers busy) {
        this(server, busy, lanes, SendWindow.fixed(lanes));
    }

    private BulkFeeder(ServerAccess server, BusyServers busy, int lanes, SendWindow window) {
        this.server = server;
        this.busy = busy;
        this.lanes = lanes;
        this.turns = new Turns(window);
        this.http = server.open(HttpClient.Version.HTTP_1_1);
    }

    /**
     * Makes a feeder whose number of concurrent requests follows the throughput, from {@value
     * #FIRST_LANES} to {@value #LANES}.
     */
    public static BulkFeeder adaptive(ServerAccess server) {
        return adaptive(server, BusyServers.DEFAULT);
    }

    /**
     * Makes a feeder like {@link #adaptive(ServerAccess)}.
     *
     * @param busy how long a full server is waited for
     */
    public static BulkFeeder adaptive(ServerAccess server, BusyServers busy) {
        return new BulkFeeder(server, busy, LANES, SendWindow.growing(FIRST_LANES, LANES));
    }

    /**
     * Returns whether the server takes many operations in a request. Waits for a full server.
     *
     * @throws ServerRefusalException if it is full for the whole time limit
     * @throws IOException if it does not answer
     */
    public boolean isOffered() throws IOException, InterruptedException {
        HttpResponse<String> response = server.sendPatiently(http, request(new byte[0]), busy);
        if (RetryAfter.isBusy(response.statusCode())) {
            throw ServerRefusalException.of(response);
        }
        return BulkReply.isBulk(response);
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

        /** Sends lines, and those again that the server could not do for the moment. */
        private void send(List<Line> lines) throws InterruptedException {
            var wait = new BusyWait(busy);
            int failures = 0;
            List<Line> left = lines;
            while (!left.isEmpty()) {
                int count = left.size();
                Optional<Duration> pause;
                turns.begin();
                try {
                    BulkReply reply = exchange(left);
                    if (reply instanceof BulkReply.Unanswered) {
                        failures++;
                    }
                    List<Line> again = unfinished(reply, left);
                    if (again.size() < left.size()) {
                        wait.progressed();
                    }
                    pause = again.isEmpty() ? Optional.empty() : pause(reply, failures, wait);
                    left = settle(reply, left, pause.isPresent() ? again : List.of(), wait);
                } finally {
                    turns.end(count - left.size());
                }
                progress.accept(statistics.operations());
                if (!left.isEmpty()) {
                    Thread.sleep(pause.orElseThrow());
                }
            }
        }

        /** Returns how long to wait before the next try; empty if there is none. */
        private Optional<Duration> pause(BulkReply reply, int failures, BusyWait wait) {
            return switch (reply) {
                case BulkReply.Unanswered _ ->
                        failures < TRIES
                                ? Optional.of(RetryPauses.DEFAULT.after(failures))
                                : Optional.empty();
                case BulkReply.Busy(String problem, Optional<Duration> asked) ->
                        wait.next(asked, System.nanoTime(), problem);
                case BulkReply.Answers _ ->
                        wait.next(
                                Optional.empty(), System.nanoTime(), "it refused some operations");
                case BulkReply.Refused _ -> Optional.empty();
            };
        }

        /**
         * Counts the lines that are done, and returns the others.
         *
         * @param again the lines for another try
         */
        private List<Line> settle(
                BulkReply reply, List<Line> lines, List<Line> again, BusyWait wait) {
            switch (reply) {
                case BulkReply.Answers(Map<Integer, BulkReply.Answer> answers) ->
                        count(lines, answers, again);
                case BulkReply.Unanswered(String problem) -> unanswered(lines, again, problem);
                case BulkReply.Refused(String problem) -> unanswered(lines, again, problem);
                case BulkReply.Busy(String problem, _) ->
                        unanswered(lines, again, wait.over() + ": " + problem);
            }
            return again;
        }

        /** Sends lines once. */
        private BulkReply exchange(List<Line> lines) throws InterruptedException {
            byte[] body = body(lines);
            statistics.requested(body.length);
            long begin = System.nanoTime();
            HttpResponse<String> response;
            try {
                response = server.send(http, request(body), HttpResponse.BodyHandlers.ofString());
            } catch (IOException e) {
                statistics.excepted();
                return new BulkReply.Unanswered(String.valueOf(e));
            }
            statistics.responded(response.body().length(), (System.nanoTime() - begin) / 1_000_000);
            return BulkReply.of(response);
        }

        private void unanswered(List<Line> lines, List<Line> again, String problem) {
            if (again.isEmpty()) {
                lines.forEach(line -> statistics.failed(where(line) + problem));
            }
        }

        private void count(
                List<Line> lines, Map<Integer, BulkReply.Answer> answers, List<Line> again) {
            Set<Line> left = new HashSet<>(again);
            for (int i = 0; i < lines.size(); i++) {
                Line line = lines.get(i);
                BulkReply.Answer answer = answers.get(i + 1);
                if (answer == null) {
                    statistics.failed(where(line) + "no answer");
                } else if (!left.contains(line)) {
                    statistics.answered(
                            answer.status(),
                            where(line) + answer.status() + " " + answer.message());
                }
            }
        }
    }

    /** Returns the lines that can be sent again. */
    private static List<Line> unfinished(BulkReply reply, List<Line> lines) {
        return switch (reply) {
            case BulkReply.Answers(Map<Integer, BulkReply.Answer> answers) ->
                    busyLines(lines, answers);
            case BulkReply.Busy _, BulkReply.Unanswered _ -> lines;
            case BulkReply.Refused _ -> List.of();
        };
    }

    /** Returns the lines for which the server was full, and that can be sent again. */
    private static List<Line> busyLines(List<Line> lines, Map<Integer, BulkReply.Answer> answers) {
        List<Line> again = new ArrayList<>();
        Set<String> carriedOut = new HashSet<>();
        // From the last line: a line is not sent again if a later operation on its document
        // succeeded.
        for (int i = lines.size() - 1; i >= 0; i--) {
            Line line = lines.get(i);
            String id = line.id().orElse("");
            BulkReply.Answer answer = answers.get(i + 1);
            if (answer == null) {
                continue;
            }
            if (RetryAfter.isBusy(answer.status()) && !carriedOut.contains(id)) {
                again.addFirst(line);
            } else if (answer.status() == 200) {
                carriedOut.add(id);
            }
        }
        return again;
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
}
