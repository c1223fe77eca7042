package org.crabro.content.search.rank;

import java.util.ArrayList;
import java.util.Collection;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.function.Supplier;
import java.util.stream.IntStream;
import org.crabro.config.schema.Aspect;
import org.crabro.config.schema.RankProfile;
import org.crabro.config.schema.Schema;
import org.crabro.config.schema.SchemaField;
import org.crabro.content.search.match.Matcher;
import org.crabro.content.search.match.NearestSearch;
import org.crabro.content.search.match.QueryPlace;
import org.crabro.content.search.query.QueryFields;
import org.crabro.content.search.query.QueryRejectedException;
import org.crabro.document.Field;
import org.crabro.document.FieldType;
import org.crabro.protocol.search.QueryInput;
import org.crabro.protocol.search.RankSettings;
import org.crabro.ranking.expression.Expression;
import org.crabro.ranking.expression.ExpressionText;
import org.crabro.ranking.program.StringValue;
import org.crabro.ranking.tensor.TensorData;
import org.crabro.ranking.type.FieldFeature;
import org.crabro.ranking.type.RankFeature;
import org.crabro.tensor.TensorType;

/** Creates the sources of the features of one query. {@link Bm25Sources} creates those of bm25. */
final class FeatureSources {
    private static final double MAX_AGE_SECONDS = 7_776_000;
    private static final double HALF_RESPONSE_SECONDS = 604_800;

    private final Schema schema;
    private final RankProfile profile;
    private final RankSettings settings;
    private final Matcher matcher;
    private final QueryFields fields;
    private final Bm25Sources bm25;
    private final QueryValues queryValues;

    FeatureSources(
            Schema schema,
            RankProfile profile,
            RankSettings settings,
            Matcher matcher,
            QueryFields fields) {
        this.schema = schema;
        this.profile = profile;
        this.settings = settings;
        this.matcher = matcher;
        this.fields = fields;
        this.bm25 = new Bm25Sources(profile, matcher);
        this.queryValues = new QueryValues(profile, settings);
    }

    /**
     * Returns the source of a feature. Calls {@code terms} only if the feature may need the ranked
     * terms. The feature bm25, the only one of many profiles, does not.
     *
     * @param statistics by field, if they were counted
     * @param terms with the same statistics
     */
    FeatureSource source(
            RankFeature feature,
            Map<String, TextStatistics> statistics,
            Supplier<RankedTerms> terms) {
        return feature instanceof RankFeature.Bm25(String field, String label)
                ? bm25.of(field, label, statistics)
                : source(feature, statistics, terms.get());
    }

    /**
     * Returns the source of a feature.
     *
     * @param statistics by field, if they were counted
     * @param terms with the same statistics
     */
    FeatureSource source(
            RankFeature feature, Map<String, TextStatistics> statistics, RankedTerms terms) {
        return switch (feature) {
            case RankFeature.Attribute(String field) -> attribute(field);
            case RankFeature.AttributePart(String field, String key, String output) ->
                    new AttributeElement(
                            number(field),
                            key,
                            AttributeElement.Output.valueOf(output.toUpperCase(Locale.ROOT)),
                            field(field).field().type() instanceof FieldType.Primitive,
                            Undefined.of(field(field).field().type()));
            case RankFeature.Query _ ->
                    throw new IllegalStateException(feature + " was to be put in before");
            case RankFeature.Bm25(String field, String label) -> bm25.of(field, label, statistics);
            case RankFeature.Closeness(RankFeature.Vector.OfField(String field))
                    when isPlace(field) ->
                    geo(field, terms, RankFeature.GeoOutput.CLOSENESS);
            case RankFeature.Distance(RankFeature.Vector.OfField(String field))
                    when isPlace(field) ->
                    geo(field, terms, RankFeature.GeoOutput.DISTANCE);
            case RankFeature.Geo(String field, var output) -> geo(field, terms, output);
            case RankFeature.ToPath(String field, var output) -> {
                String property = "distanceToPath(" + field + ").path";
                yield new FeatureSource.OfRow(
                        new PathDistance(
                                number(field),
                                PathDistance.path(
                                        profile.settings()
                                                .properties()
                                                .getOrDefault(property, ""))),
                        terms,
                        output.place());
            }
            case RankFeature.FieldInfo(String field, var output) ->
                    new FeatureSource.OfRow(new FieldReport(field), terms, output.place());
            case RankFeature.TermInfo(int term) ->
                    new FeatureSource.Constant(term < terms.count() ? term : -1);
            case RankFeature.MatchOfFields(String output) -> ofAllFields(output, terms);
            case RankFeature.RandomNormal normal -> randomNormal(normal);
            case RankFeature.OfTensor tensor -> tensor(tensor, statistics, terms);
            case RankFeature.Closeness(var vector) -> {
                List<NearestSearch> searches = searches(vector);
                yield searches.isEmpty()
                        ? new FeatureSource.Constant(0)
                        : new FeatureSource.Closeness(searches);
            }
            case RankFeature.Distance(var vector) -> {
                List<NearestSearch> searches = searches(vector);
                yield searches.isEmpty()
                        ? new FeatureSource.Constant(Double.MAX_VALUE)
                        : new FeatureSource.Distance(searches);
            }
            case RankFeature.Closest(String field, String label) -> closest(field, label);
            case RankFeature.DotProduct(String field, String vector) ->
                    new ElementFeatures.Product(
                            number(field),
                            weights(vector),
                            Undefined.of(field(field).field().type()));
            case RankFeature.Freshness(String field, boolean logscale) ->
                    freshness(field, logscale);
            case RankFeature.Age(String field) -> age(field);
            case RankFeature.Now() -> new FeatureSource.Constant(settings.nowSeconds());
            case RankFeature.FirstPhaseRank() -> new FeatureSource.FirstPhaseRank();
            case RankFeature.FirstPhaseMax() -> new FeatureSource.FirstPhaseMax();
            case RankFeature.Matches(String field) -> new FeatureSource.Matches(matcher, field);
            case RankFeature.QueryTermCount() -> new FeatureSource.Constant(matcher.termCount());
            case RankFeature.OfField(var asked, String field, String output) ->
                    ofField(asked, field, output, statistics, terms);
            case RankFeature.Native(var asked, var named) ->
                    new FeatureSource.OfRow(new NativeScores(asked, named), terms, 0);
            case RankFeature.OfTerm(int term, var output) ->
                    new FeatureSource.Constant(
                            term >= terms.count()
                                    ? 0
                                    : switch (output) {
                                        case SIGNIFICANCE -> terms.significance(term);
                                        case WEIGHT -> terms.weight(term);
                                        case CONNECTEDNESS -> terms.connectedness(term);
                                    });
            case RankFeature.FieldTermMatch(String field, int term, var output) ->
                    new FeatureSource.OfRow(new TermInField(field, term), terms, output.place());
            case RankFeature.TermDistance(String field, int first, int second, var output) ->
                    new FeatureSource.OfRow(
                            new DistanceOfTerms(field, first, second), terms, output.place());
            case RankFeature.ItemRawScore(String label) ->
                    new FeatureSource.OfRow(new LabelRawScore(label), terms, 0);
            case RankFeature.Random(String tag, boolean match) -> random(tag, match);
            case RankFeature.DocumentCount() ->
                    new FeatureSource.Constant(
                            statistics.values().stream()
                                    .mapToLong(TextStatistics::documents)
                                    .max()
                                    .orElse(1));
            case RankFeature.Value(double number) -> new FeatureSource.Constant(number);
        };
    }

    /** Returns the ranked terms with some statistics. */
    RankedTerms terms(Map<String, TextStatistics> statistics) {
        return new RankedTerms(
                schema, profile, Ranking.elementGaps(profile, settings), matcher, statistics);
    }

    /** Returns the weights of a query vector: an input tensor of that name, or a rank property. */
    private Map<String, Double> weights(String vector) {
        if (Ranking.inputs(profile, settings).get(vector)
                        instanceof QueryInput.TensorInput(var tensor)
                && tensor.type().dimensions().size() == 1) {
            return ElementFeatures.weights(TensorData.of(tensor));
        }
        String property = "dotProduct." + vector;
        return ElementFeatures.weights(
                property, profile.settings().properties().getOrDefault(property, "{}"));
    }

    private FeatureSource tensor(
            RankFeature.OfTensor feature,
            Map<String, TextStatistics> statistics,
            RankedTerms terms) {
        return switch (feature) {
            case RankFeature.FromElements(String field, _, _) ->
                    new ElementFeatures.Labels(
                            number(field),
                            feature.type(),
                            Undefined.of(field(field).field().type()));
            case RankFeature.FromProperty(String property, _, boolean weighted) ->
                    new FeatureSource.ConstantTensor(
                            ElementFeatures.listed(
                                    property,
                                    profile.settings().properties().getOrDefault(property, ""),
                                    weighted,
                                    feature.type()));
            case RankFeature.FromOffsets(String field, String dimension, String offset) ->
                    new ElementOffsets(
                            number(field),
                            feature.type(),
                            offset.compareTo(dimension) < 0,
                            Undefined.of(field(field).field().type()));
            case RankFeature.FromStructs(String field, _, String value, _) ->
                    new StructCells(number(field), feature.type(), value);
            case RankFeature.Bm25ByLabel byLabel -> bm25.byLabel(byLabel, statistics, terms);
            case RankFeature.Bm25ByElement byElement ->
                    bm25.byElement(byElement, statistics, terms);
            case RankFeature.FrequencyByTerm(String field) ->
                    new FeatureSource.ConstantTensor(
                            StructCells.tensor(
                                    feature.type(), frequencies(field, statistics, terms)));
        };
    }

    /**
     * Returns the number of documents with each term that searches a field: as the query says, or
     * as counted; otherwise 0.
     */
    private Map<List<String>, Double> frequencies(
            String field, Map<String, TextStatistics> statistics, RankedTerms terms) {
        var cells = new LinkedHashMap<List<String>, Double>();
        for (int term : terms.searching(field)) {
            cells.put(List.of(Integer.toString(term)), 0.0);
        }
        TextStatistics counted = statistics.get(field);
        int[] termOf = matcher.patternTerms(field);
        for (int i = 0; i < termOf.length && counted != null; i++) {
            double documents = counted.documentsByTerm().get(i);
            cells.computeIfPresent(List.of(Integer.toString(termOf[i])), (_, _) -> documents);
        }
        for (int term : terms.searching(field)) {
            matcher.termSettings()
                    .get(term)
                    .hints()
                    .statistics()
                    .frequency()
                    .ifPresent(said ->
                            cells.put(List.of(Integer.toString(term)), (double) said.documents()));
        }
        return cells;
    }

    private FeatureSource ofAllFields(String output, RankedTerms terms) {
        if (output.startsWith(RankFeature.MatchOfFields.WEIGHT)) {
            String field = output.substring(RankFeature.MatchOfFields.WEIGHT.length());
            return new FeatureSource.Constant(terms.ranking(field).counting());
        }
        var parts = new ArrayList<MatchOfFields.Part>();
        for (String name : terms.fields()) {
            boolean isText = terms.isIndexed(name);
            SchemaField field = field(name);
            if (isText || field.aspects().contains(Aspect.ATTRIBUTE)) {
                RowFeature measure =
                        !isText
                                ? new AttributeMatch(name, number(name))
                                : field.field().type() instanceof FieldType.Primitive
                                        ? new FieldMatch(name)
                                        : new ElementCompleteness(name);
                parts.add(new MatchOfFields.Part(measure, terms.ranking(name).counting()));
            }
        }
        return new FeatureSource.OfRow(
                new MatchOfFields(parts),
                terms,
                output.equals("score") ? MatchOfFields.SCORE : MatchOfFields.TOTAL_WEIGHT);
    }

    private FeatureSource randomNormal(RankFeature.RandomNormal feature) {
        String tag = feature.tag();
        String name =
                "randomNormal%s(%s,%s%s)"
                        .formatted(
                                feature.match() ? "Stable" : "",
                                ExpressionText.of(new Expression.Constant(feature.mean())),
                                ExpressionText.of(new Expression.Constant(feature.deviation())),
                                tag.isEmpty() ? "" : "," + tag);
        double seed =
                property(name + ".seed", feature.match() ? 1_024 : (double) settings.nowSeconds());
        return NormalRandom.of(
                feature.mean(),
                feature.deviation(),
                Double.doubleToLongBits(seed) + UniformRandom.hash(tag),
                feature.match());
    }

    private boolean isPlace(String name) {
        FieldType type = field(name).field().type();
        return type.equals(FieldType.StructOf.POSITION)
                || type.equals(new FieldType.ArrayOf(FieldType.StructOf.POSITION));
    }

    /** If geographical terms search this field, only these are used, else those of all fields. */
    private FeatureSource geo(String field, RankedTerms terms, RankFeature.GeoOutput output) {
        List<QueryPlace> all =
                IntStream.range(0, terms.count())
                        .boxed()
                        .flatMap(term -> terms.conditions(term).stream())
                        .flatMap(condition -> condition.place().stream())
                        .toList();
        List<QueryPlace> own = all.stream().filter(place -> place.field().equals(field)).toList();
        String prefix = "closeness(" + field + ").";
        double most = property(prefix + "maxDistance", GeoDistance.MAX_DISTANCE);
        double asked = property(prefix + "halfResponse", GeoDistance.HALF_RESPONSE);
        return new FeatureSource.OfRow(
                new GeoDistance(
                        number(field),
                        own.isEmpty() ? all : own,
                        most,
                        property(prefix + "scaleDistance", scale(asked, most))),
                terms,
                output.place());
    }

    /**
     * Returns the scale of a logarithmic decay.
     *
     * @param asked the value at which the decay is one half
     * @param most the value at which it is zero
     */
    private static double scale(double asked, double most) {
        double half = asked >= 1 && asked < most / 2 ? asked : most / 2 - 1;
        return half * half / (most - 2 * half);
    }

    private FeatureSource ofField(
            FieldFeature feature,
            String field,
            String output,
            Map<String, TextStatistics> statistics,
            RankedTerms terms) {
        int index = Math.max(0, feature.outputs().indexOf(output));
        return switch (feature) {
            case FIELD_LENGTH, MATCH_COUNT, RAW_SCORE ->
                    new FeatureSource.OfRow(new TermCounts(feature, field), terms, 0);
            case AVERAGE_FIELD_LENGTH ->
                    new FeatureSource.Constant(
                            statistics
                                    .getOrDefault(field, TextStatistics.constant(0))
                                    .averageLength());
            case ATTRIBUTE_MATCH ->
                    new FeatureSource.OfRow(new AttributeMatch(field, number(field)), terms, index);
            case ELEMENT_COMPLETENESS ->
                    new FeatureSource.OfRow(new ElementCompleteness(field), terms, index);
            case ELEMENT_SIMILARITY ->
                    new FeatureSource.OfRow(new ElementSimilarity(field, output), terms, 0);
            case FIELD_MATCH -> new FeatureSource.OfRow(new FieldMatch(field), terms, index);
            case TEXT_SIMILARITY ->
                    new FeatureSource.OfRow(new TextSimilarity(field), terms, index);
        };
    }

    private FeatureSource random(String tag, boolean match) {
        String name = tag.isEmpty() ? "random" : "random(" + tag + ")";
        double seed =
                match
                        ? property(name + ".match.seed", 1_024)
                        : property(name + ".seed", (double) settings.nowSeconds());
        return new UniformRandom(Double.doubleToLongBits(seed) + UniformRandom.hash(tag), match);
    }

    /** Returns the fields whose word counts a feature needs. */
    Collection<String> countedFields(RankFeature feature) {
        // In mode streaming, the feature has only what the query says.
        return feature instanceof RankFeature.FrequencyByTerm(String field)
                        && schema.summaries().indexed()
                ? List.of(field)
                : CountedFields.of(feature, matcher);
    }

    /** Replaces a feature that reads a value of the query by this value. */
    Expression queryValue(Expression.Feature feature) {
        return queryValues.replacing(feature);
    }

    /** Returns the type of a feature. */
    TensorType type(RankFeature feature) {
        return switch (feature) {
            case RankFeature.Attribute(String field) when isPlaceNumber(field) -> TensorType.SCALAR;
            case RankFeature.Attribute(String field)
                    when field(field).field().type()
                            instanceof FieldType.TensorOf(TensorType type) ->
                    type;
            case RankFeature.Closest(String field, _)
                    when field(field).field().type()
                            instanceof FieldType.TensorOf(TensorType type) ->
                    RankFeature.Closest.type(type);
            case RankFeature.OfTensor tensor -> tensor.type();
            default -> TensorType.SCALAR;
        };
    }

    /**
     * Returns the search of ranked terms in the texts of {@code field}; empty if no term searches
     * it.
     *
     * @param countsElements whether the number of elements is counted too
     */
    Optional<SearchedText> searchedText(String field, boolean countsElements) {
        return SearchedText.of(field, matcher)
                .map(text -> countsElements ? text.countingElements(number(field)) : text);
    }

    /**
     * Returns the search of ranked terms in the keys of {@code field}; empty if no term searches
     * them.
     */
    Optional<SearchedKeys> searchedKeys(String field) {
        return Optional.of(SearchedKeys.of(field, matcher))
                .filter(keys -> !keys.conditions().isEmpty())
                .filter(_ -> field(field).field().type() instanceof FieldType.WeightedSetOf);
    }

    private FeatureSource attribute(String name) {
        if (isPlaceNumber(name)) {
            Field place =
                    field(name.substring(0, name.length() - SchemaField.Z_CURVE.length())).field();
            return place.type().equals(FieldType.StructOf.POSITION)
                    ? new PlaceNumber(fields.number(place))
                    : new FeatureSource.Constant(0);
        }
        return switch (field(name).field().type()) {
            case FieldType.Primitive primitive -> {
                double missing =
                        switch (primitive) {
                            case STRING, URI, RAW, PREDICATE -> StringValue.of("");
                            case BOOL -> 0;
                            case BYTE, INT, LONG, FLOAT16, FLOAT, DOUBLE -> Double.NaN;
                        };
                yield single(name, missing);
            }
            case FieldType.ReferenceOf _ -> single(name, StringValue.of(""));
            case FieldType.ArrayOf _,
                    FieldType.WeightedSetOf _,
                    FieldType.MapOf _,
                    FieldType.StructOf _ ->
                    new FeatureSource.Constant(0);
            case FieldType.TensorOf(var type) ->
                    new FeatureSource.TensorAttribute(number(name), type);
        };
    }

    private FeatureSource.Attribute single(String name, double missing) {
        Field field = field(name).field();
        long least =
                field.type() == FieldType.Primitive.BYTE
                        ? Byte.MIN_VALUE
                        : field.type() == FieldType.Primitive.INT
                                ? Integer.MIN_VALUE
                                : Long.MIN_VALUE;
        return new FeatureSource.Attribute(number(name), missing, least);
    }

    private boolean isPlaceNumber(String name) {
        return name.endsWith(SchemaField.Z_CURVE) && schema.field(name).isEmpty();
    }

    private int number(String name) {
        return fields.number(field(name), schema);
    }

    private SchemaField field(String name) {
        return schema.fieldOrPart(name)
                .orElseThrow(() ->
                        new QueryRejectedException(
                                "rank profile '%s' reads field '%s', which '%s' does not have"
                                        .formatted(profile.name(), name, schema.name())));
    }

    private FeatureSource.Age age(String field) {
        return new FeatureSource.Age(
                field(field).field().type() instanceof FieldType.ArrayOf
                        ? new FeatureSource.FirstNumber(number(field))
                        : single(field, Double.NaN),
                settings.nowSeconds());
    }

    private FeatureSource freshness(String field, boolean logscale) {
        String prefix = "freshness(" + field + ").";
        double maxAge = property(prefix + "maxAge", MAX_AGE_SECONDS);
        if (!logscale) {
            return new FeatureSource.Freshness(age(field), maxAge);
        }
        double asked = property(prefix + "halfResponse", HALF_RESPONSE_SECONDS);
        return new FeatureSource.LogarithmicFreshness(age(field), maxAge, scale(asked, maxAge));
    }

    private double property(String name, double otherwise) {
        return Properties.number(profile, name, otherwise);
    }

    private FeatureSource closest(String field, String label) {
        TensorType type = type(new RankFeature.Closest(field, label));
        Optional<NearestSearch> search =
                matcher.nearest().stream()
                        .filter(NearestSearch::isRanked)
                        .filter(each -> each.field().equals(field))
                        .filter(each -> label.isEmpty() || each.label().equals(label))
                        .findFirst();
        int number = number(field);
        return search.<FeatureSource>map(nearest -> new ClosestVector(nearest, number, type))
                .orElseGet(() -> new FeatureSource.ConstantTensor(TensorData.empty(type)));
    }

    private List<NearestSearch> searches(RankFeature.Vector vector) {
        return matcher.nearest().stream()
                .filter(NearestSearch::isRanked)
                .filter(search ->
                        switch (vector) {
                            case RankFeature.Vector.OfField(String field) ->
                                    search.field().equals(field);
                            case RankFeature.Vector.OfLabel(String label) ->
                                    search.label().equals(label);
                        })
                .toList();
    }
}
