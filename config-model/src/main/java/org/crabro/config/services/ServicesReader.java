package org.crabro.config.services;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import org.crabro.config.application.ApplicationFiles;
import org.crabro.config.application.ElementRules;
import org.crabro.config.application.Findings;
import org.crabro.config.application.XmlElement;
import org.crabro.config.application.XmlText;
import org.crabro.config.services.ContentCluster.Mode;

/** Reads services.xml. What is wrong in it is reported with its place and the lines around it. */
public final class ServicesReader {
    /** Where it stands in a package. */
    public static final String PATH = "services.xml";

    private final XmlText xml;
    private final Findings findings;
    private final ContainerReader containerReader;
    private final ContentReader contentReader;

    private ServicesReader(
            XmlText xml, ApplicationFiles files, Set<String> schemas, Findings findings) {
        this.xml = xml;
        this.findings = findings;
        this.containerReader = new ContainerReader(xml, files, findings);
        this.contentReader = new ContentReader(xml, schemas, findings);
    }

    /**
     * Returns the clusters that {@code files} ask for, or nothing after it was reported why they
     * cannot be read.
     *
     * @param schemas the names of all schemas of the package
     */
    public static Optional<Services> read(
            ApplicationFiles files, Set<String> schemas, Findings findings) {
        Optional<Hosts> hosts = Hosts.read(files, findings);
        if (!files.paths().contains(PATH)) {
            findings.problem(missing(files));
            return Optional.empty();
        }
        return XmlPreprocessor.read(files, PATH, findings)
                .flatMap(root -> {
                    hosts.ifPresent(known -> known.check(root));
                    return new ServicesReader(root.file(), files, schemas, findings).services(root);
                });
    }

    private static String missing(ApplicationFiles files) {
        String hint =
                files.paths().stream()
                        .filter(path -> path.endsWith("/" + PATH))
                        .findFirst()
                        .map(path -> "; there is " + path + ": pack the content of its directory")
                        .orElse("");
        return "services.xml: missing in the root of the package, where it is required" + hint;
    }

    private Optional<Services> services(XmlElement root) {
        List<XmlElement> clusters;
        switch (root.name()) {
            case "services" -> {
                new ElementRules("version", "minimum-required-vespa-version")
                        .reads("container", "content")
                        .ignores("admin", "routing")
                        .leavesOut("config")
                        .check(root, xml, findings);
                checkVersion(root);
                clusters = root.children();
            }
            case "container", "content", "admin" -> clusters = List.of(root);
            default -> {
                xml.problem(
                        root,
                        "expected services, container, content or admin, but found '%s'"
                                .formatted(root.name()));
                return Optional.empty();
            }
        }
        checkIds(clusters);
        List<XmlElement> containers = named("container", clusters);
        var containerIds = containers.stream().map(ContainerReader::id).toList();
        return Optional.of(
                new Services(
                        containerReader.containers(containers),
                        named("content", clusters).stream()
                                .map(content -> contentReader.content(content, containerIds))
                                .toList()));
    }

    private static List<XmlElement> named(String name, List<XmlElement> elements) {
        return elements.stream().filter(element -> element.name().equals(name)).toList();
    }

    private void checkVersion(XmlElement services) {
        String attribute = "minimum-required-vespa-version";
        Optional<String> version = services.attribute(attribute);
        if (version.isEmpty()) {
            return;
        }
        if (!version.get().matches("[0-9]{1,5}(\\.[0-9]{1,5}){0,2}")) {
            xml.problem(
                    services,
                    attribute,
                    "expected a version such as 8.600.1, but found '" + version.get() + "'");
        } else if (!CompatibilityLevel.satisfies(version.get())) {
            xml.problem(
                    services,
                    attribute,
                    "the package asks for version %s or newer; packages up to %s are understood"
                            .formatted(version.get(), CompatibilityLevel.text()));
        }
    }

    private void checkIds(List<XmlElement> clusters) {
        Map<String, XmlElement> seen = new HashMap<>();
        for (XmlElement cluster : clusters) {
            if (cluster.name().equals("container") || cluster.name().equals("content")) {
                if (cluster.attribute("version").isEmpty()) {
                    xml.problem(cluster, cluster.name() + " needs version=\"1.0\"");
                }
                String id = cluster.name() + " '" + cluster.attribute("id").orElse("default") + "'";
                XmlElement first = seen.putIfAbsent(id, cluster);
                if (first != null) {
                    xml.problem(
                            cluster,
                            "%s is there twice; the first is at line %d"
                                    .formatted(id, xml.line(first)));
                }
            }
        }
    }

    /** Checks the element {@code nodes} of a cluster. */
    static void checkNodes(XmlElement cluster, XmlText xml, Findings findings) {
        var hosts = new ArrayList<String>();
        int count = 0;
        for (XmlElement nodes : cluster.children("nodes")) {
            new ElementRules(
                            "count",
                            "exclusive",
                            "required",
                            "groups",
                            "group-size",
                            "docker-image",
                            "of",
                            "combined",
                            "type",
                            "jvmargs",
                            "preload",
                            "allocated-memory",
                            "cpu-socket-affinity")
                    .reads("node")
                    .ignores("jvm", "resources", "environment-variables")
                    .check(nodes, xml, findings);
            for (XmlElement node : nodes.children("node")) {
                count++;
                node.attribute("hostalias").ifPresent(hosts::add);
            }
        }
        if (count > 1) {
            findings.warn(
                    "%s: %d nodes are asked for; one process does all of it for now"
                            .formatted(xml.place(cluster), count));
        }
    }

    /** Returns what mode {@code text} names. */
    static Optional<Mode> mode(String text) {
        return switch (text) {
            case "index" -> Optional.of(Mode.INDEX);
            case "streaming" -> Optional.of(Mode.STREAMING);
            case "store-only" -> Optional.of(Mode.STORE_ONLY);
            default -> Optional.empty();
        };
    }
}
