package org.crabro.container.admin;

import java.util.List;
import java.util.Map;
import org.crabro.config.services.ContentCluster;
import org.crabro.config.services.ContentCluster.ClusterDocument;
import org.crabro.container.reindex.ReindexKey;
import org.crabro.container.reindex.ReindexRun;
import org.crabro.container.reindex.TypeReindexing;
import tools.jackson.core.JsonGenerator;

/** Writes the progress of reindexing. */
final class ReindexJson {
    private ReindexJson() {}

    static void status(
            JsonGenerator json,
            boolean isEnabled,
            List<ContentCluster> clusters,
            Map<ReindexKey, TypeReindexing> types) {
        json.writeStartObject();
        json.writeBooleanProperty("enabled", isEnabled);
        json.writeObjectPropertyStart("clusters");
        for (ContentCluster cluster : clusters) {
            json.writeObjectPropertyStart(cluster.id());
            json.writeObjectPropertyStart("pending");
            for (ClusterDocument document : cluster.documents()) {
                TypeReindexing reindexing =
                        types.get(new ReindexKey(cluster.id(), document.type()));
                if (reindexing != null && reindexing.pending().isPresent()) {
                    json.writeNumberProperty(
                            document.type(), reindexing.pending().get().generation());
                }
            }
            json.writeEndObject();
            json.writeObjectPropertyStart("ready");
            for (ClusterDocument document : cluster.documents()) {
                TypeReindexing reindexing =
                        types.get(new ReindexKey(cluster.id(), document.type()));
                if (reindexing != null && reindexing.run().isPresent()) {
                    json.writeObjectPropertyStart(document.type());
                    run(json, reindexing.run().get());
                    json.writeEndObject();
                }
            }
            json.writeEndObject();
            json.writeEndObject();
        }
        json.writeEndObject();
        json.writeEndObject();
    }

    private static void run(JsonGenerator json, ReindexRun run) {
        json.writeNumberProperty("readyMillis", run.request().readyMillis());
        run.startedMillis().ifPresent(millis -> json.writeNumberProperty("startedMillis", millis));
        run.endedMillis().ifPresent(millis -> json.writeNumberProperty("endedMillis", millis));
        json.writeStringProperty("state", run.state().text());
        json.writeStringProperty("message", run.message());
        json.writeNumberProperty("progress", run.place().progress());
        json.writeNumberProperty("speed", run.request().speed());
        json.writeStringProperty("cause", run.request().cause());
    }
}
