package org.crabro.container.query;

import java.time.Duration;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeSet;
import java.util.stream.Collectors;
import org.crabro.config.deploy.ApplicationModel;
import org.crabro.config.queryprofile.QueryProfiles;
import org.crabro.config.rules.RuleBases;
import org.crabro.config.schema.Fieldset;
import org.crabro.config.schema.MatchMode;
import org.crabro.config.schema.MatchRules;
import org.crabro.config.schema.Schema;
import org.crabro.config.schema.SchemaField;
import org.crabro.config.schema.WordReading;
import org.crabro.config.services.ContainerCluster.SearchApi;
import org.crabro.config.services.ContentCluster;
import org.crabro.config.services.ContentCluster.ClusterDocument;
import org.crabro.config.services.ContentCluster.Mode;
import org.crabro.config.services.HighlightTags;
import org.crabro.container.yql.FieldKind;
import org.crabro.document.FieldType;
import org.crabro.document.select.SelectionTypes;
import org.crabro.document.time.TimeKind;
import org.crabro.protocol.query.QueryNode;
import org.crabro.protocol.search.Marking;
import org.crabro.ranking.onnx.Embedder;
import org.crabro.ranking.onnx.RankModels;
import org.crabro.ranking.significance.SignificanceModels;
import org.crabro.text.SpecialTokens;

/** The parts of an application that queries use. */
public final class SearchedApplication {
    /** The search chains of every application: the default chain and its two names. */
    private static final Set<String> ALWAYS = Set.of("default", "vespa", "native");

    private final Map<String, Embedder> embedders;
    private final RankModels rankModels;
    private final QueryProfiles queryProfiles;
    private final RuleBases rules;
    private final SpecialTokens specialTokens;
    private final Set<String> searchChains;
    private final Optional<Duration> defaultTimeout;
    private final SignificanceModels significance;
    private final SelectionTypes selectionTypes;
    private final Marking marking;
    private final List<Place> places = new ArrayList<>();

    /** The document types of all clusters, also where {@link #places} are those of one. */
    private final List<Place> everywhere;

    private final Part part;

    /** The part of an application that a search chain searches. */
    private enum Part {
        /** The clusters that a query names. */
        NAMED,
        /** Those that the chain itself chooses. */
        CHOSEN,
        /** One of several whose results are put together. */
        ONE_OF_SEVERAL
    }

    /** An application without search chains of its own. */
    public SearchedApplication(ApplicationModel model, Map<String, Embedder> embedders) {
        this(model, List.of(), embedders, RankModels.none());
    }

    /**
     * @param searches the settings of the clusters whose queries these are; the first cluster that
     *     sets a text for highlighting counts
     * @param embedders by the id of their component
     * @param rankModels the models of global phases
     */
    public SearchedApplication(
            ApplicationModel model,
            List<SearchApi> searches,
            Map<String, Embedder> embedders,
            RankModels rankModels) {
        this.part = Part.NAMED;
        this.everywhere = places;
        this.rankModels = rankModels;
        this.searchChains =
                searches.stream()
                        .flatMap(api -> api.chains().stream())
                        .collect(Collectors.toUnmodifiableSet());
        this.marking =
                marking(
                        searches.stream()
                                .map(SearchApi::tags)
                                .reduce(HighlightTags.NONE, HighlightTags::over));
        this.defaultTimeout =
                model.services().contents().stream()
                        .flatMap(cluster -> cluster.queries().timeout().stream())
                        .max(Comparator.naturalOrder());
        this.significance =
                model.services().containers().stream()
                        .flatMap(cluster -> cluster.search().stream())
                        .map(SearchApi::significance)
                        .reduce(SignificanceModels.NONE, SignificanceModels::overriddenBy);
        this.embedders = Map.copyOf(embedders);
        this.queryProfiles = model.queryProfiles();
        this.rules = model.queries().rules();
        this.specialTokens = model.services().specialTokens();
        this.selectionTypes = Schema.selectable(model.schemas().values());
        for (ContentCluster cluster : model.services().contents()) {
            int hitsPerNode = cluster.queries().hitsPerNode().orElse(Integer.MAX_VALUE);
            for (ClusterDocument document : cluster.documents()) {
                places.add(
                        new Place(
                                cluster.id(),
                                model.schema(document),
                                document.mode(),
                                hitsPerNode));
            }
        }
    }

    private SearchedApplication(SearchedApplication whole, List<Place> places, Part part) {
        this.part = part;
        this.everywhere = whole.everywhere;
        this.places.addAll(places);
        this.rankModels = whole.rankModels;
        this.searchChains = whole.searchChains;
        this.defaultTimeout = whole.defaultTimeout;
        this.significance = whole.significance;
        this.embedders = whole.embedders;
        this.queryProfiles = whole.queryProfiles;
        this.rules = whole.rules;
        this.specialTokens = whole.specialTokens;
        this.selectionTypes = whole.selectionTypes;
        this.marking = whole.marking;
    }

    private static Marking marking(HighlightTags tags) {
        Marking usual = Marking.DEFAULT;
        return new Marking(
                usual.isOn(),
                tags.open().orElse(usual.open()),
                tags.close().orElse(usual.close()),
                tags.separator().orElse(usual.separator()));
    }

    /** Returns how matches are highlighted where a query does not say it. */
    Marking marking() {
        return marking;
    }

    /** Returns this application for a chain that searches one cluster, whatever a query names. */
    public SearchedApplication within(String cluster) {
        return new SearchedApplication(
                this,
                everywhere.stream().filter(place -> place.cluster.equals(cluster)).toList(),
                Part.CHOSEN);
    }

    /** Returns this application for a chain that chooses what it searches. */
    public SearchedApplication chosen() {
        return new SearchedApplication(this, places, Part.CHOSEN);
    }

    /** Returns this application for a query whose result is put together with others. */
    public SearchedApplication asOneOfSeveral() {
        return new SearchedApplication(this, places, Part.ONE_OF_SEVERAL);
    }

    /** Returns whether a query names the clusters to search. */
    boolean isNamed() {
        return part == Part.NAMED;
    }

    /** Returns whether the result of a query is put together with others. */
    public boolean isOneOfSeveral() {
        return part == Part.ONE_OF_SEVERAL;
    }

    /**
     * A document type in a content cluster.
     *
     * @param cluster the id of the cluster
     * @param hitsPerNode the maximum number of hits that a node returns
     */
    public record Place(String cluster, Schema schema, Mode mode, int hitsPerNode) {
        /** A place whose nodes return all hits that are asked for. */
        public Place(String cluster, Schema schema, Mode mode) {
            this(cluster, schema, mode, Integer.MAX_VALUE);
        }
    }

    /** Returns the models of global phases, which stay open while requests run. */
    public RankModels rankModels() {
        return rankModels;
    }

    /** Returns the document types of all clusters, in the order of services.xml. */
    List<Place> places() {
        return places;
    }

    /** Returns the document types of all clusters, whatever a chain searches. */
    List<Place> everywhere() {
        return everywhere;
    }

    /** Returns the ids of the clusters that can be searched, in the order of services.xml. */
    public List<String> searchedClusters() {
        return everywhere.stream()
                .filter(place -> place.mode != Mode.STORE_ONLY)
                .map(Place::cluster)
                .distinct()
                .toList();
    }

    /** Returns the clusters that have a searched document type called {@code schema}. */
    public List<String> clustersOf(String schema) {
        return everywhere.stream()
                .filter(place ->
                        place.mode != Mode.STORE_ONLY && place.schema.name().equals(schema))
                .map(Place::cluster)
                .distinct()
                .toList();
    }

    /** Returns the types that selections of documents may name. */
    public SelectionTypes selectionTypes() {
        return selectionTypes;
    }

    /** Returns the values that requests get from profiles. */
    public QueryProfiles queryProfiles() {
        return queryProfiles;
    }

    /** Returns the words of queries with separators inside. */
    SpecialTokens specialTokens() {
        return specialTokens;
    }

    /** Returns the rules that rewrite words of queries. */
    RuleBases rules() {
        return rules;
    }

    /** Returns whether queries may name the search chain {@code name}. */
    public boolean hasSearchChain(String name) {
        return ALWAYS.contains(name) || searchChains.contains(name);
    }

    /**
     * Returns the timeout of queries that set none; empty if the package sets none. The longest
     * timeout of all clusters counts, because a query asks all of them.
     */
    Optional<Duration> defaultTimeout() {
        return defaultTimeout;
    }

    /**
     * Returns the significance models. If clusters have a model for the same language, the last
     * counts.
     */
    public SignificanceModels significance() {
        return significance;
    }

    /** Returns the embedders by the id of their component. */
    Map<String, Embedder> embedders() {
        return embedders;
    }

    /** Returns the kind of {@code name} in the first schema that has it. */
    FieldKind fieldKind(String name) {
        if (name.equals(QueryNode.Term.DOCUMENT_TYPE)) {
            return new FieldKind.Whole();
        }
        for (Place place : places) {
            Optional<FieldKind> kind = fieldKind(name, place.schema);
            if (kind.isPresent()) {
                return kind.get();
            }
        }
        return new FieldKind.Unknown();
    }

    /**
     * Returns the type of a field whose values are neither whole numbers, booleans nor strings in
     * any schema.
     */
    Optional<String> unlisted(String name) {
        List<FieldType> types =
                places.stream()
                        .flatMap(place -> place.schema.field(name).stream())
                        .map(field -> field.field().type())
                        .toList();
        return types.stream().anyMatch(SearchedApplication::isListed)
                ? Optional.empty()
                : types.stream().findFirst().map(FieldType::text);
    }

    /** Returns the document types in which a field, or a part of one, has times, by their kind. */
    Map<TimeKind, Set<String>> timeKinds(String path) {
        var kinds = new EnumMap<TimeKind, Set<String>>(TimeKind.class);
        for (Place place : places) {
            place.schema
                    .times(path)
                    .kind()
                    .ifPresent(kind ->
                            kinds.computeIfAbsent(kind, _ -> new TreeSet<>())
                                    .add(place.schema.documentType().name()));
        }
        return kinds;
    }

    private static boolean isListed(FieldType type) {
        return switch (type) {
            case FieldType.Primitive primitive ->
                    primitive.stored() != FieldType.Primitive.FLOAT
                            && primitive.stored() != FieldType.Primitive.DOUBLE;
            case FieldType.ArrayOf(var element) -> isListed(element);
            case FieldType.WeightedSetOf(var element) -> isListed(element);
            case FieldType.StructOf(var name, _) -> !name.equals("position");
            case FieldType.MapOf _, FieldType.ReferenceOf _, FieldType.TensorOf _ -> true;
        };
    }

    private static Optional<FieldKind> fieldKind(String written, Schema schema) {
        String name = schema.unaliased(written);
        Optional<SchemaField> field = schema.field(name);
        Optional<Fieldset> fieldset = schema.fieldset(name);
        if (field.isEmpty() && fieldset.isEmpty()) {
            return partKind(name, schema);
        }
        return field.map(each -> kind(isWhole(each), reading(each)))
                .or(() -> fieldset.map(set -> kind(isWhole(set, schema), reading(set, schema))));
    }

    private static FieldKind kind(boolean isWhole, WordReading reading) {
        return reading.terminator()
                .<FieldKind>map(FieldKind.Exact::new)
                .orElseGet(() ->
                        isWhole
                                ? new FieldKind.Whole()
                                : new FieldKind.Words(reading.consecutive()));
    }

    /** Returns how words are read for a field; only texts have rules of their own. */
    private static WordReading reading(SchemaField field) {
        return field.field().type().isText() ? field.matching().reading("") : WordReading.NORMAL;
    }

    /** Returns how words are read for a field set; exact fields decide it together. */
    private static WordReading reading(Fieldset fieldset, Schema schema) {
        boolean decides =
                fieldset.reading().terminator().isPresent() || fieldset.parsedAs().isPresent();
        List<WordReading> ofFields =
                fieldset.fields().stream()
                        .flatMap(member -> schema.field(member).stream())
                        .map(SearchedApplication::reading)
                        .toList();
        boolean exact =
                ofFields.size() == fieldset.fields().size()
                        && ofFields.stream().allMatch(each -> each.terminator().isPresent());
        return decides || !exact || ofFields.isEmpty() ? fieldset.reading() : ofFields.getFirst();
    }

    /** Returns the kind of a part of a field, such as {@code author.name} or {@code links.key}. */
    private static Optional<FieldKind> partKind(String name, Schema schema) {
        for (int end = name.indexOf('.'); end > 0; end = name.indexOf('.', end + 1)) {
            Optional<SchemaField> field = schema.field(name.substring(0, end));
            if (field.isPresent()) {
                String path = name.substring(end + 1);
                MatchRules rules = field.get().matching();
                boolean whole = rules.of(path).unit() == MatchMode.Unit.VALUE;
                return Optional.of(kind(whole, rules.reading(path)));
            }
        }
        return Optional.empty();
    }

    private static boolean isWhole(Fieldset fieldset, Schema schema) {
        return fieldset.parsedAs()
                .map(MatchMode.Unit.VALUE::equals)
                .orElseGet(() ->
                        fieldset.fields().stream()
                                .allMatch(member ->
                                        schema.field(member)
                                                .filter(SearchedApplication::isWhole)
                                                .isPresent()));
    }

    private static boolean isWhole(SchemaField field) {
        FieldType type = field.field().type();
        return type instanceof FieldType.ReferenceOf
                || (type.isText() && field.matching().mode().unit() == MatchMode.Unit.VALUE);
    }
}
