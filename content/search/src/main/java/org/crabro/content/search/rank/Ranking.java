package org.crabro.content.search.rank;

import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalDouble;
import java.util.function.Supplier;
import org.crabro.config.schema.Phases;
import org.crabro.config.schema.RankProfile;
import org.crabro.config.schema.Schema;
import org.crabro.content.search.match.Matcher;
import org.crabro.content.search.match.SectionWords;
import org.crabro.content.search.query.QueryFields;
import org.crabro.content.search.query.QueryRejectedException;
import org.crabro.content.search.rank.RankProgramCache.Compiled;
import org.crabro.content.search.rank.Scoring.Part;
import org.crabro.protocol.search.QueryInput;
import org.crabro.protocol.search.RankLimits;
import org.crabro.protocol.search.RankOverrides;
import org.crabro.protocol.search.RankSettings;
import org.crabro.ranking.expression.Expression;
import org.crabro.ranking.onnx.ModelFailedException;
import org.crabro.ranking.onnx.ModelRuns;
import org.crabro.ranking.program.RankProgram;
import org.crabro.ranking.tensor.TensorLimitException;
import org.crabro.ranking.tensor.TensorTypes;
import org.crabro.ranking.type.ExpressionTypeException;
import org.crabro.ranking.type.RankFeature;
import org.crabro.tensor.TensorType;
import org.jspecify.annotations.Nullable;

/**
 * A rank profile, compiled for one query: which texts must be counted first, and, once that is
 * done, how to score. Immutable; threads share it.
 *
 * {@snippet :
 * Ranking ranking =
 *         Ranking.compile(profile, schema, settings, matcher, fields, resources);
 * TextCounts counts = ranking.newCounts();
 * if (ranking.needsCounts()) {
 *     // add every slice to counts
 * }
 * Scoring scoring = ranking.scoring(counts);
 * }
 */
public final class Ranking {
    private final Compiled firstPhase;
    private final Optional<Compiled> again;
    private final OptionalDouble dropLimit;
    private final List<Shown> shown = new ArrayList<>();
    private final FeatureSources sources;
    private final GivenFeatures given;
    private final RankResources resources;
    private final List<SearchedText> counted;
    private final List<SearchedKeys> countedKeys;

    /** The scoring without statistics. Creating it early rejects profiles that cannot be scored. */
    private final Scoring uncounted;

    /** A feature that is returned with each hit. */
    private record Shown(Part part, String name, Expression expression, Compiled compiled) {}

    private Ranking(
            RankProfile profile,
            RankSettings settings,
            FeatureSources sources,
            RankResources resources) {
        RankLimits limits = settings.limits();
        RankOverrides overrides = settings.overrides();
        this.resources = resources;
        this.sources = sources;
        this.given = new GivenFeatures(overrides.features());
        Optional<Expression> second = profile.phases().second().map(Phases.Second::expression);
        boolean scoresAll = limits.rerankCount().isEmpty();
        this.firstPhase = score(second.filter(_ -> scoresAll).orElse(profile.firstPhase()));
        this.again = second.filter(_ -> limits.rerankCount().orElse(0) > 0).map(this::score);
        this.dropLimit =
                second.isPresent() && scoresAll
                        ? larger(limits.dropLimit(), limits.secondDropLimit())
                        : limits.dropLimit();
        var match = new LinkedHashMap<>(profile.shown().match());
        profile.phases().global().ifPresent(global -> match.putAll(global.features()));
        show(Part.MATCH, match);
        show(Part.SUMMARY, profile.shown().summary());
        if (overrides.listsFeatures()) {
            show(Part.LISTED, profile.shown().listed());
        }
        Map<String, Boolean> countsElements =
                needsStatistics(settings) ? countedFields() : Map.of();
        this.counted = texts(countsElements);
        this.countedKeys =
                countsElements.keySet().stream()
                        .map(sources::searchedKeys)
                        .flatMap(Optional::stream)
                        .toList();
        this.uncounted = newScoring(newCounts());
    }

    /** The same ranking with more features of hits, which need no other statistics. */
    private Ranking(Ranking of, List<Shown> more) {
        this.firstPhase = of.firstPhase;
        this.again = of.again;
        this.dropLimit = of.dropLimit;
        this.sources = of.sources;
        this.given = of.given;
        this.resources = of.resources;
        this.counted = of.counted;
        this.countedKeys = of.countedKeys;
        shown.addAll(of.shown);
        shown.addAll(more);
        this.uncounted = newScoring(newCounts());
    }

    /**
     * Returns the same ranking, which also returns with each hit the features that its phases read.
     */
    public Ranking showingUsed() {
        var used = new LinkedHashMap<String, Expression>();
        addUsed(firstPhase, used);
        again.ifPresent(compiled -> addUsed(compiled, used));
        for (Shown each : shown) {
            if (each.part() == Part.MATCH) {
                addUsed(each.compiled(), used);
            }
        }
        var more = new ArrayList<Shown>();
        used.forEach((name, feature) ->
                more.add(new Shown(Part.USED, name, feature, compiled(feature))));
        return new Ranking(this, more);
    }

    private static void addUsed(Compiled compiled, Map<String, Expression> into) {
        compiled.program().features().forEach(each -> into.putIfAbsent(each.toString(), each));
    }

    private static boolean needsStatistics(RankSettings settings) {
        return switch (settings.statistics()) {
            case GROUP -> true;
            case NONE -> false;
        };
    }

    private void show(Part part, Map<String, Expression> features) {
        features.forEach((name, expression) ->
                shown.add(new Shown(part, name, expression, compiled(expression))));
    }

    private static OptionalDouble larger(OptionalDouble one, OptionalDouble other) {
        return one.isEmpty() || other.isEmpty()
                ? (one.isPresent() ? one : other)
                : OptionalDouble.of(Math.max(one.getAsDouble(), other.getAsDouble()));
    }

    /**
     * Compiles a profile.
     *
     * @param fields receives the fields that features read
     * @param resources with the programs of {@code schema}
     * @throws QueryRejectedException if the profile contains an expression that cannot be computed
     */
    public static Ranking compile(
            RankProfile profile,
            Schema schema,
            RankSettings settings,
            Matcher matcher,
            QueryFields fields,
            RankResources resources) {
        try {
            var sources = new FeatureSources(schema, profile, settings, matcher, fields);
            // The constructor collects the fields and rejects invalid features before any row is
            // read.
            return new Ranking(profile, settings, sources, resources);
        } catch (ExpressionTypeException
                | IllegalArgumentException
                | TensorLimitException
                | ModelFailedException e) {
            throw new QueryRejectedException(
                    "rank profile '%s': %s".formatted(profile.name(), e.getMessage()));
        }
    }

    /**
     * Returns the inputs of a query: its own values, and the defaults that the profile declares.
     */
    public static Map<String, QueryInput> inputs(RankProfile profile, RankSettings settings) {
        var inputs = new LinkedHashMap<String, QueryInput>();
        profile.inputs()
                .forEach((name, input) ->
                        input.defaultValue()
                                .ifPresent(value ->
                                        inputs.put(name, new QueryInput.TensorInput(value))));
        inputs.putAll(settings.inputs());
        return inputs;
    }

    /**
     * Returns, by field, the number of words added to the distance between words of consecutive
     * elements. The query's settings have precedence over those of the profile.
     */
    public static Map<String, Integer> elementGaps(RankProfile profile, RankSettings settings) {
        var gaps = new LinkedHashMap<String, Integer>();
        profile.settings()
                .properties()
                .forEach((name, gap) -> {
                    if (name.startsWith(RankProfile.ELEMENT_GAP)) {
                        gaps.put(name.substring(RankProfile.ELEMENT_GAP.length()), gap(name, gap));
                    }
                });
        gaps.putAll(settings.overrides().elementGaps());
        return gaps;
    }

    private static int gap(String name, String text) {
        if (text.equals(RankProfile.NO_ELEMENT_GAP)) {
            return RankOverrides.NO_NEARNESS;
        }
        if (!text.matches("[0-9]{1,9}")) {
            throw new QueryRejectedException(
                    "rank property %s is '%s' where a whole number or infinity is expected"
                            .formatted(name, text));
        }
        return Integer.parseInt(text);
    }

    /** Returns whether all texts in scope must be counted before scores can be computed. */
    public boolean needsCounts() {
        return !counted.isEmpty() || !countedKeys.isEmpty();
    }

    /** Returns whether the best hits are scored again in a second phase. */
    public boolean isReranked() {
        return again.isPresent();
    }

    /** Returns whether documents with low scores are dropped. */
    public boolean drops() {
        return dropLimit.isPresent();
    }

    /** Returns whether the index of a section knows all that scores of the first phase read. */
    public boolean isIn(SectionWords words) {
        for (FeatureSource source : uncounted.firstPhase().sources()) {
            boolean isSupported =
                    source instanceof FeatureSource.Constant
                            || (source instanceof FeatureSource.Bm25 bm25
                                    && bm25.text().isIn(words));
            if (!isSupported) {
                return false;
            }
        }
        return true;
    }

    /** Returns counters of texts for one thread. */
    public TextCounts newCounts() {
        return new TextCounts(counted, countedKeys);
    }

    /**
     * Returns the scoring.
     *
     * @param counts the sum over all slices
     */
    public Scoring scoring(TextCounts counts) {
        return needsCounts() ? newScoring(counts) : uncounted;
    }

    private Scoring newScoring(TextCounts counts) {
        Map<String, TextStatistics> statistics = counts.statistics();
        Supplier<RankedTerms> terms = new LateTerms(() -> sources.terms(statistics));
        var features = new ArrayList<Scoring.HitFeature>();
        for (Shown each : shown) {
            features.add(
                    new Scoring.HitFeature(
                            each.part(), each.name(), scored(each.compiled(), statistics, terms)));
        }
        return new Scoring(
                scored(firstPhase, statistics, terms),
                again.map(compiled -> scored(compiled, statistics, terms)),
                dropLimit,
                features,
                statistics);
    }

    /**
     * Creates the ranked terms on first use, since most profiles use only words. For one thread.
     */
    private static final class LateTerms implements Supplier<RankedTerms> {
        private final Supplier<RankedTerms> make;
        private @Nullable RankedTerms made;

        LateTerms(Supplier<RankedTerms> make) {
            this.make = make;
        }

        @Override
        public RankedTerms get() {
            RankedTerms terms = made;
            if (terms == null) {
                terms = make.get();
                made = terms;
            }
            return terms;
        }
    }

    private Compiled compiled(Expression expression) {
        if (given.areIn(expression)) {
            return compiled(expression.replacing(given::value), resources.models());
        }
        return resources
                .programs()
                .get(expression, shared -> compiled(shared, ModelRuns.none()))
                .orElseGet(() -> compiled(expression, resources.models()));
    }

    private Compiled compiled(Expression expression, ModelRuns runs) {
        RankProgram program =
                RankProgram.compile(
                        expression.replacing(sources::queryValue),
                        feature -> sources.type(RankFeature.of(feature)),
                        runs,
                        resources.work());
        return new Compiled(program, features(program.features()));
    }

    /** Compiles an expression that must be a number. */
    private Compiled score(Expression expression) {
        Compiled compiled = compiled(expression);
        TensorType type = compiled.program().type();
        if (!TensorTypes.isNumber(type)) {
            throw new QueryRejectedException(
                    "a score is a %s where a number is expected".formatted(type));
        }
        return compiled;
    }

    private static List<RankFeature> features(Iterable<Expression.Feature> named) {
        var features = new ArrayList<RankFeature>();
        for (Expression.Feature each : named) {
            features.add(RankFeature.of(each));
        }
        return features;
    }

    private Scoring.Program scored(
            Compiled compiled,
            Map<String, TextStatistics> statistics,
            Supplier<RankedTerms> terms) {
        var read = new ArrayList<FeatureSource>();
        for (RankFeature feature : compiled.features()) {
            read.add(sources.source(feature, statistics, terms));
        }
        return new Scoring.Program(compiled.program(), read);
    }

    /** Returns the fields whose words are counted; true if their elements are counted too. */
    private Map<String, Boolean> countedFields() {
        var countsElements = new LinkedHashMap<String, Boolean>();
        addFields(firstPhase.features(), countsElements);
        again.ifPresent(compiled -> addFields(compiled.features(), countsElements));
        for (Shown each : shown) {
            addFields(features(each.expression().features()), countsElements);
        }
        return countsElements;
    }

    private List<SearchedText> texts(Map<String, Boolean> countsElements) {
        var texts = new ArrayList<SearchedText>();
        countsElements.forEach(
                (field, counts) -> sources.searchedText(field, counts).ifPresent(texts::add));
        return List.copyOf(texts);
    }

    /** Adds the fields whose words are counted, with true if their elements are counted too. */
    private void addFields(List<RankFeature> features, Map<String, Boolean> countsElements) {
        for (RankFeature feature : features) {
            boolean isByElement = feature instanceof RankFeature.Bm25ByElement;
            for (String field : sources.countedFields(feature)) {
                countsElements.merge(field, isByElement, Boolean::logicalOr);
            }
        }
    }
}
