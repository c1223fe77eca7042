package org.crabro.content.node;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalDouble;
import java.util.OptionalInt;
import java.util.Set;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.Function;
import org.crabro.config.deploy.ApplicationModel;
import org.crabro.config.schema.Aspect;
import org.crabro.config.schema.MatchMode;
import org.crabro.config.schema.Schema;
import org.crabro.config.schema.SchemaField;
import org.crabro.config.schema.ValueRules;
import org.crabro.config.services.ContentCluster;
import org.crabro.config.services.ContentCluster.ResourceLimits;
import org.crabro.content.search.match.NearestSearch;
import org.crabro.content.storage.block.SearchedTexts;
import org.crabro.content.storage.graph.GraphField;
import org.crabro.content.storage.graph.GraphFields;
import org.crabro.content.storage.index.IndexedFields;
import org.crabro.content.storage.store.DocumentStore;
import org.crabro.document.FieldType;
import org.crabro.document.FieldType.Primitive;
import org.crabro.document.select.SelectionTypes;
import org.crabro.protocol.search.SearchReply;
import org.crabro.ranking.onnx.ModelRuns;
import org.crabro.ranking.onnx.RankModels;
import org.crabro.text.TextAnalysis;
import org.jspecify.annotations.Nullable;

/**
 * The application model that requests are answered with: its document types, its limits for writes,
 * and the models that rank. Another model replaces it while requests run.
 */
final class ActiveModel implements AutoCloseable {
    private final DocumentStore store;
    private volatile @Nullable ApplicationModel model;

    /** The state that searches use: one model and its ranking models. */
    private volatile Searched searched = new Searched(Map.of(), RankModels.none());

    private final AtomicInteger rankModels = new AtomicInteger();

    /** The types that conditions may name. */
    private volatile SelectionTypes selectableTypes = SelectionTypes.of(List.of());

    ActiveModel(DocumentStore store) {
        this.store = store;
    }

    /** The schemas of one model, and their loaded ranking models. */
    private record Searched(Map<String, Schema> schemas, RankModels models) {}

    /** Answers a search with a schema, unless the model has none of that name. */
    interface SchemaSearch {
        SearchReply run(@Nullable Schema schema, ModelRuns models);
    }

    /**
     * Stores the document types of a model, sets its limits, and answers requests with it from then
     * on.
     */
    void activate(ApplicationModel activated) {
        RankModels loaded =
                RankModels.forContent(
                        activated.schemas().values().stream()
                                .flatMap(schema -> schema.rankProfiles().values().stream())
                                .flatMap(profile -> profile.contentModels().stream())
                                .toList(),
                        rankModels);
        try {
            for (Schema schema : activated.schemas().values()) {
                store.keep(
                        schema.documentType(),
                        searchedTexts(schema),
                        indexedFields(schema),
                        graphFields(schema));
            }
        } catch (IOException e) {
            loaded.retire();
            throw new UncheckedIOException("the document types could not be stored", e);
        }
        store.limitFeed(
                least(activated, ResourceLimits::disk), least(activated, ResourceLimits::memory));
        store.limitDocuments(documentBytes(activated));
        selectableTypes = Schema.selectable(activated.schemas().values());
        model = activated;
        Searched before = searched;
        searched = new Searched(activated.schemas(), loaded);
        before.models.retire();
    }

    /** Returns the number of loaded ranking models, including those of earlier generations. */
    int rankModels() {
        return rankModels.get();
    }

    /**
     * Returns the lowest limit of all clusters, because they share the disk and the memory of the
     * node.
     */
    private static OptionalDouble least(
            ApplicationModel model, Function<ResourceLimits, OptionalDouble> resource) {
        return model.services().contents().stream()
                .map(cluster -> resource.apply(cluster.limits()))
                .flatMapToDouble(OptionalDouble::stream)
                .min();
    }

    /** Returns the document size limits of the types whose clusters set one. */
    private static Map<String, Integer> documentBytes(ApplicationModel model) {
        Map<String, Integer> bytes = new HashMap<>();
        for (ContentCluster cluster : model.services().contents()) {
            OptionalInt most = cluster.limits().documentBytes();
            if (most.isPresent()) {
                cluster.documents().forEach(each -> bytes.put(each.type(), most.getAsInt()));
            }
        }
        return bytes;
    }

    private static SearchedTexts searchedTexts(Schema schema) {
        Map<String, TextAnalysis> analyses = new HashMap<>();
        for (SchemaField field : schema.fields().values()) {
            if (field.isSearchable()
                    && field.isText()
                    && field.matching().mode().unit() == MatchMode.Unit.TOKEN
                    && field.matching().mode().maxLength() == MatchMode.LENGTH_MAX) {
                analyses.put(field.field().name(), field.matching().mode().analysis());
            }
        }
        return new SearchedTexts(analyses);
    }

    /** Returns the fields of a schema that have an index; none unless its mode is index. */
    private static IndexedFields indexedFields(Schema schema) {
        if (!schema.summaries().indexed()) {
            return IndexedFields.NONE;
        }
        Map<String, TextAnalysis> values = new HashMap<>();
        Set<String> numbers = new HashSet<>();
        Set<String> predicates = new HashSet<>();
        for (SchemaField field : schema.fields().values()) {
            if (field.field().type() == Primitive.PREDICATE) {
                if (field.isSearchable()) {
                    predicates.add(field.field().name());
                }
                continue;
            }
            MatchMode mode = field.matching().mode();
            boolean isFast = field.values().fastSearch() || field.aspects().contains(Aspect.INDEX);
            if (!isFast || !(element(field.field().type()) instanceof Primitive primitive)) {
                continue;
            }
            if (!primitive.isText()) {
                numbers.add(field.field().name());
            } else if (mode.unit() == MatchMode.Unit.VALUE
                    && mode.maxLength() == MatchMode.LENGTH_MAX) {
                values.put(field.field().name(), mode.analysis());
            }
        }
        return new IndexedFields(searchedTexts(schema), values, numbers, predicates);
    }

    /** Returns the vector fields with an index; none unless the mode is index. */
    private static GraphFields graphFields(Schema schema) {
        Map<String, GraphField> graphs = new HashMap<>();
        for (SchemaField field : schema.fields().values()) {
            if (schema.summaries().indexed()
                    && field.aspects().contains(Aspect.INDEX)
                    && field.field().type() instanceof FieldType.TensorOf(var type)
                    && NearestSearch.indexedCount(type) == 1) {
                ValueRules values = field.values();
                graphs.put(
                        field.field().name(),
                        new GraphField(
                                type,
                                values.metric(),
                                values.graph().links(),
                                values.graph().explored()));
            }
        }
        return new GraphFields(graphs);
    }

    private static FieldType element(FieldType type) {
        return switch (type) {
            case FieldType.ArrayOf(var element) -> element;
            case FieldType.WeightedSetOf(var element) -> element;
            default -> type;
        };
    }

    /** Returns the active schema of a document type. */
    Optional<Schema> schema(String documentType) {
        ApplicationModel active = model;
        return active == null
                ? Optional.empty()
                : Optional.ofNullable(active.schemas().get(documentType));
    }

    /** Returns the active schemas by name. */
    Map<String, Schema> schemas() {
        ApplicationModel active = model;
        return active == null ? Map.of() : active.schemas();
    }

    /** Returns the types that conditions and selections may name. */
    SelectionTypes selectableTypes() {
        return selectableTypes;
    }

    /** Returns whether a document type is declared with {@code global="true"}. */
    boolean isGlobal(String documentType) {
        ApplicationModel active = model;
        return active != null
                && active.services().contents().stream()
                        .flatMap(cluster -> cluster.documents().stream())
                        .anyMatch(each -> each.isGlobal() && each.type().equals(documentType));
    }

    /** Returns the cluster that stores a document type. */
    Optional<String> cluster(String documentType) {
        ApplicationModel active = model;
        return active == null
                ? Optional.empty()
                : active.services().contents().stream()
                        .filter(each ->
                                each.documents().stream()
                                        .anyMatch(of -> of.type().equals(documentType)))
                        .map(ContentCluster::id)
                        .findFirst();
    }

    /**
     * Answers a search with the active schema of a type. Its ranking models stay loaded meanwhile.
     *
     * @param deadlineNanos at which runs of models end, on the scale of {@link System#nanoTime()}
     * @return empty if this is closed
     */
    Optional<SearchReply> search(String documentType, long deadlineNanos, SchemaSearch search) {
        while (true) {
            Searched current = searched;
            Optional<ModelRuns> models = current.models.begin(deadlineNanos);
            if (models.isPresent()) {
                try (ModelRuns runs = models.get()) {
                    return Optional.of(search.run(current.schemas.get(documentType), runs));
                }
            }
            // Another model was activated meanwhile, or this is closed.
            if (current.equals(searched)) {
                return Optional.empty();
            }
        }
    }

    /** Returns the text of a reply about a type that is not active. */
    static String unknownType(String name) {
        return "no active schema has a document type '%s'".formatted(name);
    }

    /** Unloads the ranking models. */
    @Override
    public void close() {
        searched.models.retire();
    }
}
