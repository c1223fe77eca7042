package org.crabro.client.bench;

import java.io.IOException;
import java.net.URI;
import java.net.URLEncoder;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.atomic.AtomicLongArray;
import org.crabro.client.http.ServerAccess;

/**
 * Queries from files, over HTTP/1.1. An answer is successful if its status is 200 and it has the
 * header with the number of matching documents.
 */
public final class QueryLoad implements LoadSource {
    private static final String BENCHMARK = "X-Yahoo-Vespa-Benchmarkdata";
    private static final String MATCHES = "X-Yahoo-Vespa-TotalHitCount";
    private static final String FULL = "X-Yahoo-Vespa-FullCoverage";
    private static final long UNKNOWN = -1;

    private final ServerAccess server;
    private final Settings settings;
    private final Optional<AnswerFiles> answers;
    private final List<Queries> byClient = new ArrayList<>();
    private final Optional<HttpClient> http;

    /**
     * How queries are sent and checked.
     *
     * @param parameters appended to each path, such as {@code &hits=3}; empty for none
     * @param headers of each request
     * @param keepsAlive whether clients share connections; otherwise each request opens one
     * @param uses how often a client sends each query; empty for no limit
     * @param leastBytes of the body of a successful answer
     * @param check what else an answer must have
     */
    public record Settings(
            String parameters,
            Map<String, String> headers,
            boolean keepsAlive,
            OptionalLong uses,
            long leastBytes,
            Check check) {
        public Settings {
            headers = Map.copyOf(headers);
        }
    }

    /**
     * What makes an answer a failure, besides its status.
     *
     * @param coverage an answer that did not search all documents
     * @param changedHits an answer with another number of matching documents than the first answer
     *     to the same query
     */
    public record Check(boolean coverage, boolean changedHits) {}

    /**
     * Where the queries are.
     *
     * @param pattern a file for all clients, or a format such as {@code %03d} for the number of the
     *     client
     * @param isShared whether clients divide the queries of one file
     * @param bodies what follows a path in the file
     * @param lineMax the most characters of a line
     */
    public record Files(String pattern, boolean isShared, QueryLines.Bodies bodies, int lineMax) {
        public Files {
            if (lineMax < QueryLines.LEAST_LINE_MAX) {
                throw new IllegalArgumentException(
                        "the longest line must have at least %d characters, not %d"
                                .formatted(QueryLines.LEAST_LINE_MAX, lineMax));
            }
        }
    }

    /**
     * The queries of a file.
     *
     * @param matches of the first answer to each query; −1 before
     */
    private record QueryFile(List<QueryLines.Request> requests, Matches matches) {}

    /** The number of matching documents of each query of a file. */
    private static final class Matches {
        private final AtomicLongArray first;

        Matches(int queries) {
            this.first = new AtomicLongArray(queries);
            for (int i = 0; i < queries; i++) {
                first.set(i, UNKNOWN);
            }
        }

        /** Returns the number of the first answer, which may be this one. */
        long first(int query, long matches) {
            first.compareAndSet(query, UNKNOWN, matches);
            return first.get(query);
        }
    }

    /** The queries of one client, which only its thread uses. */
    private static final class Queries {
        private final QueryFile file;
        private final int from;
        private final int step;
        private int next;
        private long round;

        /**
         * @param from the first query
         * @param step to the next one
         */
        Queries(QueryFile file, int from, int step) {
            this.file = file;
            this.from = from;
            this.step = step;
            this.next = from;
        }

        /** Returns the index of the next query; -1 if there are no more. */
        int next(OptionalLong uses) {
            if (next >= file.requests().size()) {
                next = from;
                round++;
            }
            if (next >= file.requests().size() || (uses.isPresent() && round >= uses.getAsLong())) {
                return -1;
            }
            int index = next;
            next += step;
            return index;
        }
    }

    /**
     * Reads the queries.
     *
     * @param answers where answers are written; empty to forget them
     * @throws IOException if a file cannot be read
     */
    public QueryLoad(
            ServerAccess server,
            Files files,
            int clients,
            Settings settings,
            Optional<AnswerFiles> answers)
            throws IOException {
        this.server = server;
        this.settings = settings;
        this.answers = answers;
        boolean hasNumbers = files.pattern().contains("%");
        QueryFile common = hasNumbers ? null : file(files.pattern(), files);
        for (int i = 0; i < clients; i++) {
            QueryFile file = common == null ? file(files.pattern().formatted(i), files) : common;
            byClient.add(
                    new Queries(file, files.isShared() ? i : 0, files.isShared() ? clients : 1));
        }
        this.http =
                settings.keepsAlive()
                        ? Optional.of(server.open(HttpClient.Version.HTTP_1_1))
                        : Optional.empty();
    }

    private static QueryFile file(String name, Files files) throws IOException {
        List<QueryLines.Request> requests =
                QueryLines.read(Path.of(name), files.bodies(), files.lineMax());
        return new QueryFile(requests, new Matches(requests.size()));
    }

    static String encoded(String text) {
        return URLEncoder.encode(text, StandardCharsets.UTF_8);
    }

    @Override
    public String items() {
        return "hits";
    }

    @Override
    public Optional<LoadAnswer> send(int client) throws InterruptedException {
        Queries queries = byClient.get(client);
        int index = queries.next(settings.uses());
        if (index < 0) {
            return Optional.empty();
        }
        try {
            HttpResponse<Long> response = answered(queries.file.requests().get(index), client);
            return Optional.of(checked(response, queries.file.matches(), index));
        } catch (IOException e) {
            return Optional.of(LoadAnswer.failed(e));
        }
    }

    private HttpResponse<Long> answered(QueryLines.Request query, int client)
            throws IOException, InterruptedException {
        HttpRequest request = request(query);
        HttpResponse.BodyHandler<Long> body =
                answers.map(files -> files.writing(client, request.uri())).orElse(_ -> counting());
        if (http.isPresent()) {
            return server.send(http.get(), request, body);
        }
        try (HttpClient once = server.open(HttpClient.Version.HTTP_1_1)) {
            return server.send(once, request, body);
        }
    }

    private HttpRequest request(QueryLines.Request query) {
        HttpRequest.Builder request = server.request(URI.create(path(query)));
        request.header(BENCHMARK, "true");
        if (settings.check().coverage()) {
            request.header(BENCHMARK + "-Coverage", "true");
        }
        settings.headers().forEach(request::header);
        query.body()
                .ifPresent(body -> request.header("Content-Type", "application/json").POST(body));
        return request.build();
    }

    private String path(QueryLines.Request query) {
        String parameters = settings.parameters();
        if (parameters.isEmpty()) {
            return query.path();
        }
        String text =
                parameters.startsWith("&") || parameters.startsWith("?")
                        ? parameters.substring(1)
                        : parameters;
        return query.path() + (query.path().contains("?") ? "&" : "?") + text;
    }

    /** Reads the body and returns its size. */
    private static HttpResponse.BodySubscriber<Long> counting() {
        var size = new AtomicLong();
        return HttpResponse.BodySubscribers.mapping(
                HttpResponse.BodySubscribers.ofByteArrayConsumer(
                        part -> part.ifPresent(bytes -> size.addAndGet(bytes.length))),
                _ -> size.get());
    }

    private LoadAnswer checked(HttpResponse<Long> response, Matches matches, int query) {
        int status = response.statusCode();
        OptionalLong count = response.headers().firstValueAsLong(MATCHES);
        long bytes = response.body();
        if (status != 200) {
            return new LoadAnswer(status, false, 0, bytes, "status " + status);
        }
        if (count.isEmpty()) {
            return new LoadAnswer(status, false, 0, bytes, "no header " + MATCHES);
        }
        String failure = "";
        if (bytes < settings.leastBytes()) {
            failure = "less than %d bytes".formatted(settings.leastBytes());
        } else if (settings.check().coverage()
                && response.headers().firstValueAsLong(FULL).orElse(1) == 0) {
            failure = "not all documents were searched";
        }
        boolean isChanged = matches.first(query, count.getAsLong()) != count.getAsLong();
        String note = failure.isEmpty() && isChanged ? "another number of matches than before" : "";
        return new LoadAnswer(
                status,
                failure.isEmpty() && !(isChanged && settings.check().changedHits()),
                count.getAsLong(),
                bytes,
                failure + note);
    }

    @Override
    public void close() {
        http.ifPresent(HttpClient::close);
    }
}
