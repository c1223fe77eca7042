package org.crabro.config.schema;

import java.util.Collection;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.stream.Stream;
import org.crabro.ranking.expression.Expression;
import org.crabro.ranking.onnx.RankModel;

/**
 * How matches are scored, including everything inherited.
 *
 * @param inputs by name, {@code q} for {@code query(q)}
 * @param firstPhase with functions expanded
 * @param phases how later phases change the scores of the first
 * @param shown the features that hits are returned with
 */
public record RankProfile(
        String name,
        Map<String, Input> inputs,
        Expression firstPhase,
        Phases phases,
        ShownFeatures shown,
        FeatureSettings settings) {
    /** The prefix of properties that set the distance between elements of a field. */
    public static final String ELEMENT_GAP = "vespa.matching.element_gap.";

    /** The value of such a property for an infinite distance between elements. */
    public static final String NO_ELEMENT_GAP = "infinity";

    /** The start of the properties that decide how graphs of neighbors are searched. */
    public static final String MATCHING = "crabro.matching.";

    /** The properties by the settings of profiles that set them. */
    public static final Map<String, String> MATCHING_SETTINGS =
            Map.of(
                    "approximate-threshold",
                    MATCHING + "approximateThreshold",
                    "post-filter-threshold",
                    MATCHING + "postFilterThreshold",
                    "filter-first-threshold",
                    MATCHING + "filterFirstThreshold",
                    "filter-first-exploration",
                    MATCHING + "filterFirstExploration",
                    "exploration-slack",
                    MATCHING + "explorationSlack",
                    "target-hits-max-adjustment-factor",
                    MATCHING + "targetHitsMaxAdjustmentFactor");

    /** The start of the properties that limit matches to those with the best values. */
    public static final String MATCH_PHASE = "crabro.matchPhase.";

    /** The settings of such limits, each the end of a property. */
    public static final List<String> MATCH_PHASE_SETTINGS =
            List.of(
                    "attribute",
                    "ascending",
                    "maxHits",
                    "maxFilterCoverage",
                    "diversity.attribute",
                    "diversity.minGroups",
                    "diversity.cutoff.factor",
                    "diversity.cutoff.strategy");

    /** The property that sets the current time, in seconds since the epoch. */
    public static final String NOW = "vespa.now";

    /** The property that adds {@code fieldInfo} of all fields to the listed features. */
    public static final String FIELD_INFO = "fieldInfo.enable";

    public RankProfile {
        inputs = Map.copyOf(inputs);
    }

    /** A profile of one phase. */
    public RankProfile(
            String name,
            Map<String, Input> inputs,
            Expression firstPhase,
            Map<String, Expression> matchFeatures,
            Map<String, String> properties) {
        this(
                name,
                inputs,
                firstPhase,
                Phases.NONE,
                ShownFeatures.ofMatches(matchFeatures),
                new FeatureSettings(properties, Map.of(), false));
    }

    /** Returns the same profile with {@code others} added to its properties. */
    public RankProfile withProperties(Map<String, String> others) {
        if (others.isEmpty()) {
            return this;
        }
        var all = new LinkedHashMap<>(settings.properties());
        all.putAll(others);
        return with(new FeatureSettings(all, settings.fields(), settings.usesModel()));
    }

    /** Returns the same profile with later phases. */
    public RankProfile with(Phases others) {
        return new RankProfile(name, inputs, firstPhase, others, shown, settings);
    }

    /** Returns the same profile with other features to show. */
    public RankProfile with(ShownFeatures others) {
        return new RankProfile(name, inputs, firstPhase, phases, others, settings);
    }

    /** Returns the same profile with other settings of fields. */
    public RankProfile withFields(Map<String, FieldRanking> others) {
        return with(new FeatureSettings(settings.properties(), others, settings.usesModel()));
    }

    /** Returns the same profile, with or without a significance model. */
    public RankProfile usingModel(boolean uses) {
        return uses == settings.usesModel()
                ? this
                : with(new FeatureSettings(settings.properties(), settings.fields(), uses));
    }

    private RankProfile with(FeatureSettings others) {
        return new RankProfile(name, inputs, firstPhase, phases, shown, others);
    }

    /** Returns the models that content nodes run for it. */
    public Set<RankModel> contentModels() {
        var models = new LinkedHashSet<>(firstPhase.models());
        phases.second().ifPresent(second -> models.addAll(second.expression().models()));
        Stream.of(
                        shown.match().values(),
                        shown.summary().values(),
                        shown.listed().values(),
                        phases.global().map(global -> global.features().values()).orElse(List.of()))
                .flatMap(Collection::stream)
                .forEach(expression -> models.addAll(expression.models()));
        return models;
    }

    /** Returns the models that containers run for it. */
    public Set<RankModel> containerModels() {
        var models = new LinkedHashSet<RankModel>();
        phases.global()
                .ifPresent(global -> {
                    models.addAll(global.expression().models());
                    global.normalizers()
                            .values()
                            .forEach(each -> models.addAll(each.input().models()));
                });
        return models;
    }

    /** Returns how a field counts in scores. */
    public FieldRanking field(String field) {
        return settings.fields().getOrDefault(field, FieldRanking.NONE);
    }
}
