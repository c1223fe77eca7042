package org.crabro.client.cli;

import static java.nio.charset.StandardCharsets.UTF_8;

import java.io.BufferedReader;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.InputStreamReader;
import java.io.OutputStream;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpResponse;
import java.time.Duration;
import java.util.function.Function;
import org.crabro.client.feed.FeedServer;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;

/**
 * Visits documents as lines, and continues after an interrupted answer. Lines are buffered until
 * the token that covers them arrives, so that nothing is written twice.
 */
final class LinesVisit implements AutoCloseable {
    private static final int TRIES = 5;
    private static final Duration FIRST_PAUSE = Duration.ofMillis(50);
    private static final JsonMapper JSON = new JsonMapper();

    private final FeedServer server;
    private final HttpClient http =
            HttpClient.newBuilder().version(HttpClient.Version.HTTP_1_1).build();

    // The state of the current visit.
    private final ByteArrayOutputStream uncovered = new ByteArrayOutputStream();
    private long uncoveredCount;
    private long written;
    private String token = "";

    LinesVisit(FeedServer server) {
        this.server = server;
    }

    /**
     * Writes documents as lines that can be fed, and returns their number.
     *
     * @param addresses returns the address to visit for a query string
     * @throws IOException if the server rejects the request, or too many answers were interrupted
     */
    long write(Function<String, URI> addresses, OutputStream out)
            throws IOException, InterruptedException {
        written = 0;
        token = "";
        Duration pause = FIRST_PAUSE;
        IOException problem = new IOException("the answer was cut off");
        for (int attempt = 0; attempt < TRIES; attempt++) {
            String before = token;
            uncovered.reset();
            uncoveredCount = 0;
            try {
                if (read(addresses, out)) {
                    return written;
                }
            } catch (RefusedException e) {
                throw e;
            } catch (IOException e) {
                problem = e;
            }
            if (!token.equals(before)) {
                // The visit has made progress.
                attempt = -1;
                pause = FIRST_PAUSE;
            }
            Thread.sleep(pause);
            pause = pause.multipliedBy(2);
        }
        throw problem;
    }

    /** A rejected request, which is not retried. */
    private static final class RefusedException extends IOException {
        private static final long serialVersionUID = 1;

        RefusedException(String message) {
            super(message);
        }
    }

    /** Reads one answer, and returns whether it was the last. */
    private boolean read(Function<String, URI> addresses, OutputStream out)
            throws IOException, InterruptedException {
        URI address =
                addresses.apply(
                        "stream=true&format.tensors=hex"
                                + (token.isEmpty()
                                        ? ""
                                        : "&continuation=" + GroupName.encoded(token)));
        HttpResponse<InputStream> response =
                http.send(
                        server.request(address).header("Accept", "application/jsonl").build(),
                        HttpResponse.BodyHandlers.ofInputStream());
        try (var lines = new BufferedReader(new InputStreamReader(response.body(), UTF_8))) {
            if (response.statusCode() != 200) {
                String text =
                        address + " answered " + response.statusCode() + ": " + lines.readLine();
                if (response.statusCode() >= 500 || response.statusCode() == 429) {
                    throw new IOException(text);
                }
                throw new RefusedException(text);
            }
            for (String line = lines.readLine(); line != null; line = lines.readLine()) {
                if (line.startsWith("{\"put\"") || line.startsWith("{\"remove\"")) {
                    uncovered.writeBytes(line.getBytes(UTF_8));
                    uncovered.write('\n');
                    uncoveredCount++;
                } else if (isLast(JSON.readTree(line), out)) {
                    return true;
                }
            }
        }
        return false;
    }

    private boolean isLast(JsonNode line, OutputStream out) throws IOException {
        JsonNode continuation = line.get("continuation");
        if (continuation == null) {
            return false;
        }
        uncovered.writeTo(out);
        written += uncoveredCount;
        uncovered.reset();
        uncoveredCount = 0;
        if (continuation.has("token")) {
            token = continuation.get("token").asString();
            return false;
        }
        return true;
    }

    @Override
    public void close() {
        http.close();
    }
}
