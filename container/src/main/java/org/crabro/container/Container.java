package org.crabro.container;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.URI;
import java.nio.file.Path;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.Function;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.crabro.config.application.Notice;
import org.crabro.config.component.OwnComponents.Binding;
import org.crabro.config.deploy.ApplicationModel;
import org.crabro.config.services.ContainerCluster;
import org.crabro.config.services.ContainerCluster.HttpServer;
import org.crabro.container.access.AccessControl;
import org.crabro.container.access.AccessHandler;
import org.crabro.container.access.AccessHandler.Demand;
import org.crabro.container.access.PackageClients;
import org.crabro.container.access.Route;
import org.crabro.container.component.ComponentHandler;
import org.crabro.container.console.ContainerRequests;
import org.crabro.container.dispatch.ClusterDispatch;
import org.crabro.container.dispatch.ClusterView;
import org.crabro.container.dispatch.ContentClusters;
import org.crabro.container.http.AccessLog;
import org.crabro.container.http.BrowserRules;
import org.crabro.container.http.HttpListener;
import org.crabro.container.http.HttpSettings;
import org.crabro.container.http.MetricIntervals;
import org.crabro.container.http.TlsSettings;
import org.crabro.container.llm.LanguageModelMeters;
import org.crabro.container.llm.ModelCalls;
import org.crabro.container.llm.ModelComponents;
import org.crabro.container.mcp.McpHandler;
import org.crabro.container.mcp.ServerTools;
import org.crabro.container.model.ModelMeters;
import org.crabro.container.reindex.ReindexRegister;
import org.crabro.container.reindex.Reindexing;
import org.crabro.container.service.ServiceClient;
import org.crabro.container.trace.TracedRequests;
import org.crabro.container.trace.Traces;
import org.crabro.container.visit.Expiry;
import org.crabro.document.memory.RequestMemory;
import org.crabro.protocol.wire.Permission;
import org.crabro.protocol.wire.Principal;
import org.crabro.ranking.onnx.Embedder;
import org.crabro.ranking.onnx.EmbedderSettings;
import org.eclipse.jetty.server.Handler;
import org.eclipse.jetty.server.Request;

/**
 * The container role in one process: its ports, and the active application. Each container cluster
 * of an application answers at its own port. If the process was given a port, all clusters answer
 * there.
 *
 * <p>One thread at a time prepares and activates applications; many threads serve requests.
 *
 * <p>An activation replaces the ports, the handlers and the rules for browsers together.
 */
public final class Container implements AutoCloseable {
    private final ContainerSettings settings;
    private final Function<EmbedderSettings, Embedder> models;
    private final MetricIntervals metrics;
    private final Traces traces;
    private final ModelComponents builtIn;
    private final AtomicInteger rankModels = new AtomicInteger();
    private final QueryEmbeddings queryEmbeddings;
    private final ServiceClient services;
    private final ActiveGeneration active = new ActiveGeneration();
    private final RequestMemory memory;
    private final DocumentEndpoints documents;
    private final SearchEndpoints search;
    private final OperatorEndpoints operators;
    private final ModelMeters modelMeters;
    private final Expiry expiry;
    private final Reindexing reindexing;
    private final Listeners listeners;
    private final ServedPorts ports;

    /** The ports of the active application that messages to clients name. */
    private volatile Shown shown;

    /** The rules of the active application for requests of browsers. */
    private volatile BrowserRules browsers = BrowserRules.NONE;

    private Container(
            ContainerSettings settings,
            ContentClusters contents,
            Function<EmbedderSettings, Embedder> models,
            ReindexRegister register,
            MetricIntervals metrics,
            Traces traces)
            throws IOException {
        this.settings = settings;
        this.traces = traces;
        this.models = models;
        this.metrics = metrics;
        this.memory = new RequestMemory(settings.start().requests().memory());
        this.services = new ServiceClient(settings.start().services());
        this.queryEmbeddings =
                new QueryEmbeddings(settings.search().embeddingBytes(), metrics.registry());
        var calls =
                new ModelCalls(
                        settings.search().models(),
                        System::nanoTime,
                        new LanguageModelMeters(metrics.registry(), System::nanoTime));
        this.builtIn = new ModelComponents(calls, settings.start().services());
        var dispatch = new ClusterDispatch(contents, () -> ClusterView.ONE_NODE);
        this.documents = new DocumentEndpoints(settings, dispatch, metrics.registry());
        this.search =
                new SearchEndpoints(
                        settings,
                        dispatch.searches(),
                        this.documents::documents,
                        metrics.registry());
        this.operators =
                new OperatorEndpoints(settings, contents::health, this::generation, metrics);
        this.expiry = new Expiry(dispatch, InstantSource.system());
        this.reindexing =
                new Reindexing(
                        register,
                        new ActiveScripts(active),
                        dispatch,
                        InstantSource.system(),
                        metrics.registry());
        this.listeners =
                new Listeners(
                        settings.http().port(),
                        settings.http().tls(),
                        !settings.start().portGiven(),
                        this::listen);
        int port = listeners.ownPort();
        this.ports = new ServedPorts(settings, port);
        this.shown = new Shown(port, port);
        // They are listeners of the process until they are closed: nothing below can fail.
        this.modelMeters = ModelMeters.open(metrics.registry());
        expiry.start();
        reindexing.start();
    }

    /**
     * Opens the port, without spans.
     *
     * @throws IOException if the port cannot be opened
     */
    public static Container start(
            ContainerSettings settings,
            ContentClusters contents,
            Function<EmbedderSettings, Embedder> models,
            ReindexRegister register,
            MetricIntervals metrics)
            throws IOException {
        return start(settings, contents, models, register, metrics, Traces.NONE);
    }

    /**
     * Opens the port, and accepts connections; see {@link #open}. Until an application is
     * activated, requests for documents and queries get status 503.
     *
     * @throws IOException if the port cannot be opened
     */
    public static Container start(
            ContainerSettings settings,
            ContentClusters contents,
            Function<EmbedderSettings, Embedder> models,
            ReindexRegister register,
            MetricIntervals metrics,
            Traces traces)
            throws IOException {
        Container container = open(settings, contents, models, register, metrics, traces);
        container.accept();
        return container;
    }

    /**
     * Opens the port. If the port is taken and was not given to the process, opens any free port
     * until an application names others; see {@link #checkPort}. Connections wait until an
     * application is activated, or {@link #accept} is called.
     *
     * @param contents the nodes of the content clusters
     * @param models loads a model
     * @param register the document types that are to be reindexed
     * @param metrics shown to operators; not closed with this
     * @param traces of requests; not closed with this
     * @throws IOException if the port cannot be opened
     */
    public static Container open(
            ContainerSettings settings,
            ContentClusters contents,
            Function<EmbedderSettings, Embedder> models,
            ReindexRegister register,
            MetricIntervals metrics,
            Traces traces)
            throws IOException {
        return new Container(settings, contents, models, register, metrics, traces);
    }

    /** Accepts connections also if no application is active. */
    public void accept() {
        listeners.accept();
    }

    /**
     * Checks that the port was opened at the start. It may have been taken if the active
     * application names other ports.
     *
     * @throws IOException if it was not opened and no application is active
     */
    public void checkPort() throws IOException {
        listeners.check(active.number() != 0);
    }

    /** The first ports at which queries and documents are answered. */
    private record Shown(int search, int documents) {}

    /**
     * Returns the URL for queries: that of the first container cluster of the active application
     * that answers them.
     */
    public URI url() {
        return URI.create(listeners.at(shown.search).url());
    }

    /**
     * Returns the URL for documents: that of the first container cluster of the active application
     * that answers them.
     */
    public URI documentsUrl() {
        return URI.create(listeners.at(shown.documents).url());
    }

    /** Returns the port of a server of a package, once the package is active. */
    public int port(HttpServer server) {
        return ports.of(server);
    }

    /** Returns the handlers of requests that come in at another port of this process. */
    public ContainerRequests requests() {
        return new ContainerRequests(
                new TracedRequests(
                        new GenerationHandler(active, memory, _ -> shown.search), traces),
                new TracedRequests(
                        new GenerationHandler(active, memory, _ -> shown.documents), traces));
    }

    /** Returns the number of requests in progress at all ports. */
    public long requestsInProgress() {
        return listeners.requestsInProgress();
    }

    /** Returns the number of the active application, 0 for none. */
    public long generation() {
        return active.number();
    }

    /**
     * Returns an embedder for each one of the active application, by the id of its component. It
     * stays usable if the next application has an embedder with this id.
     */
    public Map<String, Embedder> embedders() {
        return active.acquire()
                .map(generation -> {
                    try {
                        return generation.embedders().keySet().stream()
                                .collect(
                                        Collectors.toMap(
                                                id -> id,
                                                id -> (Embedder) new ActiveEmbedder(active, id)));
                    } finally {
                        generation.release();
                    }
                })
                .orElse(Map.of());
    }

    /** Returns how many models are loaded for global phases, those of earlier generations too. */
    public int rankModels() {
        return rankModels.get();
    }

    /** An application that is built: to be activated or discarded. */
    public final class Prepared {
        private final Generation generation;
        private final Map<Integer, Optional<TlsSettings>> tls;
        private final ApplicationParts parts;
        private final List<Route> routes;

        private Prepared(
                Generation generation,
                Map<Integer, Optional<TlsSettings>> tls,
                ApplicationParts parts,
                List<Route> routes) {
            this.generation = generation;
            this.tls = tls;
            this.parts = parts;
            this.routes = routes;
        }

        /**
         * Serves new requests with the application from now on.
         *
         * @throws UncheckedIOException if the application names a port that cannot be opened; the
         *     old application stays active then
         * @throws IllegalArgumentException if a port cannot speak TLS with the given files; the old
         *     application stays active then
         */
        public void activate() {
            try {
                listeners.add(tls);
            } catch (IOException e) {
                throw new UncheckedIOException(e.getMessage(), e);
            }
            ApplicationModel model = parts.model();
            active.replaceWith(generation);
            expiry.serve(model);
            browsers = new BrowserRules(model.services().hostNames(), Set.of());
            operators.show(model, routes);
            listeners.accept();
            listeners.keep(tls.keySet());
            shown =
                    new Shown(
                            ports.first(model, cluster -> cluster.search().isPresent()),
                            ports.first(model, cluster -> cluster.documentApi().isPresent()));
        }

        /** Loads the models that are not loaded yet, on a thread of its own. */
        public void loadModels() {
            Thread.ofPlatform().daemon().name("models").start(parts::loadModels);
        }

        /** Closes the prepared parts. */
        public void discard() {
            generation.retire(() -> {});
        }
    }

    /**
     * Builds {@code model} while the active application serves requests.
     *
     * @param loadModels whether to load every model and to check its types; otherwise a model is
     *     loaded on first use, and its types were checked at deployment
     * @throws RuntimeException if a model cannot be loaded or used; nothing has changed then
     */
    public Prepared prepare(ApplicationModel model, boolean loadModels) {
        rejectComponents(model);
        ApplicationParts parts =
                ApplicationParts.make(
                        model,
                        new ApplicationParts.Models(
                                models, services, rankModels, queryEmbeddings, metrics.registry()),
                        loadModels,
                        builtIn);
        try {
            Map<Integer, Optional<TlsSettings>> tls = ports.tls(model);
            var handlers = new LinkedHashMap<Integer, AccessHandler>();
            ports.clusters(model)
                    .forEach((port, clusters) ->
                            handlers.put(
                                    port,
                                    handler(
                                            parts,
                                            clusters,
                                            tls.getOrDefault(port, Optional.empty()))));
            AccessHandler otherwise = handlers.values().iterator().next();
            // Before anything changes, so that the deployment reports a missing file.
            tls.values().forEach(each -> each.ifPresent(HttpListener::check));
            return new Prepared(
                    new Generation(
                            model.generation(),
                            // Requests that came in at a port that is closed since are served, too.
                            port -> handlers.getOrDefault(port, otherwise),
                            ScriptsOfTypes.of(
                                    model, parts.embedders(), parts.components().fieldGenerators()),
                            // Queries of the warm-up change neither the cache nor its metrics.
                            parts.uncached(),
                            parts::release),
                    tls,
                    parts,
                    handlers.values().stream()
                            .flatMap(handler -> handler.routes().stream())
                            .toList());
        } catch (RuntimeException e) {
            parts.close();
            throw e;
        }
    }

    private void rejectComponents(ApplicationModel model) {
        List<Path> jars = model.services().jars();
        if (!settings.start().allowsComponents() && !jars.isEmpty()) {
            throw new IllegalArgumentException(
                    "the package has components/%s, and this server loads no jars of packages, because of --no-components"
                            .formatted(jars.getFirst().getFileName()));
        }
    }

    /** Serves no application until one is activated; requests in progress are completed. */
    public void deactivate() {
        operators.showNothing();
        active.clear();
        expiry.stop();
        browsers = BrowserRules.NONE;
    }

    @Override
    public void close() {
        operators.showStopping();
        expiry.close();
        reindexing.close();
        listeners.close();
        documents.close();
        active.clear();
        modelMeters.close();
        services.close();
    }

    /**
     * Returns the parts of an application that have no effect in this process, or replace endpoints
     * of the server.
     */
    public List<Notice> notices(ApplicationModel model) {
        return Stream.concat(
                        ports.notices(model).stream(),
                        model.services().containers().stream()
                                .flatMap(cluster ->
                                        Stream.concat(
                                                ServedRoutes.notices(cluster).stream(),
                                                builtIn.notices(cluster).stream())))
                .toList();
    }

    private AccessHandler handler(
            ApplicationParts application,
            List<ContainerCluster> clusters,
            Optional<TlsSettings> tls) {
        Optional<PackageClients> clients =
                tls.isPresent() ? new ServedClients(clusters).atPort() : Optional.empty();
        Function<Request, Principal> principals =
                settings.start().access().isOpen() && clients.isEmpty()
                        ? _ -> Principal.EVERYONE
                        : AccessControl::principal;
        List<ComponentHandler> own =
                clusters.stream()
                        .flatMap(cluster ->
                                application.components().handlers(cluster, principals).stream())
                        .toList();
        Optional<DocumentEndpoints.Endpoint> stored =
                documents.endpoint(application, clusters, principals);
        Optional<SearchEndpoints.Endpoint> queries =
                search.endpoint(application, clusters, principals);
        var ends = new ArrayList<Route>();
        stored.ifPresent(endpoint -> ends.add(endpoint.route()));
        search.models(application, clusters).ifPresent(ends::add);
        queries.ifPresent(endpoint -> {
            ends.add(endpoint.route());
            ends.add(new SchemasHandler(application.model()).route());
            ends.add(documents.groups(application.model(), principals));
        });
        tools(application.model(), clusters, stored, queries).ifPresent(ends::add);
        return new AccessHandler(
                ServedRoutes.inOrder(own, clusters, ends), settings.start().access(), clients);
    }

    /** Returns the tools for language models, if one of the clusters has them. */
    private Optional<Route> tools(
            ApplicationModel model,
            List<ContainerCluster> clusters,
            Optional<DocumentEndpoints.Endpoint> stored,
            Optional<SearchEndpoints.Endpoint> queries) {
        List<Binding> bindings =
                clusters.stream().flatMap(cluster -> cluster.own().tools().stream()).toList();
        if (bindings.isEmpty()) {
            return Optional.empty();
        }
        var endpoints = new ArrayList<Handler>();
        stored.ifPresent(endpoint -> endpoints.add(endpoint.atRoot()));
        queries.ifPresent(endpoint -> endpoints.add(endpoint.atSearch()));
        var tools =
                new McpHandler(
                        new ServerTools(
                                new Handler.Sequence(endpoints),
                                model,
                                settings.start().version()));
        return Optional.of(
                new Route(
                        tools,
                        new Route.Paths(
                                bindings.stream().map(Binding::pattern).toList(),
                                false,
                                ComponentHandler.at(bindings)),
                        _ -> new Demand(Set.of(Permission.READ), tools)));
    }

    private HttpListener listen(int port, Optional<TlsSettings> tls) throws IOException {
        HttpSettings http = settings.http();
        return HttpListener.open(
                http.at(http.address(), tls).withPort(port),
                new TracedRequests(operators.before(new GenerationHandler(active, memory)), traces),
                SearchEndpoints::isSearch,
                () -> browsers,
                new AccessLog(settings.start().requests().areLogged()),
                metrics.registry());
    }
}
