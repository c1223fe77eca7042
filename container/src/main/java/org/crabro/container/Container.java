package org.crabro.container;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.URI;
import java.nio.file.Path;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.Collection;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.Set;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.Function;
import java.util.function.Predicate;
import java.util.function.Supplier;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.crabro.config.application.Notice;
import org.crabro.config.deploy.ApplicationModel;
import org.crabro.config.services.ContainerCluster;
import org.crabro.config.services.ContainerCluster.HttpServer;
import org.crabro.config.services.ContentCluster;
import org.crabro.config.services.EmbedderComponent;
import org.crabro.config.services.ServedPath;
import org.crabro.config.services.Services;
import org.crabro.container.access.AccessControl;
import org.crabro.container.access.AccessHandler;
import org.crabro.container.access.AccessHandler.Refusals;
import org.crabro.container.access.OperatorDemands;
import org.crabro.container.access.PackageClients;
import org.crabro.container.bulk.BulkAdmission;
import org.crabro.container.bulk.BulkFeed;
import org.crabro.container.component.ComponentHandler;
import org.crabro.container.component.PackageComponents;
import org.crabro.container.dispatch.ClusterView;
import org.crabro.container.dispatch.DocumentDispatch;
import org.crabro.container.dispatch.DocumentNodes;
import org.crabro.container.dispatch.GroupDispatch;
import org.crabro.container.dispatch.SearchDispatch;
import org.crabro.container.dispatch.SearchNodes;
import org.crabro.container.dispatch.VisitDispatch;
import org.crabro.container.document.Admission;
import org.crabro.container.document.DocumentHandler;
import org.crabro.container.document.DocumentSettings;
import org.crabro.container.document.ProcessedWrites;
import org.crabro.container.document.SelectionFilter;
import org.crabro.container.document.ServedTypes;
import org.crabro.container.http.AccessLog;
import org.crabro.container.http.BodyMemory;
import org.crabro.container.http.BrowserRules;
import org.crabro.container.http.ClusterNames;
import org.crabro.container.http.HealthState;
import org.crabro.container.http.HttpListener;
import org.crabro.container.http.HttpSettings;
import org.crabro.container.http.HttpSettings.BodyTimes;
import org.crabro.container.http.JsonReply;
import org.crabro.container.http.MachineName;
import org.crabro.container.http.MetricIntervals;
import org.crabro.container.http.MetricsHandler;
import org.crabro.container.http.NotFoundHandler;
import org.crabro.container.http.StateHandler;
import org.crabro.container.http.StatusHandler;
import org.crabro.container.http.TlsSettings;
import org.crabro.container.query.SearchedApplication;
import org.crabro.container.reindex.ReindexRegister;
import org.crabro.container.reindex.Reindexing;
import org.crabro.container.render.JsonRenderer;
import org.crabro.container.rows.PlainBodies;
import org.crabro.container.search.OwnChain;
import org.crabro.container.search.SearchHandler;
import org.crabro.container.visit.Expiry;
import org.crabro.container.visit.SelectionUpdates;
import org.crabro.container.visit.VisitAdmission;
import org.crabro.container.visit.VisitHandler;
import org.crabro.protocol.cluster.NodeHealth;
import org.crabro.protocol.wire.Principal;
import org.crabro.ranking.onnx.Embedder;
import org.crabro.ranking.onnx.EmbedderSettings;
import org.crabro.ranking.onnx.RankModels;
import org.eclipse.jetty.http.HttpMethod;
import org.eclipse.jetty.server.Handler;
import org.eclipse.jetty.server.Request;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The container role in one process: ports, and the application that is active behind them. Each
 * container cluster of an application answers at its own; where the port was given to the process,
 * all answer there.
 *
 * <p>Applications are prepared and activated by one thread at a time; requests come from many.
 */
public final class Container implements AutoCloseable {
    private static final Logger LOG = LoggerFactory.getLogger(Container.class);

    private static final HealthState NOTHING_DEPLOYED =
            new HealthState(HealthState.Code.INITIALIZING, "no application is deployed");

    /** Where queries come in by themselves. */
    private static final ServedPath ROOT = new ServedPath(OptionalInt.empty(), "/");

    private static final ServedPath SEARCH = new ServedPath(OptionalInt.empty(), "/search/*");

    private final ContainerSettings settings;
    private final Supplier<NodeHealth> nodeHealth;
    private final DocumentDispatch documents;
    private final SearchDispatch search;
    private final VisitDispatch visits;
    private final GroupDispatch groups;
    private final Expiry expiry;
    private final Reindexing reindexing;
    private final Function<EmbedderSettings, Embedder> models;
    private final MetricIntervals metrics;
    private final String host;
    private final Admission admission;
    private final BodyMemory queryBodies;
    private final VisitAdmission visitAdmission;
    private final BulkAdmission bulkAdmission;
    private final AtomicInteger rankModels = new AtomicInteger();
    private final ActiveGeneration active = new ActiveGeneration();
    private final Listeners listeners;

    /** Where clusters listen that say no port. */
    private final int ownPort;

    private volatile ClusterNames clusters = ClusterNames.NONE;
    private volatile List<String> searchPaths = List.of(SEARCH.pattern());
    private volatile List<String> documentPaths = List.of("/document/v1/*");

    /** What the active application lets browsers do. */
    private volatile BrowserRules browsers = BrowserRules.NONE;

    private volatile HealthState health = NOTHING_DEPLOYED;

    private Container(
            ContainerSettings settings,
            DocumentNodes documents,
            SearchNodes search,
            Function<EmbedderSettings, Embedder> models,
            ReindexRegister register,
            MetricIntervals metrics)
            throws IOException {
        this.settings = settings;
        this.nodeHealth = documents::health;
        this.documents = new DocumentDispatch(documents, () -> ClusterView.ONE_NODE);
        this.search = new SearchDispatch(search, () -> ClusterView.ONE_NODE);
        this.visits = new VisitDispatch(documents::visit, () -> ClusterView.ONE_NODE);
        this.groups = new GroupDispatch(documents::removeGroup, () -> ClusterView.ONE_NODE);
        this.expiry = new Expiry(visits, this.documents, InstantSource.system());
        this.reindexing =
                new Reindexing(
                        register,
                        new ActiveScripts(active),
                        visits,
                        this.documents,
                        InstantSource.system(),
                        metrics.registry());
        this.models = models;
        this.metrics = metrics;
        this.host = MachineName.ofThis();
        BodyTimes times = settings.http().bodies();
        this.admission = new Admission(settings.documents(), times);
        admission.measure(metrics.registry());
        this.queryBodies = settings.search().bodyMemory(times);
        queryBodies.measure(metrics.registry(), "queries");
        this.bulkAdmission = new BulkAdmission(settings.bulk(), times.idle());
        bulkAdmission.measure(metrics.registry());
        this.visitAdmission = new VisitAdmission(settings.visits());
        visitAdmission.measure(metrics.registry());
        this.listeners = new Listeners(settings.http().port(), settings.http().tls(), this::listen);
        this.ownPort = listeners.first().port();
        expiry.start();
        reindexing.start();
    }

    /**
     * Starts to listen; until an application is activated, requests for documents and queries are
     * answered with 503.
     *
     * @param models loads a model
     * @param register which documents are to go through their scripts again
     * @param metrics told to operators; not closed with this
     * @throws IOException if the port cannot be had
     */
    public static Container start(
            ContainerSettings settings,
            DocumentNodes documents,
            SearchNodes search,
            Function<EmbedderSettings, Embedder> models,
            ReindexRegister register,
            MetricIntervals metrics)
            throws IOException {
        return new Container(settings, documents, search, models, register, metrics);
    }

    /** Returns where the first container cluster of the active application is answered. */
    public URI url() {
        return URI.create(listeners.first().url());
    }

    /** Returns where a server of a package listens, once the package is active. */
    public int port(HttpServer server) {
        return settings.portGiven() ? ownPort : server.port().orElse(ownPort);
    }

    /** Returns the number of the active application, 0 for none. */
    public long generation() {
        return active.number();
    }

    /** Returns how many models are loaded for global phases, those of earlier generations too. */
    public int rankModels() {
        return rankModels.get();
    }

    /** An application that is built and can be activated, or let go where it is not wanted. */
    public final class Prepared {
        private final Generation generation;
        private final ClusterNames names;
        private final Map<Integer, Optional<TlsSettings>> ports;
        private final Runnable loadModels;
        private final ApplicationModel model;

        private Prepared(
                Generation generation,
                ClusterNames names,
                Map<Integer, Optional<TlsSettings>> ports,
                Runnable loadModels,
                ApplicationModel model) {
            this.generation = generation;
            this.names = names;
            this.ports = ports;
            this.loadModels = loadModels;
            this.model = model;
        }

        /**
         * Serves new requests with the application from now on.
         *
         * @throws UncheckedIOException if the application asks for a port that cannot be had; the
         *     old one is served on then
         * @throws IllegalArgumentException if a port cannot speak TLS as it asks for; the same
         */
        public void activate() {
            try {
                listeners.add(ports);
            } catch (IOException e) {
                throw new UncheckedIOException(e.getMessage(), e);
            }
            active.replaceWith(generation);
            expiry.serve(model);
            clusters = names;
            searchPaths = searchPaths(model);
            documentPaths = documentPaths(model);
            browsers = new BrowserRules(model.services().hostNames(), Set.of());
            health = HealthState.UP;
            listeners.keep(ports.keySet());
        }

        /** Loads the models that are not loaded yet, on a thread of its own. */
        public void loadModels() {
            Thread.ofPlatform().daemon().name("models").start(loadModels);
        }

        /** Lets go what was built. */
        public void discard() {
            generation.retire(() -> {});
        }
    }

    /**
     * Builds what it takes to serve {@code model}, beside what is served now.
     *
     * @param loadModels whether to load every model and to check its types; otherwise models are
     *     loaded when they are needed, and types taken as checked before
     * @throws RuntimeException if a model cannot be loaded or used; nothing has changed then
     */
    public Prepared prepare(ApplicationModel model, boolean loadModels) {
        refuseComponents(model);
        var embedders = new HashMap<String, LateEmbedder>();
        for (ContainerCluster cluster : model.services().containers()) {
            for (EmbedderComponent component : cluster.embedders()) {
                embedders.put(
                        component.id(),
                        new LateEmbedder(() -> models.apply(component.settings()), !loadModels));
            }
        }
        Optional<PackageComponents> made = Optional.empty();
        RankModels ranking =
                RankModels.forContainer(
                        model.schemas().values().stream()
                                .flatMap(schema -> schema.rankProfiles().values().stream())
                                .flatMap(profile -> profile.containerModels().stream())
                                .toList(),
                        rankModels);
        try {
            if (loadModels) {
                embedders.values().forEach(LateEmbedder::load);
            }
            PackageComponents components = PackageComponents.make(model.services());
            made = Optional.of(components);
            Map<Integer, List<ContainerCluster>> ports = ports(model);
            Map<Integer, Optional<TlsSettings>> tls = tls(model);
            var handlers = new LinkedHashMap<Integer, Handler>();
            ports.forEach((port, clusters) ->
                    handlers.put(
                            port,
                            handler(
                                    model,
                                    clusters,
                                    Map.copyOf(embedders),
                                    ranking,
                                    components,
                                    tls.getOrDefault(port, Optional.empty()))));
            Handler otherwise = handlers.values().iterator().next();
            // Before anything changes: a file that is missing is told to who deploys.
            tls.values().forEach(each -> each.ifPresent(HttpListener::check));
            return new Prepared(
                    new Generation(
                            model.generation(),
                            // Who came in at a port that is not listened on any more is served,
                            // too.
                            port -> handlers.getOrDefault(port, otherwise),
                            ScriptsOfTypes.of(model, Map.copyOf(embedders)),
                            () -> letGo(embedders.values(), ranking, components)),
                    names(model.services()),
                    tls,
                    () -> embedders.forEach(Container::loadAndTell),
                    model);
        } catch (RuntimeException e) {
            made.ifPresent(PackageComponents::close);
            ranking.retire();
            embedders.values().forEach(LateEmbedder::close);
            throw e;
        }
    }

    private void refuseComponents(ApplicationModel model) {
        List<Path> jars = model.services().jars();
        if (!settings.allowsComponents() && !jars.isEmpty()) {
            throw new IllegalArgumentException(
                    "the package has components/%s, and this server loads no jars of packages, as --no-components says"
                            .formatted(jars.getFirst().getFileName()));
        }
    }

    /** Serves no application until one is activated again; requests under way end as they would. */
    public void deactivate() {
        health = NOTHING_DEPLOYED;
        active.clear();
        expiry.stop();
        clusters = ClusterNames.NONE;
        browsers = BrowserRules.NONE;
    }

    @Override
    public void close() {
        health = new HealthState(HealthState.Code.DOWN, "stopping");
        expiry.close();
        reindexing.close();
        listeners.close();
        bulkAdmission.close();
        active.clear();
    }

    /** Returns which clusters answer at each port; at least one port, perhaps without clusters. */
    private Map<Integer, List<ContainerCluster>> ports(ApplicationModel model) {
        List<ContainerCluster> all = model.services().containers();
        if (settings.portGiven()) {
            return Map.of(ownPort, all);
        }
        // Clusters on hosts of their own may have one port.
        var byPort = new LinkedHashMap<Integer, List<ContainerCluster>>();
        for (ContainerCluster cluster : all) {
            for (HttpServer server : cluster.servers()) {
                byPort.computeIfAbsent(port(server), _ -> new ArrayList<>()).add(cluster);
            }
        }
        // An application without a container still has the paths for operators.
        return byPort.isEmpty() ? Map.of(ownPort, List.of()) : byPort;
    }

    /** Returns what each port speaks, and which clients' certificates it trusts. */
    private Map<Integer, Optional<TlsSettings>> tls(ApplicationModel model) {
        Map<Integer, List<ContainerCluster>> ports = ports(model);
        var spoken = new LinkedHashMap<Integer, Optional<TlsSettings>>();
        new ServedTls(settings.http().tls(), ownPort, settings.portGiven())
                .of(model.services().containers(), ports.keySet())
                .forEach((port, tls) -> {
                    var clients =
                            new ServedClients(ports.getOrDefault(port, List.of())).certificates();
                    spoken.put(port, tls.map(each -> each.withListed(clients)));
                });
        return spoken;
    }

    /** Returns what an application says that has no effect in this process. */
    public List<Notice> notices(ApplicationModel model) {
        Map<Integer, Optional<TlsSettings>> tls;
        try {
            tls = tls(model);
        } catch (IllegalArgumentException _) {
            // A deployment of this application is refused, with the reason.
            return List.of();
        }
        var notices = new LinkedHashSet<Notice>();
        ports(model)
                .forEach((port, clusters) ->
                        clusters.forEach(cluster ->
                                notices.addAll(
                                        ServedClients.notices(
                                                cluster,
                                                tls.getOrDefault(port, Optional.empty())
                                                        .isPresent(),
                                                settings.access()))));
        return List.copyOf(notices);
    }

    private Handler handler(
            ApplicationModel model,
            List<ContainerCluster> clusters,
            Map<String, Embedder> embedders,
            RankModels ranking,
            PackageComponents components,
            Optional<TlsSettings> tls) {
        Optional<PackageClients> clients =
                tls.isPresent() ? new ServedClients(clusters).atPort() : Optional.empty();
        Function<Request, Principal> principals =
                settings.access().isOpen() && clients.isEmpty()
                        ? _ -> Principal.EVERYONE
                        : AccessControl::principal;
        // Before what is built in, whose addresses they may take.
        List<ComponentHandler> own =
                clusters.stream()
                        .flatMap(cluster -> components.handlers(cluster, principals).stream())
                        .toList();
        var handlers = new ArrayList<Handler>(own);
        clusters.stream()
                .flatMap(cluster -> cluster.documentApi().stream())
                .findFirst()
                .ifPresent(api -> {
                    DocumentSettings ofApi = settings.documents().of(api);
                    var types =
                            new ServedTypes(
                                    model,
                                    embedders,
                                    ofApi.ignoresUndefinedFields(),
                                    components.processorChains());
                    var kept = new SelectionFilter(model, documents, InstantSource.system());
                    handlers.add(
                            documents(
                                    clusters,
                                    new DocumentHandler(
                                            types,
                                            documents,
                                            kept,
                                            new PlainBodies(types, kept, documents),
                                            new ChosenDocuments(
                                                    bulkFeed(types, kept, ofApi, principals),
                                                    new VisitHandler(
                                                            model,
                                                            visits,
                                                            new ProcessedWrites(
                                                                    types, documents, documents),
                                                            documents,
                                                            new SelectionUpdates(
                                                                    types, documents, documents,
                                                                    ofApi, admission),
                                                            groups,
                                                            principals,
                                                            ofApi.timeout(),
                                                            settings.visits(),
                                                            visitAdmission)),
                                            principals,
                                            ofApi,
                                            admission,
                                            metrics.registry())));
                });
        Predicate<Request> isQuery = _ -> false;
        Refusals refusals = JsonReply::sendProblem;
        if (clusters.stream().anyMatch(ContainerCluster::search)) {
            var search =
                    new SearchHandler(
                            new SearchedApplication(
                                    model,
                                    clusters.stream()
                                            .flatMap(cluster -> cluster.searchChains().stream())
                                            .collect(Collectors.toSet()),
                                    embedders,
                                    ranking),
                            ownChains(clusters, components),
                            settings.search(),
                            queryBodies,
                            this.search,
                            documents,
                            new JsonRenderer(),
                            principals,
                            InstantSource.system(),
                            metrics.registry());
            Handler bound = search(clusters, search);
            handlers.add(bound);
            isQuery = bound instanceof BoundHandler paths ? paths::isBound : Container::isAtSearch;
            refusals = search::refuse;
        }
        return new AccessHandler(
                new Handler.Sequence(handlers),
                settings.access(),
                new ServedDemands(
                        request -> own.stream().anyMatch(each -> each.answers(request)),
                        isQuery,
                        refusals),
                clients);
    }

    /** The same for documents. */
    private static Handler documents(List<ContainerCluster> clusters, DocumentHandler handler) {
        List<ServedPath> roots =
                clusters.stream()
                        .flatMap(cluster -> cluster.documentApi().stream())
                        .flatMap(api ->
                                api.roots().isEmpty() ? Stream.of(ROOT) : api.roots().stream())
                        .distinct()
                        .toList();
        return roots.equals(List.of(ROOT)) ? handler : BoundHandler.below(roots, handler);
    }

    /** Of clusters that have a chain of one name, the first has it. */
    private static Map<String, OwnChain> ownChains(
            List<ContainerCluster> clusters, PackageComponents components) {
        var chains = new LinkedHashMap<String, OwnChain>();
        clusters.forEach(cluster -> components.searchChains(cluster).forEach(chains::putIfAbsent));
        return chains;
    }

    /** A cluster that says where its queries come in is asked nowhere else. */
    private static Handler search(List<ContainerCluster> clusters, SearchHandler handler) {
        List<ServedPath> bindings =
                clusters.stream()
                        .filter(ContainerCluster::search)
                        .flatMap(cluster ->
                                cluster.searchPaths().isEmpty()
                                        ? Stream.of(SEARCH)
                                        : cluster.searchPaths().stream())
                        .distinct()
                        .toList();
        return bindings.equals(List.of(SEARCH))
                ? handler
                : BoundHandler.at(bindings, "/search/", handler);
    }

    private BulkFeed bulkFeed(
            ServedTypes types,
            SelectionFilter kept,
            DocumentSettings api,
            Function<Request, Principal> principals) {
        return new BulkFeed(
                types,
                documents,
                kept,
                documents,
                principals,
                bulkAdmission,
                api.timeout(),
                metrics.registry());
    }

    /** Returns the container's own state, or that of the nodes if it is worse. */
    private HealthState health() {
        HealthState own = health;
        if (own.code() == HealthState.Code.DOWN) {
            return own;
        }
        NodeHealth nodes = nodeHealth.get();
        if (nodes.failure().isPresent()) {
            return new HealthState(HealthState.Code.DOWN, nodes.failure().get());
        }
        return own.code() == HealthState.Code.UP && !nodes.problems().isEmpty()
                ? new HealthState(HealthState.Code.UP, String.join("; ", nodes.problems()))
                : own;
    }

    private HttpListener listen(int port, Optional<TlsSettings> tls) throws IOException {
        var operations =
                new Handler.Sequence(
                        new AccessHandler(
                                new Handler.Sequence(
                                        new StateHandler(
                                                this::health,
                                                this::generation,
                                                metrics,
                                                settings.version()),
                                        new StatusHandler(
                                                this::health,
                                                this::generation,
                                                this::bindings,
                                                settings.version()),
                                        new MetricsHandler(
                                                this::health, () -> clusters, metrics, host)),
                                settings.access(),
                                OperatorDemands::of),
                        new GenerationHandler(active),
                        new NotFoundHandler());
        HttpSettings http = settings.http();
        return HttpListener.start(
                http.at(http.address(), tls).withPort(port),
                operations,
                Container::isSearch,
                () -> browsers,
                new AccessLog(),
                metrics.registry());
    }

    private static boolean isSearch(Request request) {
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

    private List<StatusHandler.Binding> bindings() {
        return List.of(
                new StatusHandler.Binding(
                        "org.crabro.container.document.DocumentV1ApiHandler", documentPaths),
                new StatusHandler.Binding("org.crabro.container.search.SearchHandler", searchPaths),
                new StatusHandler.Binding(StateHandler.class.getName(), List.of("/state/v1/*")),
                new StatusHandler.Binding(
                        MetricsHandler.class.getName(), List.of("/metrics/*", "/prometheus/*")));
    }

    private static List<String> searchPaths(ApplicationModel model) {
        List<String> paths =
                model.services().containers().stream()
                        .flatMap(cluster -> cluster.searchPaths().stream())
                        .map(ServedPath::pattern)
                        .distinct()
                        .toList();
        return paths.isEmpty() ? List.of(SEARCH.pattern()) : paths;
    }

    private static List<String> documentPaths(ApplicationModel model) {
        List<String> roots =
                model.services().containers().stream()
                        .flatMap(cluster -> cluster.documentApi().stream())
                        .flatMap(api -> api.roots().stream())
                        .map(ServedPath::pattern)
                        .distinct()
                        .toList();
        return (roots.isEmpty() ? List.of("/") : roots)
                .stream().map(root -> root + "document/v1/*").toList();
    }

    private static ClusterNames names(Services services) {
        return new ClusterNames(
                only(services.containers().stream().map(ContainerCluster::id).toList()),
                only(services.contents().stream().map(ContentCluster::id).toList()));
    }

    private static Optional<String> only(List<String> names) {
        return names.size() == 1 ? Optional.of(names.getFirst()) : Optional.empty();
    }

    /**
     * Lets models and components go on a thread of its own: the last request of a generation does
     * it otherwise, and others wait for the processor that it is on.
     */
    private static void letGo(
            Collection<LateEmbedder> embedders, RankModels ranking, PackageComponents components) {
        if (!embedders.isEmpty() || !components.isEmpty() || !ranking.isEmpty()) {
            Thread.ofPlatform()
                    .name("letting-go")
                    .start(() -> {
                        components.close();
                        ranking.retire();
                        embedders.forEach(LateEmbedder::close);
                    });
        }
    }

    private static void loadAndTell(String id, LateEmbedder embedder) {
        try {
            embedder.load();
        } catch (RuntimeException e) {
            // Requests that need it are told the same; the process serves all others.
            LOG.error("the model of component {} cannot be loaded", id, e);
        }
    }
}
