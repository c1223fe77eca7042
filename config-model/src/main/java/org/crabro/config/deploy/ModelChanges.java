package org.crabro.config.deploy;

import java.time.LocalDate;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.Set;
import java.util.stream.Collectors;
import org.crabro.config.schema.Aspect;
import org.crabro.config.schema.IndexingScript;
import org.crabro.config.schema.IndexingScript.Step;
import org.crabro.config.schema.Schema;
import org.crabro.config.schema.SchemaField;
import org.crabro.config.schema.ValueRules;
import org.crabro.config.services.ContentCluster;
import org.crabro.config.services.ContentCluster.ClusterDocument;
import org.crabro.config.services.ContentCluster.Mode;
import org.crabro.document.FieldType;
import org.crabro.document.TypeChange;

/**
 * The differences between two generations of an application that affect stored documents.
 *
 * @param dangers changes that are rejected until the package allows them
 * @param removals fields whose fed values are lost
 * @param reindex changes after which stored values differ from the results of the scripts
 * @param restarts changes of attributes, which clients of the platform wait for; here the server
 *     needs no restart
 */
public record ModelChanges(
        List<Danger> dangers,
        List<Removal> removals,
        List<Reindex> reindex,
        List<Restart> restarts) {
    /** No changes. */
    public static final ModelChanges NONE =
            new ModelChanges(List.of(), List.of(), List.of(), List.of());

    public ModelChanges {
        dangers = List.copyOf(dangers);
        removals = List.copyOf(removals);
        reindex = List.copyOf(reindex);
        restarts = List.copyOf(restarts);
    }

    /**
     * A change by which documents may be lost.
     *
     * @param documentType empty if it affects a whole cluster
     */
    public record Danger(ValidationId id, String cluster, String documentType, String message) {}

    /**
     * A field, or a member of a struct in it, whose fed values are lost.
     *
     * @param path the field, and the members of structs that lead to the member, with dots between
     *     them
     * @param loss what was removed, and when its values are deleted
     */
    public record Removal(String cluster, String documentType, String path, Loss loss) {
        /**
         * Returns the warning.
         *
         * @param documents how many documents have a value, about; empty if unknown
         */
        public String warning(OptionalLong documents) {
            String count =
                    documents.isEmpty()
                            ? "documents may have it"
                            : "about %d documents have it".formatted(documents.getAsLong());
            return "cluster '%s': document type '%s': %s; %s; %s"
                    .formatted(cluster, documentType, loss.what(), count, loss.when());
        }
    }

    /**
     * Values that are lost.
     *
     * @param what the field with its type, and what happened to it
     * @param when the time at which its values are deleted
     */
    public record Loss(String what, String when) {}

    /**
     * Documents of a type whose indexing scripts should run again.
     *
     * @param messages the changes, field by field
     */
    public record Reindex(String cluster, String documentType, List<String> messages) {
        public Reindex {
            messages = List.copyOf(messages);
        }
    }

    /**
     * Attributes of a type whose settings changed.
     *
     * @param messages the changes, field by field
     */
    public record Restart(String cluster, String documentType, List<String> messages) {
        public Restart {
            messages = List.copyOf(messages);
        }
    }

    /** Returns the changes from one model to the next. */
    public static ModelChanges between(ApplicationModel before, ApplicationModel after) {
        var dangers = new ArrayList<Danger>();
        var removals = new ArrayList<Removal>();
        var reindex = new ArrayList<Reindex>();
        var restarts = new ArrayList<Restart>();
        Set<String> clustersLeft =
                after.services().contents().stream()
                        .map(ContentCluster::id)
                        .collect(Collectors.toSet());
        for (ContentCluster cluster : before.services().contents()) {
            if (!clustersLeft.contains(cluster.id())) {
                dangers.add(
                        new Danger(
                                ValidationId.CONTENT_CLUSTER_REMOVAL,
                                cluster.id(),
                                "",
                                "content cluster '%s' is gone".formatted(cluster.id())));
            }
        }
        Map<String, List<String>> old = clusters(before);
        Map<String, List<String>> now = clusters(after);
        old.forEach((type, clusters) -> {
            Schema schema = before.schemas().get(type);
            Schema next = after.schemas().get(type);
            List<String> left = now.getOrDefault(type, List.of());
            if (schema == null || next == null || left.isEmpty()) {
                clusters.forEach(cluster -> dangers.add(gone(cluster, type)));
                return;
            }
            dangers.addAll(modeChange(before, after, type));
            dangers.addAll(globalChange(before, after, type));
            boolean moves = clusters.size() == 1 && left.size() == 1;
            for (String cluster : clusters) {
                if (!moves && !left.contains(cluster)) {
                    if (clustersLeft.contains(cluster)) {
                        dangers.add(copyGone(cluster, type));
                    }
                    continue;
                }
                dangers.addAll(typeChanges(cluster, schema, next));
                removals.addAll(removals(cluster, schema, next));
                List<String> settings = attributeChanges(schema, next);
                if (!settings.isEmpty()
                        && mode(after, cluster, type).equals(Optional.of(Mode.INDEX))) {
                    restarts.add(new Restart(moves ? left.getFirst() : cluster, type, settings));
                }
                List<String> stale = scriptChanges(schema, next);
                if (!stale.isEmpty()) {
                    reindex.add(new Reindex(moves ? left.getFirst() : cluster, type, stale));
                }
            }
        });
        return new ModelChanges(dangers, removals, reindex, restarts);
    }

    private static Danger gone(String cluster, String type) {
        return new Danger(
                ValidationId.SCHEMA_REMOVAL,
                cluster,
                type,
                "document type '%s' is gone: its documents stay stored, but are not reached until it is deployed again"
                        .formatted(type));
    }

    private static Danger copyGone(String cluster, String type) {
        return new Danger(
                ValidationId.SCHEMA_REMOVAL,
                cluster,
                type,
                "document type '%s' is gone from content cluster '%s': the documents of this cluster stay stored, but are not reached until the cluster has the type again"
                        .formatted(type, cluster));
    }

    /** The documents of a type in a content cluster. */
    public record Stored(String cluster, String documentType) {}

    /**
     * Returns the types that something is taken from that is not allowed: of those no document may
     * be stored in the cluster.
     */
    public Set<Stored> typesToBeEmpty(ValidationOverrides overrides, LocalDate today) {
        return dangers.stream()
                .filter(danger ->
                        danger.id().isAboutStoredDocuments()
                                && !overrides.allows(danger.id(), today))
                .map(danger -> new Stored(danger.cluster(), danger.documentType()))
                .collect(Collectors.toSet());
    }

    /** Returns the changes without those of types that have no stored documents. */
    public ModelChanges without(Set<Stored> emptyTypes) {
        return new ModelChanges(
                dangers.stream()
                        .filter(danger ->
                                !danger.id().isAboutStoredDocuments()
                                        || !emptyTypes.contains(
                                                new Stored(
                                                        danger.cluster(), danger.documentType())))
                        .toList(),
                removals,
                reindex,
                restarts);
    }

    /**
     * Returns the reasons to reject a deployment: the dangers that are not allowed, by id, with the
     * text that would allow them.
     */
    public List<String> refusals(ValidationOverrides overrides, LocalDate today) {
        var refusals = new ArrayList<String>();
        for (ValidationId id : ValidationId.values()) {
            List<String> messages =
                    dangers.stream()
                            .filter(danger -> danger.id() == id)
                            .map(Danger::message)
                            .toList();
            if (!messages.isEmpty() && !overrides.allows(id, today)) {
                refusals.add(
                        "%s: %s: %s; to allow it, add <allow until=\"%s\">%s</allow> to %s"
                                .formatted(
                                        id.id(),
                                        id.description(),
                                        String.join("; ", messages),
                                        today.plusDays(1),
                                        id.id(),
                                        ValidationOverrides.PATH));
            }
        }
        return refusals;
    }

    /** Returns the dangers that the package allows. */
    public List<Danger> allowed(ValidationOverrides overrides, LocalDate today) {
        return dangers.stream().filter(danger -> overrides.allows(danger.id(), today)).toList();
    }

    /** Returns the mode changes of a type, which may be in several clusters. */
    private static List<Danger> modeChange(
            ApplicationModel before, ApplicationModel after, String type) {
        var changes = new ArrayList<Danger>();
        for (ContentCluster cluster : before.services().contents()) {
            Optional<Mode> old = mode(cluster, type);
            Optional<Mode> now =
                    after.services().contents().stream()
                            .filter(each -> each.id().equals(cluster.id()))
                            .flatMap(each -> mode(each, type).stream())
                            .findFirst();
            if (old.isPresent() && now.isPresent() && !old.equals(now)) {
                changes.add(
                        new Danger(
                                ValidationId.INDEXING_MODE_CHANGE,
                                cluster.id(),
                                type,
                                "cluster '%s': document type '%s' changed: mode %s to %s"
                                        .formatted(
                                                cluster.id(),
                                                type,
                                                shown(old.get()),
                                                shown(now.get()))));
            }
        }
        return changes;
    }

    private static List<Danger> globalChange(
            ApplicationModel before, ApplicationModel after, String type) {
        boolean was = isGlobal(before, type);
        boolean is = isGlobal(after, type);
        return was == is
                ? List.of()
                : List.of(
                        new Danger(
                                ValidationId.GLOBAL_DOCUMENT_CHANGE,
                                String.join(", ", clusters(after).getOrDefault(type, List.of())),
                                type,
                                "document type '%s' changed: global %b to %b"
                                        .formatted(type, was, is)));
    }

    private static boolean isGlobal(ApplicationModel model, String type) {
        return model.services().contents().stream()
                .flatMap(cluster -> cluster.documents().stream())
                .anyMatch(document -> document.type().equals(type) && document.isGlobal());
    }

    private static Optional<Mode> mode(ContentCluster cluster, String type) {
        return cluster.documents().stream()
                .filter(document -> document.type().equals(type))
                .map(ClusterDocument::mode)
                .findFirst();
    }

    private static String shown(Mode mode) {
        return mode.name().toLowerCase(Locale.ROOT).replace('_', '-');
    }

    /** Returns the clusters of each type, in the order of services.xml. */
    private static Map<String, List<String>> clusters(ApplicationModel model) {
        Map<String, List<String>> clusters = new LinkedHashMap<>();
        for (ContentCluster cluster : model.services().contents()) {
            for (ClusterDocument document : cluster.documents()) {
                clusters.computeIfAbsent(document.type(), _ -> new ArrayList<>()).add(cluster.id());
            }
        }
        return clusters;
    }

    private static List<Danger> typeChanges(String cluster, Schema old, Schema now) {
        var changes = new ArrayList<Danger>();
        for (SchemaField field : old.fields().values()) {
            String name = field.field().name();
            Optional<SchemaField> changed = now.field(name);
            if (changed.isEmpty()) {
                continue;
            }
            var change = new TypeChange(field.field().type(), changed.get().field().type());
            for (TypeChange.Lost lost : change.lost(name)) {
                changes.add(
                        new Danger(
                                ValidationId.FIELD_TYPE_CHANGE,
                                cluster,
                                old.name(),
                                "cluster '%s': document type '%s': field '%s' changed: type %s to %s"
                                        .formatted(
                                                cluster,
                                                old.name(),
                                                lost.path(),
                                                lost.change().before().text(),
                                                lost.change().after().text())));
            }
        }
        return changes;
    }

    private static List<Removal> removals(String cluster, Schema old, Schema now) {
        var removals = new ArrayList<Removal>();
        for (SchemaField field : old.fields().values()) {
            String name = field.field().name();
            FieldType type = field.field().type();
            Optional<SchemaField> left = now.field(name);
            if (!field.field().inDocument()) {
                continue;
            }
            if (left.isEmpty()) {
                removals.add(
                        new Removal(
                                cluster,
                                old.name(),
                                name,
                                removed(
                                        name,
                                        type,
                                        "the next merges delete its values, and until then the former"
                                                + " package shows those that are left")));
            } else if (!left.get().field().inDocument()) {
                removals.add(
                        new Removal(
                                cluster,
                                old.name(),
                                name,
                                new Loss(
                                        "field '%s' of type %s is computed now"
                                                .formatted(name, type.text()),
                                        "the script replaces the values that were fed")));
            } else {
                for (TypeChange.Gone member :
                        new TypeChange(type, left.get().field().type()).gone(name)) {
                    removals.add(
                            new Removal(
                                    cluster,
                                    old.name(),
                                    member.path(),
                                    removed(
                                            member.path(),
                                            member.type(),
                                            "the next write of a document deletes its value")));
                }
            }
        }
        return removals;
    }

    private static Loss removed(String path, FieldType type, String when) {
        return new Loss("field '%s' of type %s was removed".formatted(path, type.text()), when);
    }

    private static Optional<Mode> mode(ApplicationModel model, String cluster, String type) {
        return model.services().contents().stream()
                .filter(each -> each.id().equals(cluster))
                .flatMap(each -> mode(each, type).stream())
                .findFirst();
    }

    /** Returns the changes of the settings of attributes. */
    private static List<String> attributeChanges(Schema old, Schema now) {
        var messages = new ArrayList<String>();
        for (SchemaField field : now.fields().values()) {
            String name = field.field().name();
            Optional<SchemaField> before =
                    old.field(name)
                            .filter(each ->
                                    each.aspects().contains(Aspect.ATTRIBUTE)
                                            && field.aspects().contains(Aspect.ATTRIBUTE)
                                            && each.field().type().equals(field.field().type()));
            if (before.isPresent()) {
                ValueRules was = before.get().values();
                ValueRules is = field.values();
                String start =
                        "Document type '%s': Field '%s' changed: ".formatted(now.name(), name);
                if (was.fastSearch() != is.fastSearch()) {
                    messages.add(
                            start
                                    + (is.fastSearch() ? "add" : "remove")
                                    + " attribute 'fast-search'");
                }
                if (was.metric() != is.metric()) {
                    messages.add(
                            start
                                    + "change property 'distance-metric' from '%s' to '%s'"
                                            .formatted(was.metric(), is.metric()));
                }
                if (!was.graph().equals(is.graph())) {
                    messages.add(start + "change property 'hnsw index'");
                }
            }
        }
        return messages;
    }

    private static List<String> scriptChanges(Schema old, Schema now) {
        var messages = new ArrayList<String>();
        for (SchemaField field : now.fields().values()) {
            String name = field.field().name();
            Optional<SchemaField> before = old.field(name);
            boolean isComputed = !field.field().inDocument();
            if (before.isEmpty() && isComputed) {
                messages.add("Document type '%s': field '%s' added".formatted(now.name(), name));
            } else if (before.isPresent()
                    && isComputed
                    && !computed(before.get().script()).equals(computed(field.script()))) {
                messages.add(
                        "Document type '%s': field '%s' changed: indexing script"
                                .formatted(now.name(), name));
            }
        }
        return messages;
    }

    /** The computation of a script, without the destination of its result. */
    private static List<List<Step>> computed(IndexingScript script) {
        return script.statements().stream()
                .map(statement ->
                        statement.steps().stream()
                                .filter(step -> !(step instanceof Step.Output))
                                .toList())
                .toList();
    }
}
