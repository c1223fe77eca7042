package org.crabro.config.schema;

import java.util.Collection;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.stream.Stream;
import org.crabro.ranking.expression.Expression;
import org.crabro.ranking.onnx.RankModel;

/**
 * How matches are scored, with everything inherited already in it.
 *
 * @param inputs by name, {@code q} for {@code query(q)}
 * @param firstPhase functions of the profile replaced by what they compute
 * @param matchFeatures returned with each hit, by the name to show, in order; functions replaced
 * @param properties settings of features, such as {@code bm25(title).k1}
 * @param phases what becomes of scores of the first phase
 * @param shown what hits are returned with besides
 * @param fields how fields count in scores, those of which anything is said
 * @param usesModel whether a significance model says how common words are, instead of what is
 *     counted
 */
public record RankProfile(
        String name,
        Map<String, Input> inputs,
        Expression firstPhase,
        Map<String, Expression> matchFeatures,
        Map<String, String> properties,
        Phases phases,
        ShownFeatures shown,
        Map<String, FieldRanking> fields,
        boolean usesModel) {
    /** What the names of properties begin with that say how far elements of a field are apart. */
    public static final String ELEMENT_GAP = "vespa.matching.element_gap.";

    /** The value of such a property that keeps elements apart. */
    public static final String NO_ELEMENT_GAP = "infinity";

    public RankProfile {
        fields = Map.copyOf(fields);
        inputs = Map.copyOf(inputs);
        matchFeatures = Collections.unmodifiableMap(new LinkedHashMap<>(matchFeatures));
        properties = Map.copyOf(properties);
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
                matchFeatures,
                properties,
                Phases.NONE,
                ShownFeatures.NONE,
                Map.of(),
                false);
    }

    /** Returns the same profile with {@code others} over its properties. */
    public RankProfile withProperties(Map<String, String> others) {
        if (others.isEmpty()) {
            return this;
        }
        var all = new LinkedHashMap<>(properties);
        all.putAll(others);
        return new RankProfile(
                name, inputs, firstPhase, matchFeatures, all, phases, shown, fields, usesModel);
    }

    /** Returns the same profile with later phases. */
    public RankProfile with(Phases others) {
        return new RankProfile(
                name,
                inputs,
                firstPhase,
                matchFeatures,
                properties,
                others,
                shown,
                fields,
                usesModel);
    }

    /** Returns the same profile with other features to show. */
    public RankProfile with(ShownFeatures others) {
        return new RankProfile(
                name,
                inputs,
                firstPhase,
                matchFeatures,
                properties,
                phases,
                others,
                fields,
                usesModel);
    }

    /** Returns the same profile with fields that count otherwise. */
    public RankProfile withFields(Map<String, FieldRanking> others) {
        return new RankProfile(
                name,
                inputs,
                firstPhase,
                matchFeatures,
                properties,
                phases,
                shown,
                others,
                usesModel);
    }

    /** Returns the same profile, with or without a significance model. */
    public RankProfile usingModel(boolean uses) {
        if (uses == usesModel) {
            return this;
        }
        return new RankProfile(
                name, inputs, firstPhase, matchFeatures, properties, phases, shown, fields, uses);
    }

    /** Returns the models that content nodes run for it. */
    public Set<RankModel> contentModels() {
        var models = new LinkedHashSet<>(firstPhase.models());
        phases.second().ifPresent(second -> models.addAll(second.expression().models()));
        Stream.of(
                        matchFeatures.values(),
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
        return fields.getOrDefault(field, FieldRanking.NONE);
    }
}
