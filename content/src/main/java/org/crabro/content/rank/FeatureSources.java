package org.crabro.content.rank;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collection;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.Set;
import java.util.function.Supplier;
import java.util.stream.IntStream;
import org.crabro.config.schema.Aspect;
import org.crabro.config.schema.Input;
import org.crabro.config.schema.RankProfile;
import org.crabro.config.schema.Schema;
import org.crabro.config.schema.SchemaField;
import org.crabro.content.match.Matcher;
import org.crabro.content.match.NearestSearch;
import org.crabro.content.match.QueryPlace;
import org.crabro.content.query.QueryFields;
import org.crabro.content.query.QueryRejectedException;
import org.crabro.document.Field;
import org.crabro.document.FieldType;
import org.crabro.protocol.query.TermHints;
import org.crabro.protocol.query.TermSettings;
import org.crabro.protocol.search.QueryInput;
import org.crabro.protocol.search.RankSettings;
import org.crabro.ranking.expression.Expression;
import org.crabro.ranking.expression.ExpressionText;
import org.crabro.ranking.expression.TensorExpression;
import org.crabro.ranking.program.StringValue;
import org.crabro.ranking.tensor.TensorData;
import org.crabro.ranking.tensor.TensorTypes;
import org.crabro.ranking.type.FieldFeature;
import org.crabro.ranking.type.NativeFeature;
import org.crabro.ranking.type.RankFeature;
import org.crabro.tensor.CellType;
import org.crabro.tensor.TensorType;

/** Creates the sources of the features of one query. */
final class FeatureSources {
    private static final double MAX_AGE_SECONDS = 7_776_000;
    private static final double HALF_RESPONSE_SECONDS = 604_800;

    private final Schema schema;
    private final RankProfile profile;
    private final RankSettings settings;
    private final Matcher matcher;
    private final QueryFields fields;

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
                ? bm25(field, label, statistics)
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
                            fields.number(field(field).field()),
                            key,
                            AttributeElement.Output.valueOf(output.toUpperCase(Locale.ROOT)),
                            field(field).field().type() instanceof FieldType.Primitive);
            case RankFeature.Query _ ->
                    throw new IllegalStateException(feature + " was to be put in before");
            case RankFeature.Bm25(String field, String label) -> bm25(field, label, statistics);
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
                                fields.number(field(field).field()),
                                PathDistance.path(
                                        property,
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
                            fields.number(field(field).field()), weights(vector));
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

    /** Returns the fields for which a feature needs word counts. */
    Collection<String> countedFields(RankFeature feature) {
        return switch (feature) {
            case RankFeature.Bm25(String field, _) -> List.of(field);
            case RankFeature.Bm25ByLabel(String field) -> List.of(field);
            case RankFeature.Bm25ByElement(String field, _, _) -> List.of(field);
            case RankFeature.MatchOfFields _ -> searchedFields();
            case RankFeature.OfField(var asked, String field, _)
                    when asked == FieldFeature.AVERAGE_FIELD_LENGTH ->
                    List.of(field);
            case RankFeature.OfField(var asked, _, _)
                    when asked == FieldFeature.FIELD_MATCH
                            || asked == FieldFeature.ATTRIBUTE_MATCH ->
                    searchedFields();
            case RankFeature.Native(var asked, _)
                    when asked != NativeFeature.ATTRIBUTE_MATCH
                            && asked != NativeFeature.DOT_PRODUCT ->
                    searchedFields();
            case RankFeature.OfTerm(_, var output)
                    when output == RankFeature.TermOutput.SIGNIFICANCE ->
                    searchedFields();
            case RankFeature.DocumentCount() -> searchedFields();
            case RankFeature.Attribute _,
                    RankFeature.AttributePart _,
                    RankFeature.Query _,
                    RankFeature.Closeness _,
                    RankFeature.Distance _,
                    RankFeature.Closest _,
                    RankFeature.Freshness _,
                    RankFeature.Age _,
                    RankFeature.Now _,
                    RankFeature.Matches _,
                    RankFeature.QueryTermCount _,
                    RankFeature.FirstPhaseRank _,
                    RankFeature.FirstPhaseMax _,
                    RankFeature.OfField _,
                    RankFeature.Native _,
                    RankFeature.OfTerm _,
                    RankFeature.FieldTermMatch _,
                    RankFeature.TermDistance _,
                    RankFeature.ItemRawScore _,
                    RankFeature.Random _,
                    RankFeature.DotProduct _,
                    RankFeature.Geo _,
                    RankFeature.ToPath _,
                    RankFeature.FieldInfo _,
                    RankFeature.TermInfo _,
                    RankFeature.RandomNormal _,
                    RankFeature.OfTensor _,
                    RankFeature.Value _ ->
                    List.of();
        };
    }

    private Set<String> searchedFields() {
        var searched = new LinkedHashSet<String>();
        for (int term = 0; term < matcher.termCount(); term++) {
            searched.addAll(matcher.termFields(term));
        }
        return searched;
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
                    new ElementFeatures.Labels(fields.number(field(field).field()), feature.type());
            case RankFeature.FromProperty(String property, _, boolean weighted) ->
                    new FeatureSource.ConstantTensor(
                            ElementFeatures.listed(
                                    property,
                                    profile.settings().properties().getOrDefault(property, ""),
                                    weighted,
                                    feature.type()));
            case RankFeature.FromOffsets(String field, String dimension, String offset) ->
                    new ElementOffsets(
                            fields.number(field(field).field()),
                            feature.type(),
                            offset.compareTo(dimension) < 0);
            case RankFeature.FromStructs(String field, _, String value, _) ->
                    new StructCells(fields.number(field(field).field()), feature.type(), value);
            case RankFeature.Bm25ByLabel(String field) -> {
                List<String> labels =
                        IntStream.of(terms.searching(field))
                                .mapToObj(terms::label)
                                .filter(label -> !label.isEmpty())
                                .distinct()
                                .sorted()
                                .toList();
                yield new LabelledTexts(
                        feature.type(),
                        labels,
                        labels.stream().map(label -> bm25(field, label, statistics)).toList());
            }
            case RankFeature.Bm25ByElement byElement ->
                    new FeatureSource.OfRowTensor(elements(byElement, statistics, terms), terms);
            case RankFeature.FrequencyByTerm(String field) -> {
                var cells = new LinkedHashMap<List<String>, Double>();
                for (int term : terms.searching(field)) {
                    cells.put(
                            List.of(Integer.toString(term)),
                            matcher.termSettings()
                                    .get(term)
                                    .hints()
                                    .statistics()
                                    .frequency()
                                    .map(said -> (double) said.documents())
                                    .orElse(0.0));
                }
                yield new FeatureSource.ConstantTensor(StructCells.tensor(feature.type(), cells));
            }
        };
    }

    private ElementTexts elements(
            RankFeature.Bm25ByElement feature,
            Map<String, TextStatistics> statistics,
            RankedTerms terms) {
        String field = feature.field();
        String whole =
                "elementwise(bm25(%s),%s%s)."
                        .formatted(
                                field,
                                feature.dimension(),
                                feature.cells() == CellType.DOUBLE
                                        ? ""
                                        : "," + feature.cells().name().toLowerCase(Locale.ROOT));
        String plain = "bm25(" + field + ").";
        int[] termOf = matcher.patternTerms(field);
        TextStatistics known =
                statistics.getOrDefault(field, TextStatistics.constant(termOf.length));
        var inverse = new Double[terms.count()];
        Arrays.fill(inverse, 0.0);
        for (int i = termOf.length - 1; i >= 0; i--) {
            TermHints hints = matcher.termSettings().get(termOf[i]).hints();
            inverse[termOf[i]] = inverseFrequency(hints, known, i);
        }
        double length =
                property(
                        plain + "averageElementLength",
                        property(plain + "averageFieldLength", known.averageElementLength()));
        return new ElementTexts(
                field,
                feature.type(),
                List.of(inverse),
                property(whole + "k1", property(plain + "k1", 1.2)),
                property(whole + "b", property(plain + "b", 0.75)),
                property(whole + "averageElementLength", length));
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
                                ? new AttributeMatch(name, fields.number(field.field()))
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
                        fields.number(field(field).field()),
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
                    new FeatureSource.OfRow(
                            new AttributeMatch(field, fields.number(field(field).field())),
                            terms,
                            index);
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
            case RankFeature.Attribute _,
                    RankFeature.AttributePart _,
                    RankFeature.Query _,
                    RankFeature.Bm25 _,
                    RankFeature.Closeness _,
                    RankFeature.Distance _,
                    RankFeature.Closest _,
                    RankFeature.Freshness _,
                    RankFeature.Age _,
                    RankFeature.Now _,
                    RankFeature.Matches _,
                    RankFeature.QueryTermCount _,
                    RankFeature.FirstPhaseRank _,
                    RankFeature.FirstPhaseMax _,
                    RankFeature.OfField _,
                    RankFeature.Native _,
                    RankFeature.OfTerm _,
                    RankFeature.FieldTermMatch _,
                    RankFeature.TermDistance _,
                    RankFeature.ItemRawScore _,
                    RankFeature.Random _,
                    RankFeature.DotProduct _,
                    RankFeature.Geo _,
                    RankFeature.ToPath _,
                    RankFeature.FieldInfo _,
                    RankFeature.TermInfo _,
                    RankFeature.RandomNormal _,
                    RankFeature.MatchOfFields _,
                    RankFeature.DocumentCount _,
                    RankFeature.Value _ ->
                    TensorType.SCALAR;
        };
    }

    /**
     * Returns the search of ranked terms in the texts of {@code field}; empty if no term searches
     * it.
     *
     * @param countsElements whether the number of elements is counted too
     */
    Optional<SearchedText> searchedText(String field, boolean countsElements) {
        OptionalInt scanned = matcher.textScan(field);
        int[] patterns = matcher.textPatterns(field);
        return scanned.isEmpty() || patterns.length == 0
                ? Optional.empty()
                : Optional.of(
                        new SearchedText(
                                field,
                                scanned.getAsInt(),
                                patterns,
                                countsElements
                                        ? OptionalInt.of(fields.number(field(field).field()))
                                        : OptionalInt.empty()));
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
                    new FeatureSource.TensorAttribute(fields.number(field(name).field()), type);
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
        return new FeatureSource.Attribute(fields.number(field), missing, least);
    }

    private boolean isPlaceNumber(String name) {
        return name.endsWith(SchemaField.Z_CURVE) && schema.field(name).isEmpty();
    }

    private SchemaField field(String name) {
        return schema.field(name)
                .orElseThrow(() ->
                        new QueryRejectedException(
                                "rank profile '%s' reads field '%s', which '%s' does not have"
                                        .formatted(profile.name(), name, schema.name())));
    }

    /** Replaces a feature {@code query(name)} by the value from the query. */
    Expression queryValue(Expression.Feature feature) {
        if (!feature.name().equals("query")
                || !(RankFeature.of(feature) instanceof RankFeature.Query(String name))) {
            return feature;
        }
        Input declared = profile.inputs().get(name);
        QueryInput given = settings.inputs().get(name);
        TensorData value =
                switch (given) {
                    case null ->
                            declared == null
                                    ? TensorData.number(0)
                                    : declared.defaultValue()
                                            .map(TensorData::of)
                                            .orElseGet(() -> TensorData.empty(declared.type()));
                    case QueryInput.NumberInput(double number) -> TensorData.number(number);
                    case QueryInput.TensorInput(var tensor) -> TensorData.of(tensor);
                };
        TensorType type = declared == null ? value.type() : declared.type();
        if (!value.type().dimensions().equals(type.dimensions())) {
            throw new QueryRejectedException(
                    "query(%s) is a %s where %s is expected"
                            .formatted(
                                    name,
                                    value.type(),
                                    TensorTypes.isNumber(type) ? "a number" : "a " + type));
        }
        return TensorTypes.isNumber(type)
                ? new Expression.Constant(value.cells()[0])
                : new TensorExpression.Value(value.as(type));
    }

    private FeatureSource bm25(String field, String label, Map<String, TextStatistics> statistics) {
        Optional<SearchedText> searched = searchedText(field, false);
        if (searched.isEmpty()) {
            return new FeatureSource.Constant(0);
        }
        SearchedText text = searched.get();
        int terms = text.termCount();
        List<TermSettings> said = matcher.termSettings();
        int[] termOf = matcher.patternTerms(field);
        TextStatistics known = statistics.getOrDefault(field, TextStatistics.constant(terms));
        String prefix = "bm25(" + field + ").";
        var inverse = new double[terms];
        for (int i = 0; i < terms; i++) {
            TermHints hints = said.get(termOf[i]).hints();
            boolean counts = label.isEmpty() || hints.label().equals(label);
            inverse[i] = counts ? inverseFrequency(hints, known, i) : 0;
        }
        return new FeatureSource.Bm25(
                text,
                inverse,
                property(prefix + "k1", 1.2),
                property(prefix + "b", 0.75),
                property(prefix + "averageFieldLength", known.averageLength()));
    }

    /** A frequency or significance from the query has precedence over the counted statistics. */
    private static double inverseFrequency(TermHints hints, TextStatistics known, int term) {
        return hints.statistics().frequency().isPresent()
                ? hints.statistics().frequency().get().inverse()
                : hints.statistics().significance().orElseGet(() -> known.inverseFrequency(term));
    }

    private FeatureSource.Age age(String field) {
        return new FeatureSource.Age(
                field(field).field().type() instanceof FieldType.ArrayOf
                        ? new FeatureSource.FirstNumber(fields.number(field(field).field()))
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
        int number = fields.number(field(field).field());
        return search.<FeatureSource>map(found -> new ClosestVector(found, number, type))
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
