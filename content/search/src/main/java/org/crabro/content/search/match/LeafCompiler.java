package org.crabro.content.search.match;

import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.crabro.config.schema.MatchMode;
import org.crabro.config.schema.MatchMode.Affix;
import org.crabro.config.schema.MatchMode.Unit;
import org.crabro.content.search.match.text.LevenshteinMatcher;
import org.crabro.content.search.match.text.Regexes;
import org.crabro.content.search.match.text.TextKeys;
import org.crabro.content.search.match.text.TextPattern;
import org.crabro.content.search.match.text.TextPredicate;
import org.crabro.content.search.match.text.WordRule;
import org.crabro.content.search.query.QueryRejectedException;
import org.crabro.document.FieldType;
import org.crabro.document.FieldType.Primitive;
import org.crabro.protocol.query.GramMatch;
import org.crabro.protocol.query.QueryNode;
import org.crabro.protocol.query.QueryNode.WeightedKey;
import org.crabro.protocol.query.TermSettings;
import org.crabro.text.FoldedText;
import org.crabro.text.Folding;

/**
 * Compiles leaves of the query tree to conditions on single values, and numbers the text predicates
 * that these conditions use.
 */
final class LeafCompiler {
    /** Terms in references are whole ids, also those of other operators than equality. */
    private static final MatchMode REFERENCE = new MatchMode(Unit.VALUE, Affix.WHOLE, true);

    private final List<TextPredicate> textPredicates = new ArrayList<>();

    /**
     * Compiles the condition on a simple value or a location; empty if it does not apply to the
     * type.
     */
    interface Leaf {
        Optional<ValuePredicate> test(FieldType type, MatchMode match);
    }

    /** Returns the text predicates by number. */
    List<TextPredicate> textPredicates() {
        return textPredicates;
    }

    /**
     * Returns the condition of a leaf of the tree on a value.
     *
     * @param name of the field, for errors
     */
    Leaf leaf(QueryNode.Leaf leaf, String name) {
        return switch (leaf) {
            case QueryNode.Term(_, var text, var settings) ->
                    (type, match) -> words(type, match, List.of(text), settings, name);
            case QueryNode.Phrase(_, var words, var settings) ->
                    (type, match) ->
                            words(type, match, words, settings.with(GramMatch.PHRASE), name);
            case QueryNode.Range range ->
                    (type, match) ->
                            number(type, NumberRange.between(range.low(), range.high()))
                                    .or(() ->
                                            range.word()
                                                    .flatMap(word ->
                                                            words(
                                                                    type,
                                                                    match,
                                                                    List.of(word),
                                                                    range.settings(),
                                                                    name)));
            case QueryNode.BooleanEquals(_, var value, var settings) ->
                    (type, match) ->
                            number(type, value ? NumberRange.TRUE : NumberRange.FALSE)
                                    .or(() ->
                                            words(
                                                    type,
                                                    match,
                                                    List.of(Boolean.toString(value)),
                                                    settings,
                                                    name));
            case QueryNode.Regex(_, var expression, var settings) ->
                    (type, match) ->
                            type instanceof FieldType.ReferenceOf
                                    ? words(type, match, List.of(expression), settings, name)
                                    : ofText(
                                            type,
                                            () ->
                                                    new TextPredicate.OfRegex(
                                                            Regexes.of(expression, match.cased()),
                                                            match.maxLength()));
            case QueryNode.Fuzzy fuzzy ->
                    (type, match) -> ofText(type, () -> likeness(fuzzy, match));
            case QueryNode.Near near ->
                    (type, match) -> ofText(type, () -> nearness(near, match, name));
            case QueryNode.AnyOf any -> (type, match) -> anyOf(type, match, any, name);
            case QueryNode.GeoCircle(_, var latitude, var longitude, var radius, _) ->
                    place(new GeoArea.Circle(latitude, longitude, radius));
            case QueryNode.GeoBox(_, var south, var west, var north, var east, _) ->
                    place(new GeoArea.Box(south, west, north, east));
            case QueryNode.Predicate predicate ->
                    (type, _) ->
                            type == Primitive.PREDICATE
                                    ? Optional.of(
                                            text(
                                                    new TextPredicate.OfPredicate(
                                                            predicate.values(),
                                                            predicate.numbers())))
                                    : Optional.empty();
        };
    }

    private interface NewTextPredicate {
        TextPredicate predicate();
    }

    private Optional<ValuePredicate> ofText(FieldType type, NewTextPredicate made) {
        return type instanceof Primitive primitive && primitive.isText()
                ? Optional.of(text(made.predicate()))
                : Optional.empty();
    }

    /** Returns the condition that a text fulfils {@code predicate}. */
    ValuePredicate text(TextPredicate predicate) {
        return new ValuePredicate.Text(textPredicate(predicate));
    }

    private int textPredicate(TextPredicate predicate) {
        int index = textPredicates.indexOf(predicate);
        if (index >= 0) {
            return index;
        }
        textPredicates.add(predicate);
        return textPredicates.size() - 1;
    }

    private static Optional<ValuePredicate> number(FieldType type, NumberRange range) {
        return ValuePredicateCompiler.isNumber(type)
                ? Optional.of(new ValuePredicate.InRange(range))
                : Optional.empty();
    }

    private Optional<ValuePredicate> words(
            FieldType type,
            MatchMode match,
            List<String> words,
            TermSettings settings,
            String name) {
        if (ValuePredicateCompiler.isNumber(type)) {
            NumberRange range =
                    NumberRangeParser.range(type == Primitive.BOOL, String.join(" ", words));
            return number(type, range);
        }
        if (type instanceof FieldType.ReferenceOf) {
            return TextPatterns.pattern(words, settings, REFERENCE, name)
                    .map(pattern -> text(new TextPredicate.OfPattern(REFERENCE, pattern)));
        }
        if (!(type instanceof Primitive primitive) || !primitive.isText()) {
            return Optional.empty();
        }
        return Optional.of(
                TextPatterns.pattern(words, settings, match, name)
                        .map(pattern -> text(new TextPredicate.OfPattern(match, pattern)))
                        .orElseGet(() -> new ValuePredicate.Any(List.of())));
    }

    /** Returns the number of the text predicate of {@code near}. */
    int near(QueryNode.Near near, MatchMode match, String name) {
        return textPredicate(nearness(near, match, name));
    }

    private static TextPredicate likeness(QueryNode.Fuzzy fuzzy, MatchMode match) {
        LevenshteinMatcher.checked(fuzzy);
        return new TextPredicate.OfFuzzy(
                match.cased() ? fuzzy.text() : Folding.CASE.of(fuzzy.text()),
                fuzzy.maxEdits(),
                fuzzy.prefixLength(),
                fuzzy.prefix(),
                match.cased(),
                match.maxLength());
    }

    private static TextPredicate nearness(QueryNode.Near near, MatchMode match, String name) {
        // Positions are counted in words, so a field of whole values is tokenized here too.
        MatchMode byWords = match.byWords();
        return new TextPredicate.OfNear(
                byWords,
                near.near().stream().map(node -> item(node, byWords, name)).toList(),
                near.exclude().stream().map(node -> item(node, byWords, name)).toList(),
                near.distance(),
                near.exclusionDistance(),
                near.ordered());
    }

    private static TextPredicate.NearItem item(QueryNode node, MatchMode match, String name) {
        var alternatives = new ArrayList<List<TextPattern.Word>>();
        addAlternatives(node, match, name, alternatives);
        return new TextPredicate.NearItem(alternatives);
    }

    private static void addAlternatives(
            QueryNode node, MatchMode match, String name, List<List<TextPattern.Word>> into) {
        switch (node) {
            case QueryNode.Term(_, var text, var settings) ->
                    addWords(List.of(text), settings, match, name, into);
            case QueryNode.Phrase(_, var words, var settings) ->
                    addWords(words, settings, match, name, into);
            case QueryNode.Equiv(var alternatives) ->
                    alternatives.forEach(each -> addAlternatives(each, match, name, into));
            case QueryNode.Regex _, QueryNode.Fuzzy _ ->
                    into.add(List.of(WordRule.word(node, match).orElseThrow(() -> notNear(name))));
            default -> throw notNear(name);
        }
    }

    private static QueryRejectedException notNear(String name) {
        return new QueryRejectedException(
                "near() and onear() in field '%s' take words, phrases, equiv(), fuzzy() and regex()"
                        .formatted(name));
    }

    private static void addWords(
            List<String> words,
            TermSettings settings,
            MatchMode match,
            String name,
            List<List<TextPattern.Word>> into) {
        TextPatterns.pattern(words, settings, match, name)
                .ifPresent(pattern -> {
                    switch (pattern) {
                        case TextPattern.Tokens(var tokens) -> into.add(tokens);
                        case TextPattern.Within(var text) ->
                                into.add(
                                        List.of(
                                                new TextPattern.Word(
                                                        text, MatchMode.Affix.SUBSTRING)));
                        case TextPattern.Whole _, TextPattern.Grams _ ->
                                throw new IllegalStateException("no words");
                    }
                });
    }

    private Optional<ValuePredicate> anyOf(
            FieldType type, MatchMode match, QueryNode.AnyOf any, String name) {
        if (ValuePredicateCompiler.isNumber(type)) {
            return Optional.of(new ValuePredicate.Among(NumberKeys.of(any.keys())));
        }
        return switch (any.kind()) {
            case IN -> anyOfWords(type, match, any, name);
            case WEIGHTED_SET, DOT_PRODUCT -> keys(type, any.keys(), match);
        };
    }

    /** A key may have several words, as in the operator contains. */
    private Optional<ValuePredicate> anyOfWords(
            FieldType type, MatchMode match, QueryNode.AnyOf any, String name) {
        var tests = new ArrayList<ValuePredicate>();
        for (WeightedKey key : any.keys()) {
            words(type, match, List.of(key.key()), any.settings(), name).ifPresent(tests::add);
        }
        return tests.isEmpty() ? Optional.empty() : Optional.of(new ValuePredicate.Any(tests));
    }

    /** Returns the condition that a text is one of {@code keys}; empty if values are not texts. */
    Optional<ValuePredicate> keys(FieldType type, List<WeightedKey> keys, MatchMode match) {
        return ofText(type, () -> keys(keys, match));
    }

    private static TextPredicate keys(List<WeightedKey> keys, MatchMode match) {
        Map<String, Integer> weights = new LinkedHashMap<>();
        for (WeightedKey key : keys) {
            String folded = FoldedText.of(key.key(), match.analysis());
            if (!folded.isEmpty()) {
                weights.put(folded, key.weight());
            }
        }
        return new TextPredicate.OfKeys(match, new TextKeys(weights));
    }

    private static Leaf place(GeoArea area) {
        return (type, _) ->
                type.equals(FieldType.StructOf.POSITION)
                        ? Optional.of(new ValuePredicate.Place(area))
                        : Optional.empty();
    }
}
