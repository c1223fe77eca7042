package org.crabro.config.validation;

import java.util.Collection;
import java.util.Map;
import org.crabro.config.schema.Schema;
import org.crabro.config.services.ContentCluster;
import org.crabro.config.services.ContentCluster.ClusterDocument;
import org.crabro.config.services.DocumentPlaces;
import org.crabro.document.select.InvalidSelectionException;
import org.crabro.document.select.Selection;
import org.crabro.document.select.SelectionTypes;

/** Checks the selections that define which documents a content cluster keeps. */
public final class DocumentSelectionCheck {
    private DocumentSelectionCheck() {}

    /**
     * Reports selections that do not parse or that name unknown fields or types.
     *
     * @param schemas by name; a cluster is skipped if one of its schemas is missing here
     * @param places of all documents of the clusters
     */
    public static void check(
            Collection<ContentCluster> clusters,
            Map<String, Schema> schemas,
            DocumentPlaces places) {
        for (ContentCluster cluster : clusters) {
            if (cluster.documents().stream()
                    .allMatch(document -> schemas.containsKey(document.type()))) {
                check(cluster, schemas, places);
            }
        }
    }

    /** Returns the message with its lines after the first indented; these show the position. */
    private static String shown(InvalidSelectionException e) {
        return String.valueOf(e.getMessage()).replace("\n", "\n    ");
    }

    private static void check(
            ContentCluster cluster, Map<String, Schema> schemas, DocumentPlaces places) {
        SelectionTypes types = Schema.selectable(schemas.values());
        for (ClusterDocument document : cluster.documents()) {
            try {
                for (String part : places.selections(cluster.id(), document.type())) {
                    Selection.parse(part, types);
                }
                Selection.parse(document.selection(), types);
            } catch (InvalidSelectionException e) {
                places.selectionProblem(
                        cluster.id(),
                        document.type(),
                        "content '%s', document '%s': the selection of its documents cannot be used: %s"
                                .formatted(cluster.id(), document.type(), shown(e)));
            }
        }
    }
}
