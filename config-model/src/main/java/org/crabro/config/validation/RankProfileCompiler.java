package org.crabro.config.validation;

import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.IdentityHashMap;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.OptionalDouble;
import java.util.OptionalInt;
import java.util.Set;
import java.util.TreeSet;
import org.crabro.config.application.NearestName;
import org.crabro.config.parser.Name;
import org.crabro.config.parser.RankProfileDeclaration;
import org.crabro.config.parser.RankProfileDeclaration.Features;
import org.crabro.config.parser.RawText;
import org.crabro.config.parser.SchemaDeclaration;
import org.crabro.config.parser.SourcePosition;
import org.crabro.config.parser.SourceText;
import org.crabro.config.schema.FieldRanking;
import org.crabro.config.schema.Input;
import org.crabro.config.schema.Phases;
import org.crabro.config.schema.RankProfile;
import org.crabro.config.schema.SchemaField;
import org.crabro.config.schema.ShownFeatures;
import org.crabro.document.FieldType.Primitive;
import org.crabro.ranking.expression.ExpansionBudget;
import org.crabro.ranking.expression.Expression;
import org.crabro.ranking.expression.Expression.Constant;
import org.crabro.ranking.expression.Expression.Feature;
import org.crabro.ranking.expression.ExpressionParser;
import org.crabro.ranking.expression.ExpressionSyntaxException;
import org.crabro.ranking.expression.Origin;
import org.crabro.ranking.expression.ProfileFunctions;
import org.crabro.ranking.expression.ScalarFunction;
import org.crabro.ranking.expression.TensorExpression;
import org.crabro.ranking.expression.WrittenTensor;
import org.crabro.ranking.tensor.TensorData;
import org.crabro.ranking.type.ExpressionTypeException;
import org.crabro.ranking.type.RankFeature;
import org.crabro.ranking.type.TypeCheck;
import org.crabro.tensor.DenseTensor;
import org.crabro.tensor.Tensor;
import org.crabro.tensor.TensorSyntaxException;
import org.crabro.tensor.TensorType;

/**
 * Checks the rank profiles of a schema, puts what they inherit into them and replaces functions and
 * constants by what they stand for.
 *
 * <p>{@code default} and {@code unranked} are always there. Where a profile says no first phase, it
 * ranks by {@code nativeRank}.
 */
final class RankProfileCompiler {
    private static final String DEFAULT = "default";
    private static final String UNRANKED = "unranked";
    private static final String SUMMARY_FEATURES = "summary-features";
    private static final String RANK_FEATURES = "rank-features";
    private static final String IGNORE_DEFAULTS = "ignore-default-rank-features";

    /** How is scored where a profile does not say it. */
    private static final Expression NATIVE_RANK = new Feature("nativeRank", List.of(), "");

    /** What an expression begins with that stands in a file of its own. */
    private static final String FILE = "file:";

    /** Settings that are {@code true} or {@code false}. */
    private static final List<String> FLAGS =
            List.of(RankProfileDeclaration.STRICT, RankProfileDeclaration.USE_MODEL);

    /** What is called like a rank feature, and is put in before there are any. */
    private static final Set<String> RESERVED =
            Set.of(
                    "constant",
                    "lightgbm",
                    "normalize_linear",
                    "onnx",
                    "onnxModel",
                    "onnx_vespa",
                    "reciprocal_rank",
                    "reciprocal_rank_fusion",
                    "xgboost");

    /** What is said for each node; with total- before the last word it is for all together. */
    private static final List<String> COUNTS =
            List.of(
                    "first-phase keep-rank-count",
                    "second-phase rerank-count",
                    "match-phase max-hits");

    /** Longer than any row of parents, and less than the stack bears. */
    private static final int DEPTH_LIMIT = 100;

    /** What profiles may inherit together, so that a short file is soon compiled. */
    private static final int INHERITED_MAX = 300_000;

    private final List<RankProfileDeclaration> declarations;
    private final RankPropertyCheck properties;
    private final ExpansionBudget budget = new ExpansionBudget(ExpansionBudget.DEFAULT);
    private final List<SchemaDeclaration.PackagedFile> packagedFiles;
    private final Map<String, SchemaField> fields;
    private final Set<String> broken;
    private final Set<String> imported;
    private final Components components;
    private final Map<String, RawText> selectors;
    private final SchemaFindings findings;
    private final Map<String, RankProfileDeclaration> declared = new LinkedHashMap<>();

    /** How many parameters functions of any profile have that have a name of the language's. */
    private final Map<String, Set<Integer>> ofLanguage = new HashMap<>();

    /** The names of all profiles, those that are always there too. */
    private final Set<String> names = new TreeSet<>(List.of(DEFAULT, UNRANKED));

    private int inheritedItems;
    private boolean toldInherited;
    private final Map<String, Profile> resolved = new LinkedHashMap<>();
    private final ListedFeatures defaultFeatures;

    /** Which text of a file an expression was parsed from, by identity of the string. */
    private final IdentityHashMap<String, RawText> origins = new IdentityHashMap<>();

    /** Where expressions stand, by identity: what has no feature knows no place of its own. */
    private final IdentityHashMap<Expression, RawText> texts = new IdentityHashMap<>();

    /** What was told already: inherited functions are checked in each profile. */
    private final Set<String> told = new HashSet<>();

    /** What was told of expressions that know no place of their own. */
    private final Set<String> toldAnywhere = new HashSet<>();

    /**
     * @param packagedFiles constants and models of the schema and its profiles
     * @param broken the fields whose types were refused
     * @param imported the names of imported fields
     * @param selectors where summaries say which features select elements, by feature
     */
    RankProfileCompiler(
            List<RankProfileDeclaration> declarations,
            List<SchemaDeclaration.PackagedFile> packagedFiles,
            Map<String, SchemaField> fields,
            Set<String> broken,
            Set<String> imported,
            Components components,
            Map<String, RawText> selectors,
            SchemaFindings findings) {
        this.declarations = declarations;
        for (RankProfileDeclaration profile : declarations) {
            for (RankProfileDeclaration.Function function : profile.functions()) {
                String name = function.name().text();
                if (ExpressionParser.isOfLanguage(name)) {
                    ofLanguage
                            .computeIfAbsent(name, _ -> new HashSet<>())
                            .add(function.parameters().size());
                }
            }
        }
        this.packagedFiles = packagedFiles;
        this.fields = fields;
        this.broken = broken;
        this.imported = imported;
        this.components = components;
        this.selectors = Map.copyOf(selectors);
        this.findings = findings;
        this.defaultFeatures = new ListedFeatures(fields);
        this.properties = new RankPropertyCheck(fields.keySet(), findings.at(SchemaStep.PROFILES));
    }

    /** What a profile has, inherited or its own, before functions are replaced. */
    private static final class Profile {
        final Map<String, Input> inputs = new LinkedHashMap<>();
        final Map<String, Expression> constants = new LinkedHashMap<>();
        final Map<String, SchemaDeclaration.PackagedFile> models = new LinkedHashMap<>();

        /** What of other schemas inherited profiles see, by kind and name. */
        final Map<String, SchemaDeclaration.PackagedFile> elsewhere = new LinkedHashMap<>();

        final Map<String, ProfileFunctions.Function> functions = new LinkedHashMap<>();
        final Map<String, String> properties = new LinkedHashMap<>();
        Optional<Expression> firstPhase = Optional.empty();
        Optional<List<Feature>> matchFeatures = Optional.empty();

        /** By keyword: those that are shown besides. */
        final Map<String, List<Feature>> shownFeatures = new LinkedHashMap<>();

        final Map<String, FieldRanking> fields = new LinkedHashMap<>();
        final Map<String, Expression> phases = new LinkedHashMap<>();
        final Map<String, Double> limits = new LinkedHashMap<>();
        final Map<String, Name> settings = new LinkedHashMap<>();

        /** Settings that are values and no expressions, to tell parents apart that differ. */
        final Map<String, Object> values = new LinkedHashMap<>();

        /** The longest row of profiles that this one inherits through. */
        int depth;

        int items() {
            return inputs.size()
                    + constants.size()
                    + models.size()
                    + elsewhere.size()
                    + functions.size()
                    + properties.size()
                    + settings.size()
                    + values.size()
                    + matchFeatures.map(List::size).orElse(0)
                    + shownFeatures.values().stream().mapToInt(List::size).sum();
        }
    }

    Map<String, RankProfile> compile() {
        for (RankProfileDeclaration profile : declarations) {
            RankProfileDeclaration first = declared.putIfAbsent(profile.name().text(), profile);
            if (first != null) {
                problem(
                        profile.name(),
                        "rank-profile '%s' is there twice; the first is at %s"
                                .formatted(
                                        profile.name().text(),
                                        first.name().at().seenFrom(profile.name().at())));
            }
        }
        names.addAll(declared.keySet());
        declared.values().forEach(this::checkOuter);
        var profiles = new LinkedHashMap<String, RankProfile>();
        profiles.put(DEFAULT, builtIn(DEFAULT, NATIVE_RANK));
        profiles.put(UNRANKED, builtIn(UNRANKED, new Constant(0)));
        for (RankProfileDeclaration profile : declared.values()) {
            Profile whole = resolve(profile, new LinkedHashSet<>());
            addProfileInputs(profile.name(), whole);
            RankProfile finished = finish(profile, whole);
            if (!SchemaInheritance.isReplaced(profile.name().text())) {
                profiles.put(profile.name().text(), finished);
            }
        }
        return profiles;
    }

    /** A profile inside another has to inherit it, directly or not. */
    private void checkOuter(RankProfileDeclaration profile) {
        String name = profile.name().text();
        int dot = name.lastIndexOf('.');
        if (dot > 0 && !inherits(profile, name.substring(0, dot))) {
            problem(
                    profile.name(),
                    "rank-profile '%s' has to inherit '%s', which it stands in"
                            .formatted(name, name.substring(0, dot)));
        }
    }

    private boolean inherits(RankProfileDeclaration profile, String ancestor) {
        var seen = new HashSet<String>();
        var next = new ArrayDeque<Name>(profile.parents());
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

    private RankProfile builtIn(String name, Expression firstPhase) {
        return new RankProfile(name, Map.of(), firstPhase, Map.of(), Map.of())
                .with(new ShownFeatures(Map.of(), defaultFeatures.get()))
                .withFields(rankings(Map.of()));
    }

    /** Query profile types declare inputs for all rank profiles that do not do it themselves. */
    private void addProfileInputs(Name profile, Profile into) {
        components
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

    /** Returns the constants and models in files of {@code owner}, a profile or a schema. */
    private List<SchemaDeclaration.PackagedFile> files(String owner) {
        return packagedFiles.stream().filter(file -> file.owner().equals(owner)).toList();
    }

    /** Adds a constant or a model in a file, unless there is one of that name. */
    private void add(
            SchemaDeclaration.PackagedFile file,
            Map<String, Expression> constants,
            Map<String, SchemaDeclaration.PackagedFile> models) {
        String name = file.name().text();
        if (file.type().isEmpty()) {
            models.putIfAbsent(name, file);
        } else if (!constants.containsKey(name)) {
            TensorType type = file.type().get();
            TensorData value =
                    components
                            .constants()
                            .read(file.file().text(), type)
                            .map(TensorData::of)
                            .orElseGet(() -> TensorData.empty(type));
            constants.put(name, new TensorExpression.Value(value));
        }
    }

    /** Returns whether the profile has a constant, or a model, of the name of {@code file}. */
    private static boolean has(Profile profile, SchemaDeclaration.PackagedFile file) {
        return (file.type().isPresent() ? profile.constants : profile.models)
                .containsKey(file.name().text());
    }

    private Profile resolve(RankProfileDeclaration declaration, Set<String> open) {
        String name = declaration.name().text();
        Profile done = resolved.get(name);
        if (done != null) {
            return done;
        }
        var profile = new Profile();
        if (!open.add(name)) {
            problem(
                    declaration.name(),
                    "rank-profile '%s' inherits itself: %s inherits %s"
                            .formatted(name, String.join(" inherits ", open), name));
            return profile;
        }
        var parents = new LinkedHashMap<String, Profile>();
        for (Name parent : declaration.parents()) {
            parent(parent, name, open).ifPresent(found -> parents.put(parent.text(), found));
        }
        parents.values().forEach(each -> profile.depth = Math.max(profile.depth, each.depth + 1));
        own(declaration, profile);
        inherit(declaration, profile, parents);
        open.remove(name);
        resolved.put(name, profile);
        return profile;
    }

    private static String key(SchemaDeclaration.PackagedFile file) {
        return file.kind() + " " + file.name().text();
    }

    private Optional<Profile> parent(Name parent, String child, Set<String> open) {
        RankProfileDeclaration found = declared.get(parent.text());
        boolean replacesBuiltIn = parent.text().equals(child) && parent.text().equals(DEFAULT);
        if (found != null && !replacesBuiltIn) {
            boolean tooDeep = open.size() > DEPTH_LIMIT;
            Profile resolved = tooDeep ? new Profile() : resolve(found, open);
            if (!tooDeep && resolved.depth < DEPTH_LIMIT) {
                return Optional.of(resolved);
            }
            problem(
                    parent,
                    "rank-profile '%s' inherits through more than %d others"
                            .formatted(child, DEPTH_LIMIT));
            return Optional.empty();
        }
        var profile = new Profile();
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

    private void own(RankProfileDeclaration declaration, Profile into) {
        for (RankProfileDeclaration.Input input : declaration.inputs()) {
            boolean second = into.inputs.containsKey(input.name().text());
            refuseSecond("input", input.name(), second);
            into.inputs.put(input.name().text(), input(input));
        }
        for (RankProfileDeclaration.Constant constant : declaration.constants()) {
            refuseSecond(
                    "constant",
                    constant.name(),
                    into.constants.containsKey(constant.name().text()));
            into.constants.put(constant.name().text(), constant(constant));
        }
        files(declaration.name().text()).forEach(file -> add(file, into.constants, into.models));
        declaration
                .home()
                .ifPresent(schema ->
                        files(SchemaInheritance.ownerElsewhere(schema))
                                .forEach(file -> into.elsewhere.put(key(file), file)));
        for (RankProfileDeclaration.Function function : declaration.functions()) {
            String name = function.name().text();
            refuseSecond("function", function.name(), into.functions.containsKey(name));
            if (into.constants.containsKey(name)) {
                problem(function.name(), "'" + name + "' is a constant and a function");
            }
            shadowed(name, function.parameters().size())
                    .ifPresent(what ->
                            findings.at(SchemaStep.PROFILES)
                                    .warn(
                                            "%s: function '%s' %s of that name"
                                                    .formatted(function.name().at(), name, what)));
            into.functions.put(name, function(function));
        }
        for (RankProfileDeclaration.Property property : declaration.properties()) {
            properties.check(property);
            into.properties.put(property.key().text(), property.value());
        }
        declaration.uses().forEach(this::check);
        for (RankProfileDeclaration.Unbuilt unbuilt : declaration.unbuilt()) {
            unbuilt.expressions().forEach(this::parse);
            problem(
                    SchemaStep.EXPRESSIONS,
                    unbuilt.keyword(),
                    unbuilt.keyword().text() + " is not built yet");
        }
        into.firstPhase = declaration.firstPhase().flatMap(this::parse);
        declaration
                .phases()
                .forEach((phase, text) ->
                        parse(text).ifPresent(parsed -> into.phases.put(phase, parsed)));
        into.limits.putAll(declaration.limits());
        into.fields.putAll(declaration.fields());
        into.settings.putAll(declaration.settings());
        for (String setting : FLAGS) {
            Name said = declaration.settings().get(setting);
            if (said != null) {
                into.values.put(setting, said.text());
            }
        }
        declaration
                .fields()
                .forEach((field, ranking) -> {
                    ranking.weight()
                            .ifPresent(weight -> into.values.put("weight of " + field, weight));
                    ranking.type()
                            .ifPresent(type -> into.values.put("rank-type of " + field, type));
                });
    }

    /** Returns before or behind what a function of this name stands; nothing for most. */
    private static Optional<String> shadowed(String name, int parameterCount) {
        if (ScalarFunction.named(name).filter(f -> f.arity() == parameterCount).isPresent()) {
            return Optional.of("goes before the function of the language");
        }
        if (ExpressionParser.isOfLanguage(name)) {
            return Optional.of(
                    "is called only where the call cannot be of the function of the language");
        }
        return isFeature(name) || RESERVED.contains(name)
                ? Optional.of("goes before the rank feature")
                : Optional.empty();
    }

    private static boolean isFeature(String name) {
        return RankFeature.isName(name)
                || name.equals(ForeachFeature.NAME)
                || TokenFeatures.contains(name)
                || UnbuiltFeatures.contains(name);
    }

    /** Some settings exclude others, or need them, whether the profile or its parents say them. */
    private void checkSettings(RankProfileDeclaration profile, Map<String, Name> settings) {
        Map<String, Name> own = profile.settings();
        for (String count : COUNTS) {
            String total = count.replace(" ", " total-");
            boolean isOwn = own.containsKey(count) != own.containsKey(total);
            if (isOwn && settings.containsKey(count) && settings.containsKey(total)) {
                Name given = Objects.requireNonNull(own.getOrDefault(count, own.get(total)));
                Name other =
                        Objects.requireNonNull(
                                settings.get(own.containsKey(count) ? total : count));
                problem(
                        given,
                        "%s does not go with %s, which is inherited from %s"
                                .formatted(
                                        given.text(),
                                        other.text(),
                                        other.at().seenFrom(given.at())));
            }
        }
        Name diversity = own.get("diversity");
        if (diversity != null
                && settings.keySet().stream()
                        .noneMatch(key -> key.matches("match-phase|second-phase .*"))) {
            problem(
                    SchemaStep.DIVERSITY,
                    diversity,
                    "diversity needs a match-phase or a second-phase, whose hits it chooses from");
        }
    }

    private void check(RankProfileDeclaration.FieldUse use) {
        Name name = use.field();
        SchemaField field = fields.get(name.text());
        boolean ofAttribute =
                use.element().equals("match-phase") || use.element().equals("diversity");
        if (field == null) {
            if (!broken.contains(name.text()) && !imported.contains(name.text())) {
                problem(
                        step(use),
                        name,
                        "%s names the field '%s', which does not exist%s"
                                .formatted(
                                        use.element(),
                                        name.text(),
                                        NearestName.hint(name.text(), fields.keySet())));
            }
        } else if (ofAttribute && !SchemaCompiler.isAttribute(field)) {
            problem(
                    step(use),
                    name,
                    "%s needs an attribute, and the indexing of '%s' has none"
                            .formatted(use.element(), name.text()));
        } else if (use.element().equals("match-phase") && !isNumber(field)) {
            problem(
                    step(use),
                    name,
                    "match-phase needs a number, and '%s' is of type %s"
                            .formatted(name.text(), field.field().type().text()));
        } else if (use.element().equals("diversity") && !isSingle(field)) {
            problem(
                    step(use),
                    name,
                    "diversity needs a single value, and '%s' is of type %s"
                            .formatted(name.text(), field.field().type().text()));
        }
    }

    private static SchemaStep step(RankProfileDeclaration.FieldUse use) {
        return switch (use.element()) {
            case "match-phase" -> SchemaStep.MATCH_PHASE;
            case "diversity" -> SchemaStep.DIVERSITY;
            default -> SchemaStep.PROFILES;
        };
    }

    private static boolean isNumber(SchemaField field) {
        return field.field().type() instanceof Primitive primitive && primitive.isNumber();
    }

    private static boolean isSingle(SchemaField field) {
        return field.field().type() instanceof Primitive primitive
                && primitive != Primitive.PREDICATE;
    }

    private Input input(RankProfileDeclaration.Input input) {
        boolean isText = input.type().filter(RankProfileDeclaration.ValueType::isText).isPresent();
        if (isText) {
            input.value()
                    .ifPresent(value ->
                            findings.at(SchemaStep.PROFILES)
                                    .problem(
                                            value.at()
                                                    .pointing(
                                                            "an input of type string has no default"
                                                                    + " value")));
            return Input.TEXT;
        }
        TensorType type =
                input.type()
                        .flatMap(RankProfileDeclaration.ValueType::tensor)
                        .orElse(TensorType.SCALAR);
        return Input.of(type, input.value().flatMap(value -> tensor(value, type)));
    }

    private Optional<Tensor> tensor(RawText value, TensorType type) {
        try {
            return Optional.of(WrittenTensor.parse(value.text(), type));
        } catch (TensorSyntaxException e) {
            findings.at(SchemaStep.PROFILES)
                    .problem(
                            value.at()
                                    .pointing(
                                            "expected a value of type %s: %s"
                                                    .formatted(type, e.getMessage())));
            return Optional.empty();
        }
    }

    /** A constant without a type is a number, or a tensor that says its type itself. */
    private Expression constant(RankProfileDeclaration.Constant constant) {
        Optional<TensorType> type =
                constant.type().flatMap(RankProfileDeclaration.ValueType::tensor);
        RawText value = constant.value();
        boolean saysType = type.isEmpty() && value.text().matches("(?s)(tensor|\\{).*");
        Optional<Expression> written = saysType ? parse(value) : Optional.empty();
        if (written.isPresent()
                && (written.get() instanceof TensorExpression.Value
                        || written.get() instanceof Constant)) {
            return written.get();
        }
        if (saysType) {
            written.ifPresent(_ ->
                    findings.at(SchemaStep.PROFILES)
                            .problem(value.at().pointing("expected a tensor of numbers alone")));
            return new Constant(0);
        }
        return tensor(value, type.orElse(TensorType.SCALAR))
                .<Expression>map(tensor ->
                        tensor instanceof DenseTensor dense && dense.type().dimensions().isEmpty()
                                ? new Constant(dense.cell(0))
                                : new TensorExpression.Value(TensorData.of(tensor)))
                .orElseGet(() ->
                        new TensorExpression.Value(
                                TensorData.empty(type.orElse(TensorType.SCALAR))));
    }

    private ProfileFunctions.Function function(RankProfileDeclaration.Function function) {
        var parameters = new ArrayList<String>();
        for (Name parameter : function.parameters()) {
            refuseSecond("parameter", parameter, parameters.contains(parameter.text()));
            parameters.add(parameter.text());
        }
        // A body that cannot be read stands as a number, so that its name is known all the same.
        Expression body = parse(function.body()).orElse(new Constant(0));
        return new ProfileFunctions.Function(parameters, body);
    }

    private void inherit(
            RankProfileDeclaration declaration, Profile into, Map<String, Profile> parents) {
        Name name = declaration.name();
        for (Profile from : parents.values()) {
            inheritedItems += from.items();
        }
        if (inheritedItems > INHERITED_MAX) {
            if (!toldInherited) {
                problem(
                        name,
                        "rank profiles inherit more than %d functions, features, inputs, constants and properties together"
                                .formatted(INHERITED_MAX));
            }
            toldInherited = true;
            return;
        }
        var inherited = new Inheritance(name);
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
        // What the profile or its parents say themselves goes before what their schemas do.
        parents.forEach((parent, from) -> {
            var unsaid = new LinkedHashMap<>(from.elsewhere);
            unsaid.values().removeIf(file -> has(into, file));
            inherited.merge("the schema's", into.elsewhere, unsaid, parent, true);
        });
        checkSettings(declaration, into.settings);
        if (declaration.firstPhase().isEmpty()) {
            into.firstPhase = inherited.only("first-phase", parents, p -> p.firstPhase);
        }
        into.matchFeatures =
                declaration.matchFeatures().isPresent()
                        ? Optional.of(
                                features(
                                        declaration.matchFeatures().get(),
                                        parents,
                                        p -> p.matchFeatures))
                        : inherited.only("match-features", parents, p -> p.matchFeatures);
        for (String keyword : List.of(SUMMARY_FEATURES, RANK_FEATURES)) {
            java.util.function.Function<Profile, Optional<List<Feature>>> part =
                    p -> Optional.ofNullable(p.shownFeatures.get(keyword));
            Features own = declaration.shownFeatures().get(keyword);
            Optional<List<Feature>> shown =
                    own != null
                            ? Optional.of(features(own, parents, part))
                            : inherited.only(keyword, parents, part);
            shown.ifPresent(features -> into.shownFeatures.put(keyword, features));
        }
    }

    /** Puts what parents have into one child, and refuses what two of them have differently. */
    private final class Inheritance {
        private final Name child;
        private final Map<String, String> givenBy = new LinkedHashMap<>();

        Inheritance(Name child) {
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
                Map<String, Profile> parents,
                java.util.function.Function<Profile, Optional<T>> part) {
            Optional<T> found = Optional.empty();
            String giver = "";
            for (Map.Entry<String, Profile> parent : parents.entrySet()) {
                Optional<T> given = part.apply(parent.getValue());
                if (found.isPresent() && given.isPresent() && !given.equals(found)) {
                    refuse(what, giver, parent.getKey());
                } else if (found.isEmpty() && given.isPresent()) {
                    found = given;
                    giver = parent.getKey();
                }
            }
            return found;
        }

        private void refuse(String what, String first, String second) {
            problem(
                    child,
                    "rank-profile '%s' inherits %s from both '%s' and '%s'; say it in '%s' itself"
                            .formatted(child.text(), what, first, second, child.text()));
        }
    }

    private List<Feature> features(
            Features declaration,
            Map<String, Profile> parents,
            java.util.function.Function<Profile, Optional<List<Feature>>> part) {
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
            Optional<Expression> parsed = parse(text);
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

    /** Returns what a text says, or the file that it names. */
    private Optional<Expression> parse(RawText given) {
        if (given.text().startsWith(FILE)) {
            return expression(given).flatMap(this::parseText);
        }
        return parseText(given);
    }

    private Optional<RawText> expression(RawText given) {
        String name = given.text().substring(FILE.length()).strip();
        SourceText file = components.expressions().get(name.replaceFirst("\\.expression$", ""));
        if (file == null) {
            findings.at(SchemaStep.EXPRESSIONS)
                    .problem(
                            given.at()
                                    .pointing(
                                            "there is no file schemas/%s.expression%s"
                                                    .formatted(
                                                            name,
                                                            NearestName.hint(
                                                                    name,
                                                                    components
                                                                            .expressions()
                                                                            .keySet()))));
            return Optional.empty();
        }
        String text = file.text().strip();
        if (text.isEmpty()) {
            findings.at(SchemaStep.EXPRESSIONS)
                    .problem(file.at(0).pointing("expected a rank expression"));
            return Optional.empty();
        }
        return Optional.of(new RawText(file.at(file.text().indexOf(text)), text));
    }

    private Optional<Expression> parseText(RawText text) {
        origins.put(text.text(), text);
        try {
            Expression parsed = ExpressionParser.parse(text.text(), ofLanguage);
            texts.put(parsed, text);
            return Optional.of(parsed);
        } catch (ExpressionSyntaxException e) {
            tell(text.at(), e.origin(), e.problem());
            return Optional.empty();
        }
    }

    /** Replaces functions and constants and checks what comes out. */
    private RankProfile finish(RankProfileDeclaration declaration, Profile profile) {
        // What is of schemas is no profile's: two parents that see it do not differ.
        var constants = new LinkedHashMap<>(profile.constants);
        var models = new LinkedHashMap<>(profile.models);
        profile.elsewhere.values().forEach(file -> add(file, constants, models));
        if (declaration.home().isEmpty()) {
            files("").forEach(file -> add(file, constants, models));
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
                new Expansion(
                        declaration.name(),
                        new ProfileFunctions(functions, budget),
                        new ProfileConstants(constants),
                        models,
                        new ForeachFeature(fields, profile.properties),
                        new SchemaFeatureTypes(
                                fields,
                                broken,
                                imported,
                                profile.inputs,
                                says(RankProfileDeclaration.STRICT, profile)));
        profile.functions.forEach((name, function) -> {
            if (function.parameters().isEmpty()) {
                expansion.check(function.body());
            }
        });
        Map<String, Expression> matchFeatures =
                shown("match-features", profile.matchFeatures, profile, expansion);
        Map<String, Expression> summaryFeatures = shown(SUMMARY_FEATURES, profile, expansion);
        var listed = new LinkedHashMap<String, Expression>();
        if (!profile.settings.containsKey(IGNORE_DEFAULTS)) {
            listed.putAll(defaultFeatures.get());
        }
        listed.putAll(shown(RANK_FEATURES, profile, expansion));
        return new RankProfile(
                declaration.name().text(),
                profile.inputs,
                expansion.scalar(firstPhase),
                matchFeatures,
                profile.properties,
                phases(profile, expansion),
                new ShownFeatures(summaryFeatures, listed),
                rankings(profile.fields),
                says(RankProfileDeclaration.USE_MODEL, profile));
    }

    private static boolean says(String flag, Profile profile) {
        return "true".equals(profile.values.get(flag));
    }

    private Map<String, Expression> shown(String keyword, Profile profile, Expansion expansion) {
        return shown(
                keyword,
                Optional.ofNullable(profile.shownFeatures.get(keyword)),
                profile,
                expansion);
    }

    private Map<String, Expression> shown(
            String keyword,
            Optional<List<Feature>> features,
            Profile profile,
            Expansion expansion) {
        var shown = new LinkedHashMap<String, Expression>();
        for (Feature feature : features.orElse(List.of())) {
            ProfileFunctions.Function function = profile.functions.get(feature.name());
            if (function != null && !function.parameters().isEmpty()) {
                tell(
                        expansion.profile.at(),
                        feature.origin(),
                        "a function with arguments cannot stand in "
                                + keyword
                                + "; write a function without arguments that calls it");
            } else {
                shown.put(feature.toString(), hitFeature(feature, expansion));
            }
        }
        return shown;
    }

    /** Returns how fields count, by what the profile says and by what the schema does. */
    private Map<String, FieldRanking> rankings(Map<String, FieldRanking> ofProfile) {
        var rankings = new LinkedHashMap<String, FieldRanking>();
        fields.forEach((name, field) -> {
            FieldRanking ranking =
                    ofProfile.getOrDefault(name, FieldRanking.NONE).or(field.ranking());
            if (!ranking.equals(FieldRanking.NONE)) {
                rankings.put(name, ranking);
            }
        });
        return rankings;
    }

    /** Returns what a hit is sent with made whole, after it was checked whether it can select. */
    private Expression hitFeature(Feature feature, Expansion expansion) {
        Expression whole = expansion.whole(feature);
        RawText selector = selectors.get(feature.toString());
        // A number may stand for what was refused already, and selects nothing.
        if (selector != null && !(whole instanceof Constant)) {
            TensorType type = expansion.types.type(whole);
            if (type.mappedCount() != 1) {
                tell(
                        selector.at(),
                        Origin.UNKNOWN,
                        "elements are selected by a tensor with one mapped dimension, whose labels"
                                + " are their numbers; '%s' is of type %s"
                                        .formatted(feature, type));
            }
        }
        return whole;
    }

    private static Phases phases(Profile profile, Expansion expansion) {
        Expression second = profile.phases.get("second-phase");
        Expression global = profile.phases.get("global-phase");
        return new Phases(
                limit(profile, "first-phase rank-score-drop-limit"),
                Optional.ofNullable(second)
                        .map(expression ->
                                new Phases.Second(
                                        expansion.scalar(expression),
                                        count(profile, "second-phase rerank-count"),
                                        count(profile, "second-phase total-rerank-count"),
                                        limit(profile, "second-phase rank-score-drop-limit"))),
                Optional.ofNullable(global)
                        .flatMap(expression ->
                                expansion.global(
                                        expression,
                                        count(profile, "global-phase rerank-count")
                                                .orElse(Phases.Global.RERANK_COUNT),
                                        limit(profile, "global-phase rank-score-drop-limit"))));
    }

    private static OptionalDouble limit(Profile profile, String key) {
        Double value = profile.limits.get(key);
        return value == null ? OptionalDouble.empty() : OptionalDouble.of(value);
    }

    private static OptionalInt count(Profile profile, String key) {
        Double value = profile.limits.get(key);
        return value == null ? OptionalInt.empty() : OptionalInt.of(value.intValue());
    }

    /** How the expressions of one profile become whole. */
    private final class Expansion {
        private final Name profile;
        private final ProfileFunctions functions;
        private final ProfileConstants constants;
        private final ProfileForests forests;
        private final ProfileModels models;
        private final ForeachFeature foreach;
        private final SchemaFeatureTypes features;
        private final TypeCheck types;

        Expansion(
                Name profile,
                ProfileFunctions functions,
                ProfileConstants constants,
                Map<String, SchemaDeclaration.PackagedFile> models,
                ForeachFeature foreach,
                SchemaFeatureTypes features) {
            this.profile = profile;
            this.functions = functions;
            this.constants = constants;
            this.forests = new ProfileForests(components.forests(), functions::expand);
            this.models = new ProfileModels(components.models(), models, new ModelInputs());
            this.foreach = foreach;
            this.features = features;
            this.types = new TypeCheck(features);
        }

        /** How what the inputs of models are said to be becomes whole. */
        private final class ModelInputs implements ProfileModels.Expressions {
            @Override
            public Optional<Expression> parse(RawText text) {
                return parseText(text);
            }

            @Override
            public Expression whole(Expression expression) {
                return expanded(expression);
            }

            @Override
            public boolean has(String name) {
                return functions.names().contains(name);
            }

            @Override
            public TensorType type(Expression expression) {
                return types.type(expression);
            }
        }

        /** Returns the global phase, or nothing after its problem was reported. */
        Optional<Phases.Global> global(
                Expression expression, int rerankCount, OptionalDouble dropLimit) {
            if (budget.isSpent()) {
                return Optional.empty();
            }
            try {
                Phases.Global global =
                        new GlobalPhaseCompiler(this::expanded)
                                .compile(expression, rerankCount, dropLimit);
                var checked = new LinkedHashMap<String, Expression>();
                global.features().forEach((name, feature) -> checked.put(name, whole(feature)));
                types.requireScalar(
                        global.expression()
                                .replacing(feature ->
                                        GlobalPhaseCompiler.isGlobalAlone(feature.name())
                                                ? new Constant(0)
                                                : feature));
                for (Phases.Normalizer normalizer : global.normalizers().values()) {
                    types.requireScalar(
                            normalizer
                                    .input()
                                    .replacing(feature ->
                                            GlobalPhaseCompiler.isGlobalAlone(feature.name())
                                                    ? new Constant(0)
                                                    : feature));
                }
                return Optional.of(
                        new Phases.Global(
                                global.expression(),
                                rerankCount,
                                dropLimit,
                                global.normalizers(),
                                checked));
            } catch (ExpressionSyntaxException e) {
                tell(expression, e.origin(), e.problem());
            } catch (ExpressionTypeException e) {
                tell(expression, e.origin(), e.problem());
            } catch (ProfileModels.ToldException _) {
                return Optional.empty();
            }
            return Optional.empty();
        }

        /** Checks the expression of a function, which any phase may call. */
        void check(Expression expression) {
            whole(expression, true, false);
        }

        /** Returns {@code expression}, of any type, made whole. */
        Expression whole(Expression expression) {
            return whole(expression, false, false);
        }

        /** Returns {@code expression} with functions, constants, trees and sums in their places. */
        private Expression expanded(Expression expression) {
            return models.putInto(constants.putInto(forests.putInto(functions.expand(expression))))
                    .replacing(foreach::written)
                    .replacing(feature ->
                            TokenFeatures.written(
                                    feature, text -> constants.putInto(functions.expand(text))))
                    .replacing(this::emptied);
        }

        /** A tensor of the elements of a field that has none such has no cell. */
        private Expression emptied(Feature feature) {
            // Others, read here, would be told of in another order.
            if (!feature.name().startsWith("tensorFrom")
                    || !RankFeature.isName(feature.name())
                    || !(RankFeature.of(feature) instanceof RankFeature.OfTensor tensor)) {
                return feature;
            }
            Optional<String> emptiness = features.emptiness(tensor);
            if (emptiness.isEmpty()) {
                return feature;
            }
            warn(
                    profile.at(),
                    feature.origin(),
                    "'%s' has no cell: %s".formatted(feature, emptiness.get()));
            return new TensorExpression.Value(TensorData.empty(tensor.type()));
        }

        /** Returns which function a feature that there is not may mean. */
        private String near(Feature feature) {
            return isFeature(feature.name())
                    ? ""
                    : NearestName.hint(feature.name(), functions.names());
        }

        /** Returns {@code expression} made whole, or a number after its problem was reported. */
        Expression scalar(Expression expression) {
            return whole(expression, false, true);
        }

        /**
         * Reports {@code problem} at {@code origin}. What was put in may have no place, such as a
         * constant: there the expression as it was written has. Such a problem of a function is
         * told where it is found first alone, and not where the function is called.
         */
        private void tell(Expression written, Origin origin, String problem) {
            if (origins.containsKey(origin.text())) {
                RankProfileCompiler.this.tell(profile.at(), origin, problem);
            } else if (toldAnywhere.add(problem)) {
                RawText whole = texts.get(written);
                RankProfileCompiler.this.tell(
                        whole == null ? profile.at() : whole.at(),
                        written.features().stream()
                                .map(Feature::origin)
                                .filter(each -> origins.containsKey(each.text()))
                                .findFirst()
                                .orElse(Origin.UNKNOWN),
                        problem);
            }
        }

        private Expression whole(Expression expression, boolean mayBeGlobal, boolean isNumber) {
            if (budget.isSpent()) {
                // Told already: what comes next would be too much, too.
                return new Constant(0);
            }
            try {
                Expression whole = expanded(expression);
                if (whole.depth() > Expression.MAX_DEPTH) {
                    throw new ExpressionTypeException(
                            expression.features().stream()
                                    .findFirst()
                                    .map(Feature::origin)
                                    .orElse(Origin.UNKNOWN),
                            "with what functions and features stand for, the expression is deeper"
                                    + " than "
                                    + Expression.MAX_DEPTH);
                }
                for (Feature feature : whole.features()) {
                    String near = near(feature);
                    if (!near.isEmpty()) {
                        tell(
                                expression,
                                feature.origin(),
                                "there is no feature or function '%s'%s".formatted(feature, near));
                        return new Constant(0);
                    }
                    boolean isGlobal = GlobalPhaseCompiler.isGlobalAlone(feature.name());
                    if (isGlobal && mayBeGlobal) {
                        return new Constant(0);
                    }
                    if (isGlobal) {
                        tell(
                                expression,
                                feature.origin(),
                                "'%s' can stand in the expression of a global-phase alone"
                                        .formatted(feature.name()));
                        return new Constant(0);
                    }
                    if (UnbuiltFeatures.contains(feature.name())) {
                        tell(
                                expression,
                                feature.origin(),
                                "'" + feature.name() + "' is not built yet");
                        return new Constant(0);
                    }
                }
                if (isNumber) {
                    types.requireScalar(whole);
                } else {
                    types.type(whole);
                }
                return whole;
            } catch (ExpressionSyntaxException e) {
                tell(expression, e.origin(), e.problem());
            } catch (ExpressionTypeException e) {
                tell(expression, e.origin(), e.problem());
            } catch (ProfileModels.ToldException _) {
                return new Constant(0);
            }
            return new Constant(0);
        }
    }

    private void refuseSecond(String kind, Name name, boolean isSecond) {
        if (isSecond) {
            problem(name, kind + " '" + name.text() + "' is there twice");
        }
    }

    private void problem(Name at, String problem) {
        problem(SchemaStep.PROFILES, at, problem);
    }

    private void problem(SchemaStep step, Name at, String problem) {
        findings.at(step).problem(at.at().pointing(problem));
    }

    /** Warns at {@code origin}, or at {@code otherwise} where that is not known. */
    private void warn(SourcePosition otherwise, Origin origin, String warning) {
        RawText text = origins.get(origin.text());
        findings.at(SchemaStep.EXPRESSIONS)
                .warn((text == null ? otherwise : text.at(origin.offset())) + ": " + warning);
    }

    /**
     * Reports {@code problem} at {@code origin}, or at {@code otherwise} where that is not known.
     */
    private void tell(SourcePosition otherwise, Origin origin, String problem) {
        RawText text = origins.get(origin.text());
        String message = (text == null ? otherwise : text.at(origin.offset())).pointing(problem);
        if (told.add(Objects.requireNonNull(message))) {
            findings.at(SchemaStep.EXPRESSIONS).problem(message);
        }
    }
}
