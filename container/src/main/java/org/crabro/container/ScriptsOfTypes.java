package org.crabro.container;

import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.crabro.component.FieldGenerator;
import org.crabro.config.deploy.ApplicationModel;
import org.crabro.config.schema.Schema;
import org.crabro.config.services.ContentCluster;
import org.crabro.config.services.ContentCluster.ClusterDocument;
import org.crabro.container.processing.IndexingProcessor;
import org.crabro.container.processing.Surroundings;
import org.crabro.container.reindex.ReindexKey;
import org.crabro.container.reindex.ServedScripts.TypeScripts;
import org.crabro.document.Document;
import org.crabro.document.Field;
import org.crabro.ranking.onnx.Embedder;

/**
 * The indexing scripts of an application, by type.
 *
 * @param types that clusters keep
 */
record ScriptsOfTypes(Set<ReindexKey> types, Map<String, TypeScripts> scripts) {
    /** The scripts of an application without types. */
    static final ScriptsOfTypes NONE = new ScriptsOfTypes(Set.of(), Map.of());

    static ScriptsOfTypes of(
            ApplicationModel model,
            Map<String, Embedder> embedders,
            Map<String, FieldGenerator> generators) {
        var types = new HashSet<ReindexKey>();
        var scripts = new HashMap<String, TypeScripts>();
        for (ContentCluster cluster : model.services().contents()) {
            for (ClusterDocument each : cluster.documents()) {
                Schema schema = model.schemas().get(each.type());
                if (schema == null) {
                    throw new IllegalStateException("a model without the schema " + each.type());
                }
                types.add(new ReindexKey(cluster.id(), each.type()));
                scripts.put(
                        each.type(),
                        new OfSchema(
                                schema.documentType().fields().stream().map(Field::name).toList(),
                                new IndexingProcessor(
                                        schema,
                                        embedders,
                                        Surroundings.ofThisMachine(generators))));
            }
        }
        return new ScriptsOfTypes(Set.copyOf(types), Map.copyOf(scripts));
    }

    private record OfSchema(List<String> fields, IndexingProcessor processor)
            implements TypeScripts {
        @Override
        public Document processed(Document stored) {
            return processor.processAgain(stored);
        }
    }
}
