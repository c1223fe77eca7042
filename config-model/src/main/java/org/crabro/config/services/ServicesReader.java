package org.crabro.config.services;

import java.nio.file.Path;
import java.util.HashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.function.Function;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.crabro.config.application.ApplicationFiles;
import org.crabro.config.application.ApplicationName;
import org.crabro.config.application.Findings;
import org.crabro.config.application.XmlElement;
import org.crabro.config.component.ComponentCheck;
import org.crabro.config.component.PackageJars;

/** Reads services.xml. Problems are reported with their place and the lines around it. */
public final class ServicesReader {
    /** Its path in a package. */
    public static final String PATH = "services.xml";

    private static final Outline OUTLINE = Outline.read("services.outline");

    /** The possible root elements: all services, or a single cluster. */
    private static final Set<String> SECTIONS = Set.of("container", "content", "admin");

    private final ApplicationFiles files;
    private final Set<String> schemas;
    private final Optional<Hosts> hosts;
    private final DocumentPlaces places;
    private final Findings findings;

    private ServicesReader(
            ApplicationFiles files,
            Set<String> schemas,
            Optional<Hosts> hosts,
            DocumentPlaces places,
            Findings findings) {
        this.files = files;
        this.schemas = Set.copyOf(schemas);
        this.hosts = hosts;
        this.places = places;
        this.findings = findings;
    }

    /**
     * Returns the clusters of a package; empty if services.xml cannot be read, which is reported.
     *
     * @param schemas the names of all schemas of the package
     * @param name of the application
     * @param places receives the places of document types
     */
    public static Optional<Services> read(
            ApplicationFiles files,
            Set<String> schemas,
            ApplicationName name,
            DocumentPlaces places,
            Findings findings) {
        Optional<Hosts> hosts = Hosts.read(files, name, findings);
        if (!files.paths().contains(PATH)) {
            findings.problem(missing(files));
            return Optional.empty();
        }
        return XmlPreprocessor.read(
                        files, PATH, name, findings, SECTIONS, parts -> checkForm(parts, findings))
                .flatMap(root -> {
                    hosts.ifPresent(declared -> declared.check(root));
                    return new ServicesReader(files, schemas, hosts, places, findings)
                            .services(new ChainFiles(files, findings).in(root));
                });
    }

    /** Checks the form of a file. Of an incomplete file only the form of its parts is checked. */
    private static void checkForm(XmlElement root, Findings findings) {
        if (root.name().equals("services")) {
            OUTLINE.check(root.name(), root, findings);
        } else if (SECTIONS.contains(root.name()) && root.file().isWhole()) {
            OUTLINE.check("&" + root.name(), root, findings);
        }
    }

    private static Set<String> clusterIds(XmlElement root) {
        return Stream.concat(
                        root.children("container").stream().map(ContainerReader::id),
                        root.children("content").stream().map(ContentReader::id))
                .collect(Collectors.toSet());
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
        boolean isWhole = root.name().equals("services");
        if (!isWhole && !SECTIONS.contains(root.name())) {
            problem(
                    root,
                    "expected services, container, content or admin, but found '%s'"
                            .formatted(root.name()));
            return Optional.empty();
        }
        OUTLINE.check(isWhole ? root.name() : "&" + root.name(), root, findings);
        ConfigDefinitions definitions = ConfigDefinitions.read(files, findings);
        ConfigElements.check(root, definitions);
        var configUse = new ConfigUse(definitions);
        if (isWhole) {
            checkVersion(root);
            checkLegacy(root);
            RoutingCheck.check(root.children("routing"), clusterIds(root));
        }
        List<XmlElement> clusters = isWhole ? root.children() : List.of(root);
        List<XmlElement> containers = named("container", clusters);
        List<XmlElement> contents = named("content", clusters);
        checkIds(containers, ContainerReader::id);
        checkIds(contents, ContentReader::id);
        PackageJars jars = PackageJars.read(files, findings);
        List<XmlElement> around = isWhole ? List.of(root) : List.of();
        var containerReader =
                new ContainerReader(
                        files,
                        hosts,
                        new ComponentCheck(jars),
                        configUse,
                        new ContainerReader.Surroundings(around, ids(contents)),
                        findings);
        List<ContainerCluster> read = containerReader.containers(containers);
        configUse.warn(root, containers, findings);
        var tokenReader = new SpecialTokensReader(findings);
        var contentReader =
                new ContentReader(schemas, containerReader.indexing(), places, around, findings);
        return Optional.of(
                new Services(
                        read,
                        contents.stream().map(contentReader::content).toList(),
                        jars.locations(),
                        new TopologyReader(hosts)
                                .topology(named("admin", clusters), containers, contents),
                        tokenReader.tokens(around, containers),
                        files.location("services.xml").map(Path::getParent)));
    }

    private static List<XmlElement> named(String name, List<XmlElement> elements) {
        return elements.stream().filter(element -> element.name().equals(name)).toList();
    }

    private static Set<String> ids(List<XmlElement> contents) {
        return contents.stream()
                .map(ContentReader::id)
                .collect(Collectors.toCollection(LinkedHashSet::new));
    }

    private static void checkLegacy(XmlElement services) {
        for (XmlElement legacy : services.children("legacy")) {
            for (XmlElement positions : legacy.children("v7-geo-positions")) {
                if (positions.text().equals("true")) {
                    problem(
                            positions,
                            "v7-geo-positions true is not supported: documents show positions as"
                                    + " latitude and longitude");
                }
            }
        }
    }

    private static void checkVersion(XmlElement services) {
        String attribute = "minimum-required-vespa-version";
        Optional<String> version = services.attribute(attribute);
        if (version.isEmpty()) {
            return;
        }
        if (!CompatibilityLevel.isVersion(version.get())) {
            services.file()
                    .problem(
                            services,
                            attribute,
                            "expected a version such as 8.600.1, but found '"
                                    + version.get()
                                    + "'");
        } else if (!CompatibilityLevel.satisfies(version.get())) {
            services.file()
                    .problem(
                            services,
                            attribute,
                            "the package requires version %s or newer; packages up to %s are supported"
                                    .formatted(version.get(), CompatibilityLevel.text()));
        }
    }

    private static void checkIds(List<XmlElement> clusters, Function<XmlElement, String> id) {
        Map<String, XmlElement> seen = new HashMap<>();
        for (XmlElement cluster : clusters) {
            XmlElement first = seen.putIfAbsent(id.apply(cluster), cluster);
            if (first != null) {
                problem(
                        cluster,
                        "%s '%s' is declared twice; the first is at %s"
                                .formatted(
                                        cluster.name(),
                                        id.apply(cluster),
                                        cluster.file().seen(first)));
            }
        }
    }

    private static void problem(XmlElement element, String problem) {
        element.file().problem(element, problem);
    }
}
