package org.crabro.config.deploy;

import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.crabro.config.schema.IndexingScript;
import org.crabro.config.schema.IndexingScript.Step;
import org.crabro.config.schema.Schema;
import org.crabro.config.schema.SchemaField;
import org.crabro.config.services.ContentCluster;
import org.crabro.config.services.ContentCluster.ClusterDocument;

/**
 * What differs between two generations of an application and matters to documents that are stored.
 *
 * @param problems changes that stored documents do not bear
 * @param reindex changes after which stored values are not what the scripts would make of the
 *     documents now
 * @param warnings changes that somebody may not have meant
 */
public record ModelChanges(List<String> problems, List<Reindex> reindex, List<String> warnings) {
    public ModelChanges {
        problems = List.copyOf(problems);
        reindex = List.copyOf(reindex);
        warnings = List.copyOf(warnings);
    }

    /**
     * Documents of a type that should go through their scripts again.
     *
     * @param messages what changed, field by field
     */
    public record Reindex(String cluster, String documentType, List<String> messages) {
        public Reindex {
            messages = List.copyOf(messages);
        }
    }

    /** Returns what differs. */
    public static ModelChanges between(ApplicationModel before, ApplicationModel after) {
        var problems = new ArrayList<String>();
        var reindex = new ArrayList<Reindex>();
        var warnings = new ArrayList<String>();
        Map<String, String> clusters = clusters(after);
        clusters(before)
                .forEach((type, cluster) -> {
                    Schema old = before.schemas().get(type);
                    Schema now = after.schemas().get(type);
                    if (old == null || now == null || !clusters.containsKey(type)) {
                        warnings.add(
                                "document type '%s' is gone: its documents stay stored, but"
                                                .formatted(type)
                                        + " are not reached until it is deployed again");
                        return;
                    }
                    problems.addAll(typeChanges(cluster, old, now));
                    List<String> stale = scriptChanges(old, now);
                    if (!stale.isEmpty()) {
                        reindex.add(new Reindex(clusters.getOrDefault(type, cluster), type, stale));
                    }
                });
        return new ModelChanges(problems, reindex, warnings);
    }

    private static Map<String, String> clusters(ApplicationModel model) {
        var clusters = new LinkedHashMap<String, String>();
        for (ContentCluster cluster : model.services().contents()) {
            for (ClusterDocument document : cluster.documents()) {
                clusters.put(document.type(), cluster.id());
            }
        }
        return clusters;
    }

    private static List<String> typeChanges(String cluster, Schema old, Schema now) {
        var problems = new ArrayList<String>();
        for (SchemaField field : old.fields().values()) {
            String name = field.field().name();
            Optional<SchemaField> changed = now.field(name);
            if (changed.isPresent() && !changed.get().field().type().equals(field.field().type())) {
                problems.add(
                        "field-type-change: cluster '%s': document type '%s': field '%s' changed:"
                                        .formatted(cluster, old.name(), name)
                                + " type %s to %s; stored documents hold the old type: remove the"
                                        .formatted(
                                                field.field().type().text(),
                                                changed.get().field().type().text())
                                + " field in one deployment and feed it under a new name");
            }
        }
        return problems;
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

    /** What a script computes, whatever becomes of it then. */
    private static List<List<Step>> computed(IndexingScript script) {
        return script.statements().stream()
                .map(statement ->
                        statement.steps().stream()
                                .filter(step -> !(step instanceof Step.Output))
                                .toList())
                .toList();
    }
}
