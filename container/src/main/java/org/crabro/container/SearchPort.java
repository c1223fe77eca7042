package org.crabro.container;

import io.micrometer.core.instrument.composite.CompositeMeterRegistry;
import java.io.IOException;
import java.net.URI;
import java.time.InstantSource;
import java.util.HashMap;
import java.util.Map;
import org.crabro.config.deploy.ApplicationModel;
import org.crabro.container.dispatch.ClusterView;
import org.crabro.container.dispatch.SearchDispatch;
import org.crabro.container.dispatch.SearchNodes;
import org.crabro.container.document.ReadReply;
import org.crabro.container.http.BrowserRules;
import org.crabro.container.http.HttpListener;
import org.crabro.container.http.HttpSettings;
import org.crabro.container.query.QueryRequests;
import org.crabro.container.query.SearchSettings;
import org.crabro.container.query.SearchedApplication;
import org.crabro.container.render.JsonRenderer;
import org.crabro.container.search.OwnChains;
import org.crabro.container.search.QueryChains;
import org.crabro.container.search.SearchHandler;
import org.crabro.protocol.feed.GetReply;
import org.crabro.protocol.wire.Principal;
import org.crabro.ranking.onnx.Embedder;

/**
 * A loopback port that answers queries in one application and nothing else: without access rules,
 * access log, metrics and the searchers of the application, which the ports of a {@link Container}
 * have. Documents that a query refers to count as missing.
 */
public final class SearchPort implements AutoCloseable {
    private final HttpListener listener;

    private SearchPort(HttpListener listener) {
        this.listener = listener;
    }

    /**
     * Listens on a free port.
     *
     * @param search answers the queries
     * @param embedders for the queries, by id; not closed with the port
     * @throws IOException if there is no free port
     */
    public static SearchPort open(
            ApplicationModel model, SearchNodes search, Map<String, Embedder> embedders)
            throws IOException {
        HttpSettings http = HttpSettings.loopback(0);
        SearchSettings settings = SearchSettings.DEFAULT;
        var registry = new CompositeMeterRegistry();
        // Caches nothing, so that each query runs the model.
        var cache = new QueryEmbeddings(0, registry);
        var withCache = new HashMap<String, Embedder>();
        embedders.forEach((id, embedder) -> withCache.put(id, cache.of(embedder)));
        var chains =
                new QueryChains(
                        new SearchedApplication(model, withCache),
                        OwnChains.NONE,
                        settings,
                        new SearchDispatch(search, () -> ClusterView.ONE_NODE),
                        (_, _, _, _) -> new ReadReply.Answered(new GetReply.Missing()));
        var handler =
                new SearchHandler(
                        chains,
                        settings,
                        settings.bodyMemory(http.bodies()),
                        new QueryRequests(_ -> Principal.EVERYONE, InstantSource.system()),
                        new JsonRenderer(),
                        registry);
        return new SearchPort(
                HttpListener.start(
                        http, handler, _ -> true, () -> BrowserRules.NONE, (_, _) -> {}));
    }

    /** Returns the address of the port. */
    public URI url() {
        return URI.create(listener.url());
    }

    /** Stops listening; waits for requests in progress, at most {@link HttpListener#DRAIN}. */
    @Override
    public void close() {
        listener.close();
    }
}
