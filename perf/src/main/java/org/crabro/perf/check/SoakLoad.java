package org.crabro.perf.check;

import java.io.IOException;
import java.net.URI;
import java.net.URLEncoder;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import org.HdrHistogram.Recorder;
import org.crabro.perf.data.OneCluster;

/**
 * Clients that write and query without a pause, each one request after another. At any time nine in
 * ten of the possible documents exist, so that the stored data does not grow.
 */
final class SoakLoad implements AutoCloseable {
    static final Map<String, String> PACKAGE =
            Map.of(
                    "services.xml",
                    OneCluster.services("soak", "mail"),
                    "schemas/mail.sd",
                    """
                    schema mail {
                      document mail {
                        field number type int { indexing: summary | attribute }
                        field body type string { indexing: summary | index }
                      }
                      fieldset default { fields: body }
                      document-summary minimal { summary number {} }
                    }
                    """);

    private static final int FILLERS = 64;
    private static final int WRITERS = 4;
    private static final int ASKERS = 2;
    private static final int WORDS = 5_000;
    private static final int WORDS_PER_BODY = 130;
    private static final long LONGEST_NANOS = 60_000_000_000L;

    private final URI server;
    private final int users;
    private final int documentsPerUser;
    private final HttpClient http = HttpClient.newHttpClient();
    private final ExecutorService threads = Executors.newFixedThreadPool(WRITERS + ASKERS);
    private final List<Future<?>> running = new ArrayList<>();
    private final Recorder writes = new Recorder(LONGEST_NANOS, 3);
    private final Recorder queries = new Recorder(LONGEST_NANOS, 3);
    private volatile boolean isOver;

    SoakLoad(URI server, int users, int documentsPerUser) {
        this.server = server;
        this.users = users;
        this.documentsPerUser = documentsPerUser;
    }

    /**
     * Writes every document once, and then over some, as fast as the server takes it.
     *
     * @param count how many writes there are at least
     */
    void fill(int count) throws InterruptedException, ExecutionException {
        int documents = users * documentsPerUser;
        List<Future<?>> parts = new ArrayList<>();
        try (var fillers = Executors.newVirtualThreadPerTaskExecutor()) {
            for (int filler = 0; filler < FILLERS; filler++) {
                int first = filler;
                parts.add(
                        fillers.submit(() -> {
                            var random = new Random(first);
                            for (int i = first; i < documents; i += FILLERS) {
                                send(put(i, random));
                            }
                            for (int i = documents + first; i < count; i += FILLERS) {
                                send(write(random));
                            }
                            return null;
                        }));
            }
        }
        for (Future<?> part : parts) {
            part.get();
        }
    }

    void start() {
        for (int i = 0; i < WRITERS + ASKERS; i++) {
            var random = new Random(100 + i);
            boolean isWriter = i < WRITERS;
            running.add(
                    threads.submit(() -> {
                        while (!isOver) {
                            step(isWriter, random);
                        }
                        return null;
                    }));
        }
    }

    private void step(boolean isWriter, Random random) throws IOException, InterruptedException {
        HttpRequest request = isWriter ? write(random) : query(random);
        long begin = System.nanoTime();
        send(request);
        long nanos = Math.min(LONGEST_NANOS, System.nanoTime() - begin);
        (isWriter ? writes : queries).recordValue(nanos);
    }

    private void send(HttpRequest request) throws IOException, InterruptedException {
        HttpResponse<String> answer = http.send(request, HttpResponse.BodyHandlers.ofString());
        if (answer.statusCode() != 200) {
            throw new IOException(answer.statusCode() + ": " + answer.body());
        }
    }

    private HttpRequest write(Random random) {
        int document = random.nextInt(users * documentsPerUser);
        return random.nextInt(10) == 0
                ? HttpRequest.newBuilder(address(document)).DELETE().build()
                : put(document, random);
    }

    private HttpRequest put(int document, Random random) {
        var body = new StringBuilder("{\"fields\":{\"number\":").append(document);
        body.append(",\"body\":\"");
        for (int i = 0; i < WORDS_PER_BODY; i++) {
            body.append("word").append(word(random)).append(' ');
        }
        body.append("\"}}");
        return HttpRequest.newBuilder(address(document))
                .header("Content-Type", "application/json")
                .POST(HttpRequest.BodyPublishers.ofString(body.toString()))
                .build();
    }

    /** Few words are frequent, as in languages. */
    private static int word(Random random) {
        return (int) (WORDS * Math.pow(random.nextDouble(), 3));
    }

    private URI address(int document) {
        return server.resolve(
                "/document/v1/soak/mail/group/user%d/%d".formatted(document % users, document));
    }

    private HttpRequest query(Random random) {
        String yql = "select * from mail where default contains \"word" + word(random) + "\"";
        return HttpRequest.newBuilder(
                        server.resolve(
                                "/search/?streaming.groupname=user%d&timeout=20s&presentation.summary=minimal&yql=%s"
                                        .formatted(
                                                random.nextInt(users),
                                                URLEncoder.encode(yql, StandardCharsets.UTF_8))))
                .build();
    }

    /** Returns the times of writes since the last call. */
    org.HdrHistogram.Histogram writes() {
        return writes.getIntervalHistogram();
    }

    /** Returns the times of queries since the last call. */
    org.HdrHistogram.Histogram queries() {
        return queries.getIntervalHistogram();
    }

    /**
     * Fails if a client ended.
     *
     * @throws ExecutionException with the error of the client
     */
    void check() throws InterruptedException, ExecutionException {
        for (Future<?> each : running) {
            if (each.isDone()) {
                each.get();
            }
        }
    }

    /** Waits for the requests under way. */
    @Override
    public void close() {
        isOver = true;
        threads.close();
        http.close();
    }
}
