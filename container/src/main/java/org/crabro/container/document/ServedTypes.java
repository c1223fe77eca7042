package org.crabro.container.document;

import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeSet;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.crabro.component.FieldGenerator;
import org.crabro.config.deploy.ApplicationModel;
import org.crabro.config.schema.Schema;
import org.crabro.config.services.ContentCluster;
import org.crabro.config.services.ContentCluster.ClusterDocument;
import org.crabro.container.processing.IndexingProcessor;
import org.crabro.container.processing.ProcessorChain;
import org.crabro.container.processing.Surroundings;
import org.crabro.document.json.DocumentReader;
import org.crabro.document.json.OperationReader;
import org.crabro.document.json.UpdateReader;
import org.crabro.document.json.WeightRules;
import org.crabro.document.operation.ConditionalOperation;
import org.crabro.document.select.SelectionTypes;
import org.crabro.protocol.wire.Principal;
import org.crabro.ranking.onnx.Embedder;

/** The document types of an application, with their readers and processors. */
public final class ServedTypes {
    private final ApplicationModel model;
    private final Map<String, ServedType> types = new HashMap<>();
    private final OperationReader operations;

    /** A document type, with the reader and the processors of its documents. */
    public record ServedType(
            Schema schema,
            DocumentReader reader,
            UpdateReader updates,
            IndexingProcessor processor,
            ProcessorChain chain) {
        /** Runs the document processors of the application on an operation. */
        public ProcessorChain.Outcome process(ConditionalOperation fed, Principal sender) {
            return chain.process(fed, schema.documentType(), sender);
        }
    }

    /** The types of an application without document processors. */
    public ServedTypes(
            ApplicationModel model,
            Map<String, Embedder> embedders,
            boolean ignoresUndefinedFields) {
        this(model, embedders, ignoresUndefinedFields, Map.of(), Map.of());
    }

    /**
     * @param chains by document type
     * @param generators generate values of fields, by the id of their component
     */
    public ServedTypes(
            ApplicationModel model,
            Map<String, Embedder> embedders,
            boolean ignoresUndefinedFields,
            Map<String, ProcessorChain> chains,
            Map<String, FieldGenerator> generators) {
        this.model = model;
        for (Schema schema : model.schemas().values()) {
            types.put(
                    schema.documentType().name(),
                    new ServedType(
                            schema,
                            new DocumentReader(schema.documentType(), ignoresUndefinedFields)
                                    .with(schema.times()),
                            new UpdateReader(
                                            schema.documentType(),
                                            ignoresUndefinedFields,
                                            weightRules(schema))
                                    .with(schema.times()),
                            new IndexingProcessor(
                                    schema, embedders, Surroundings.ofThisMachine(generators)),
                            chains.getOrDefault(
                                    schema.documentType().name(), ProcessorChain.NONE)));
        }
        this.operations =
                new OperationReader(
                        types.values().stream().map(ServedType::reader).toList(),
                        types.values().stream().map(ServedType::updates).toList());
    }

    private static Map<String, WeightRules> weightRules(Schema schema) {
        var rules = new HashMap<String, WeightRules>();
        schema.fields().forEach((name, field) -> rules.put(name, field.values().weights()));
        return rules;
    }

    /**
     * Returns the type {@code name}.
     *
     * @throws InvalidRequestException if it is unknown
     */
    public ServedType get(String name) {
        ServedType type = types.get(name);
        if (type == null) {
            throw DocumentParameters.invalid(
                    "Document type %s does not exist, only %s"
                            .formatted(name, new TreeSet<>(types.keySet())));
        }
        return type;
    }

    /** Returns why documents of a type are not stored; empty if a cluster stores them. */
    public Optional<String> refusal(String name) {
        return model.unkept().contains(name)
                ? Optional.of("no content cluster keeps documents of type '" + name + "'")
                : Optional.empty();
    }

    /** Returns the types for selections. */
    SelectionTypes selectable() {
        return Schema.selectable(model.schemas().values());
    }

    /** Returns a reader of operations on documents of all types. */
    public OperationReader operations() {
        return operations;
    }

    /**
     * Checks that a cluster exists and stores documents of {@code type}.
     *
     * @throws InvalidRequestException if not
     */
    void checkCluster(String id, String type) {
        List<ContentCluster> all = model.services().contents();
        ContentCluster cluster =
                all.stream()
                        .filter(each -> each.id().equals(id))
                        .findFirst()
                        .orElseThrow(() -> unknownCluster(id, all));
        if (cluster.documents().stream()
                .noneMatch(clusterDocument -> clusterDocument.type().equals(type))) {
            throw unknownType(type, cluster);
        }
    }

    /** Checks that a route leads to a content cluster that stores a type. */
    void checkRoute(String route, String type) {
        List<String> names = model.services().contents().stream().map(ContentCluster::id).toList();
        if (!names.contains(route)) {
            throw DocumentParameters.invalid(
                    "there is no route '%s', only default, %s"
                            .formatted(route, String.join(", ", names)));
        }
        checkCluster(route, type);
    }

    /** Returns an exception for an unknown cluster; clients parse the names in the message. */
    public static InvalidRequestException unknownCluster(String id, List<ContentCluster> all) {
        return DocumentParameters.invalid(
                "Your Vespa deployment has no content cluster '%s', only %s"
                        .formatted(id, quoted(all.stream().map(ContentCluster::id))));
    }

    /** Returns an exception for a cluster that does not store a type. */
    public static InvalidRequestException unknownType(String type, ContentCluster cluster) {
        return DocumentParameters.invalid(
                "There is no document type '%s' in cluster '%s', only %s"
                        .formatted(
                                type,
                                cluster.id(),
                                quoted(cluster.documents().stream().map(ClusterDocument::type))));
    }

    private static String quoted(Stream<String> names) {
        return names.map(name -> "'" + name + "'").collect(Collectors.joining(", "));
    }
}
