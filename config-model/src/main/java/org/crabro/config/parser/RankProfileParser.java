package org.crabro.config.parser;

import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import org.crabro.config.parser.RankProfileDeclaration.Constant;
import org.crabro.config.parser.RankProfileDeclaration.Features;
import org.crabro.config.parser.RankProfileDeclaration.Function;
import org.crabro.config.parser.RankProfileDeclaration.Input;
import org.crabro.config.parser.RankProfileDeclaration.Property;
import org.crabro.config.parser.RankProfileDeclaration.ValueType;
import org.crabro.config.parser.SchemaScanner.Kind;
import org.crabro.config.parser.SchemaScanner.Token;
import org.jspecify.annotations.Nullable;

/**
 * Parses rank profiles, from behind the word {@code rank-profile}.
 *
 * <pre>
 *   profile    := did [ "inherits" did { "," did } ] "{" { item } "}"
 *   item       := "first-phase" "{" { "expression" expression | "keep-rank-count" ":" int
 *                 | "total-keep-rank-count" ":" int } "}"
 *               | ( "function" | "macro" ) [ "inline" ] id "(" [ id { "," id } ] ")"
 *                 "{" "expression" expression "}"
 *               | "inputs" "{" { value [ type ] [ ":" literal ] } "}"
 *               | "constants" "{" { value [ type ] ":" literal } "}"
 *               | "match-features" [ "inherits" did { "," did } ] features
 *               | "rank-properties" "{" { word { word } ":" word { word } NL } "}"
 *               | "strict" ":" ( "true" | "false" ) | "rank-profile" profile | hint
 *   expression := ":" raw to the end of the line | "{" raw "}"; raw may be "file:" name
 *   features   := ":" raw to the end of the line | "{" raw to the first "}"
 *   value      := id | ( "query" | "constant" ) "(" id ")"
 *   type       := tensor type | "double" | "float" | "long" | "string"
 *   literal    := number | bracketed raw
 * </pre>
 *
 * <p>Hints, such as {@code num-threads-per-search: 4}, change nothing where documents are scanned.
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
    private static final Set<String> KNOWN = known();

    private final SchemaCursor cursor;

    RankProfileParser(SchemaCursor cursor) {
        this.cursor = cursor;
    }

    /** Returns the profile, and behind it those inside it, by their full names. */
    List<RankProfileDeclaration> rankProfiles() {
        var profiles = new ArrayList<RankProfileDeclaration>();
        rankProfile("", profiles);
        return profiles;
    }

    private void rankProfile(String outer, List<RankProfileDeclaration> into) {
        Name own = cursor.dashedId("the rank profile's name");
        var name = new Name(own.at(), outer + own.text());
        List<Name> parents =
                cursor.accept("inherits") ? cursor.dashedIds("a rank profile's name") : List.of();
        var items = new Items();
        var inside = new ArrayList<RankProfileDeclaration>();
        cursor.recoveringBlock(() -> item(items, name.text() + ".", inside));
        into.add(items.rankProfile(name, parents));
        into.addAll(inside);
    }

    /**
     * @param outer what goes before the names of profiles inside
     */
    private void item(Items items, String outer, List<RankProfileDeclaration> inside) {
        Token token = cursor.peek();
        if (token.kind() != Kind.WORD || !KNOWN.contains(token.text())) {
            throw cursor.unknown(token, KNOWN);
        }
        cursor.next();
        switch (token.text()) {
            case "first-phase" -> cursor.block(() -> firstPhaseItem(items));
            case "function", "macro" -> items.functions.add(function());
            case "inputs" -> cursor.recoveringBlock(() -> items.inputs.add(input()));
            case "constants" -> cursor.recoveringBlock(() -> items.constants.add(constant()));
            case "match-features" -> {
                refuseSecond(token, items.matchFeatures);
                items.matchFeatures = features(token);
            }
            case "rank-properties" ->
                    cursor.recoveringBlock(() -> items.properties.add(property()));
            case "strict" -> strict(token, items);
            case "match-phase", "diversity", "weakand" -> cursor.skipBlock();
            case "mutate" -> {
                cursor.skipBlock();
                cursor.warn(token, "mutate is ignored: ranking changes no document");
            }
            case "rank-type" -> {
                cursor.id("a field's name");
                cursor.oneOfBehindColon(Set.of("identity", "about", "tags", "empty"));
                nativeRankAlone(token);
            }
            case "weight" -> {
                cursor.id("a field's name");
                cursor.integerBehindColon();
                nativeRankAlone(token);
            }
            case "rank" -> rank(token);
            case "ignore-default-rank-features" -> {}
            case "prefetch-tensors" -> cursor.booleanBehindColon();
            case "rank-profile" -> rankProfile(outer, inside);
            default -> hintOrNotBuilt(token);
        }
    }

    private void hintOrNotBuilt(Token token) {
        if (INTEGER_HINTS.contains(token.text())) {
            cursor.integerBehindColon();
        } else if (DECIMAL_HINTS.contains(token.text())) {
            cursor.decimalBehindColon();
        } else {
            throw cursor.notBuilt(token);
        }
    }

    private void rank(Token keyword) {
        cursor.id("a field's name");
        if (cursor.peek().is(":")) {
            cursor.oneOfBehindColon(Set.of("filter"));
        } else {
            cursor.skipBlock();
        }
        nativeRankAlone(keyword);
    }

    private void nativeRankAlone(Token token) {
        cursor.inform(token, token.text() + " counts for nativeRank alone, which is not built yet");
    }

    private void firstPhaseItem(Items items) {
        Token token = cursor.peek();
        Set<String> known =
                Set.of(
                        "expression",
                        "keep-rank-count",
                        "total-keep-rank-count",
                        "rank-score-drop-limit");
        if (token.kind() != Kind.WORD || !known.contains(token.text())) {
            throw cursor.unknown(token, known);
        }
        cursor.next();
        switch (token.text()) {
            case "expression" -> {
                refuseSecond(token, items.firstPhase);
                items.firstPhase = expression();
            }
            case "keep-rank-count", "total-keep-rank-count" -> cursor.integerBehindColon();
            default -> throw cursor.notBuilt(token);
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
        return function(cursor.id("the function's name"));
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

    private Constant constant() {
        Name name = value("constant");
        Optional<ValueType> type = valueType();
        cursor.expect(":");
        Token token = cursor.peek();
        if (token.is("file")) {
            throw cursor.notBuilt(cursor.at(token), "a constant in a file of its own");
        }
        return new Constant(name, type, cursor.rawValue());
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
            return Optional.of(new ValueType(cursor.name(token), Optional.of(cursor.tensorType())));
        }
        Name name = cursor.oneOf(Set.of("double", "float", "long", "string", "tensor"));
        if (name.text().equals("string")) {
            throw cursor.notBuilt(name.at(), "a value of type string");
        }
        if (!name.text().equals("double")) {
            cursor.warn(token, name.text() + " values are kept as double");
        }
        return Optional.of(new ValueType(name, Optional.empty()));
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
        String value = cursor.oneOfBehindColon(Set.of("true", "false")).text();
        items.strict = value.equals("true") ? cursor.name(keyword) : null;
    }

    private void refuseSecond(Token token, @Nullable Object given) {
        if (given != null) {
            throw new SchemaSyntaxException(cursor.at(token), token.text() + " is given twice");
        }
    }

    private static Set<String> known() {
        var known = new HashSet<>(ITEMS);
        known.addAll(INTEGER_HINTS);
        known.addAll(DECIMAL_HINTS);
        return Set.copyOf(known);
    }

    /** What stands between the braces of a profile, as far as read. */
    private static final class Items {
        private @Nullable RawText firstPhase;
        private final List<Function> functions = new ArrayList<>();
        private final List<Input> inputs = new ArrayList<>();
        private final List<Constant> constants = new ArrayList<>();
        private @Nullable Features matchFeatures;
        private final List<Property> properties = new ArrayList<>();
        private @Nullable Name strict;

        RankProfileDeclaration rankProfile(Name name, List<Name> parents) {
            return new RankProfileDeclaration(
                    name,
                    parents,
                    Optional.ofNullable(firstPhase),
                    functions,
                    inputs,
                    constants,
                    Optional.ofNullable(matchFeatures),
                    properties,
                    Optional.ofNullable(strict));
        }
    }
}
