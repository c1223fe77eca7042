package org.crabro.config.parser;

import java.util.ArrayList;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.function.UnaryOperator;
import org.crabro.config.parser.RankProfileDeclaration.Constant;
import org.crabro.config.parser.RankProfileDeclaration.DeclaredFeatures;
import org.crabro.config.parser.RankProfileDeclaration.DeclaredNames;
import org.crabro.config.parser.RankProfileDeclaration.DeclaredPhases;
import org.crabro.config.parser.RankProfileDeclaration.DeclaredSettings;
import org.crabro.config.parser.RankProfileDeclaration.Features;
import org.crabro.config.parser.RankProfileDeclaration.FieldUse;
import org.crabro.config.parser.RankProfileDeclaration.Function;
import org.crabro.config.parser.RankProfileDeclaration.Input;
import org.crabro.config.parser.RankProfileDeclaration.Property;
import org.crabro.config.parser.RankProfileDeclaration.Unbuilt;
import org.crabro.config.parser.RankProfileDeclaration.ValueType;
import org.crabro.config.parser.SchemaDeclaration.PackagedFile;
import org.crabro.config.parser.SchemaScanner.Kind;
import org.crabro.config.parser.SchemaScanner.Token;
import org.crabro.config.schema.FieldRanking;
import org.crabro.config.schema.RankProfile;
import org.jspecify.annotations.Nullable;

/**
 * Parses rank profiles, starting after the word {@code rank-profile}.
 *
 * <pre>
 *   profile    := did [ "inherits" did { "," did } ] "{" { item } "}"
 *   item       := "first-phase" "{" { "expression" expression | "keep-rank-count" ":" int
 *                 | "total-keep-rank-count" ":" int | "rank-score-drop-limit" ":" real } "}"
 *               | ( "second-phase" | "global-phase" ) "{" { "expression" expression
 *                 | "rerank-count" ":" int | "total-rerank-count" ":" int
 *                 | "rank-score-drop-limit" ":" real } "}"
 *               | ( "function" | "macro" ) [ "inline" ] id "(" [ id { "," id } ] ")"
 *                 "{" "expression" expression "}"
 *               | "inputs" "{" { value [ type ] [ ":" literal ] } "}"
 *               | "constants" "{" { value [ type ] ":" ( literal | "file" ":" path ) } "}"
 *               | "onnx-model" model
 *               | "match-features" [ "inherits" did { "," did } ] features
 *               | "rank-properties" "{" { word { word } ":" word { word } NL } "}"
 *               | "summary-features" | "rank-features"
 *               | "match-phase" | "diversity" | "weakand" | "mutate" | "significance"
 *               | "strict" ":" ( "true" | "false" ) | "rank-profile" profile | hint
 *   expression := ":" raw to the end of the line | "{" raw "}"; raw may be "file:" name
 *   features   := ":" raw to the end of the line | "{" raw to the first "}"
 *   value      := id | ( "query" | "constant" ) "(" id ")"
 *   type       := tensor type | "double" | "float" | "long" | "string"
 *   literal    := [ tensor type ":" ] ( number | bracketed raw )
 * </pre>
 *
 * <p>{@link ModelParser} parses {@code path} and {@code model}. Hints, such as {@code
 * num-threads-per-search: 4}, have no effect on a scan. It has a method for each rule of the
 * grammar.
 */
final class RankProfileParser {
    private static final Set<String> INTEGER_HINTS =
            Set.of("num-threads-per-search", "min-hits-per-thread", "num-search-partitions");
    private static final Set<String> DECIMAL_HINTS =
            Set.of(
                    "termwise-limit",
                    "post-filter-threshold",
                    "approximate-threshold",
                    "filter-first-threshold",
                    "filter-first-exploration",
                    "exploration-slack",
                    "target-hits-max-adjustment-factor",
                    "filter-threshold");
    private static final Set<String> ITEMS =
            Set.of(
                    "first-phase",
                    "second-phase",
                    "global-phase",
                    "function",
                    "macro",
                    "inputs",
                    "constants",
                    "match-features",
                    "summary-features",
                    "rank-features",
                    "rank-properties",
                    "match-phase",
                    "diversity",
                    "mutate",
                    "rank-type",
                    "weight",
                    "rank",
                    "strict",
                    "significance",
                    "ignore-default-rank-features",
                    "weakand",
                    "prefetch-tensors",
                    "onnx-model",
                    "rank-profile");
    private static final Set<String> KNOWN = names();

    /** Deeper than any readable profile, and far below the limit of the stack. */
    private static final int DEPTH_LIMIT = 16;

    private final SchemaCursor cursor;
    private final ModelParser modelParser;
    private final List<PackagedFile> files;

    /**
     * @param files receives models and constants in files
     */
    RankProfileParser(SchemaCursor cursor, ModelParser modelParser, List<PackagedFile> files) {
        this.cursor = cursor;
        this.modelParser = modelParser;
        this.files = files;
    }

    /** The nesting depth of profiles at the current position. */
    private int depth;

    /** Returns the profile, followed by the profiles inside it, by their full names. */
    List<RankProfileDeclaration> rankProfiles() {
        var profiles = new ArrayList<RankProfileDeclaration>();
        rankProfile("", profiles);
        return profiles;
    }

    private void rankProfile(String outer, List<RankProfileDeclaration> into) {
        Name own = cursor.dashedId("the rank profile's name");
        var name = new Name(own.at(), outer + own.text());
        if (depth == DEPTH_LIMIT) {
            throw new SchemaSyntaxException(
                    own.at(), "rank profiles are nested deeper than " + DEPTH_LIMIT);
        }
        var parents = new ArrayList<Name>();
        if (!outer.isEmpty()) {
            // The profile has to inherit from the one that contains it.
            parents.add(new Name(own.at(), outer.substring(0, outer.length() - 1)));
        }
        if (cursor.accept("inherits")) {
            parents.addAll(cursor.dashedIds("a rank profile's name"));
        }
        var items = new Items();
        var inside = new ArrayList<RankProfileDeclaration>();
        depth++;
        try {
            cursor.recoveringBlock(() -> item(items, name.text(), inside));
        } finally {
            depth--;
        }
        into.add(items.rankProfile(name, parents));
        into.addAll(inside);
    }

    /**
     * @param profile its full name
     */
    private void item(Items items, String profile, List<RankProfileDeclaration> inside) {
        Token token = cursor.peek();
        if (token.kind() != Kind.WORD || !KNOWN.contains(token.text())) {
            throw cursor.unknown(token, KNOWN);
        }
        cursor.next();
        switch (token.text()) {
            case "first-phase" -> {
                var given = new HashSet<String>();
                cursor.block(() -> {
                    given.add(cursor.peek().text());
                    once(cursor.peek(), "first-phase", items);
                    firstPhaseItem(items);
                });
                refuseBoth(token, given, "keep-rank-count");
            }
            case "function", "macro" -> items.functions.add(function());
            case "inputs" -> cursor.recoveringBlock(() -> items.inputs.add(input()));
            case "constants" -> cursor.recoveringBlock(() -> constant(items, profile));
            case "match-features" -> {
                Features more = features(token);
                items.matchFeatures =
                        items.matchFeatures == null ? more : items.matchFeatures.and(more);
            }
            case "rank-properties" ->
                    cursor.recoveringBlock(() -> items.properties.add(property()));
            case "strict" -> strict(token, items);
            case "second-phase", "global-phase" -> laterPhase(token, items);
            case "summary-features", "rank-features" ->
                    items.shownFeatures.merge(token.text(), features(token), Features::and);
            case "significance" -> cursor.block(() -> significance(items));
            case "match-phase" -> {
                once(token, "", items);
                matchPhase(token, items);
            }
            case "diversity" -> {
                once(token, "", items);
                diversity(token, items);
            }
            case "weakand" ->
                    cursor.block(() -> {
                        once(cursor.peek(), "weakand", items);
                        weakAnd();
                    });
            case "mutate" -> {
                cursor.block(this::mutation);
                cursor.warn(token, "mutate is ignored: ranking changes no document");
            }
            case "rank-type" -> {
                FieldUse use = use(token, items);
                items.uses.add(use);
                FieldRanking.RankType type = FieldParser.rankType(cursor);
                items.rank(use.field(), ranking -> ranking.with(type));
            }
            case "weight" -> {
                FieldUse use = use(token, items);
                items.uses.add(use);
                int weight = cursor.integerBehindColon();
                items.rank(use.field(), ranking -> ranking.withWeight(weight));
            }
            case "rank" -> rank(token, items);
            case "ignore-default-rank-features" ->
                    items.given.putIfAbsent(token.text(), cursor.name(token));
            case "prefetch-tensors" -> {
                once(token, "", items);
                cursor.booleanBehindColon();
            }
            case "rank-profile" -> rankProfile(profile + ".", inside);
            case "onnx-model" -> files.add(modelParser.model(profile));
            default -> {
                once(token, "", items);
                items.limits.put(token.text(), hintOrNotBuilt(token));
            }
        }
    }

    /** Rejects a setting that the profile, or its block {@code within}, already has. */
    private void once(Token token, String within, Items items) {
        refuseSecond(token, items.given.putIfAbsent(key(within, token), cursor.name(token)));
    }

    private static String key(String within, Token token) {
        return within.isEmpty() ? token.text() : within + " " + token.text();
    }

    private FieldUse use(Token keyword, Items items) {
        Name field = cursor.id("a field's name");
        String key = keyword.text() + " of " + field.text();
        if (items.given.putIfAbsent(key, cursor.name(keyword)) != null) {
            throw new SchemaSyntaxException(
                    cursor.at(keyword),
                    "%s of '%s' is given twice".formatted(keyword.text(), field.text()));
        }
        return new FieldUse(keyword.text(), field);
    }

    private double hintOrNotBuilt(Token token) {
        if (INTEGER_HINTS.contains(token.text())) {
            return cursor.integerBehindColon(1);
        } else if (token.text().equals("target-hits-max-adjustment-factor")) {
            return cursor.decimalBehindColon(1, Double.MAX_VALUE);
        } else if (token.text().equals("exploration-slack")) {
            return cursor.decimalBehindColon(0, Double.MAX_VALUE);
        } else if (DECIMAL_HINTS.contains(token.text())) {
            return cursor.decimalBehindColon(0, 1);
        } else {
            throw cursor.notBuilt(token);
        }
    }

    private void rank(Token keyword, Items items) {
        FieldUse use = use(keyword, items);
        items.uses.add(use);
        if (cursor.peek().is(":")) {
            cursor.oneOfBehindColon(Set.of("filter"));
            items.rank(use.field(), FieldRanking::filtering);
        } else {
            cursor.block(() -> {
                Name item = cursor.oneOf(Set.of("filter-threshold", "element-gap"));
                if (item.text().equals("filter-threshold")) {
                    cursor.decimalBehindColon(0, 1);
                } else {
                    String gap =
                            isInfinity()
                                    ? RankProfile.NO_ELEMENT_GAP
                                    : String.valueOf(cursor.integerBehindColon(0));
                    items.properties.add(
                            new Property(
                                    new Name(
                                            item.at(),
                                            RankProfile.ELEMENT_GAP + use.field().text()),
                                    gap));
                }
            });
        }
    }

    private boolean isInfinity() {
        int start = cursor.peek().start();
        cursor.expect(":");
        if (cursor.accept("infinity")) {
            return true;
        }
        cursor.moveTo(start);
        return false;
    }

    private void laterPhase(Token keyword, Items items) {
        boolean second = keyword.is("second-phase");
        Set<String> permitted =
                second
                        ? Set.of(
                                "expression",
                                "rerank-count",
                                "total-rerank-count",
                                "rank-score-drop-limit")
                        : Set.of("expression", "rerank-count", "rank-score-drop-limit");
        var given = new HashSet<String>();
        cursor.block(() -> {
            Token token = cursor.peek();
            given.add(token.text());
            once(token, keyword.text(), items);
            String item = cursor.oneOf(permitted).text();
            if (item.equals("expression")) {
                items.phases.put(keyword.text(), expression());
            } else {
                items.limits.put(
                        key(keyword.text(), token),
                        item.equals("rank-score-drop-limit")
                                ? cursor.decimalBehindColon()
                                : cursor.integerBehindColon(0));
            }
        });
        refuseBoth(keyword, given, "rerank-count");
    }

    private void significance(Items items) {
        once(cursor.peek(), "significance", items);
        cursor.oneOf(Set.of("use-model"));
        items.given.put(
                RankProfileDeclaration.USE_MODEL, cursor.oneOfBehindColon(Set.of("true", "false")));
    }

    private void matchPhase(Token keyword, Items items) {
        var given = new HashSet<String>();
        var limit = new LinkedHashMap<String, String>();
        // A profile inherits all settings of a limit, or none.
        limit.put("ascending", "false");
        limit.put("maxFilterCoverage", "0.2");
        cursor.block(() -> {
            Token token = cursor.peek();
            String item =
                    cursor.oneOf(
                                    Set.of(
                                            "attribute",
                                            "order",
                                            "max-hits",
                                            "total-max-hits",
                                            "max-filter-coverage",
                                            "evaluation-point",
                                            "pre-post-filter-tipping-point",
                                            "diversity"))
                            .text();
            given.add(item);
            once(token, "match-phase", items);
            switch (item) {
                case "attribute" -> {
                    Name attribute = cursor.idBehindColon("an attribute's name");
                    items.uses.add(new FieldUse("match-phase", attribute));
                    limit.put("attribute", attribute.text());
                }
                case "order" ->
                        limit.put(
                                "ascending",
                                String.valueOf(
                                        cursor.oneOfBehindColon(Set.of("ascending", "descending"))
                                                .text()
                                                .equals("ascending")));
                case "max-hits", "total-max-hits" ->
                        limit.put("maxHits", String.valueOf(cursor.integerBehindColon(1)));
                case "max-filter-coverage" ->
                        limit.put(
                                "maxFilterCoverage",
                                String.valueOf(cursor.decimalBehindColon(0, 1)));
                case "diversity" -> diversity(token, items);
                case "pre-post-filter-tipping-point" ->
                        cursor.decimalBehindColon(0, Double.MAX_VALUE);
                default -> cursor.decimalBehindColon(0, 1);
            }
        });
        if (!given.contains("attribute")
                || !(given.contains("max-hits") || given.contains("total-max-hits"))) {
            throw new SchemaSyntaxException(
                    cursor.at(keyword), "match-phase needs attribute and max-hits");
        }
        refuseBoth(keyword, given, "max-hits");
        addLimits(keyword, limit, items);
    }

    /** Adds the properties of settings that limit matches. */
    private void addLimits(Token keyword, Map<String, String> limits, Items items) {
        limits.forEach((setting, value) ->
                items.properties.add(
                        new Property(
                                new Name(cursor.at(keyword), RankProfile.MATCH_PHASE + setting),
                                value)));
    }

    /** Rejects a block with both forms of a count: per node, and in total over all nodes. */
    private void refuseBoth(Token keyword, Set<String> given, String count) {
        if (given.contains(count) && given.contains("total-" + count)) {
            throw new SchemaSyntaxException(
                    cursor.at(keyword),
                    "%s has both %s and total-%s; use one of them"
                            .formatted(keyword.text(), count, count));
        }
    }

    private void diversity(Token keyword, Items items) {
        var given = new HashSet<String>();
        var limits = new LinkedHashMap<String, String>();
        // A profile inherits all settings of a diversity, or none.
        limits.put("diversity.cutoff.factor", "10");
        limits.put("diversity.cutoff.strategy", "loose");
        cursor.block(() -> {
            Token token = cursor.peek();
            String item =
                    cursor.oneOf(
                                    Set.of(
                                            "attribute",
                                            "min-groups",
                                            "cutoff-factor",
                                            "cutoff-strategy"))
                            .text();
            refuseSecond(token, given.add(item) ? null : item);
            switch (item) {
                case "attribute" -> {
                    Name attribute = cursor.idBehindColon("an attribute's name");
                    items.uses.add(new FieldUse("diversity", attribute));
                    limits.put("diversity.attribute", attribute.text());
                }
                case "min-groups" -> {
                    int groups = cursor.integerBehindColon();
                    if (groups < 1) {
                        throw new SchemaSyntaxException(
                                cursor.at(token), "min-groups has to be at least 1");
                    }
                    limits.put("diversity.minGroups", String.valueOf(groups));
                }
                case "cutoff-factor" ->
                        limits.put(
                                "diversity.cutoff.factor",
                                String.valueOf(cursor.decimalBehindColon(1, Double.MAX_VALUE)));
                default ->
                        limits.put(
                                "diversity.cutoff.strategy",
                                cursor.oneOfBehindColon(Set.of("strict", "loose")).text());
            }
        });
        if (!given.contains("attribute") || !given.contains("min-groups")) {
            throw new SchemaSyntaxException(
                    cursor.at(keyword), "diversity needs attribute and min-groups");
        }
        addLimits(keyword, limits, items);
    }

    private void weakAnd() {
        Set<String> items = Set.of("stopword-limit", "adjust-target", "allow-drop-all");
        if (cursor.oneOf(items).text().equals("allow-drop-all")) {
            cursor.booleanBehindColon();
        } else {
            cursor.decimalBehindColon(0, 1);
        }
    }

    private void mutation() {
        cursor.oneOf(Set.of("on-match", "on-first-phase", "on-second-phase", "on-summary"));
        cursor.block(() -> {
            cursor.id("an attribute's name");
            // One of = += -=; without blanks, a dash is part of the number after it.
            if (!cursor.accept("+")) {
                cursor.accept("-");
            }
            cursor.expect("=");
            cursor.rawValue();
        });
    }

    private void firstPhaseItem(Items items) {
        Token token = cursor.peek();
        Set<String> permitted =
                Set.of(
                        "expression",
                        "keep-rank-count",
                        "total-keep-rank-count",
                        "rank-score-drop-limit");
        if (token.kind() != Kind.WORD || !permitted.contains(token.text())) {
            throw cursor.unknown(token, permitted);
        }
        cursor.next();
        switch (token.text()) {
            case "expression" -> items.firstPhase = expression();
            case "keep-rank-count", "total-keep-rank-count" ->
                    items.limits.put(
                            key("first-phase", token), (double) cursor.integerBehindColon(0));
            default -> items.limits.put(key("first-phase", token), cursor.decimalBehindColon());
        }
    }

    private RawText expression() {
        return cursor.rawBehindColonOrInBraces("a rank expression");
    }

    private Function function() {
        if (cursor.peek().is("inline")) {
            Token inline = cursor.next();
            if (cursor.peek().is("(")) {
                return function(cursor.name(inline));
            }
        }
        Name name = cursor.id("the function's name");
        // An old form: the dollar sign belongs to the name.
        return function(cursor.accept("$") ? new Name(name.at(), name.text() + "$") : name);
    }

    private Function function(Name name) {
        var parameters = new ArrayList<Name>();
        cursor.expect("(");
        if (!cursor.peek().is(")")) {
            parameters.addAll(cursor.ids("a parameter's name"));
        }
        cursor.expect(")");
        var bodies = new ArrayList<RawText>();
        Token brace = cursor.peek();
        cursor.block(() -> {
            Token token = cursor.peek();
            if (!bodies.isEmpty() || !token.is("expression")) {
                throw cursor.expected(token, bodies.isEmpty() ? "'expression'" : "'}'");
            }
            cursor.next();
            bodies.add(expression());
        });
        if (bodies.isEmpty()) {
            throw new SchemaSyntaxException(
                    cursor.at(brace), "function " + name.text() + " has no expression");
        }
        return new Function(name, parameters, bodies.getFirst());
    }

    private Input input() {
        Name name = value("query");
        Optional<ValueType> type = valueType();
        Optional<RawText> value =
                cursor.accept(":") ? Optional.of(cursor.rawValue()) : Optional.empty();
        return new Input(name, type, value);
    }

    private void constant(Items items, String profile) {
        Name name = value("constant");
        Optional<ValueType> type = constantType();
        if (type.isEmpty() && cursor.peek().is("{")) {
            items.constants.add(legacyConstant(name));
            return;
        }
        cursor.expect(":");
        Token token = cursor.peek();
        if (!token.is("file")) {
            items.constants.add(new Constant(name, type, cursor.rawValue()));
            return;
        }
        if (type.flatMap(ValueType::tensor).isEmpty()) {
            throw new SchemaSyntaxException(
                    name.at(),
                    "constant '%s' in a file needs the type of a tensor".formatted(name.text()));
        }
        files.add(modelParser.constant(profile, name, type.get().tensor().orElseThrow()));
    }

    /** An old form: {@code name { value: { ... } type: tensor type }}. */
    private Constant legacyConstant(Name name) {
        var values = new ArrayList<RawText>();
        var types = new ArrayList<ValueType>();
        cursor.block(() -> {
            String item = cursor.oneOf(Set.of("value", "type")).text();
            cursor.expect(":");
            if (item.equals("value")) {
                values.add(cursor.rawValue());
            } else {
                types.addAll(constantType().stream().toList());
            }
        });
        if (values.size() != 1 || types.size() != 1) {
            throw new SchemaSyntaxException(
                    name.at(), "constant '%s' needs value and type".formatted(name.text()));
        }
        return new Constant(name, Optional.of(types.getFirst()), values.getFirst());
    }

    private Name value(String wrapper) {
        Token token = cursor.peek();
        Name name = cursor.id("a name or " + wrapper + "(name)");
        if (!token.is(wrapper) || !cursor.accept("(")) {
            return name;
        }
        Name inner = cursor.id("a name");
        cursor.expect(")");
        return inner;
    }

    private Optional<ValueType> valueType() {
        Token token = cursor.peek();
        if (token.kind() != Kind.WORD) {
            return Optional.empty();
        }
        if (token.is("tensor")) {
            return Optional.of(
                    new ValueType(cursor.name(token), Optional.of(cursor.typeOfValues())));
        }
        Name name = cursor.oneOf(Set.of("double", "float", "int", "long", "string", "tensor"));
        if (Set.of("float", "int", "long").contains(name.text())) {
            cursor.warn(token, name.text() + " values are kept as double");
        }
        return Optional.of(new ValueType(name, Optional.empty()));
    }

    private Optional<ValueType> constantType() {
        Optional<ValueType> type = valueType();
        if (type.filter(ValueType::isText).isPresent()) {
            throw new SchemaSyntaxException(
                    type.get().name().at(),
                    "a constant is a number or a tensor; texts are allowed in expressions, as in"
                            + " attribute(kind) == \"a\"");
        }
        return type;
    }

    private Features features(Token keyword) {
        List<Name> parents =
                cursor.accept("inherits") ? cursor.dashedIds("a rank profile's name") : List.of();
        if (!cursor.peek().is(":")) {
            cursor.skipNewlines();
        }
        return new Features(cursor.name(keyword), parents, cursor.rawWords());
    }

    private Property property() {
        Token start = cursor.peek();
        String key = words(":");
        cursor.expect(":");
        Token valueStart = cursor.peek();
        String value = words("}");
        if (key.isEmpty() || value.isEmpty()) {
            throw cursor.expected(key.isEmpty() ? start : valueStart, "a property: value");
        }
        return new Property(new Name(cursor.at(start), key), value);
    }

    /** Takes words up to {@code end} or the end of the line, and joins them without blanks. */
    private String words(String end) {
        var joined = new StringBuilder();
        while (cursor.peek().kind() == Kind.STRING
                || cursor.peek().kind() == Kind.WORD
                || Set.of("(", ")", ",", ".").contains(cursor.peek().text())) {
            joined.append(cursor.next().text());
        }
        Token token = cursor.peek();
        if (!token.is(end) && token.kind() != Kind.NEWLINE && token.kind() != Kind.END) {
            throw cursor.expected(token, "a word or '" + end + "'");
        }
        return joined.toString();
    }

    private void strict(Token keyword, Items items) {
        once(keyword, "", items);
        items.given.put(
                RankProfileDeclaration.STRICT, cursor.oneOfBehindColon(Set.of("true", "false")));
    }

    private void refuseSecond(Token token, @Nullable Object given) {
        if (given != null) {
            throw new SchemaSyntaxException(cursor.at(token), token.text() + " is given twice");
        }
    }

    private static Set<String> names() {
        var names = new HashSet<>(ITEMS);
        names.addAll(INTEGER_HINTS);
        names.addAll(DECIMAL_HINTS);
        return Set.copyOf(names);
    }

    /** The items of a profile's block that are parsed so far. */
    private static final class Items {
        private final Map<String, Name> given = new LinkedHashMap<>();
        private @Nullable RawText firstPhase;
        private final Map<String, RawText> phases = new LinkedHashMap<>();
        private final Map<String, Double> limits = new LinkedHashMap<>();
        private final List<Unbuilt> unbuilt = new ArrayList<>();
        private final List<Function> functions = new ArrayList<>();
        private final List<Input> inputs = new ArrayList<>();
        private final List<Constant> constants = new ArrayList<>();
        private @Nullable Features matchFeatures;
        private final List<Property> properties = new ArrayList<>();
        private final List<FieldUse> uses = new ArrayList<>();
        private final Map<String, Features> shownFeatures = new LinkedHashMap<>();
        private final Map<String, FieldRanking> fields = new LinkedHashMap<>();

        void rank(Name field, UnaryOperator<FieldRanking> change) {
            fields.put(
                    field.text(),
                    change.apply(fields.getOrDefault(field.text(), FieldRanking.NONE)));
        }

        RankProfileDeclaration rankProfile(Name name, List<Name> parents) {
            return new RankProfileDeclaration(
                    name,
                    parents,
                    new DeclaredNames(Optional.empty(), inputs, constants, functions),
                    new DeclaredPhases(Optional.ofNullable(firstPhase), phases, limits),
                    new DeclaredFeatures(
                            Optional.ofNullable(matchFeatures), shownFeatures, properties),
                    new DeclaredSettings(given, fields, uses, unbuilt));
        }
    }
}
