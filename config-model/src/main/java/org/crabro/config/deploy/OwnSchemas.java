package org.crabro.config.deploy;

import java.util.Map;
import org.crabro.config.schema.Schema;
import org.crabro.config.schema.SnippetRules;
import org.crabro.config.services.ContentCluster;
import org.crabro.config.services.ContentCluster.ClusterDocument;
import org.crabro.config.services.ContentCluster.Mode;
import org.crabro.config.services.Services;

/**
 * Gives a document type of a content cluster its own schema if the cluster searches or shows the
 * documents in another way than other clusters with the type.
 *
 * @param shared the schemas that all clusters use otherwise, by name
 * @param streaming the schemas for mode streaming of types that have mode index too, by name
 */
record OwnSchemas(Services before, Map<String, Schema> shared, Map<String, Schema> streaming) {
    /** Returns the services whose types have their own schemas. */
    Services services() {
        return before.with(
                before.contents().stream()
                        .map(cluster ->
                                cluster.with(
                                        cluster.documents().stream()
                                                .map(each -> document(cluster, each))
                                                .toList()))
                        .toList());
    }

    private ClusterDocument document(ContentCluster cluster, ClusterDocument document) {
        Schema schema = shared.get(document.type());
        Schema ofStreaming =
                document.mode() == Mode.STREAMING ? streaming.get(document.type()) : null;
        SnippetRules snippets = cluster.queries().snippets();
        if (ofStreaming != null) {
            return document.with(
                    ofStreaming.in(snippets, false).with(false, before.specialTokens()));
        }
        return schema == null || schema.summaries().snippets().equals(snippets)
                ? document
                : document.with(schema.in(snippets, schema.summaries().indexed()));
    }
}
