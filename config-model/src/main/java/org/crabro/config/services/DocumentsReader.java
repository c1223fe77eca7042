package org.crabro.config.services;

import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.TreeSet;
import java.util.function.Predicate;
import java.util.stream.Collectors;
import org.crabro.config.application.Findings;
import org.crabro.config.application.NearestName;
import org.crabro.config.application.XmlElement;
import org.crabro.config.services.ContentCluster.ClusterDocument;
import org.crabro.config.services.ContentCluster.Mode;
import org.crabro.config.services.ContentCluster.ProcessedBy;

/** Reads the document types of a content cluster and the chain that processes its documents. */
final class DocumentsReader {
    private static final String INDEXING = "indexing";

    /** The default interval of expiry. */
    private static final Duration EXPIRY = Duration.ofHours(1);

    private final Set<String> schemas;
    private final List<IndexingContainer> containers;
    private final DocumentPlaces places;
    private final Findings findings;

    DocumentsReader(
            Set<String> schemas,
            List<IndexingContainer> containers,
            DocumentPlaces places,
            Findings findings) {
        this.places = places;
        this.schemas = new TreeSet<>(schemas);
        this.containers = List.copyOf(containers);
        this.findings = findings;
    }

    List<ClusterDocument> documents(String cluster, XmlElement documents) {
        if (isCollected(documents) && isEverything(documents)) {
            findings.inform(
                    documents.file().place(documents)
                            + ": garbage-collection removes nothing if every document is selected");
        }
        for (XmlElement processing : documents.children("document-processing")) {
            checkProcessing(processing);
        }
        if (documents.children("document-processing").isEmpty()) {
            tellChoice(documents);
        }
        if (documents.children("document").isEmpty()) {
            problem(documents, "documents has no document");
        }
        var byType = new LinkedHashMap<String, List<XmlElement>>();
        for (XmlElement document : documents.children("document")) {
            document.attribute("type")
                    .filter(type -> !type.isEmpty())
                    .ifPresent(type ->
                            byType.computeIfAbsent(type, _ -> new ArrayList<>()).add(document));
        }
        var all = new ArrayList<ClusterDocument>();
        byType.forEach(
                (type, same) -> document(cluster, type, same, documents).ifPresent(all::add));
        if (has(all, Mode.INDEX) && has(all, Mode.STREAMING)) {
            findings.warn(
                    "%s: modes index and streaming are used together: queries over all types have to"
                                    .formatted(documents.file().place(documents))
                            + " name a group for the types in mode streaming");
        }
        return all;
    }

    private static boolean has(List<ClusterDocument> documents, Mode mode) {
        return documents.stream().anyMatch(document -> document.mode() == mode);
    }

    /** Returns the interval at which documents are checked against their selection, if they are. */
    static Optional<Duration> expiry(XmlElement documents) {
        return isCollected(documents) && !isEverything(documents)
                ? documents
                        .attribute("garbage-collection-interval")
                        .flatMap(TextForm::seconds)
                        .filter(interval -> !interval.isZero())
                        .or(() -> Optional.of(EXPIRY))
                : Optional.empty();
    }

    private static boolean isCollected(XmlElement documents) {
        return documents.attribute("garbage-collection").orElse("false").equals("true");
    }

    private static boolean isEverything(XmlElement documents) {
        return selection(documents).isEmpty()
                && documents.children("document").stream()
                        .collect(
                                Collectors.groupingBy(
                                        document -> document.attribute("type").orElse("")))
                        .values()
                        .stream()
                        .allMatch(same -> any(same).isEmpty());
    }

    /** Returns the selection of an element; empty if it selects every document. */
    private static String selection(XmlElement element) {
        String selection = element.attribute("selection").orElse("").strip();
        return selection.equals("true") ? "" : selection;
    }

    private static String both(String all, String own) {
        if (all.isEmpty() || own.isEmpty()) {
            return all + own;
        }
        return "(" + all + ") and (" + own + ")";
    }

    private void tellChoice(XmlElement documents) {
        List<String> candidates = named(IndexingContainer::hasProcessing);
        if (candidates.isEmpty()) {
            candidates = named(IndexingContainer::hasSearch);
        }
        if (candidates.size() > 1) {
            findings.warn(
                    "%s: any of the containers %s could process these documents; name one, as in"
                                    .formatted(
                                            documents.file().place(documents),
                                            String.join(", ", candidates))
                            + " <document-processing cluster=\"%s\"/>"
                                    .formatted(candidates.getFirst()));
        }
    }

    /** Returns the own chain that processes documents, if there is one. */
    Optional<ProcessedBy> processedBy(XmlElement documents) {
        Optional<XmlElement> said = documents.children("document-processing").stream().findFirst();
        Optional<String> chain = said.flatMap(each -> each.attribute("chain"));
        List<String> candidates = new ArrayList<>();
        said.flatMap(each -> each.attribute("cluster")).ifPresent(candidates::add);
        if (candidates.isEmpty() && chain.isPresent()) {
            // The container clusters that have the requested chain.
            candidates.addAll(named(each -> each.chains().containsKey(chain.get())));
        }
        candidates.addAll(named(IndexingContainer::hasProcessing));
        candidates.addAll(named(IndexingContainer::hasSearch));
        candidates.addAll(named(_ -> true));
        return containers.stream()
                .filter(each -> candidates.stream().findFirst().equals(Optional.of(each.id())))
                .findFirst()
                .filter(each -> each.chains().containsKey(chain.orElse("default")))
                .map(each -> new ProcessedBy(each.id(), chain.orElse("default")));
    }

    private List<String> named(Predicate<IndexingContainer> which) {
        return containers.stream().filter(which).map(IndexingContainer::id).toList();
    }

    private void checkProcessing(XmlElement processing) {
        List<String> ids = named(_ -> true);
        Optional<String> cluster = processing.attribute("cluster");
        Optional<String> chain = processing.attribute("chain");
        if (cluster.isPresent() && !ids.contains(cluster.get())) {
            processing
                    .file()
                    .problem(
                            processing,
                            "cluster",
                            "there is no container '%s'%s%s"
                                    .formatted(
                                            cluster.get(),
                                            ids.isEmpty() ? "" : ", only " + String.join(", ", ids),
                                            NearestName.hint(cluster.get(), ids)));
            return;
        }
        if (chain.isEmpty() || chain.get().equals(INDEXING)) {
            return;
        }
        if (chain.get().equals("default")) {
            processing
                    .file()
                    .problem(
                            processing,
                            "chain",
                            "chain 'default' cannot be an indexing chain: give it another name");
            return;
        }
        var chains = new HashMap<String, Set<String>>();
        for (IndexingContainer container : containers) {
            if (cluster.isEmpty() || cluster.get().equals(container.id())) {
                chains.putAll(container.chains());
            }
        }
        Set<String> inherited = chains.get(chain.get());
        if (inherited == null) {
            var names = new TreeSet<>(chains.keySet());
            names.add(INDEXING);
            processing
                    .file()
                    .problem(
                            processing,
                            "chain",
                            "there is no document processing chain '%s', only %s%s"
                                    .formatted(
                                            chain.get(),
                                            String.join(", ", names),
                                            NearestName.hint(chain.get(), names)));
        } else if (!inherited.contains(INDEXING)) {
            processing
                    .file()
                    .problem(
                            processing,
                            "chain",
                            "chain '%s' has to inherit indexing, or no indexing script would run"
                                    .formatted(chain.get()));
        }
    }

    /**
     * Returns what the elements of one type declare together: the last mode, and the documents that
     * any of them selects.
     */
    private Optional<ClusterDocument> document(
            String cluster, String type, List<XmlElement> same, XmlElement section) {
        XmlElement document = same.getLast();
        for (XmlElement again : same.subList(1, same.size())) {
            findings.warn(
                    "%s: document '%s' is declared twice; the first is at %s. The last mode is used, and all selections"
                            .formatted(
                                    again.file().place(again),
                                    type,
                                    again.file().seen(same.getFirst())));
        }
        Optional<Mode> mode = document.attribute("mode").flatMap(DocumentsReader::mode);
        Optional<XmlElement> global =
                same.stream()
                        .filter(each -> each.attribute("global").equals(Optional.of("true")))
                        .findFirst();
        if (global.isPresent() && mode.isPresent() && mode.get() != Mode.INDEX) {
            global.get()
                    .file()
                    .problem(
                            global.get(),
                            "global",
                            "document '%s' cannot be global in mode %s: %s; expected mode index"
                                    .formatted(
                                            type,
                                            document.attribute("mode").orElse(""),
                                            mode.get() == Mode.STREAMING
                                                    ? "documents of a group are where the group is"
                                                    : "documents that are not searched are not"
                                                            + " asked for by others"));
        }
        if (!schemas.contains(type)) {
            document.file()
                    .problem(
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
        places.add(cluster, type, document, section, parts(section, same));
        String selection = both(selection(section), any(same));
        return mode.map(clusterMode ->
                new ClusterDocument(type, clusterMode, global.isPresent(), selection));
    }

    /** Returns the selections that are joined to that of a type. */
    private static List<String> parts(XmlElement section, List<XmlElement> same) {
        var parts = new ArrayList<>(List.of(selection(section)));
        same.forEach(each -> parts.add(selection(each)));
        parts.removeIf(String::isEmpty);
        return parts;
    }

    /** Returns the selection of the documents that any of the elements selects. */
    private static String any(List<XmlElement> same) {
        var selections = new LinkedHashSet<String>();
        same.forEach(each -> selections.add(selection(each)));
        if (selections.contains("")) {
            return "";
        }
        return selections.size() == 1
                ? selections.getFirst()
                : "(" + String.join(") or (", selections) + ")";
    }

    private static Optional<Mode> mode(String text) {
        return switch (text) {
            case "index" -> Optional.of(Mode.INDEX);
            case "streaming" -> Optional.of(Mode.STREAMING);
            case "store-only" -> Optional.of(Mode.STORE_ONLY);
            default -> Optional.empty();
        };
    }

    private static void problem(XmlElement element, String problem) {
        element.file().problem(element, problem);
    }
}
