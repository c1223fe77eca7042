package org.crabro.container;

import io.micrometer.core.instrument.MeterRegistry;
import java.time.InstantSource;
import java.util.HashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.function.Function;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.crabro.config.deploy.ApplicationModel;
import org.crabro.config.services.ContainerCluster;
import org.crabro.config.services.ContentCluster;
import org.crabro.config.services.ContentCluster.ClusterDocument;
import org.crabro.config.services.ServedPath;
import org.crabro.container.access.AccessHandler.Demand;
import org.crabro.container.access.Route;
import org.crabro.container.bulk.BulkAdmission;
import org.crabro.container.bulk.BulkBackend;
import org.crabro.container.bulk.BulkFeed;
import org.crabro.container.dispatch.ClusterDispatch;
import org.crabro.container.document.Admission;
import org.crabro.container.document.DocumentBackend;
import org.crabro.container.document.DocumentHandler;
import org.crabro.container.document.DocumentReads;
import org.crabro.container.document.DocumentSettings;
import org.crabro.container.document.DocumentWrites;
import org.crabro.container.document.JsonRowPuts;
import org.crabro.container.document.ProcessedWrites;
import org.crabro.container.document.ServedTypes;
import org.crabro.container.http.HttpSettings.BodyTimes;
import org.crabro.container.route.CopyLocks;
import org.crabro.container.route.RoutedDocuments;
import org.crabro.container.route.SelectionFilter;
import org.crabro.container.visit.GroupTotalsHandler;
import org.crabro.container.visit.PageTexts;
import org.crabro.container.visit.SelectionUpdates;
import org.crabro.container.visit.VisitAdmission;
import org.crabro.container.visit.VisitBackend;
import org.crabro.container.visit.VisitHandler;
import org.crabro.container.visit.VisitReads;
import org.crabro.protocol.wire.Principal;
import org.eclipse.jetty.server.Handler;
import org.eclipse.jetty.server.Request;

/**
 * The handlers of {@code /document/v1}. They are rebuilt for each application; dispatch and the
 * limits of requests stay.
 */
final class DocumentEndpoints implements AutoCloseable {
    /** The name of the handler; clients search for a name with this end. */
    static final String NAME = "org.crabro.container.document.DocumentV1ApiHandler";

    private static final ServedPath ROOT = new ServedPath(OptionalInt.empty(), "/");

    private final ContainerSettings settings;
    private final ClusterDispatch dispatch;
    private final CopyLocks locks = new CopyLocks();
    private final Admission admission;
    private final VisitAdmission visitAdmission;
    private final BulkAdmission bulkAdmission;
    private final MeterRegistry registry;

    DocumentEndpoints(
            ContainerSettings settings, ClusterDispatch dispatch, MeterRegistry registry) {
        this.settings = settings;
        this.dispatch = dispatch;
        BodyTimes times = settings.http().bodies();
        this.admission = new Admission(settings.documents(), times);
        admission.measure(registry);
        this.bulkAdmission = new BulkAdmission(settings.bulk(), times.idle());
        bulkAdmission.measure(registry);
        this.visitAdmission = new VisitAdmission(settings.visits());
        visitAdmission.measure(registry);
        this.registry = registry;
    }

    /**
     * The documents of a port.
     *
     * @param route answers at the roots that the clusters name
     * @param atRoot answers the same requests below {@code /document/v1}
     */
    record Endpoint(Route route, Handler atRoot) {}

    /** Returns the handlers of these clusters; empty if none of them has the document API. */
    Optional<Endpoint> endpoint(
            ApplicationParts application,
            List<ContainerCluster> clusters,
            Function<Request, Principal> principals) {
        return clusters.stream()
                .flatMap(cluster -> cluster.documentApi().stream())
                .findFirst()
                .map(api -> {
                    DocumentHandler handler =
                            handler(application, settings.documents().of(api), principals);
                    return new Endpoint(bound(clusters, handler), handler);
                });
    }

    /** Registers the list of the groups that the sender of a request may read. */
    Route groups(ApplicationModel model, Function<Request, Principal> principals) {
        Map<String, VisitReads> reads = new HashMap<>();
        model.services().contents().forEach(each -> reads.put(each.id(), reads(each)));
        var handler =
                new GroupTotalsHandler(
                        model,
                        cluster -> Objects.requireNonNull(reads.get(cluster), cluster),
                        principals,
                        settings.visits(),
                        visitAdmission);
        return new Route(handler, Route.Paths.at(GroupTotalsHandler.PATH), Demand::byMethod);
    }

    private VisitReads reads(ContentCluster cluster) {
        return dispatch.visits(
                cluster.id(),
                cluster.documents().stream()
                        .map(ClusterDocument::type)
                        .collect(Collectors.toCollection(LinkedHashSet::new)));
    }

    private DocumentHandler handler(
            ApplicationParts application,
            DocumentSettings api,
            Function<Request, Principal> principals) {
        ApplicationModel model = application.model();
        var types =
                new ServedTypes(
                        model,
                        application.embedders(),
                        api.ignoresUndefinedFields(),
                        application.components().processorChains(),
                        application.components().fieldGenerators());
        RoutedDocuments documents = documents(model);
        var filter = new SelectionFilter(model, documents, InstantSource.system());
        var bulk =
                new BulkFeed(
                        new BulkBackend(types, documents, filter, documents, documents),
                        principals,
                        bulkAdmission,
                        api.timeout(),
                        registry);
        Function<String, VisitBackend> visits = visits(model, types, documents, api);
        var selections =
                new VisitHandler(
                        model,
                        visits,
                        principals,
                        api.timeout(),
                        settings.visits(),
                        visitAdmission);
        return new DocumentHandler(
                types,
                new DocumentBackend(
                        documents,
                        new PageTexts(model, visits.andThen(VisitBackend::reads)),
                        filter,
                        documents,
                        new JsonRowPuts(types, documents, filter.filter(documents)),
                        new ChosenDocuments(bulk, selections)),
                principals,
                api,
                admission,
                registry);
    }

    /** Returns the documents of an application. */
    RoutedDocuments documents(ApplicationModel model) {
        return new RoutedDocuments(model, dispatch, locks, InstantSource.system());
    }

    /** Returns the operations of visits on each content cluster. */
    private Function<String, VisitBackend> visits(
            ApplicationModel model,
            ServedTypes types,
            RoutedDocuments documents,
            DocumentSettings api) {
        Map<String, VisitBackend> backends = new HashMap<>();
        for (ContentCluster cluster : model.services().contents()) {
            String id = cluster.id();
            DocumentReads reads =
                    (principal, deadline, document, hold) ->
                            documents.read(id, principal, deadline, document, hold);
            DocumentWrites writes = documents.writes(id);
            backends.put(
                    id,
                    new VisitBackend(
                            reads(cluster),
                            new ProcessedWrites(types, reads, writes),
                            destination -> documents.copies(id, destination),
                            new SelectionUpdates(types, reads, writes, api, admission),
                            dispatch.removals(id)));
        }
        return cluster -> Objects.requireNonNull(backends.get(cluster), cluster);
    }

    /** Registers the handler at the roots that the clusters name. */
    private static Route bound(List<ContainerCluster> clusters, DocumentHandler handler) {
        List<ServedPath> roots =
                clusters.stream()
                        .flatMap(cluster -> cluster.documentApi().stream())
                        .flatMap(api ->
                                api.roots().isEmpty() ? Stream.of(ROOT) : api.roots().stream())
                        .distinct()
                        .toList();
        BoundHandler bound = BoundHandler.below(roots, handler);
        return new Route(
                NAME,
                new Route.Paths(
                        roots.stream().map(root -> root.pattern() + "document/v1/*").toList(),
                        true,
                        bound::isBound),
                Demand::byMethod,
                bound);
    }

    /** Ends the threads of bulk requests. */
    @Override
    public void close() {
        bulkAdmission.close();
    }
}
