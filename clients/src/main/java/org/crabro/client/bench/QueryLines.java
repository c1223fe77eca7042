package org.crabro.client.bench;

import java.io.BufferedReader;
import java.io.IOException;
import java.net.URI;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/**
 * The requests of a file of queries.
 *
 * <pre>
 *   /search/?yql=…                 a path with its query string
 *   {"yql": "…", "hits": 3}        the JSON of a posted query
 *   select * from …                YQL
 * </pre>
 *
 * <p>In files of posted requests, each line that begins with a slash is a path, and the lines after
 * it are its body.
 */
public final class QueryLines {
    /** The most bytes of a file, because all requests are in memory. */
    public static final long FILE_BYTES_MAX = 256 << 20;

    /** The most characters of a line in an error message. */
    private static final int SHOWN_MAX = 80;

    private static final String SEARCH = "/search/";

    private QueryLines() {}

    /**
     * A request.
     *
     * @param path with the query string
     * @param body of a posted request, as JSON; empty for one without a body
     */
    record Request(String path, Optional<String> body) {}

    /**
     * Reads a file.
     *
     * @param isPosted whether paths are followed by bodies
     * @throws IOException if it cannot be read, is too large, or has no requests
     */
    static List<Request> read(Path file, boolean isPosted) throws IOException {
        if (Files.size(file) > FILE_BYTES_MAX) {
            throw new IOException("%s has more than %,d bytes".formatted(file, FILE_BYTES_MAX));
        }
        var requests = new ArrayList<Request>();
        try (BufferedReader lines = Files.newBufferedReader(file, StandardCharsets.UTF_8)) {
            for (String line = lines.readLine(); line != null; line = lines.readLine()) {
                if (isPosted && !line.startsWith("/")) {
                    addToLast(line, requests);
                } else if (!line.isBlank()) {
                    requests.add(request(line.strip()));
                }
            }
        }
        if (requests.isEmpty()) {
            throw new IOException(file + " has no queries");
        }
        return requests;
    }

    private static void addToLast(String line, List<Request> requests) throws IOException {
        if (requests.isEmpty()) {
            throw new IOException("expected a path before '%s'".formatted(line));
        }
        Request last = requests.removeLast();
        String body = last.body().map(lines -> lines + "\n" + line).orElse(line);
        requests.add(new Request(last.path(), Optional.of(body)));
    }

    private static Request request(String line) throws IOException {
        if (line.startsWith("/")) {
            return new Request(checked(line), Optional.empty());
        }
        if (line.startsWith("{")) {
            return new Request(SEARCH, Optional.of(line));
        }
        if (line.startsWith("select ")) {
            return new Request(SEARCH + "?yql=" + QueryLoad.encoded(line), Optional.empty());
        }
        throw new IOException(
                "expected a line with a path, a JSON object or 'select', found '%s'"
                        .formatted(shown(line)));
    }

    private static String checked(String path) throws IOException {
        try {
            return URI.create(path).toString();
        } catch (IllegalArgumentException e) {
            throw new IOException(
                    "the path '%s' has characters that must be percent-encoded"
                            .formatted(shown(path)),
                    e);
        }
    }

    private static String shown(String line) {
        return line.length() > SHOWN_MAX ? line.substring(0, SHOWN_MAX) + "…" : line;
    }
}
