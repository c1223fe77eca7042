package org.crabro.container.search;

import static java.nio.charset.StandardCharsets.UTF_8;

import io.micrometer.core.instrument.simple.SimpleMeterRegistry;
import java.net.URLEncoder;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Collections;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.Function;
import java.util.function.Supplier;
import org.crabro.config.queryprofile.QueryProfiles;
import org.crabro.container.dispatch.ClusterView;
import org.crabro.container.dispatch.SearchDispatch;
import org.crabro.container.document.ReadReply;
import org.crabro.container.http.BodyMemory;
import org.crabro.container.http.HttpSettings.BodyTimes;
import org.crabro.container.query.QueryRequests;
import org.crabro.container.query.SearchSettings;
import org.crabro.container.render.JsonRenderer;
import org.crabro.document.DocumentId;
import org.crabro.protocol.feed.GetReply;
import org.crabro.protocol.search.Coverage;
import org.crabro.protocol.search.QueryCost;
import org.crabro.protocol.search.SearchHit;
import org.crabro.protocol.search.SearchReply;
import org.crabro.protocol.search.SearchReport;
import org.crabro.protocol.search.SearchRequest;
import org.crabro.protocol.wire.Principal;
import org.crabro.ranking.significance.SignificanceModels;
import org.eclipse.jetty.server.LocalConnector;
import org.eclipse.jetty.server.Server;

/** Talks HTTP to a search handler in memory: no port is opened; content nodes are a double. */
final class SearchServer {
    static final Instant NOW = Instant.ofEpochSecond(1_700_000_000);

    /** The first query of a process may take longer than queries have, on a machine at work. */
    private static final Duration PATIENCE = Duration.ofSeconds(20);

    private final Server server = new Server();
    private final LocalConnector connector = new LocalConnector(server);
    private final SimpleMeterRegistry registry = new SimpleMeterRegistry();
    private final List<SearchRequest> asked = Collections.synchronizedList(new ArrayList<>());
    private final Map<String, SearchReply> replies = new HashMap<>();
    private final LengthEmbedder embedder = new LengthEmbedder(1);
    private QueryProfiles queryProfiles = QueryProfiles.NONE;
    private SignificanceModels significance = SignificanceModels.NONE;
    private OwnChains own = OwnChains.NONE;
    private BodyMemory bodies = SearchSettings.DEFAULT.bodyMemory(BodyTimes.DEFAULT);
    private Supplier<Principal> principals = () -> Principal.EVERYONE;
    private Function<DocumentId, ReadReply> reads =
            _ -> new ReadReply.Answered(new GetReply.Missing());

    SearchServer() {
        server.addConnector(connector);
    }

    /** Starts with chains of the application's own. */
    void start(OwnChain... chains) throws Exception {
        var byId = new HashMap<String, OwnChain>();
        for (OwnChain chain : chains) {
            byId.put(chain.id(), chain);
        }
        start(new OwnChains(byId, Optional.empty()));
    }

    /** Starts with chains, and with sources of the built-in ones. */
    void start(OwnChains chains) throws Exception {
        own = chains;
        start(SearchSettings.DEFAULT);
    }

    /** Starts with query profiles. */
    void start(QueryProfiles profiles) throws Exception {
        queryProfiles = profiles;
        start(SearchSettings.DEFAULT);
    }

    /** Starts with significance models. */
    void start(SignificanceModels models) throws Exception {
        significance = models;
        start(SearchSettings.DEFAULT);
    }

    void start(SearchSettings settings) throws Exception {
        server.stop();
        bodies = settings.bodyMemory(BodyTimes.DEFAULT);
        var dispatch =
                new SearchDispatch(
                        request -> {
                            asked.add(request);
                            return replies.getOrDefault(request.scope().documentType(), reply(0));
                        },
                        () -> ClusterView.ONE_NODE);
        SearchSettings patient = settings.withDefaultTimeout(PATIENCE);
        server.setHandler(
                new SearchHandler(
                        new QueryChains(
                                MusicApplication.model(
                                        Map.of("e5", embedder), queryProfiles, significance),
                                own,
                                patient,
                                dispatch,
                                (_, _, id, _) -> reads.apply(id)),
                        patient,
                        bodies,
                        new QueryRequests(_ -> principals.get(), () -> NOW),
                        new JsonRenderer(),
                        registry));
        server.start();
    }

    /** Sets the answers of content nodes to requests for a document. */
    void documents(Function<DocumentId, ReadReply> reader) {
        reads = reader;
    }

    void stop() throws Exception {
        server.stop();
    }

    /** Sets the answer of content nodes to queries of {@code documentType}. */
    void answer(String documentType, SearchReply reply) {
        replies.put(documentType, reply);
    }

    /** Sets the sender of every request. */
    void sender(Supplier<Principal> principal) {
        principals = principal;
    }

    /** Returns the requests to content nodes, in order. */
    List<SearchRequest> asked() {
        return asked;
    }

    LengthEmbedder embedder() {
        return embedder;
    }

    /** Returns how many bodies are received or used. */
    int bodyCount() {
        return bodies.count();
    }

    SimpleMeterRegistry registry() {
        return registry;
    }

    String get(String path) throws Exception {
        return send("GET " + path + " HTTP/1.0\r\n\r\n");
    }

    String post(String path, String type, String body) throws Exception {
        return send(
                "POST %s HTTP/1.0\r\nContent-Type: %s\r\nContent-Length: %d\r\n\r\n%s"
                        .formatted(path, type, body.getBytes(UTF_8).length, body));
    }

    /** Returns a connection on which a request can be sent in parts. */
    LocalConnector.LocalEndPoint connect() {
        return connector.connect();
    }

    String send(String request) throws Exception {
        return connector.getResponse(request);
    }

    static SearchReply reply(long total, SearchHit... hits) {
        return new SearchReply.Found(
                List.of(hits),
                total,
                List.of(),
                new SearchReport(
                        new Coverage(10, 10, false), QueryCost.NONE, List.of(), List.of()));
    }

    /** Returns parameters as URLs have them; names and values as written. */
    static String encoded(String query) {
        var encoded = new StringBuilder();
        for (String pair : query.split("&", -1)) {
            String[] parts = pair.split("=", 2);
            encoded.append(encoded.isEmpty() ? "" : "&")
                    .append(URLEncoder.encode(parts[0], UTF_8))
                    .append('=')
                    .append(parts.length == 1 ? "" : URLEncoder.encode(parts[1], UTF_8));
        }
        return encoded.toString();
    }
}
