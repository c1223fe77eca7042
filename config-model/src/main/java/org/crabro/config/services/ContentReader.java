package org.crabro.config.services;

import java.time.Duration;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Optional;
import java.util.OptionalDouble;
import java.util.OptionalInt;
import java.util.Set;
import org.crabro.config.application.Findings;
import org.crabro.config.application.XmlElement;
import org.crabro.config.services.ContentCluster.ClusterDocument;
import org.crabro.config.services.ContentCluster.QueryDefaults;
import org.crabro.config.services.ContentCluster.ResourceLimits;

/** Reads the content clusters of services.xml, whose form was already checked. */
final class ContentReader {
    private final Findings findings;
    private final DocumentsReader documents;
    private final List<XmlElement> configs;

    /**
     * @param containers that may run indexing scripts
     * @param configs elements with configs for all clusters
     */
    ContentReader(
            Set<String> schemas,
            List<IndexingContainer> containers,
            DocumentPlaces places,
            List<XmlElement> configs,
            Findings findings) {
        this.findings = findings;
        this.configs = List.copyOf(configs);
        this.documents = new DocumentsReader(schemas, containers, places, findings);
    }

    static String id(XmlElement content) {
        return content.attribute("id").orElse("content");
    }

    ContentCluster content(XmlElement element) {
        String id = id(element);
        checkRedundancy(element, id);
        new NodesReader(findings).contents(element, id);
        var types = new ArrayList<ClusterDocument>();
        if (element.children("documents").isEmpty()) {
            problem(element, "content '" + id + "' needs documents");
        }
        for (XmlElement child : element.children("documents")) {
            types.addAll(documents.documents(id, child));
        }
        Optional<Duration> expiry =
                element.children("documents").stream()
                        .flatMap(child -> DocumentsReader.expiry(child).stream())
                        .min(Comparator.naturalOrder());
        return new ContentCluster(
                id,
                types,
                limits(element),
                new QueryDefaults(
                        queryTimeout(element),
                        new SnippetReader(findings).rules(configs, element),
                        hitsPerNode(element)),
                expiry,
                element.children("documents").stream()
                        .flatMap(child -> documents.processedBy(child).stream())
                        .findFirst());
    }

    private static Optional<Duration> queryTimeout(XmlElement content) {
        return content.children("search").stream()
                .flatMap(search -> search.children("query-timeout").stream())
                .flatMap(timeout -> TextForm.seconds(timeout.text()).stream())
                .filter(timeout -> !timeout.isZero())
                .findFirst();
    }

    private static OptionalInt hitsPerNode(XmlElement content) {
        return content.children("tuning").stream()
                .flatMap(tuning -> tuning.children("dispatch").stream())
                .flatMap(dispatch -> dispatch.children("max-hits-per-partition").stream())
                .map(XmlElement::text)
                .filter(text -> text.matches("[0-9]{1,9}"))
                .mapToInt(Integer::parseInt)
                .findFirst();
    }

    /** They can be in the engine or in the tuning. The tuning has precedence. */
    private ResourceLimits limits(XmlElement content) {
        var elements = new ArrayList<XmlElement>();
        for (XmlElement tuning : content.children("tuning")) {
            elements.addAll(tuning.children("resource-limits"));
        }
        for (XmlElement engine : content.children("engine")) {
            engine.children("proton")
                    .forEach(proton -> elements.addAll(proton.children("resource-limits")));
        }
        return new ResourceLimits(
                share(elements, "disk"), share(elements, "memory"), documentBytes(content));
    }

    private OptionalInt documentBytes(XmlElement content) {
        for (XmlElement tuning : content.children("tuning")) {
            for (XmlElement size : tuning.children("max-document-size")) {
                long bytes = TextForm.bytes(size.text()).orElse(0);
                if (bytes > ResourceLimits.DOCUMENT_BYTES_MAX
                        && bytes <= ContainerReader.SIZE_MAX) {
                    problem(
                            size,
                            "max-document-size: documents are stored of up to %d MiB, as a message has at most 256 MiB"
                                    .formatted(ResourceLimits.DOCUMENT_BYTES_MAX >> 20));
                } else if (bytes > 0) {
                    return OptionalInt.of((int) bytes);
                }
            }
        }
        return OptionalInt.empty();
    }

    private static OptionalDouble share(List<XmlElement> limits, String resource) {
        return limits.stream()
                .flatMap(each -> each.children(resource).stream())
                .map(XmlElement::text)
                .filter(text -> text.matches("[0-9]{1,9}(\\.[0-9]{1,17})?"))
                .mapToDouble(Double::parseDouble)
                .filter(share -> share > 0 && share <= 1)
                .findFirst();
    }

    private void checkRedundancy(XmlElement content, String id) {
        var elements = new ArrayList<>(content.children("redundancy"));
        elements.addAll(content.children("min-redundancy"));
        if (elements.isEmpty()) {
            problem(
                    content,
                    "content '" + id + "' needs min-redundancy, as in <min-redundancy>1<...");
            return;
        }
        checkSearchableCopies(content, id, NodesReader.copies(content));
    }

    private static void checkSearchableCopies(XmlElement content, String id, int copies) {
        for (XmlElement engine : content.children("engine")) {
            for (XmlElement proton : engine.children("proton")) {
                for (XmlElement searchable : proton.children("searchable-copies")) {
                    boolean isNumber = searchable.text().matches("[0-9]{1,5}");
                    if (isNumber && copies > 0 && Integer.parseInt(searchable.text()) > copies) {
                        problem(
                                searchable,
                                "content '%s': searchable-copies %s is above redundancy %d"
                                        .formatted(id, searchable.text(), copies));
                    }
                }
            }
        }
    }

    private static void problem(XmlElement element, String problem) {
        element.file().problem(element, problem);
    }
}
