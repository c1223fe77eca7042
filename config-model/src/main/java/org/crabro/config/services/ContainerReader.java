package org.crabro.config.services;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.Set;
import java.util.TreeSet;
import org.crabro.config.application.ApplicationFiles;
import org.crabro.config.application.ElementRules;
import org.crabro.config.application.Findings;
import org.crabro.config.application.NearestName;
import org.crabro.config.application.XmlElement;
import org.crabro.config.application.XmlText;

/** Reads the container clusters of services.xml. */
final class ContainerReader {
    private static final int DEFAULT_PORT = 8080;
    private static final int PORT_MAX = 65_535;

    private static final String HUGGING_FACE = "hugging-face-embedder";
    private static final Set<String> TYPES_NOT_BUILT =
            Set.of(
                    "bert-embedder",
                    "colbert-embedder",
                    "splade-embedder",
                    "hugging-face-tokenizer",
                    "openai-embedder",
                    "mistral-embedder",
                    "voyage-ai-embedder");

    /** Libraries that cut text into words, which is done here by one of our own. */
    private static final Set<String> LINGUISTICS =
            Set.of(
                    "com.yahoo.language.lucene.LuceneLinguistics",
                    "com.yahoo.language.opennlp.OpenNlpLinguistics",
                    "com.yahoo.language.simple.SimpleLinguistics");

    private final XmlText xml;
    private final ApplicationFiles files;
    private final Findings findings;

    ContainerReader(XmlText xml, ApplicationFiles files, Findings findings) {
        this.xml = xml;
        this.files = files;
        this.findings = findings;
    }

    static String id(XmlElement container) {
        return container.attribute("id").orElse("default");
    }

    List<ContainerCluster> containers(List<XmlElement> elements) {
        var clusters = new ArrayList<ContainerCluster>();
        Map<Integer, String> ports = new HashMap<>();
        for (XmlElement element : elements) {
            ContainerCluster cluster = container(element);
            clusters.add(cluster);
            int port = cluster.port().orElse(DEFAULT_PORT);
            String other = ports.putIfAbsent(port, cluster.id());
            if (other != null) {
                xml.problem(
                        element,
                        "containers '%s' and '%s' both listen on port %d; give one of them another,"
                                        .formatted(other, cluster.id(), port)
                                + " as in <http><server id=\"default\" port=\"%d\"/></http>"
                                        .formatted(free(ports)));
            }
        }
        return clusters;
    }

    private static int free(Map<Integer, String> taken) {
        int port = DEFAULT_PORT;
        while (taken.containsKey(port)) {
            port++;
        }
        return port;
    }

    private ContainerCluster container(XmlElement element) {
        new ElementRules("version", "id", "jetty")
                .reads(
                        "search",
                        "document-api",
                        "document-processing",
                        "component",
                        "components",
                        "http",
                        "nodes")
                .ignores(
                        "accesslog",
                        "client-authorize",
                        "clients",
                        "document",
                        "inference",
                        "secret-store",
                        "server",
                        "threadpool",
                        "zookeeper")
                .leavesOut("config", "model-evaluation", "secrets")
                .notBuilt("handler", "include", "processing")
                .check(element, xml, findings);
        element.children("search").forEach(this::checkSearch);
        element.children("document-api").forEach(this::checkDocumentApi);
        element.children("document-processing").forEach(this::checkDocumentProcessing);
        ServicesReader.checkNodes(element, xml, findings);
        return new ContainerCluster(
                id(element),
                !element.children("search").isEmpty(),
                !element.children("document-api").isEmpty(),
                port(element),
                embedders(element));
    }

    private void checkSearch(XmlElement search) {
        new ElementRules()
                .ignores("threadpool")
                .leavesOut("config", "federation", "provider", "significance")
                .notBuilt("binding", "chain", "include", "renderer", "searcher")
                .check(search, xml, findings);
    }

    private void checkDocumentApi(XmlElement api) {
        new ElementRules()
                .reads("ignore-undefined-fields", "max-document-size")
                .ignores(
                        "abortondocumenterror",
                        "http-client-api",
                        "maxpendingbytes",
                        "maxpendingdocs",
                        "mbusport",
                        "rest-api",
                        "retrydelay",
                        "retryenabled",
                        "route",
                        "timeout",
                        "tracelevel")
                .leavesOut("config")
                .notBuilt("binding")
                .check(api, xml, findings);
        for (XmlElement ignore : api.children("ignore-undefined-fields")) {
            if (ignore.text().equals("true")) {
                xml.problem(ignore, "ignore-undefined-fields is not built yet");
            }
        }
        for (XmlElement size : api.children("max-document-size")) {
            checkSize(size);
        }
    }

    private void checkSize(XmlElement size) {
        String text = size.text();
        boolean isSize = text.matches("[0-9]{1,10} ?(KiB|MiB|GiB|kiB)");
        if (!isSize) {
            xml.problem(
                    size,
                    "expected a size such as 100MiB, from 1MiB to 2048MiB, but found '"
                            + text
                            + "'");
            return;
        }
        findings.inform(xml.place(size) + ": max-document-size is not built yet: left out");
    }

    private void checkDocumentProcessing(XmlElement processing) {
        new ElementRules(
                        "compressdocuments",
                        "maxmessagesinqueue",
                        "maxqueuebytesize",
                        "maxqueuewait",
                        "maxconcurrentfactor",
                        "documentexpansionfactor",
                        "containercorememory",
                        "preferlocalnode")
                .ignores("threadpool")
                .leavesOut("config")
                .notBuilt("chain", "documentprocessor", "include")
                .check(processing, xml, findings);
    }

    private OptionalInt port(XmlElement container) {
        OptionalInt port = OptionalInt.empty();
        for (XmlElement http : container.children("http")) {
            new ElementRules()
                    .reads("server")
                    .leavesOut("config", "filtering")
                    .check(http, xml, findings);
            List<XmlElement> servers = http.children("server");
            if (servers.size() > 1) {
                xml.problem(servers.get(1), "a second server is not built yet");
            }
            if (servers.isEmpty()) {
                findings.warn(
                        xml.place(http)
                                + ": http without a server would serve nothing; it is served as"
                                + " usual");
            }
            for (XmlElement server : servers) {
                new ElementRules("id", "port")
                        .leavesOut("config")
                        .notBuilt("ssl", "ssl-provider")
                        .check(server, xml, findings);
                if (server.attribute("port").isPresent()) {
                    port = port(server, server.attribute("port").get());
                }
            }
        }
        return port;
    }

    private OptionalInt port(XmlElement server, String text) {
        int port = text.matches("[0-9]{1,5}") ? Integer.parseInt(text) : 0;
        if (port < 1 || port > PORT_MAX) {
            xml.problem(
                    server,
                    "port",
                    "expected a port from 1 to " + PORT_MAX + ", but found '" + text + "'");
            return OptionalInt.empty();
        }
        return OptionalInt.of(port);
    }

    private List<EmbedderComponent> embedders(XmlElement container) {
        var components = new ArrayList<>(container.children("component"));
        for (XmlElement group : container.children("components")) {
            new ElementRules().reads("component").notBuilt("include").check(group, xml, findings);
            components.addAll(group.children("component"));
        }
        var embedders = new ArrayList<EmbedderComponent>();
        var ids = new HashSet<String>();
        for (XmlElement component : components) {
            Optional<String> id = component.attribute("id");
            if (id.isEmpty()) {
                xml.problem(component, "component needs an id");
            } else if (!ids.add(id.get())) {
                xml.problem(component, "id", "component '" + id.get() + "' is there twice");
            } else {
                embedder(component, id.get()).ifPresent(embedders::add);
            }
        }
        return embedders;
    }

    private Optional<EmbedderComponent> embedder(XmlElement component, String id) {
        Optional<String> type = component.attribute("type");
        if (type.isEmpty()) {
            checkClass(component, id);
            return Optional.empty();
        }
        if (!type.get().equals(HUGGING_FACE)) {
            var known = new TreeSet<>(TYPES_NOT_BUILT);
            known.add(HUGGING_FACE);
            xml.problem(
                    component,
                    "type",
                    TYPES_NOT_BUILT.contains(type.get())
                            ? "component type " + type.get() + " is not built yet"
                            : "unknown component type '%s'; expected one of %s%s"
                                    .formatted(
                                            type.get(),
                                            String.join(", ", known),
                                            NearestName.hint(type.get(), known)));
            return Optional.empty();
        }
        return new EmbedderReader(xml, files, findings)
                .settings(component)
                .map(settings -> new EmbedderComponent(id, settings));
    }

    private void checkClass(XmlElement component, String id) {
        String name = component.attribute("class").orElse(id);
        if (LINGUISTICS.contains(name)) {
            findings.warn(
                    "%s: %s is left out: text is cut into words by Crabro's own tokenizer"
                            .formatted(xml.place(component), name));
        } else {
            xml.problem(
                    component,
                    "components of one's own are not built yet: class " + name + " cannot be used");
        }
    }
}
