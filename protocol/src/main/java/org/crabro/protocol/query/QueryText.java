package org.crabro.protocol.query;

import static java.util.stream.Collectors.joining;

import java.util.ArrayList;
import java.util.List;
import java.util.stream.Stream;

/** Formats query trees as s-expressions, for tests, traces and logs. */
public final class QueryText {
    private QueryText() {}

    /**
     * Returns {@code node} on one line, such as {@code (and title:blue (range price [1;9.5>))}. An
     * included end of a range has a square bracket, an excluded one an angle bracket.
     */
    public static String of(QueryNode node) {
        return switch (node) {
            case QueryNode.All() -> "true";
            case QueryNode.None() -> "false";
            case QueryNode.And(var children) -> list("and", children);
            case QueryNode.Or(var children) -> list("or", children);
            case QueryNode.WeakAnd(var children) -> list("weakand", children);
            case QueryNode.Without(var include, var exclude) ->
                    list("without", Stream.concat(Stream.of(include), exclude.stream()).toList());
            case QueryNode.Rank(var required, var others) ->
                    list("rank", Stream.concat(Stream.of(required), others.stream()).toList());
            case QueryNode.Term(var field, var text, var settings) ->
                    settings(settings) + field + ":" + word(text);
            case QueryNode.Phrase(var field, var words, var settings) ->
                    settings(settings)
                            + words.stream()
                                    .map(QueryText::word)
                                    .collect(joining(" ", "(phrase " + field + " ", ")"));
            case QueryNode.Range(var field, var low, var high, var settings) ->
                    settings(settings)
                            + "(range "
                            + field
                            + " "
                            + low(low)
                            + ";"
                            + high(high)
                            + ")";
            case QueryNode.BooleanEquals(var field, var value, var settings) ->
                    settings(settings) + "(equals " + field + " " + value + ")";
            case QueryNode.Regex(var field, var expression, var settings) ->
                    settings(settings) + "(regex " + field + " " + word(expression) + ")";
            case QueryNode.Fuzzy fuzzy -> fuzzy(fuzzy);
            case QueryNode.Near near -> near(near);
            case QueryNode.Equiv(var alternatives) -> list("equiv", alternatives);
            case QueryNode.SameElement(var field, var conditions, var elements) ->
                    list("same " + field + (elements.isEmpty() ? "" : elements), conditions);
            case QueryNode.AnyOf any -> any(any);
            case QueryNode.GeoCircle(var field, var lat, var lon, var radius, var settings) ->
                    settings(settings) + "(circle %s %s %s %s)".formatted(field, lat, lon, radius);
            case QueryNode.GeoBox(
                            var field,
                            var south,
                            var west,
                            var north,
                            var east,
                            var settings) ->
                    settings(settings)
                            + "(box %s %s %s %s %s)".formatted(field, south, west, north, east);
            case QueryNode.Predicate predicate -> predicate(predicate);
            case QueryNode.NearestNeighbor nearest -> nearest(nearest);
        };
    }

    private static String predicate(QueryNode.Predicate predicate) {
        var text = new StringBuilder(settings(predicate.settings()));
        text.append("(predicate ").append(predicate.field());
        predicate
                .values()
                .forEach(each ->
                        text.append(' ')
                                .append(word(each.name()))
                                .append(':')
                                .append(word(each.value())));
        predicate
                .numbers()
                .forEach(each ->
                        text.append(' ')
                                .append(word(each.name()))
                                .append('=')
                                .append(each.number()));
        return text.append(')').toString();
    }

    private static String fuzzy(QueryNode.Fuzzy fuzzy) {
        return settings(fuzzy.settings())
                + "(fuzzy "
                + fuzzy.field()
                + " "
                + word(fuzzy.text())
                + " "
                + fuzzy.maxEdits()
                + (fuzzy.prefixLength() > 0 ? " behind " + fuzzy.prefixLength() : "")
                + (fuzzy.prefix() ? " prefix" : "")
                + ")";
    }

    private static String near(QueryNode.Near near) {
        String operator = (near.ordered() ? "onear " : "near ") + near.field();
        String text = list(operator + " " + near.distance(), near.near());
        return near.exclude().isEmpty()
                ? text
                : text.substring(0, text.length() - 1)
                        + " "
                        + list("not " + near.exclusionDistance(), near.exclude())
                        + ")";
    }

    private static String any(QueryNode.AnyOf any) {
        String operator =
                switch (any.kind()) {
                    case IN -> "in";
                    case WEIGHTED_SET -> "weighted";
                    case DOT_PRODUCT -> "dot";
                };
        String threshold = any.threshold() > 0 ? " above " + any.threshold() : "";
        return settings(any.settings())
                + any.keys().stream()
                        .map(key ->
                                word(key.key())
                                        + (any.kind() == QueryNode.AnyOf.Kind.IN
                                                ? ""
                                                : ":" + key.weight()))
                        .collect(
                                joining(
                                        " ",
                                        "(" + operator + " " + any.field() + threshold + " ",
                                        ")"));
    }

    /** Without a stream, so that deep trees need few stack frames. */
    private static String list(String operator, List<QueryNode> children) {
        var text = new StringBuilder("(").append(operator);
        for (QueryNode child : children) {
            text.append(' ').append(of(child));
        }
        return text.append(')').toString();
    }

    private static String nearest(QueryNode.NearestNeighbor node) {
        var text = new StringBuilder(settings(node.settings()));
        text.append("(nearest ");
        text.append(node.field()).append(' ').append(node.input());
        text.append(' ').append(node.targetHits());
        node.distanceThreshold().ifPresent(distance -> text.append(" within ").append(distance));
        if (!node.exploration().approximate()) {
            text.append(" exactly");
        }
        if (node.exploration().additionalHits() > 0) {
            text.append(" exploring ").append(node.exploration().additionalHits());
        }
        return text.append(')').toString();
    }

    private static String low(RangeEnd end) {
        return switch (end) {
            case RangeEnd.Unbounded() -> "[";
            case RangeEnd.Whole(var value, var included) -> (included ? "[" : "<") + value;
            case RangeEnd.Real(var value, var included) -> (included ? "[" : "<") + value;
        };
    }

    private static String high(RangeEnd end) {
        return switch (end) {
            case RangeEnd.Unbounded() -> "]";
            case RangeEnd.Whole(var value, var included) -> value + (included ? "]" : ">");
            case RangeEnd.Real(var value, var included) -> value + (included ? "]" : ">");
        };
    }

    /** Writes only settings that differ from the default. */
    private static String settings(TermSettings settings) {
        var parts = new ArrayList<String>();
        if (settings.weight() != TermSettings.DEFAULT.weight()) {
            parts.add("weight " + settings.weight());
        }
        if (settings.hints().filter()) {
            parts.add("filter");
        } else if (!settings.ranked()) {
            parts.add("unranked");
        }
        switch (settings.affix()) {
            case FIELD -> {}
            case PREFIX -> parts.add("prefix");
            case SUFFIX -> parts.add("suffix");
            case SUBSTRING -> parts.add("substring");
        }
        switch (settings.grams()) {
            case ALL -> {}
            case ANY -> parts.add("any gram");
            case WEAK_AND -> parts.add("grams by weakAnd");
            case PHRASE -> parts.add("grams in a phrase");
            case NEAR -> parts.add("near grams");
            case ORDERED_NEAR -> parts.add("near grams in order");
        }
        addHints(settings.hints(), parts);
        return parts.isEmpty() ? "" : "{" + String.join(", ", parts) + "}";
    }

    private static void addHints(TermHints hints, List<String> parts) {
        if (!hints.label().isEmpty()) {
            parts.add("label " + word(hints.label()));
        }
        hints.statistics().significance().ifPresent(value -> parts.add("significance " + value));
        hints.statistics()
                .frequency()
                .ifPresent(
                        value -> parts.add("frequency " + value.documents() + "/" + value.total()));
        if (hints.link().id() != TermHints.NONE.link().id()) {
            parts.add("id " + hints.link().id());
        }
        hints.link()
                .connectivity()
                .ifPresent(value -> parts.add("near " + value.id() + " by " + value.weight()));
        if (!hints.positions()) {
            parts.add("no positions");
        }
        TermHints.Words words = hints.words();
        addSpelling(words.spelling(), parts);
        if (!words.implicit()) {
            parts.add("as written");
        }
        if (!words.stem()) {
            parts.add("no stem");
        }
        if (!words.normalizeCase()) {
            parts.add("cased");
        }
        if (!words.accentDrop()) {
            parts.add("accents");
        }
        if (!words.language().isEmpty()) {
            parts.add("language " + word(words.language()));
        }
    }

    private static void addSpelling(Spelling spelling, List<String> parts) {
        if (spelling.typos()) {
            parts.add("typos");
        }
        if (spelling.beginning()) {
            parts.add("beginning");
        }
        if (spelling.exactness() != Spelling.EXACT.exactness()) {
            parts.add("exactness " + spelling.exactness());
        }
    }

    private static String word(String text) {
        boolean plain =
                !text.isEmpty()
                        && text.chars()
                                .noneMatch(c ->
                                        Character.isWhitespace(c) || "\"\\():".indexOf(c) >= 0);
        return plain ? text : '"' + text.replace("\\", "\\\\").replace("\"", "\\\"") + '"';
    }
}
