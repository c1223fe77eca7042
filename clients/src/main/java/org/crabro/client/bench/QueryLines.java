package org.crabro.client.bench;

import java.io.BufferedReader;
import java.io.IOException;
import java.net.URI;
import java.net.http.HttpRequest.BodyPublisher;
import java.net.http.HttpRequest.BodyPublishers;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Base64;
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
 * it are its body, as text or in Base64.
 */
public final class QueryLines {
    /** The most bytes of a file, because all requests are in memory. */
    public static final long FILE_BYTES_MAX = 256 << 20;

    /** The most characters of a line, unless another number is given; that of vespa-fbench. */
    public static final int LINE_MAX = 131_072;

    /** The least value of that limit; that of vespa-fbench. */
    public static final int LEAST_LINE_MAX = 1_024;

    /** The most characters of a line in an error message. */
    private static final int SHOWN_MAX = 80;

    private static final String SEARCH = "/search/";

    private QueryLines() {}

    /**
     * A request.
     *
     * @param path with the query string
     * @param body of a posted request, to be sent any number of times; empty for one without a body
     */
    record Request(String path, Optional<BodyPublisher> body) {}

    /** The lines of bodies in a file of posted requests. */
    public enum Bodies {
        /** No line is a body; each is a request. */
        NONE,
        /** The lines are the body. */
        TEXT,
        /** The lines are the body in Base64. */
        BASE64
    }

    /**
     * Reads a file.
     *
     * @param bodies what follows a path
     * @param lineMax the most characters of a line
     * @throws IOException if it cannot be read, is too large, or has no requests
     */
    static List<Request> read(Path file, Bodies bodies, int lineMax) throws IOException {
        if (Files.size(file) > FILE_BYTES_MAX) {
            throw new IOException("%s has more than %,d bytes".formatted(file, FILE_BYTES_MAX));
        }
        var requests = new ArrayList<Request>();
        List<String> body = new ArrayList<>();
        try (BufferedReader lines = Files.newBufferedReader(file, StandardCharsets.UTF_8)) {
            int number = 0;
            for (String line = lines.readLine(); line != null; line = lines.readLine()) {
                number++;
                if (line.length() > lineMax) {
                    throw new IOException(
                            "line %d of %s has %,d characters, more than the limit of %,d; -m sets another one"
                                    .formatted(number, file, line.length(), lineMax));
                }
                if (bodies != Bodies.NONE && !line.startsWith("/")) {
                    if (requests.isEmpty()) {
                        throw new IOException("expected a path before '%s'".formatted(shown(line)));
                    }
                    body.add(line);
                } else if (!line.isBlank()) {
                    endBody(body, bodies, requests);
                    requests.add(request(line.strip()));
                }
            }
        }
        if (requests.isEmpty()) {
            throw new IOException(file + " has no queries");
        }
        endBody(body, bodies, requests);
        return requests;
    }

    /** Gives lines to the last request, if there are any. */
    private static void endBody(List<String> lines, Bodies bodies, List<Request> requests)
            throws IOException {
        if (lines.isEmpty()) {
            return;
        }
        Request last = requests.removeLast();
        BodyPublisher body =
                bodies == Bodies.BASE64
                        ? BodyPublishers.ofByteArray(decoded(last, String.join("", lines)))
                        : BodyPublishers.ofString(String.join("\n", lines));
        requests.add(new Request(last.path(), Optional.of(body)));
        lines.clear();
    }

    private static byte[] decoded(Request request, String body) throws IOException {
        try {
            return Base64.getDecoder().decode(body);
        } catch (IllegalArgumentException e) {
            throw new IOException(
                    "the body of '%s' is not Base64: %s"
                            .formatted(shown(request.path()), e.getMessage()),
                    e);
        }
    }

    private static Request request(String line) throws IOException {
        if (line.startsWith("/")) {
            return new Request(checked(line), Optional.empty());
        }
        if (line.startsWith("{")) {
            return new Request(SEARCH, Optional.of(BodyPublishers.ofString(line)));
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
