package org.crabro.config.validation;

import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.crabro.config.parser.Name;
import org.crabro.config.parser.RankProfileDeclaration;
import org.crabro.config.parser.RawText;
import org.crabro.config.parser.SchemaDeclaration.PackagedFile;
import org.crabro.config.schema.FeatureSettings;
import org.crabro.config.schema.FieldRanking;
import org.crabro.config.schema.Input;
import org.crabro.config.schema.Phases;
import org.crabro.config.schema.RankProfile;
import org.crabro.config.schema.SchemaField;
import org.crabro.config.schema.ShownFeatures;
import org.crabro.ranking.expression.ExpansionBudget;
import org.crabro.ranking.expression.Expression;
import org.crabro.ranking.expression.Expression.Constant;
import org.crabro.ranking.expression.Expression.Feature;
import org.crabro.ranking.expression.ExpressionPosition;
import org.crabro.ranking.expression.ProfileFunctions;
import org.crabro.tensor.TensorType;

/**
 * Compiles the rank profiles of a schema: {@link ProfileInheritance} adds the inherited parts,
 * {@link ProfileExpansion} expands expressions and checks their types.
 *
 * <p>{@code default} and {@code unranked} always exist. A profile without a first phase ranks by
 * {@code nativeRank}.
 */
final class RankProfileCompiler {
    private static final String IGNORE_DEFAULTS = "ignore-default-rank-features";

    /** The first phase of a profile that declares none. */
    private static final Expression NATIVE_RANK = new Feature("nativeRank", List.of(), "");

    private final List<RankProfileDeclaration> declarations;
    private final ProfileFiles files;
    private final ProfileExpressions expressions;
    private final ProfileExpansion.Scope scope;
    private final Map<String, RawText> selectors;
    private final SchemaFindings findings;
    private final ListedFeatures defaultFeatures;

    /**
     * @param packagedFiles constants and models of the schema and its profiles
     * @param selectors by feature: the places where summaries select elements by it
     */
    RankProfileCompiler(
            List<RankProfileDeclaration> declarations,
            List<PackagedFile> packagedFiles,
            ProfileFields fields,
            Components components,
            Map<String, RawText> selectors,
            SchemaFindings findings) {
        this.declarations = declarations;
        this.files = new ProfileFiles(packagedFiles, components.files().constants());
        this.expressions =
                new ProfileExpressions(declarations, components.files().expressions(), findings);
        this.scope =
                new ProfileExpansion.Scope(
                        fields,
                        components,
                        expressions,
                        new ExpansionBudget(ExpansionBudget.DEFAULT));
        this.selectors = Map.copyOf(selectors);
        this.findings = findings;
        this.defaultFeatures = new ListedFeatures(fields.withParts());
    }

    Map<String, RankProfile> compile() {
        var declared = new LinkedHashMap<String, RankProfileDeclaration>();
        for (RankProfileDeclaration profile : declarations) {
            RankProfileDeclaration first = declared.putIfAbsent(profile.name().text(), profile);
            if (first != null) {
                problem(
                        profile.name(),
                        "rank-profile '%s' is declared twice; the first is at %s"
                                .formatted(
                                        profile.name().text(),
                                        first.name().at().seenFrom(profile.name().at())));
            }
        }
        var inheritance =
                new ProfileInheritance(
                        declared,
                        new ProfilePartsReader(scope.fields(), files, expressions, findings),
                        expressions,
                        findings);
        var profiles = new LinkedHashMap<String, RankProfile>();
        profiles.put(ProfileInheritance.DEFAULT, builtIn(ProfileInheritance.DEFAULT, NATIVE_RANK));
        profiles.put(
                ProfileInheritance.UNRANKED, builtIn(ProfileInheritance.UNRANKED, new Constant(0)));
        for (RankProfileDeclaration profile : declared.values()) {
            ProfileParts whole = inheritance.resolve(profile);
            addProfileInputs(profile.name(), whole);
            RankProfile finished = finish(profile, whole);
            if (!SchemaInheritance.isReplaced(profile.name().text())) {
                profiles.put(profile.name().text(), finished);
            }
        }
        return profiles;
    }

    private RankProfile builtIn(String name, Expression firstPhase) {
        return new RankProfile(name, Map.of(), firstPhase, Map.of(), Map.of())
                .with(new ShownFeatures(Map.of(), Map.of(), defaultFeatures.get()))
                .withFields(rankings(Map.of()));
    }

    /** Query profile types declare inputs for all rank profiles that do not do it themselves. */
    private void addProfileInputs(Name profile, ProfileParts into) {
        scope.components()
                .inputs()
                .forEach((name, type) -> {
                    Input own = into.inputs.get(name);
                    if (own == null) {
                        into.inputs.put(name, Input.of(type, Optional.empty()));
                    } else if (!own.type().equals(type)) {
                        problem(
                                SchemaStep.RANK_INPUTS,
                                profile,
                                "rank-profile '%s' declares query(%s) as %s, a query profile type as %s"
                                        .formatted(profile.text(), name, own.type(), type));
                    }
                });
    }

    /** Expands functions and constants and checks the result. */
    private RankProfile finish(RankProfileDeclaration declaration, ProfileParts profile) {
        // Files of schemas are added after inheritance: two parents that see them do not differ.
        var constants = new LinkedHashMap<>(profile.constants);
        var models = new LinkedHashMap<>(profile.models);
        profile.elsewhere.values().forEach(file -> files.add(file, constants, models));
        if (declaration.names().home().isEmpty()) {
            files.of("").forEach(file -> files.add(file, constants, models));
        }
        var functions = new LinkedHashMap<>(profile.functions);
        constants.forEach((name, value) ->
                functions.putIfAbsent(name, new ProfileFunctions.Function(List.of(), value)));
        Expression firstPhase = profile.firstPhase.orElse(NATIVE_RANK);
        functions.putIfAbsent("firstPhase", new ProfileFunctions.Function(List.of(), firstPhase));
        Expression secondPhase = profile.phases.get("second-phase");
        if (secondPhase != null) {
            functions.putIfAbsent(
                    "secondPhase", new ProfileFunctions.Function(List.of(), secondPhase));
        }
        var expansion =
                new ProfileExpansion(
                        declaration.name(),
                        profile,
                        new ProfileExpansion.Names(functions, constants, models),
                        scope);
        profile.functions.forEach((name, function) -> {
            if (function.parameters().isEmpty()) {
                expansion.check(function.body());
            }
        });
        Map<String, Expression> matchFeatures = shown(profile.matchFeatures, expansion);
        Map<String, Expression> summaryFeatures =
                shown(ProfileInheritance.SUMMARY_FEATURES, profile, expansion);
        var listed = new LinkedHashMap<String, Expression>();
        if (!profile.settings.containsKey(IGNORE_DEFAULTS)) {
            listed.putAll(defaultFeatures.get());
        }
        if ("true".equals(profile.properties.get(RankProfile.FIELD_INFO))) {
            listed.putAll(
                    ListedFeatures.fieldInfo(scope.fields().names(SchemaField::isSearchable)));
        }
        listed.putAll(shown(ProfileInheritance.RANK_FEATURES, profile, expansion));
        return new RankProfile(
                declaration.name().text(),
                profile.inputs,
                expansion.scalar(firstPhase),
                phases(profile, expansion),
                new ShownFeatures(matchFeatures, summaryFeatures, listed),
                new FeatureSettings(
                        properties(profile),
                        rankings(profile.fields),
                        profile.sets(RankProfileDeclaration.USE_MODEL)));
    }

    /** Returns the properties of a profile, and those that its settings set. */
    private static Map<String, String> properties(ProfileParts profile) {
        var properties = new LinkedHashMap<>(profile.properties);
        RankProfile.MATCHING_SETTINGS.forEach((setting, property) -> {
            Double value = profile.limits.get(setting);
            if (value != null) {
                properties.put(property, value.toString());
            }
        });
        return properties;
    }

    private Map<String, Expression> shown(
            String keyword, ProfileParts profile, ProfileExpansion expansion) {
        return shown(Optional.ofNullable(profile.shownFeatures.get(keyword)), expansion);
    }

    private Map<String, Expression> shown(
            Optional<List<Feature>> features, ProfileExpansion expansion) {
        var shown = new LinkedHashMap<String, Expression>();
        for (Feature feature : features.orElse(List.of())) {
            shown.put(feature.toString(), hitFeature(feature, expansion));
        }
        return shown;
    }

    /** Returns how fields count in scores, by the profile or else by the schema. */
    private Map<String, FieldRanking> rankings(Map<String, FieldRanking> ofProfile) {
        var rankings = new LinkedHashMap<String, FieldRanking>();
        var names = new LinkedHashSet<>(scope.fields().names(_ -> true));
        names.addAll(ofProfile.keySet());
        for (String name : names) {
            scope.fields()
                    .fieldOrPart(name)
                    .map(field ->
                            ofProfile.getOrDefault(name, FieldRanking.NONE).or(field.ranking()))
                    .filter(ranking -> !ranking.equals(FieldRanking.NONE))
                    .ifPresent(ranking -> rankings.put(name, ranking));
        }
        return rankings;
    }

    /** Returns an expanded feature of hits, after checking that it can select elements. */
    private Expression hitFeature(Feature feature, ProfileExpansion expansion) {
        Expression whole = expansion.whole(feature);
        RawText selector = selectors.get(feature.toString());
        // A constant replaces an expression that was rejected, and cannot select elements.
        if (selector != null && !(whole instanceof Constant)) {
            TensorType type = expansion.type(whole);
            if (type.mappedCount() != 1) {
                expressions.problem(
                        selector.at(),
                        ExpressionPosition.UNKNOWN,
                        "elements are selected by a tensor with one mapped dimension, whose labels"
                                + " are their numbers; '%s' is of type %s"
                                        .formatted(feature, type));
            }
        }
        return whole;
    }

    private static Phases phases(ProfileParts profile, ProfileExpansion expansion) {
        Expression second = profile.phases.get("second-phase");
        Expression global = profile.phases.get("global-phase");
        return new Phases(
                profile.limit("first-phase rank-score-drop-limit"),
                Optional.ofNullable(second)
                        .map(expression ->
                                new Phases.Second(
                                        expansion.scalar(expression),
                                        profile.count("second-phase rerank-count"),
                                        profile.count("second-phase total-rerank-count"),
                                        profile.limit("second-phase rank-score-drop-limit"))),
                Optional.ofNullable(global)
                        .flatMap(expression ->
                                expansion.global(
                                        expression,
                                        profile.count("global-phase rerank-count")
                                                .orElse(Phases.Global.RERANK_COUNT),
                                        profile.limit("global-phase rank-score-drop-limit"))));
    }

    private void problem(Name at, String problem) {
        problem(SchemaStep.PROFILES, at, problem);
    }

    private void problem(SchemaStep step, Name at, String problem) {
        findings.at(step).problem(at.at().pointing(problem));
    }
}
