package org.crabro.container;

import io.micrometer.core.instrument.MeterRegistry;
import java.time.InstantSource;
import java.util.List;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.function.Function;
import java.util.function.Predicate;
import java.util.stream.Stream;
import org.crabro.config.deploy.ApplicationModel;
import org.crabro.config.services.ContainerCluster;
import org.crabro.config.services.ServedPath;
import org.crabro.container.access.AccessHandler.Refusals;
import org.crabro.container.component.PackageComponents;
import org.crabro.container.dispatch.SearchDispatch;
import org.crabro.container.document.DocumentReads;
import org.crabro.container.http.BodyMemory;
import org.crabro.container.model.ModelHandler;
import org.crabro.container.query.QueryRequests;
import org.crabro.container.query.SearchSettings;
import org.crabro.container.query.SearchedApplication;
import org.crabro.container.render.JsonRenderer;
import org.crabro.container.search.OwnChains;
import org.crabro.container.search.QueryChains;
import org.crabro.container.search.SearchHandler;
import org.crabro.protocol.wire.Principal;
import org.eclipse.jetty.http.HttpMethod;
import org.eclipse.jetty.server.Handler;
import org.eclipse.jetty.server.Request;

/**
 * The handlers of queries. They are rebuilt for each application; dispatch and the memory limit of
 * bodies stay.
 */
final class SearchEndpoints {
    private static final ServedPath SEARCH = new ServedPath(OptionalInt.empty(), "/search/*");

    private final SearchSettings settings;
    private final SearchDispatch search;
    private final Function<ApplicationModel, ? extends DocumentReads> documents;
    private final BodyMemory bodies;
    private final MeterRegistry registry;

    /**
     * @param documents returns reads of the documents that queries of an application refer to
     */
    SearchEndpoints(
            ContainerSettings settings,
            SearchDispatch search,
            Function<ApplicationModel, ? extends DocumentReads> documents,
            MeterRegistry registry) {
        this.settings = settings.search();
        this.search = search;
        this.documents = documents;
        this.bodies = this.settings.bodyMemory(settings.http().bodies());
        bodies.measure(registry, "queries");
        this.registry = registry;
    }

    /**
     * The queries of a port.
     *
     * @param handler answers queries
     * @param atSearch answers the same queries at {@code /search/}
     * @param isQuery whether a request is a query
     * @param refusals answers queries that lack a permission
     */
    record Endpoint(
            Handler handler, Handler atSearch, Predicate<Request> isQuery, Refusals refusals) {}

    /** Returns the queries of these clusters; empty if none of them searches. */
    Optional<Endpoint> endpoint(
            ApplicationParts application,
            List<ContainerCluster> clusters,
            Function<Request, Principal> principals) {
        if (clusters.stream().allMatch(cluster -> cluster.search().isEmpty())) {
            return Optional.empty();
        }
        var chains =
                new QueryChains(
                        new SearchedApplication(
                                application.model(),
                                clusters.stream()
                                        .flatMap(cluster -> cluster.search().stream())
                                        .toList(),
                                application.embedders(),
                                application.ranking()),
                        ownChains(clusters, application.components()),
                        settings,
                        search,
                        documents.apply(application.model()));
        var handler =
                new SearchHandler(
                        chains,
                        settings,
                        bodies,
                        new QueryRequests(principals, InstantSource.system()),
                        new JsonRenderer(),
                        registry);
        Handler bound = bound(clusters, handler);
        return Optional.of(
                new Endpoint(
                        bound,
                        handler,
                        bound instanceof BoundHandler paths
                                ? paths::isBound
                                : SearchEndpoints::isAtSearch,
                        handler::refuse));
    }

    /** Returns the handler of models that these clusters evaluate on request; empty for none. */
    Optional<Handler> models(ApplicationParts application, List<ContainerCluster> clusters) {
        return clusters.stream()
                .flatMap(cluster -> application.served(cluster).stream())
                .findFirst()
                .map(models -> new ModelHandler(models, settings, bodies));
    }

    /** Returns the chains of all clusters; the first cluster wins if two have the same name. */
    private static OwnChains ownChains(
            List<ContainerCluster> clusters, PackageComponents components) {
        return clusters.stream()
                .map(components::searchChains)
                .reduce(OwnChains.NONE, OwnChains::plus);
    }

    /** Returns the handler at the paths that the clusters name, and at no other path. */
    private static Handler bound(List<ContainerCluster> clusters, SearchHandler handler) {
        List<ServedPath> bindings =
                clusters.stream()
                        .flatMap(cluster -> cluster.search().stream())
                        .flatMap(api ->
                                api.paths().isEmpty() ? Stream.of(SEARCH) : api.paths().stream())
                        .distinct()
                        .toList();
        return bindings.equals(List.of(SEARCH))
                ? handler
                : BoundHandler.at(bindings, "/search/", handler);
    }

    /** Returns whether a request is a query at the default path; decides which thread runs it. */
    static boolean isSearch(Request request) {
        String path = request.getHttpURI().getPath();
        String method = request.getMethod();
        return (HttpMethod.GET.is(method) || HttpMethod.POST.is(method))
                && path != null
                && (path.startsWith("/search/") || path.equals("/search"));
    }

    private static boolean isAtSearch(Request request) {
        String path = Request.getPathInContext(request);
        return path.equals("/search/") || path.equals("/search");
    }

    /** Returns the paths of queries, as the status page shows them. */
    static List<String> paths(ApplicationModel model) {
        List<String> paths =
                model.services().containers().stream()
                        .flatMap(cluster -> cluster.search().stream())
                        .flatMap(api -> api.paths().stream())
                        .map(ServedPath::pattern)
                        .distinct()
                        .toList();
        return paths.isEmpty() ? List.of(SEARCH.pattern()) : paths;
    }
}
