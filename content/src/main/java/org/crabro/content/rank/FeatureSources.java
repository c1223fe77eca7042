package org.crabro.content.rank;

import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalDouble;
import java.util.OptionalInt;
import java.util.stream.IntStream;
import org.crabro.config.schema.Input;
import org.crabro.config.schema.RankProfile;
import org.crabro.config.schema.Schema;
import org.crabro.config.schema.SchemaField;
import org.crabro.content.match.Matcher;
import org.crabro.content.match.NearestSearch;
import org.crabro.content.match.QueryFields;
import org.crabro.content.match.QueryRejectedException;
import org.crabro.document.FieldType;
import org.crabro.protocol.query.TermHints;
import org.crabro.protocol.query.TermSettings;
import org.crabro.protocol.search.QueryInput;
import org.crabro.protocol.search.RankSettings;
import org.crabro.ranking.expression.Expression;
import org.crabro.ranking.expression.TensorExpression;
import org.crabro.ranking.program.StringValue;
import org.crabro.ranking.tensor.TensorData;
import org.crabro.ranking.tensor.TensorTypes;
import org.crabro.ranking.type.RankFeature;
import org.crabro.tensor.TensorType;

/** Says for one query where the values of each feature come from. */
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
     * Returns the source of a feature.
     *
     * @param statistics by field, where they were counted
     */
    FeatureSource source(RankFeature feature, Map<String, TextStatistics> statistics) {
        return switch (feature) {
            case RankFeature.Attribute(String field) -> attribute(field);
            case RankFeature.Query _ ->
                    throw new IllegalStateException(feature + " was to be put in before");
            case RankFeature.Bm25(String field) -> bm25(field, statistics);
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
            case RankFeature.Freshness(String field, boolean logscale) ->
                    freshness(field, logscale);
            case RankFeature.Age(String field) -> age(field);
            case RankFeature.Now() -> new FeatureSource.Constant(settings.nowSeconds());
            case RankFeature.Matches(String field) -> new FeatureSource.Matches(matcher, field);
            case RankFeature.QueryTermCount() -> new FeatureSource.Constant(matcher.termCount());
        };
    }

    /** Returns the type of a feature. */
    TensorType type(RankFeature feature) {
        return feature instanceof RankFeature.Attribute(String field)
                        && field(field).field().type()
                                instanceof FieldType.TensorOf(TensorType type)
                ? type
                : TensorType.SCALAR;
    }

    /** Returns how {@code field} is searched by ranked terms, or nothing where none does. */
    Optional<SearchedText> searchedText(String field) {
        OptionalInt scanned = matcher.textScan(field);
        int[] patterns = matcher.textPatterns(field);
        return scanned.isEmpty() || patterns.length == 0
                ? Optional.empty()
                : Optional.of(new SearchedText(field, scanned.getAsInt(), patterns));
    }

    private FeatureSource attribute(String name) {
        return switch (field(name).field().type()) {
            case FieldType.Primitive primitive -> {
                double missing =
                        switch (primitive) {
                            case STRING, URI, RAW, PREDICATE -> StringValue.of("");
                            case BOOL -> 0;
                            case BYTE, INT, LONG, FLOAT16, FLOAT, DOUBLE -> Double.NaN;
                        };
                yield new FeatureSource.Attribute(fields.number(field(name).field()), missing);
            }
            case FieldType.ReferenceOf _ ->
                    new FeatureSource.Attribute(
                            fields.number(field(name).field()), StringValue.of(""));
            case FieldType.ArrayOf _,
                    FieldType.WeightedSetOf _,
                    FieldType.MapOf _,
                    FieldType.StructOf _ ->
                    new FeatureSource.Constant(0);
            case FieldType.TensorOf(var type) ->
                    new FeatureSource.TensorAttribute(fields.number(field(name).field()), type);
        };
    }

    private SchemaField field(String name) {
        return schema.field(name)
                .orElseThrow(() ->
                        new QueryRejectedException(
                                "rank profile '%s' reads field '%s', which '%s' has not"
                                        .formatted(profile.name(), name, schema.name())));
    }

    /** Puts what the query brings in the place of features that ask for it. */
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

    private FeatureSource bm25(String field, Map<String, TextStatistics> statistics) {
        Optional<SearchedText> searched = searchedText(field);
        if (searched.isEmpty()) {
            return new FeatureSource.Constant(0);
        }
        SearchedText text = searched.get();
        int terms = text.termCount();
        List<TermSettings> said = matcher.termSettings();
        int[] termOf = matcher.patternTerms(field);
        TextStatistics known = statistics.getOrDefault(field, TextStatistics.constant(terms));
        String prefix = "bm25(" + field + ").";
        return new FeatureSource.Bm25(
                text,
                IntStream.range(0, terms)
                        .mapToDouble(i ->
                                saidSignificance(said.get(termOf[i]).hints())
                                        .orElseGet(() -> known.inverseFrequency(i)))
                        .toArray(),
                property(prefix + "k1", 1.2),
                property(prefix + "b", 0.75),
                property(prefix + "averageFieldLength", known.averageLength()));
    }

    /** What the query itself says of a word holds, whatever was counted. */
    private static OptionalDouble saidSignificance(TermHints hints) {
        return hints.significance().isPresent()
                ? hints.significance()
                : hints.frequency()
                        .map(frequency -> OptionalDouble.of(frequency.inverse()))
                        .orElse(OptionalDouble.empty());
    }

    private FeatureSource.Age age(String field) {
        return new FeatureSource.Age(
                new FeatureSource.Attribute(fields.number(field(field).field()), Double.NaN),
                settings.nowSeconds());
    }

    private FeatureSource freshness(String field, boolean logscale) {
        String prefix = "freshness(" + field + ").";
        double maxAge = property(prefix + "maxAge", MAX_AGE_SECONDS);
        if (!logscale) {
            return new FeatureSource.Freshness(age(field), maxAge);
        }
        double asked = property(prefix + "halfResponse", HALF_RESPONSE_SECONDS);
        double half = asked >= 1 && asked < maxAge / 2 ? asked : maxAge / 2 - 1;
        return new FeatureSource.LogarithmicFreshness(
                age(field), maxAge, half * half / (maxAge - 2 * half));
    }

    private double property(String name, double otherwise) {
        String text = profile.properties().get(name);
        if (text == null) {
            return otherwise;
        }
        try {
            return Double.parseDouble(text.strip());
        } catch (NumberFormatException e) {
            throw new QueryRejectedException(
                    "rank property %s of profile '%s' is '%s' where a number is expected"
                            .formatted(name, profile.name(), text));
        }
    }

    private List<NearestSearch> searches(RankFeature.Vector vector) {
        return matcher.nearest().stream()
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
