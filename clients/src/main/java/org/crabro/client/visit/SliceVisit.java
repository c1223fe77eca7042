package org.crabro.client.visit;

import static java.nio.charset.StandardCharsets.UTF_8;

import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStream;
import java.io.InputStreamReader;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpResponse;
import java.util.ArrayList;
import java.util.List;
import java.util.TreeMap;
import org.crabro.client.http.RetryPauses;
import org.crabro.client.http.ServerAccess;
import org.crabro.client.http.ServerRefusalException;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;

/**
 * Visits a slice, and continues after an interrupted answer. Lines are buffered until the token
 * that covers them arrives, about 1 MiB, so that none is passed on twice. Not thread-safe.
 */
final class SliceVisit {
    private static final int TRIES = 5;
    private static final JsonMapper JSON = new JsonMapper();

    private final ServerAccess server;
    private final HttpClient http;
    private final ClientVisit visit;
    private final int slice;
    private final Pages pages;

    private final List<String> uncovered = new ArrayList<>();
    private String token;

    /** Receives the pages of a slice. */
    interface Pages {
        /**
         * Takes lines that a token covers.
         *
         * @param token to continue from; empty at the end of the slice
         * @param percent of the slice
         */
        void page(List<String> lines, String token, double percent) throws InterruptedException;
    }

    /**
     * @param token where the slice continues; empty if it begins
     */
    SliceVisit(Source source, int slice, String token, Pages pages) {
        this.server = source.server();
        this.http = source.http();
        this.visit = source.visit();
        this.slice = slice;
        this.token = token;
        this.pages = pages;
    }

    /** What the slices of a visit share. */
    record Source(ServerAccess server, HttpClient http, ClientVisit visit) {}

    /**
     * Visits the slice to its end.
     *
     * @throws IOException if the server rejects the request, or too many answers were interrupted
     */
    void run() throws IOException, InterruptedException {
        for (int failures = 1; ; failures++) {
            String before = token;
            uncovered.clear();
            IOException problem = new IOException("the answer was cut off");
            try {
                if (read()) {
                    return;
                }
            } catch (ServerRefusalException e) {
                if (e.status() < 500 && e.status() != 429) {
                    throw e;
                }
                problem = e;
            } catch (IOException e) {
                if (Thread.currentThread().isInterrupted()) {
                    throw e;
                }
                problem = e;
            }
            if (!token.equals(before)) {
                // The visit has made progress.
                failures = 1;
            }
            if (failures == TRIES) {
                throw problem;
            }
            Thread.sleep(RetryPauses.DEFAULT.after(failures));
        }
    }

    /** Reads one answer, and returns whether it was the last. */
    private boolean read() throws IOException, InterruptedException {
        HttpResponse<InputStream> response =
                server.send(
                        http,
                        server.request(address()).header("Accept", "application/jsonl").build(),
                        HttpResponse.BodyHandlers.ofInputStream());
        try (var lines = new BufferedReader(new InputStreamReader(response.body(), UTF_8))) {
            if (response.statusCode() != 200) {
                String body = lines.readLine();
                throw ServerRefusalException.of(
                        response.uri(), response.statusCode(), body == null ? "" : body);
            }
            for (String line = lines.readLine(); line != null; line = lines.readLine()) {
                if (line.startsWith("{\"put\"") || line.startsWith("{\"remove\"")) {
                    uncovered.add(line);
                } else if (isLast(JSON.readTree(line))) {
                    return true;
                }
            }
        }
        return false;
    }

    private URI address() {
        var query = new StringBuilder("?stream=true");
        new TreeMap<>(visit.parameters())
                .forEach((name, value) ->
                        query.append('&')
                                .append(ClientVisit.encoded(name))
                                .append('=')
                                .append(ClientVisit.encoded(value)));
        if (visit.slices() > 1) {
            query.append("&slices=").append(visit.slices()).append("&sliceId=").append(slice);
        }
        if (!token.isEmpty()) {
            query.append("&continuation=").append(ClientVisit.encoded(token));
        }
        return URI.create(visit.path() + query);
    }

    private boolean isLast(JsonNode line) throws InterruptedException {
        JsonNode continuation = line.get("continuation");
        if (continuation == null) {
            return false;
        }
        String next = continuation.path("token").asString("");
        pages.page(List.copyOf(uncovered), next, continuation.path("percentFinished").asDouble(0));
        uncovered.clear();
        token = next;
        return next.isEmpty();
    }
}
