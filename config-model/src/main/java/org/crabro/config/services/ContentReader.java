package org.crabro.config.services;

import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Optional;
import java.util.OptionalDouble;
import java.util.Set;
import java.util.TreeSet;
import org.crabro.config.application.ElementRules;
import org.crabro.config.application.Findings;
import org.crabro.config.application.NearestName;
import org.crabro.config.application.XmlElement;
import org.crabro.config.application.XmlText;
import org.crabro.config.services.ContentCluster.ClusterDocument;
import org.crabro.config.services.ContentCluster.Mode;
import org.crabro.config.services.ContentCluster.ResourceLimits;

/** Reads a content cluster of services.xml. */
final class ContentReader {
    private static final int REDUNDANCY_MAX = 65_534;

    private final XmlText xml;
    private final Set<String> schemas;
    private final Findings findings;

    ContentReader(XmlText xml, Set<String> schemas, Findings findings) {
        this.xml = xml;
        this.schemas = new TreeSet<>(schemas);
        this.findings = findings;
    }

    ContentCluster content(XmlElement element, List<String> containers) {
        String id = element.attribute("id").orElse("content");
        new ElementRules("version", "id")
                .reads("documents", "min-redundancy", "nodes", "redundancy", "tuning")
                .ignores("controllers", "coverage-policy", "dispatch", "engine", "search")
                .leavesOut("config")
                .notBuilt("group")
                .check(element, xml, findings);
        checkRedundancy(element, id);
        ServicesReader.checkNodes(element, xml, findings);
        checkKeys(element);
        var documents = new ArrayList<ClusterDocument>();
        if (element.children("documents").isEmpty()) {
            xml.problem(element, "content '" + id + "' needs documents");
        }
        for (XmlElement child : element.children("documents")) {
            documents.addAll(documents(child, containers));
        }
        return new ContentCluster(id, documents, limits(element));
    }

    private ResourceLimits limits(XmlElement content) {
        OptionalDouble disk = OptionalDouble.empty();
        OptionalDouble memory = OptionalDouble.empty();
        for (XmlElement tuning : content.children("tuning")) {
            new ElementRules()
                    .reads("resource-limits")
                    .ignores(
                            "bucket-splitting",
                            "cluster-controller",
                            "dispatch",
                            "distribution",
                            "maintenance",
                            "max-document-size",
                            "merges",
                            "min-node-ratio-per-group",
                            "persistence-threads",
                            "visitors")
                    .check(tuning, xml, findings);
            for (XmlElement limits : tuning.children("resource-limits")) {
                new ElementRules().reads("disk", "memory").check(limits, xml, findings);
                disk = share(limits, "disk", disk);
                memory = share(limits, "memory", memory);
            }
        }
        return new ResourceLimits(disk, memory);
    }

    private OptionalDouble share(XmlElement limits, String resource, OptionalDouble before) {
        OptionalDouble share = before;
        for (XmlElement element : limits.children(resource)) {
            String text = element.text();
            double value =
                    text.matches("[0-9]{1,9}(\\.[0-9]{1,17})?") ? Double.parseDouble(text) : 0;
            if (share.isPresent()) {
                xml.problem(element, "resource-limits/%s is there twice".formatted(resource));
            } else if (value > 0 && value <= 1) {
                share = OptionalDouble.of(value);
            } else {
                xml.problem(
                        element,
                        "expected a share above 0 and up to 1, as in <%s>0.8<..., but found '%s'"
                                .formatted(resource, text));
            }
        }
        return share;
    }

    private void checkRedundancy(XmlElement content, String id) {
        var found = new ArrayList<>(content.children("redundancy"));
        found.addAll(content.children("min-redundancy"));
        if (found.isEmpty()) {
            xml.problem(
                    content,
                    "content '" + id + "' needs min-redundancy, as in <min-redundancy>1<...");
        }
        for (XmlElement redundancy : found) {
            new ElementRules("reply-after").check(redundancy, xml, findings);
            String text = redundancy.text();
            int copies = text.matches("[0-9]{1,5}") ? Integer.parseInt(text) : 0;
            if (copies < 1 || copies > REDUNDANCY_MAX) {
                xml.problem(
                        redundancy,
                        "expected a number from 1 to %d, but found '%s'"
                                .formatted(REDUNDANCY_MAX, text));
            } else if (copies > 1) {
                findings.inform(
                        "%s: %d copies are asked for; there is one node, which keeps one"
                                .formatted(xml.place(redundancy), copies));
            }
        }
    }

    private void checkKeys(XmlElement content) {
        var keys = new HashSet<String>();
        for (XmlElement nodes : content.children("nodes")) {
            for (XmlElement node : nodes.children("node")) {
                Optional<String> key = node.attribute("distribution-key");
                if (key.isPresent() && !key.get().matches("[0-9]{1,5}")) {
                    xml.problem(
                            node,
                            "distribution-key",
                            "expected a number, but found '" + key.get() + "'");
                } else if (key.isPresent() && !keys.add(key.get())) {
                    xml.problem(
                            node,
                            "distribution-key",
                            "distribution-key " + key.get() + " is there twice");
                }
            }
        }
    }

    private List<ClusterDocument> documents(XmlElement documents, List<String> containers) {
        new ElementRules("selection", "garbage-collection", "garbage-collection-interval")
                .reads("document", "document-processing")
                .check(documents, xml, findings);
        refuse(documents, "selection");
        if (documents.attribute("garbage-collection").orElse("false").equals("true")) {
            xml.problem(
                    documents,
                    "garbage-collection",
                    "documents/@garbage-collection is not built yet");
        }
        for (XmlElement processing : documents.children("document-processing")) {
            checkProcessing(processing, containers);
        }
        if (documents.children("document").isEmpty()) {
            xml.problem(documents, "documents holds no document");
        }
        var found = new ArrayList<ClusterDocument>();
        var types = new HashSet<String>();
        for (XmlElement document : documents.children("document")) {
            document(document)
                    .ifPresent(type -> {
                        if (!types.add(type.type())) {
                            xml.problem(
                                    document,
                                    "type",
                                    "document '" + type.type() + "' is there twice");
                        }
                        found.add(type);
                    });
        }
        return found;
    }

    private void checkProcessing(XmlElement processing, List<String> containers) {
        new ElementRules("cluster", "chain").check(processing, xml, findings);
        refuse(processing, "chain");
        Optional<String> cluster = processing.attribute("cluster");
        if (cluster.isPresent() && !containers.contains(cluster.get())) {
            xml.problem(
                    processing,
                    "cluster",
                    "there is no container '%s', only %s%s"
                            .formatted(
                                    cluster.get(),
                                    String.join(", ", containers),
                                    NearestName.hint(cluster.get(), containers)));
        }
    }

    private Optional<ClusterDocument> document(XmlElement document) {
        new ElementRules("type", "mode", "selection", "global").check(document, xml, findings);
        refuse(document, "selection");
        if (document.attribute("global").orElse("false").equals("true")) {
            xml.problem(document, "global", "document/@global is not built yet");
        }
        String type = document.attribute("type").orElse("");
        if (type.isEmpty()) {
            xml.problem(document, "document needs type, the name of a schema");
            return Optional.empty();
        }
        if (!schemas.contains(type)) {
            xml.problem(
                    document,
                    "type",
                    "there is no schema '%s': expected a file schemas/%s.sd; there %s%s"
                            .formatted(
                                    type,
                                    type,
                                    schemas.isEmpty()
                                            ? "is none"
                                            : "are " + String.join(", ", schemas),
                                    NearestName.hint(type, schemas)));
            return Optional.empty();
        }
        Optional<String> text = document.attribute("mode");
        Optional<Mode> mode = text.flatMap(ServicesReader::mode);
        if (mode.isEmpty()) {
            String problem = "document needs mode, one of index, streaming, store-only";
            if (text.isPresent()) {
                xml.problem(document, "mode", problem + ", but found '" + text.get() + "'");
            } else {
                xml.problem(document, problem);
            }
        }
        return mode.map(found -> new ClusterDocument(type, found));
    }

    private void refuse(XmlElement element, String attribute) {
        if (element.attribute(attribute).isPresent()) {
            xml.problem(
                    element, attribute, element.name() + "/@" + attribute + " is not built yet");
        }
    }
}
