package org.crabro.config.validation;

import java.util.Collection;
import java.util.Map;
import org.crabro.config.application.Findings;
import org.crabro.config.schema.Schema;
import org.crabro.config.services.ContentCluster;
import org.crabro.config.services.ContentCluster.ClusterDocument;
import org.crabro.document.select.InvalidSelectionException;
import org.crabro.document.select.Selection;
import org.crabro.document.select.SelectionTypes;

/** Checks the selections that say which documents clusters keep. */
public final class KeptDocumentsCheck {
    private KeptDocumentsCheck() {}

    /**
     * Reports selections that cannot be understood, or that name what there is not.
     *
     * @param schemas by name; nothing is checked of clusters some of whose schemas are not here
     */
    public static void check(
            Collection<ContentCluster> clusters, Map<String, Schema> schemas, Findings findings) {
        for (ContentCluster cluster : clusters) {
            if (cluster.documents().stream()
                    .allMatch(document -> schemas.containsKey(document.type()))) {
                check(cluster, schemas, findings);
            }
        }
    }

    private static void check(
            ContentCluster cluster, Map<String, Schema> schemas, Findings findings) {
        SelectionTypes types =
                SelectionTypes.of(schemas.values().stream().map(Schema::documentType).toList());
        for (ClusterDocument document : cluster.documents()) {
            try {
                Selection.parse(document.selection(), types);
            } catch (InvalidSelectionException e) {
                findings.problem(
                        "services.xml: content '%s', document '%s': the selection of its documents cannot be used: %s"
                                .formatted(cluster.id(), document.type(), e.getMessage()));
            }
        }
    }
}
