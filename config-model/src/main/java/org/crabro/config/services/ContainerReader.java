package org.crabro.config.services;

import java.time.Duration;
import java.util.ArrayList;
import java.util.Collections;
import java.util.HashMap;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.OptionalLong;
import java.util.Set;
import java.util.TreeSet;
import org.crabro.config.application.ApplicationFiles;
import org.crabro.config.application.Findings;
import org.crabro.config.application.XmlElement;
import org.crabro.config.component.ComponentCheck;
import org.crabro.config.component.ComponentKind;
import org.crabro.config.component.OwnComponents;
import org.crabro.config.component.OwnComponents.Binding;
import org.crabro.config.component.OwnComponents.Chain;
import org.crabro.config.component.SearchChains;
import org.crabro.config.services.ContainerCluster.DocumentApi;
import org.crabro.config.services.ContainerCluster.HttpAccess;
import org.crabro.config.services.ContainerCluster.HttpServer;
import org.crabro.config.services.ContainerCluster.SearchApi;
import org.crabro.ranking.significance.SignificanceModels;

/** Reads the container clusters of services.xml, whose form was already checked. */
final class ContainerReader {
    private static final int DEFAULT_PORT = 8080;
    private static final int PORT_MAX = 65_535;

    /** A larger size was already rejected. */
    static final long SIZE_MAX = 2_048L << 20;

    /** The phases of search chains, in their order. All come before the built-in searchers. */
    private static final List<String> SEARCH_PHASES =
            List.of("rawQuery", "transformedQuery", "blendedResult", "unblendedResult", "backend");

    /** The paths of built-in services, if the cluster has them. */
    private static final Set<String> SERVED =
            Set.of("/search/*", "/document/v1/*", "/model-evaluation/v1/*");

    private final Findings findings;
    private final ComponentCheck check;
    private final ConfigUse configUse;
    private final List<XmlElement> configs;
    private final Set<String> contents;
    private final ComponentReader components;
    private final SignificanceModelReader significances;
    private final NodesReader nodes;
    private final ClientReader clients;
    private final ModelApiReader models;
    private final HighlightTagsReader tags;
    private final List<IndexingContainer> indexing = new ArrayList<>();

    /** Without hosts.xml, every node is this machine, unless a number of nodes is requested. */
    private static final Set<String> HERE = Set.of("localhost");

    private final Optional<Hosts> hosts;

    /** The clusters that listen on a port, with their hosts. */
    private final Map<Integer, Map<String, String>> ports = new HashMap<>();

    private final List<SharedPort> sharedPorts = new ArrayList<>();

    /**
     * @param check checks the classes of the application
     * @param around the configs for all clusters, and the ids of the content clusters
     */
    ContainerReader(
            ApplicationFiles files,
            Optional<Hosts> hosts,
            ComponentCheck check,
            ConfigUse configUse,
            Surroundings around,
            Findings findings) {
        this.check = check;
        this.configUse = configUse;
        this.configs = around.configs;
        this.contents = around.contents;
        this.hosts = hosts;
        this.findings = findings;
        this.components = new ComponentReader(files, findings);
        this.significances = new SignificanceModelReader(files, findings);
        this.nodes = new NodesReader(findings);
        this.clients = new ClientReader(files, findings);
        this.models = new ModelApiReader(files, findings);
        this.tags = new HighlightTagsReader(findings);
    }

    /**
     * What container clusters refer to.
     *
     * @param configs the elements with configs for all clusters
     * @param contents the ids of the content clusters, in the order of services.xml
     */
    record Surroundings(List<XmlElement> configs, Set<String> contents) {
        Surroundings {
            configs = List.copyOf(configs);
            contents = Collections.unmodifiableSet(new LinkedHashSet<>(contents));
        }
    }

    static String id(XmlElement container) {
        return container.attribute("id").orElse("default");
    }

    List<ContainerCluster> containers(List<XmlElement> elements) {
        List<ContainerCluster> read = elements.stream().map(this::container).toList();
        Map<String, ContainerCluster> byId = new HashMap<>();
        read.forEach(cluster -> byId.putIfAbsent(cluster.id(), cluster));
        for (SharedPort port : sharedPorts) {
            port.check(
                    Objects.requireNonNull(byId.get(port.first())),
                    Objects.requireNonNull(byId.get(port.second())),
                    findings);
        }
        return read;
    }

    /** Returns the clusters that were read, as those see them that store documents. */
    List<IndexingContainer> indexing() {
        return List.copyOf(indexing);
    }

    private ContainerCluster container(XmlElement element) {
        String id = id(element);
        var around = new ArrayList<>(configs);
        around.add(element);
        var own = new OwnComponentReader(check, configUse, around, findings);
        SearchChains searchChains = SearchChains.NONE;
        Set<String> chainNames = new HashSet<>();
        var searchPaths = new ArrayList<ServedPath>();
        SignificanceModels significance = SignificanceModels.NONE;
        for (XmlElement search : element.children("search")) {
            significance = significance.overriddenBy(significances.models(search));
            searchPaths.addAll(BindingReader.paths(search));
            var sources = new SearchSources(search, contents, findings);
            ChainReader.Chains chains =
                    ChainReader.SEARCH.chains(
                            sources.section(), parts(own, search, sources), SEARCH_PHASES);
            checkNotEmpty(sources.section(), chains.inherited());
            SearchChains read = sources.chains(chains.inherited().keySet(), ordered(chains));
            chainNames.addAll(chains.inherited().keySet());
            chainNames.addAll(read.byId().keySet());
            searchChains = searchChains.plus(read);
        }
        Map<String, Set<String>> inherited = new LinkedHashMap<>();
        Map<String, Chain> documentChains = new LinkedHashMap<>();
        for (XmlElement processing : element.children("document-processing")) {
            ChainReader.Chains chains =
                    ChainReader.DOCUMENTS.chains(
                            processing,
                            parts(own, ComponentKind.DOCUMENT_PROCESSOR, processing),
                            List.of());
            inherited.putAll(chains.inherited());
            Map<String, Chain> ordered = new LinkedHashMap<>(ordered(chains));
            // No own parts: the same as the built-in chain.
            ordered.values().removeIf(Chain.BUILT_IN::equals);
            documentChains.putAll(ordered);
        }
        var tools = new ArrayList<Binding>();
        Map<String, List<Binding>> bindings = handlers(element, own, tools);
        nodes.containers(element);
        boolean hasSearch = !element.children("search").isEmpty();
        indexing.add(
                new IndexingContainer(
                        id,
                        !element.children("document-processing").isEmpty(),
                        hasSearch,
                        inherited));
        List<EmbedderComponent> embedders =
                components.embedders(
                        element, component -> own.add(component, ComponentKind.COMPONENT));
        own.checkConstructors();
        return new ContainerCluster(
                id,
                hasSearch
                        ? Optional.of(
                                new SearchApi(
                                        chainNames,
                                        searchPaths,
                                        significance,
                                        tags.tags(withSearch(around, element))))
                        : Optional.empty(),
                element.children("document-api").stream().findFirst().map(this::documentApi),
                new HttpAccess(servers(element, id), clients.read(element)),
                new ClusterModels(embedders, models.read(element)),
                new OwnComponents(
                        own.components(),
                        searchChains,
                        documentChains,
                        bindings,
                        own.generators(),
                        tools));
    }

    private static List<XmlElement> withSearch(List<XmlElement> around, XmlElement container) {
        var all = new ArrayList<>(around);
        all.addAll(container.children("search"));
        return all;
    }

    private static ChainReader.OwnParts parts(
            OwnComponentReader own, XmlElement search, SearchSources sources) {
        return (component, chain) -> {
            var around = new ArrayList<>(List.of(search));
            chain.map(sources::around).ifPresent(around::addAll);
            own.add(
                    component,
                    ComponentKind.SEARCHER,
                    chain.flatMap(each -> each.attribute("id")).orElse(""),
                    around);
        };
    }

    private static ChainReader.OwnParts parts(
            OwnComponentReader own, ComponentKind kind, XmlElement section) {
        return (component, chain) ->
                own.add(
                        component,
                        kind,
                        chain.flatMap(each -> each.attribute("id")).orElse(""),
                        chain.map(each -> List.of(section, each)).orElse(List.of(section)));
    }

    /** Broken chains cannot be sorted. Their problems have been reported. */
    private Map<String, Chain> ordered(ChainReader.Chains chains) {
        if (findings.hasProblems()) {
            return Map.of();
        }
        return chains.order().ordered();
    }

    /**
     * @param tools gets the addresses of the server's tools for language models
     */
    private Map<String, List<Binding>> handlers(
            XmlElement container, OwnComponentReader own, List<Binding> tools) {
        Map<String, List<Binding>> bindings = new LinkedHashMap<>();
        Map<ServedPath, String> taken = new HashMap<>();
        for (XmlElement handler : container.children("handler")) {
            String id = handler.attribute("id").orElse("");
            if (isAnswered(handler)) {
                continue;
            }
            List<ServedPath> paths = BindingReader.handlerPaths(handler);
            for (ServedPath path : paths) {
                String other = taken.putIfAbsent(path, id);
                if (other != null) {
                    problem(
                            handler,
                            "handler '%s' is bound to %s, and so is '%s'"
                                    .formatted(id, path.pattern(), other));
                } else if (SERVED.contains(path.pattern())) {
                    findings.inform(
                            "%s: handler '%s' answers %s in place of the server"
                                    .formatted(handler.file().place(handler), id, path.pattern()));
                }
            }
            if (id.isEmpty()) {
                continue;
            }
            List<Binding> addresses =
                    paths.stream()
                            .map(path ->
                                    new Binding(path.host(), path.port().orElse(0), path.pattern()))
                            .toList();
            if (check.isTools(handler.attribute("class").orElse(id))) {
                tools.addAll(addresses);
            } else {
                own.add(handler, ComponentKind.HANDLER);
                bindings.put(id, addresses);
            }
        }
        return bindings;
    }

    /**
     * Warns of a handler of Vespa whose requests the server answers itself, at the same path.
     *
     * @return whether it is one
     */
    private boolean isAnswered(XmlElement handler) {
        String name = handler.attribute("class").or(() -> handler.attribute("id")).orElse("");
        Optional<String> path = check.answeredPath(name);
        boolean isThere =
                path.isPresent()
                        && handler.children("binding").stream()
                                .map(XmlElement::text)
                                .allMatch(binding -> isAt(binding, path.get()));
        if (isThere) {
            findings.warn(
                    "%s: %s is left out: the server answers %s itself"
                            .formatted(handler.file().place(handler), name, path.get()));
        }
        return isThere;
    }

    /** Returns whether a binding is a path, or everything below it. */
    private static boolean isAt(String binding, String path) {
        int end = binding.endsWith("*") ? binding.length() - 1 : binding.length();
        int host = binding.indexOf("//");
        int start = host < 0 ? -1 : binding.indexOf('/', host + 2);
        if (start < 0) {
            return false;
        }
        String bound = binding.substring(start, end);
        return bound.equals(path) || bound.equals(path + "/");
    }

    private static void checkNotEmpty(XmlElement search, Map<String, Set<String>> inherited) {
        Map<String, XmlElement> chains = new HashMap<>();
        search.children()
                .forEach(chain -> chains.putIfAbsent(chain.attribute("id").orElse(""), chain));
        for (XmlElement chain : search.children()) {
            String id = chain.attribute("id").orElse("");
            Set<String> parents = inherited.get(id);
            if (parents != null
                    && chain.equals(chains.get(id))
                    && chains.keySet().containsAll(parents)
                    && isEmpty(chain)
                    && parents.stream().map(chains::get).allMatch(ContainerReader::isEmpty)) {
                // It inherits neither of the chains that search content clusters.
                problem(
                        chain,
                        chain.name().equals("provider")
                                ? "provider '%s' would find nothing: it has no searcher; a provider that searches a content cluster has type=\"local\" and its cluster"
                                        .formatted(id)
                                : "chain '%s' would find nothing: it has no searcher; inherit vespa"
                                        .formatted(id));
            }
        }
    }

    private static boolean isEmpty(XmlElement chain) {
        return chain.children("searcher").isEmpty()
                && chain.children(ChainReader.FEDERATION).isEmpty()
                && chain.attribute("searchers").orElse("").isBlank()
                && chain.attribute("type").isEmpty();
    }

    private DocumentApi documentApi(XmlElement api) {
        List<ServedPath> roots = BindingReader.documentRoots(api);
        OptionalLong size =
                text(api, "max-document-size").map(TextForm::bytes).orElse(OptionalLong.empty());
        Optional<Duration> timeout =
                text(api, "timeout").flatMap(TextForm::seconds).filter(each -> !each.isZero());
        return new DocumentApi(
                text(api, "ignore-undefined-fields").equals(Optional.of("true")),
                size,
                timeout,
                roots);
    }

    private static Optional<String> text(XmlElement parent, String name) {
        return parent.children(name).stream().findFirst().map(XmlElement::text);
    }

    private List<HttpServer> servers(XmlElement container, String cluster) {
        List<XmlElement> https = container.children("http");
        if (https.isEmpty()) {
            listen(container, container, cluster, DEFAULT_PORT);
            return List.of(HttpServer.DEFAULT);
        }
        var servers = new ArrayList<HttpServer>();
        Map<String, XmlElement> ids = new HashMap<>();
        for (XmlElement http : https) {
            new FilterReader(findings).check(http);
            if (http.children("server").isEmpty()) {
                findings.warn(
                        "%s: http without a server: container '%s' answers no requests"
                                .formatted(http.file().place(http), cluster));
            }
            for (XmlElement server : http.children("server")) {
                XmlElement first = ids.putIfAbsent(server.attribute("id").orElse(""), server);
                if (first != null) {
                    server.file()
                            .problem(
                                    server,
                                    "id",
                                    "server '%s' is declared twice; the first is at %s"
                                            .formatted(
                                                    server.attribute("id").orElse(""),
                                                    server.file().seen(first)));
                }
                OptionalInt port = port(server);
                if (port.isPresent() || server.attribute("port").isEmpty()) {
                    listen(server, container, cluster, port.orElse(DEFAULT_PORT));
                }
                servers.add(
                        new HttpServer(
                                port,
                                server.children("ssl").stream()
                                        .findFirst()
                                        .flatMap(TlsReader::read)));
            }
        }
        return servers;
    }

    /**
     * Records that a cluster listens on a port. Reports it if another cluster does on one of its
     * hosts.
     *
     * @param element that has the port
     */
    private void listen(XmlElement element, XmlElement container, String cluster, int port) {
        Map<String, String> others = ports.computeIfAbsent(port, _ -> new HashMap<>());
        List<String> elsewhere = others.values().stream().sorted().distinct().toList();
        Optional<String> other = Optional.empty();
        Optional<String> shared = Optional.empty();
        for (String host : hosts(container)) {
            if (other.isEmpty() && others.containsKey(host)) {
                other = Optional.of(others.get(host));
                shared = hosts.map(_ -> " of host '" + host + "'");
            }
            others.putIfAbsent(host, cluster);
        }
        String example = "<http><server id=\"default\" port=\"%d\"/></http>".formatted(free());
        if (other.isEmpty()) {
            elsewhere.stream()
                    .findFirst()
                    .ifPresent(first ->
                            findings.warn(
                                    "%s: containers '%s' and '%s' have hosts of their own; here, one process"
                                                    .formatted(
                                                            element.file().place(element),
                                                            first,
                                                            cluster)
                                            + " answers for both at port %d".formatted(port)));
            for (String first : elsewhere) {
                sharedPorts.add(new SharedPort(element, first, cluster, port, example));
            }
            return;
        }
        problem(
                element,
                other.get().equals(cluster)
                        ? "container '%s' listens on port %d%s twice; give a server another, as in %s"
                                .formatted(cluster, port, shared.orElse(""), example)
                        : "containers '%s' and '%s' both listen on port %d%s; give one of them another, as in %s"
                                .formatted(other.get(), cluster, port, shared.orElse(""), example));
    }

    private Set<String> hosts(XmlElement container) {
        var addresses = new TreeSet<String>();
        if (hosts.isPresent()) {
            for (XmlElement nodes : container.children("nodes")) {
                for (XmlElement node : nodes.children("node")) {
                    node.attribute("hostalias").map(hosts.get()::name).ifPresent(addresses::add);
                }
            }
        }
        boolean isCounted =
                container.children("nodes").stream()
                        .anyMatch(nodes -> nodes.attribute("count").isPresent());
        if (addresses.isEmpty() && isCounted && hosts.isEmpty()) {
            return Set.of("nodes of " + id(container));
        }
        return addresses.isEmpty() ? HERE : addresses;
    }

    private int free() {
        int port = DEFAULT_PORT;
        while (ports.containsKey(port)) {
            port++;
        }
        return port;
    }

    private static OptionalInt port(XmlElement server) {
        String text = server.attribute("port").orElse("");
        int port = text.matches("[0-9]{1,5}") ? Integer.parseInt(text) : 0;
        return port < 1 || port > PORT_MAX ? OptionalInt.empty() : OptionalInt.of(port);
    }

    private static void problem(XmlElement element, String problem) {
        element.file().problem(element, problem);
    }
}
