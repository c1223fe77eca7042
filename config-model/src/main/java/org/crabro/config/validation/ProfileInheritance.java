package org.crabro.config.validation;

import java.util.ArrayDeque;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.Set;
import java.util.TreeSet;
import java.util.function.Function;
import org.crabro.config.application.NearestName;
import org.crabro.config.parser.Name;
import org.crabro.config.parser.RankProfileDeclaration;
import org.crabro.config.parser.RankProfileDeclaration.Features;
import org.crabro.config.parser.RawText;
import org.crabro.config.schema.FieldRanking;
import org.crabro.ranking.expression.Expression;
import org.crabro.ranking.expression.Expression.Constant;
import org.crabro.ranking.expression.Expression.Feature;

/**
 * Adds the inherited parts to each rank profile of a schema, and rejects profiles whose parents
 * contradict each other.
 *
 * <p>A profile inherits from profiles of its schema and from the built-in ones. Its own
 * declarations replace inherited ones of the same name. Not thread-safe.
 */
final class ProfileInheritance {
    static final String DEFAULT = "default";
    static final String UNRANKED = "unranked";
    static final String SUMMARY_FEATURES = "summary-features";
    static final String RANK_FEATURES = "rank-features";

    /** The longest chain of parents; deeper recursion could overflow the stack. */
    private static final int DEPTH_LIMIT = 100;

    /** The items that all profiles inherit together; limits the time to compile a short file. */
    private static final int INHERITED_MAX = 300_000;

    private final Map<String, RankProfileDeclaration> declared;
    private final ProfilePartsReader reader;
    private final ProfileExpressions expressions;
    private final ProfileSettingsCheck settings;
    private final SchemaFindings findings;

    /** The names of all profiles, including the built-in ones. */
    private final Set<String> names = new TreeSet<>(List.of(DEFAULT, UNRANKED));

    private final Map<String, ProfileParts> resolved = new LinkedHashMap<>();
    private int inheritedItems;
    private boolean reportedLimit;

    /**
     * @param declared by name
     * @param reader of the parts that a profile declares itself
     */
    ProfileInheritance(
            Map<String, RankProfileDeclaration> declared,
            ProfilePartsReader reader,
            ProfileExpressions expressions,
            SchemaFindings findings) {
        this.declared = declared;
        this.reader = reader;
        this.expressions = expressions;
        this.settings = new ProfileSettingsCheck(findings);
        this.findings = findings;
        names.addAll(declared.keySet());
    }

    /**
     * Returns the parents of a profile. One that is inside another has to inherit from it, as in
     * the reference, also through others.
     */
    private List<Name> parents(RankProfileDeclaration profile) {
        List<Name> all = profile.parents();
        if (all.isEmpty() || !all.getFirst().at().equals(profile.name().at())) {
            return all;
        }
        List<Name> written = all.subList(1, all.size());
        if (!inherits(written, all.getFirst().text())) {
            findings.at(SchemaStep.PROFILES)
                    .problem(
                            profile.name()
                                    .at()
                                    .pointing(
                                            "rank-profile '%s' is inside '%s' and has to inherit it"
                                                    .formatted(
                                                            profile.name().text(),
                                                            all.getFirst().text())));
        }
        return written;
    }

    private boolean inherits(List<Name> parents, String ancestor) {
        var seen = new HashSet<String>();
        var next = new ArrayDeque<Name>(parents);
        while (!next.isEmpty()) {
            String parent = next.remove().text();
            if (parent.equals(ancestor)) {
                return true;
            }
            if (seen.add(parent) && declared.containsKey(parent)) {
                next.addAll(Objects.requireNonNull(declared.get(parent)).parents());
            }
        }
        return false;
    }

    /** Returns the parts of a profile, with inherited ones. */
    ProfileParts resolve(RankProfileDeclaration declaration) {
        return resolve(declaration, new LinkedHashSet<>());
    }

    private ProfileParts resolve(RankProfileDeclaration declaration, Set<String> open) {
        String name = declaration.name().text();
        ProfileParts done = resolved.get(name);
        if (done != null) {
            return done;
        }
        if (!open.add(name)) {
            problem(
                    declaration.name(),
                    "rank-profile '%s' inherits itself: %s inherits %s"
                            .formatted(name, String.join(" inherits ", open), name));
            return new ProfileParts();
        }
        var parents = new LinkedHashMap<String, ProfileParts>();
        for (Name parent : parents(declaration)) {
            parent(parent, name, open)
                    .ifPresent(parentProfile -> parents.put(parent.text(), parentProfile));
        }
        ProfileParts profile = reader.read(declaration);
        parents.values().forEach(each -> profile.depth = Math.max(profile.depth, each.depth + 1));
        inherit(declaration, profile, parents);
        open.remove(name);
        resolved.put(name, profile);
        return profile;
    }

    private Optional<ProfileParts> parent(Name parent, String child, Set<String> open) {
        RankProfileDeclaration declaration = declared.get(parent.text());
        boolean replacesBuiltIn = parent.text().equals(child) && parent.text().equals(DEFAULT);
        if (declaration != null && !replacesBuiltIn) {
            boolean tooDeep = open.size() > DEPTH_LIMIT;
            ProfileParts resolved = tooDeep ? new ProfileParts() : resolve(declaration, open);
            if (!tooDeep && resolved.depth < DEPTH_LIMIT) {
                return Optional.of(resolved);
            }
            problem(
                    parent,
                    "rank-profile '%s' inherits through more than %d others"
                            .formatted(child, DEPTH_LIMIT));
            return Optional.empty();
        }
        var profile = new ProfileParts();
        switch (parent.text()) {
            case DEFAULT -> {}
            case UNRANKED -> profile.firstPhase = Optional.of(new Constant(0));
            default -> {
                problem(
                        parent,
                        "rank-profile '%s' inherits '%s', which does not exist%s"
                                .formatted(
                                        child,
                                        parent.text(),
                                        NearestName.hint(parent.text(), names)));
                return Optional.empty();
            }
        }
        return Optional.of(profile);
    }

    private void inherit(
            RankProfileDeclaration declaration,
            ProfileParts into,
            Map<String, ProfileParts> parents) {
        Name name = declaration.name();
        for (ProfileParts from : parents.values()) {
            inheritedItems += from.items();
        }
        if (inheritedItems > INHERITED_MAX) {
            if (!reportedLimit) {
                problem(
                        name,
                        "rank profiles inherit more than %d functions, features, inputs, constants and properties together"
                                .formatted(INHERITED_MAX));
            }
            reportedLimit = true;
            return;
        }
        var inherited = new Merge(name);
        parents.forEach((parent, from) -> {
            inherited.merge("input", into.inputs, from.inputs, parent, true);
            inherited.merge("constant", into.constants, from.constants, parent, false);
            inherited.merge("onnx-model", into.models, from.models, parent, true);
            inherited.merge("function", into.functions, from.functions, parent, false);
            inherited.merge("property", into.properties, from.properties, parent, true);
            inherited.merge("expression of", into.phases, from.phases, parent, true);
            inherited.merge("setting", into.limits, from.limits, parent, true);
            inherited.merge("setting", into.values, from.values, parent, true);
            from.settings.forEach(into.settings::putIfAbsent);
            from.fields.forEach(
                    (field, ranking) -> into.fields.merge(field, ranking, FieldRanking::or));
        });
        // Files of the profile or its parents precede those of their schemas.
        parents.forEach((parent, from) -> {
            var unsaid = new LinkedHashMap<>(from.elsewhere);
            unsaid.values().removeIf(into::has);
            inherited.merge("the schema's", into.elsewhere, unsaid, parent, true);
        });
        settings.check(declaration, into.settings);
        if (declaration.phases().first().isEmpty()) {
            into.firstPhase = inherited.only("first-phase", parents, p -> p.firstPhase);
        }
        into.matchFeatures =
                declaration.features().match().isPresent()
                        ? Optional.of(
                                features(
                                        declaration.features().match().get(),
                                        parents,
                                        p -> p.matchFeatures))
                        : inherited.only("match-features", parents, p -> p.matchFeatures);
        for (String keyword : List.of(SUMMARY_FEATURES, RANK_FEATURES)) {
            Function<ProfileParts, Optional<List<Feature>>> part =
                    p -> Optional.ofNullable(p.shownFeatures.get(keyword));
            Features own = declaration.features().shown().get(keyword);
            Optional<List<Feature>> shown =
                    own != null
                            ? Optional.of(features(own, parents, part))
                            : inherited.only(keyword, parents, part);
            shown.ifPresent(features -> into.shownFeatures.put(keyword, features));
        }
    }

    /** Merges the parts of parents into one child, and rejects parts that differ in two parents. */
    private final class Merge {
        private final Name child;
        private final Map<String, String> givenBy = new LinkedHashMap<>();

        Merge(Name child) {
            this.child = child;
        }

        <T> void merge(
                String kind,
                Map<String, T> into,
                Map<String, T> from,
                String parent,
                boolean equalsAreOne) {
            from.forEach((name, value) -> {
                T given = into.putIfAbsent(name, value);
                String other = givenBy.get(kind + " " + name);
                if (given == null) {
                    givenBy.put(kind + " " + name, parent);
                } else if (other != null && !(equalsAreOne && given.equals(value))) {
                    refuse(kind + " '" + name + "'", other, parent);
                }
            });
        }

        <T> Optional<T> only(
                String what,
                Map<String, ProfileParts> parents,
                Function<ProfileParts, Optional<T>> part) {
            Optional<T> single = Optional.empty();
            String giver = "";
            for (Map.Entry<String, ProfileParts> parent : parents.entrySet()) {
                Optional<T> given = part.apply(parent.getValue());
                if (single.isPresent() && given.isPresent() && !given.equals(single)) {
                    refuse(what, giver, parent.getKey());
                } else if (single.isEmpty() && given.isPresent()) {
                    single = given;
                    giver = parent.getKey();
                }
            }
            return single;
        }

        private void refuse(String what, String first, String second) {
            problem(
                    child,
                    "rank-profile '%s' inherits %s from both '%s' and '%s'; declare it in '%s' itself"
                            .formatted(child.text(), what, first, second, child.text()));
        }
    }

    private List<Feature> features(
            Features declaration,
            Map<String, ProfileParts> parents,
            Function<ProfileParts, Optional<List<Feature>>> part) {
        var features = new LinkedHashSet<Feature>();
        for (Name parent : declaration.parents()) {
            if (parents.containsKey(parent.text())) {
                part.apply(parents.get(parent.text())).ifPresent(features::addAll);
            } else {
                problem(
                        parent,
                        "%s inherits '%s', from which the profile does not inherit%s"
                                .formatted(
                                        declaration.keyword().text(),
                                        parent.text(),
                                        NearestName.hint(parent.text(), parents.keySet())));
            }
        }
        for (RawText text : declaration.features()) {
            Optional<Expression> parsed = expressions.parse(text);
            if (parsed.isPresent() && parsed.get() instanceof Feature feature) {
                features.add(feature);
            } else if (parsed.isPresent()) {
                findings.at(SchemaStep.EXPRESSIONS)
                        .problem(
                                text.at()
                                        .pointing(
                                                "'%s' is no feature; write a function for it and name that"
                                                        .formatted(text.text())));
            }
        }
        return List.copyOf(features);
    }

    private void problem(Name at, String problem) {
        findings.at(SchemaStep.PROFILES).problem(at.at().pointing(problem));
    }
}
