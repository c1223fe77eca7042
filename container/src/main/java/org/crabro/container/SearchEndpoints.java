package org.crabro.container;

import io.micrometer.core.instrument.MeterRegistry;
import java.time.InstantSource;
import java.util.List;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.Set;
import java.util.function.Function;
import java.util.stream.Stream;
import org.crabro.config.deploy.ApplicationModel;
import org.crabro.config.services.ContainerCluster;
import org.crabro.config.services.ServedPath;
import org.crabro.container.access.AccessHandler.Demand;
import org.crabro.container.access.AccessHandler.Demands;
import org.crabro.container.access.Route;
import org.crabro.container.component.PackageComponents;
import org.crabro.container.dispatch.SearchDispatch;
import org.crabro.container.document.DocumentReads;
import org.crabro.container.http.BodyMemory;
import org.crabro.container.http.JsonReply;
import org.crabro.container.http.RequestPath;
import org.crabro.container.model.ModelHandler;
import org.crabro.container.query.QueryRequests;
import org.crabro.container.query.SearchSettings;
import org.crabro.container.query.SearchedApplication;
import org.crabro.container.render.JsonRenderer;
import org.crabro.container.search.OwnChains;
import org.crabro.container.search.QueryChains;
import org.crabro.container.search.SearchHandler;
import org.crabro.protocol.wire.Permission;
import org.crabro.protocol.wire.Principal;
import org.eclipse.jetty.http.HttpMethod;
import org.eclipse.jetty.server.Handler;
import org.eclipse.jetty.server.Request;

/**
 * The handlers of queries. They are rebuilt for each application; dispatch and the memory limit of
 * bodies stay.
 */
final class SearchEndpoints {
    /** The name of the handler. */
    static final String NAME = SearchHandler.class.getName();

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
     * @param route answers queries
     * @param atSearch answers the same queries at {@code /search/}
     */
    record Endpoint(Route route, Handler atSearch) {}

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
        return Optional.of(new Endpoint(bound(clusters, handler), handler));
    }

    /** Registers the models that these clusters evaluate on request; empty for none. */
    Optional<Route> models(ApplicationParts application, List<ContainerCluster> clusters) {
        return clusters.stream()
                .flatMap(cluster -> application.served(cluster).stream())
                .findFirst()
                .map(models -> new ModelHandler(models, settings, bodies))
                .map(handler ->
                        new Route(
                                handler,
                                new Route.Paths(
                                        List.of("/model-evaluation/*"),
                                        false,
                                        ModelHandler::isAnswered),
                                _ -> new Demand(Set.of(Permission.READ), JsonReply::sendProblem)));
    }

    /** Returns the chains of all clusters; the first cluster wins if two have the same name. */
    private static OwnChains ownChains(
            List<ContainerCluster> clusters, PackageComponents components) {
        return clusters.stream()
                .map(components::searchChains)
                .reduce(OwnChains.NONE, OwnChains::plus);
    }

    /** Registers the handler at the paths that the clusters name, and at no other path. */
    private static Route bound(List<ContainerCluster> clusters, SearchHandler handler) {
        List<ServedPath> bindings =
                clusters.stream()
                        .flatMap(cluster -> cluster.search().stream())
                        .flatMap(api ->
                                api.paths().isEmpty() ? Stream.of(SEARCH) : api.paths().stream())
                        .distinct()
                        .toList();
        Demands demands = _ -> new Demand(Set.of(Permission.READ), handler::refuse);
        if (bindings.equals(List.of(SEARCH))) {
            return new Route(
                    handler,
                    new Route.Paths(
                            List.of(SEARCH.pattern()),
                            false,
                            Route.Paths.at("/search/", "/search").test()),
                    demands);
        }
        BoundHandler bound = BoundHandler.at(bindings, "/search/", handler);
        return new Route(
                NAME,
                new Route.Paths(
                        bindings.stream().map(ServedPath::pattern).toList(), false, bound::isBound),
                demands,
                bound);
    }

    /** Returns whether a request is a query at the default path; decides which thread runs it. */
    static boolean isSearch(Request request) {
        String method = request.getMethod();
        return (HttpMethod.GET.is(method) || HttpMethod.POST.is(method))
                && RequestPath.of(request).isBelow("/search");
    }
}
