package org.crabro.client.query;

import java.io.IOException;
import java.net.URI;
import java.net.URLEncoder;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.crabro.client.http.ServerAccess;
import org.crabro.client.http.ServerRefusalException;
import tools.jackson.databind.json.JsonMapper;

/**
 * Runs queries. Thread-safe.
 *
 * {@snippet :
 * try (var client = new QueryClient(ServerAccess.of(URI.create("http://127.0.0.1:8080")))) {
 *     var query = ClientQuery.from("note").where(QueryFilter.userInput("tomatoes")).withGroup("anna");
 *     for (QueryHit hit : client.search(query).hits()) {
 *         System.out.println(hit.fields());
 *     }
 * }
 * }
 */
public final class QueryClient implements AutoCloseable {
    private static final URI SEARCH = URI.create("/search/");
    private static final String GROUPS = "/crabro/v1/groups";

    /** The default time limit of a server is far below. */
    private static final Duration TIMEOUT = Duration.ofMinutes(3);

    private static final JsonMapper JSON = new JsonMapper();

    private final ServerAccess server;
    private final HttpClient http;

    /** Makes a client whose requests share a connection if the server speaks HTTP/2. */
    public QueryClient(ServerAccess server) {
        this(server, HttpClient.Version.HTTP_2);
    }

    /** Makes a client. For a single query, a connection with HTTP/1.1 is open sooner. */
    public QueryClient(ServerAccess server, HttpClient.Version version) {
        this.server = server;
        this.http = server.open(version);
    }

    /**
     * Runs a query.
     *
     * @throws ServerRefusalException if the server answers with an error; the message has the
     *     reason, with its place in the YQL
     * @throws IOException if it does not answer
     */
    public QueryAnswer search(ClientQuery query) throws IOException, InterruptedException {
        return answer(server.send(http, request(query), HttpResponse.BodyHandlers.ofString()));
    }

    /** Runs a query. The result completes exceptionally with the exceptions of {@link #search}. */
    public CompletableFuture<QueryAnswer> searchAsync(ClientQuery query) {
        return server.sendAsync(http, request(query), HttpResponse.BodyHandlers.ofString())
                .thenApply(response -> {
                    try {
                        return answer(response);
                    } catch (IOException e) {
                        throw new CompletionException(e);
                    }
                });
    }

    /**
     * Runs a query and returns the parts of its result as they arrive: tokens of a generated
     * answer, then the result. The caller closes the stream.
     *
     * @throws ServerRefusalException if the server answers with an error
     * @throws IOException if it does not answer
     */
    public Stream<ServerEvent> stream(ClientQuery query) throws IOException, InterruptedException {
        HttpResponse<Stream<String>> response =
                server.send(
                        http,
                        request(query.withParameter("format", "sse")),
                        HttpResponse.BodyHandlers.ofLines());
        Stream<String> lines = response.body();
        if (response.statusCode() != 200) {
            try (lines) {
                throw ServerRefusalException.of(
                        response.uri(),
                        response.statusCode(),
                        lines.collect(Collectors.joining("\n")));
            }
        }
        return ServerEvent.parse(lines);
    }

    /**
     * Returns the documents by type and group.
     *
     * @param parameters of {@code /crabro/v1/groups}, by name
     * @throws ServerRefusalException if the server answers with an error
     * @throws IOException if it does not answer
     */
    public StoredGroups groups(Map<String, String> parameters)
            throws IOException, InterruptedException {
        String query =
                parameters.entrySet().stream()
                        .map(entry ->
                                entry.getKey()
                                        + "="
                                        + URLEncoder.encode(
                                                entry.getValue(), StandardCharsets.UTF_8))
                        .collect(Collectors.joining("&"));
        HttpResponse<String> response =
                server.send(
                        http,
                        server.request(URI.create(GROUPS + "?" + query)).timeout(TIMEOUT).build(),
                        HttpResponse.BodyHandlers.ofString());
        if (response.statusCode() != 200) {
            throw ServerRefusalException.of(response);
        }
        return StoredGroups.of(JSON.readTree(response.body()));
    }

    private static QueryAnswer answer(HttpResponse<String> response) throws ServerRefusalException {
        if (response.statusCode() != 200) {
            throw ServerRefusalException.of(response);
        }
        return QueryAnswer.of(JSON.readTree(response.body()));
    }

    private HttpRequest request(ClientQuery query) {
        return server.request(SEARCH)
                .timeout(TIMEOUT)
                .header("Content-Type", "application/json")
                .POST(
                        HttpRequest.BodyPublishers.ofString(
                                JSON.writeValueAsString(query.parameters())))
                .build();
    }

    @Override
    public void close() {
        http.close();
    }
}
