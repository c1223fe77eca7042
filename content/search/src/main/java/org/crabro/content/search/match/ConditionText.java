package org.crabro.content.search.match;

import java.util.List;
import java.util.stream.Collectors;
import org.crabro.content.search.match.text.TextPattern;
import org.crabro.content.search.match.text.TextPredicate;

/** Describes the conditions of a matcher in words, for plans. */
final class ConditionText {
    /** The most characters of a description; longer ones end with an ellipsis. */
    private static final int LENGTH_MAX = 200;

    private final TextSearch texts;
    private final List<NearestSearch> nearest;

    /**
     * @param texts which the conditions refer to by number
     * @param nearest the nearest-neighbor searches, alike
     */
    ConditionText(TextSearch texts, List<NearestSearch> nearest) {
        this.texts = texts;
        this.nearest = nearest;
    }

    /** Returns a description; empty for a condition that consists of others. */
    String of(Filter filter) {
        String text =
                switch (filter) {
                    case Filter.Every _, Filter.Any _, Filter.Except _ -> "";
                    case Filter.Everything _ -> "every document";
                    case Filter.Nothing _ -> "no document";
                    case Filter.Counted(var of, _) -> of(of);
                    case NumberFilter number -> number.name() + " " + number.range().text();
                    case Filter.Text word -> word.name();
                    case Filter.Values values -> values.name() + " " + of(values.test());
                    case Filter.Selected(int search, var name) ->
                            "%s: the nearest %d".formatted(name, nearest.get(search).targetHits());
                };
        return text.length() <= LENGTH_MAX ? text : text.substring(0, LENGTH_MAX - 1) + "…";
    }

    private String of(ValuePredicate test) {
        return switch (test) {
            case ValuePredicate.InRange(var range) -> range.text();
            case ValuePredicate.Text(int predicate) -> of(texts.predicates().get(predicate));
            case ValuePredicate.NearElements near ->
                    of(texts.predicates().get(near.textPredicate()));
            case ValuePredicate.Place _ -> "in an area";
            case ValuePredicate.AnyElement(var element, _) -> "with an element " + of(element);
            case ValuePredicate.OfElement(var part, var inner) ->
                    (part == ValuePredicate.OfElement.Part.KEY ? "key " : "value ") + of(inner);
            case ValuePredicate.Member(_, var inner) -> "member " + of(inner);
            case ValuePredicate.Every(var parts) -> joined(parts, " and ");
            case ValuePredicate.Any(var parts) -> joined(parts, " or ");
            case ValuePredicate.Except(var included, var out) ->
                    of(included) + " and not " + of(out);
            case ValuePredicate.Among _ -> "in several numbers";
            case ValuePredicate.Product _ -> "with weighted keys";
        };
    }

    private String joined(List<ValuePredicate> parts, String operator) {
        return parts.stream().map(this::of).collect(Collectors.joining(operator));
    }

    private static String of(TextPredicate predicate) {
        return switch (predicate) {
            case TextPredicate.OfPattern(_, var pattern) -> "has " + TextPatterns.shown(pattern);
            case TextPredicate.OfRegex(var expression, _) ->
                    "matches \"%s\"".formatted(expression.pattern());
            case TextPredicate.OfFuzzy fuzzy ->
                    "within %d edits of \"%s\"".formatted(fuzzy.maxEdits(), fuzzy.text());
            case TextPredicate.OfNear near ->
                    near.items().stream()
                            .map(item ->
                                    TextPatterns.shown(
                                            new TextPattern.Tokens(item.alternatives().getFirst())))
                            .collect(
                                    Collectors.joining(
                                            ", ", near.ordered() ? "onear(" : "near(", ")"));
            case TextPredicate.OfKeys _ -> "in several texts";
            case TextPredicate.OfPredicate _ -> "has a predicate that is true";
        };
    }
}
