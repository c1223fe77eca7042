package org.crabro.container.yql;

import com.google.re2j.Pattern;
import com.google.re2j.PatternSyntaxException;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.function.Function;
import org.crabro.protocol.query.QueryNode;
import org.crabro.protocol.query.QueryNode.WeightedKey;
import org.crabro.protocol.query.RangeEnd;
import org.crabro.protocol.query.TermSettings;
import org.crabro.text.RegexBounds;

/**
 * Reads the operators that have operands of their own: near, sameElement, weighted sets, places,
 * predicates. It has a method for each operator.
 */
final class Operators {
    static final int DEFAULT_DISTANCE = 2;
    private static final int DEFAULT_EDITS = 2;

    private final Operands operands;
    private final QueryContext context;

    Operators(Operands operands, QueryContext context) {
        this.operands = operands;
        this.context = context;
    }

    /** Reads an expression as a condition on a field. */
    interface Reader {
        QueryNode read(YqlExpression expression, Annotations around);
    }

    QueryNode near(String field, YqlExpression.Call call, Annotations around, Reader inField) {
        var near = new ArrayList<QueryNode>();
        var exclude = new ArrayList<QueryNode>();
        // Affixes and weights apply to words, distances to the operator.
        for (YqlExpression argument : call.arguments()) {
            if (argument instanceof YqlExpression.Not(_, var operand)) {
                exclude.add(nearby(operand, around, inField));
            } else if (exclude.isEmpty()) {
                near.add(nearby(argument, around, inField));
            } else {
                throw operands.error(
                        argument.offset(),
                        call.function() + "(): positive terms must precede negative ones");
            }
        }
        if (near.isEmpty()) {
            throw operands.error(
                    call.offset(), call.function() + "(): at least one positive term is needed");
        }
        int distance = count(StandardAnnotation.DISTANCE, DEFAULT_DISTANCE, around);
        return new QueryNode.Near(
                field,
                near,
                exclude,
                distance,
                count(StandardAnnotation.EXCLUSION_DISTANCE, distance / 2 + distance % 2, around),
                call.function().equals("onear"));
    }

    /** Returns the words with the distances that annotations set. */
    QueryNode apart(QueryNode.Near near, Annotations around) {
        int distance = count(StandardAnnotation.DISTANCE, DEFAULT_DISTANCE, around);
        return new QueryNode.Near(
                near.field(),
                near.near(),
                near.exclude(),
                distance,
                count(StandardAnnotation.EXCLUSION_DISTANCE, distance / 2 + distance % 2, around),
                near.ordered());
    }

    private QueryNode nearby(YqlExpression expression, Annotations around, Reader inField) {
        QueryNode node = inField.read(expression, around);
        return switch (node) {
            case QueryNode.Words _, QueryNode.Equiv _, QueryNode.Regex _, QueryNode.Fuzzy _ -> node;
            case QueryNode.Near near when isOneWord(near) -> near.near().getFirst();
            default ->
                    throw operands.expected(
                            "a word, phrase(), equiv(), alternatives(), fuzzy() or regex()",
                            "near",
                            expression);
        };
    }

    /** Returns the condition that one word of the field matches {@code node}. */
    static QueryNode ofOneWord(String field, QueryNode node) {
        return new QueryNode.Near(field, List.of(node), List.of(), 0, 0, true);
    }

    private static boolean isOneWord(QueryNode.Near near) {
        return near.near().size() == 1 && near.exclude().isEmpty();
    }

    private int count(StandardAnnotation annotation, int otherwise, Annotations around) {
        int count = around.whole(annotation, otherwise);
        if (count < 0) {
            throw operands.error(
                    around.find(annotation).orElseThrow().offset(),
                    "expected a number from 0 on for annotation '%s', got %d"
                            .formatted(annotation.key(), count));
        }
        return count;
    }

    QueryNode equiv(YqlExpression.Call call, Annotations around, Reader inField) {
        if (call.arguments().size() < 2) {
            throw operands.error(
                    call.offset(),
                    "equiv(): Expected 2 or more arguments, got " + call.arguments().size() + ".");
        }
        return new QueryNode.Equiv(
                call.arguments().stream()
                        .map(argument -> alternative(argument, around, inField))
                        .toList());
    }

    private QueryNode alternative(YqlExpression expression, Annotations around, Reader inField) {
        QueryNode node = inField.read(expression, around);
        return switch (node) {
            case QueryNode.Term _, QueryNode.Phrase _, QueryNode.Equiv _ -> node;
            default ->
                    throw operands.expected(
                            "a word, phrase(), equiv() or alternatives()", "equiv", expression);
        };
    }

    /** Reads words and how exact each is, which becomes its weight. */
    QueryNode alternatives(String field, YqlExpression.Call call, Annotations around) {
        if (call.arguments().size() != 1
                || !(call.arguments().getFirst() instanceof YqlExpression.MapOf(_, var entries))
                || entries.isEmpty()) {
            throw operands.error(
                    call.offset(), "alternatives() expects a map of words and how exact they are");
        }
        var words = new ArrayList<QueryNode>();
        TermSettings settings = around.termSettings();
        for (YqlExpression.Entry entry : entries) {
            double exactness = operands.real(entry.value(), "alternatives()");
            String word = around.normalized(entry.key());
            context.count(word.length());
            words.add(
                    new QueryNode.Term(
                            field,
                            word,
                            settings.withWeight((int) Math.round(settings.weight() * exactness))));
        }
        return words.size() == 1 ? words.getFirst() : new QueryNode.Equiv(words);
    }

    private String regex(YqlExpression expression) {
        String text = operands.text(expression, "matches");
        context.count(text.length());
        Optional<String> tooMuch = RegexBounds.problem(text);
        if (tooMuch.isPresent()) {
            throw operands.error(
                    expression.offset(), "the regular expression has " + tooMuch.get());
        }
        try {
            Pattern.compile(text);
        } catch (PatternSyntaxException e) {
            throw operands.error(
                    expression.offset(),
                    "the regular expression '%s' is wrong: %s at index %d"
                            .formatted(text, e.getDescription(), Math.max(0, e.getIndex())));
        }
        return text;
    }

    /** Compares whole values, or single words if the annotation token is set. */
    QueryNode regex(String field, YqlExpression expression, Annotations around) {
        QueryNode node = expression(field, expression, around);
        return around.truth(StandardAnnotation.TOKEN, false) ? ofOneWord(field, node) : node;
    }

    QueryNode expression(String field, YqlExpression expression, Annotations around) {
        return new QueryNode.Regex(field, regex(expression), around.unaffixed());
    }

    /** Compares whole values, or single words if the annotation token is set. */
    QueryNode fuzzy(String field, YqlExpression expression, Annotations around) {
        QueryNode node = likeness(field, expression, around);
        return around.truth(StandardAnnotation.TOKEN, false) ? ofOneWord(field, node) : node;
    }

    QueryNode likeness(String field, YqlExpression expression, Annotations around) {
        String text = around.normalized(operands.text(expression, "fuzzy()"));
        if (text.isEmpty()) {
            throw operands.error(expression.offset(), "fuzzy() got an empty text");
        }
        context.count(text.length());
        return new QueryNode.Fuzzy(
                field,
                text,
                count(StandardAnnotation.MAX_EDIT_DISTANCE, DEFAULT_EDITS, around),
                count(StandardAnnotation.PREFIX_LENGTH, 0, around),
                around.truth(StandardAnnotation.PREFIX, false),
                around.unaffixed());
    }

    /**
     * Returns a condition on a field. If an element of it is named by its index, that element must
     * fulfil the condition.
     */
    QueryNode inField(
            YqlExpression named, Annotations around, Function<String, QueryNode> condition) {
        if (named instanceof YqlExpression.Access(_, var base, _, var bracket, var index, var path)
                && bracket == '[') {
            return new QueryNode.SameElement(
                    operands.field(base), List.of(condition.apply(path)), List.of(element(index)));
        }
        return inElements(operands.field(named), around, condition);
    }

    /** Returns the condition that {@code inside} holds for the elements annotated, if any are. */
    private QueryNode inElements(
            String field, Annotations around, Function<String, QueryNode> inside) {
        Optional<YqlExpression.Entry> filter = around.find(StandardAnnotation.ELEMENT_FILTER);
        if (filter.isEmpty()) {
            return inside.apply(field);
        }
        return new QueryNode.SameElement(field, List.of(inside.apply("")), elements(filter.get()));
    }

    /** Returns the indices that an annotation holds. */
    List<Integer> elements(YqlExpression.Entry filter) {
        return filter.value() instanceof YqlExpression.ListOf(_, var each)
                ? each.stream().map(this::element).toList()
                : List.of(element(filter.value()));
    }

    int element(YqlExpression expression) {
        int element =
                expression instanceof YqlExpression.Whole
                                || expression instanceof YqlExpression.Parameter
                        ? operands.whole(expression, "the index of an element")
                        : -1;
        if (element < 0) {
            throw operands.error(
                    expression.offset(),
                    "element ids must be integer and non-negative, got "
                            + operands.shown(expression));
        }
        return element;
    }

    /** Reads the operator {@code predicate}: the attributes of the query. */
    QueryNode predicate(String field, YqlExpression.Call call, Annotations around) {
        var values = new ArrayList<QueryNode.AttributeValue>();
        for (YqlExpression.Entry entry : attributes(call.arguments().get(1), call)) {
            List<YqlExpression> all =
                    entry.value() instanceof YqlExpression.ListOf(_, var several)
                            ? several
                            : List.of(entry.value());
            for (YqlExpression each : all) {
                String value = operands.text(each, "predicate()");
                context.count(entry.key().length() + value.length());
                values.add(new QueryNode.AttributeValue(entry.key(), value));
            }
        }
        var numbers = new ArrayList<QueryNode.AttributeNumber>();
        for (YqlExpression.Entry entry : attributes(call.arguments().get(2), call)) {
            if (!(operands.number(entry.value(), "predicate()")
                    instanceof RangeEnd.Whole(var number, _))) {
                throw operands.expected("a whole number", "predicate()", entry.value());
            }
            context.count(entry.key().length());
            numbers.add(new QueryNode.AttributeNumber(entry.key(), number));
        }
        return new QueryNode.Predicate(field, values, numbers, around.unaffixed());
    }

    /** Returns the entries of a map; 0 is a map without entries. */
    private List<YqlExpression.Entry> attributes(
            YqlExpression expression, YqlExpression.Call call) {
        YqlExpression map =
                expression instanceof YqlExpression.Parameter parameter
                        ? value(parameter, operands.parameter(parameter))
                        : expression;
        if (map instanceof YqlExpression.Whole(_, long none) && none == 0) {
            return List.of();
        }
        if (!(map instanceof YqlExpression.MapOf(_, var entries))) {
            throw operands.expected("a map of attributes", call.function() + "()", expression);
        }
        for (YqlExpression.Entry entry : entries) {
            if (entry.value() instanceof YqlExpression.MapOf) {
                throw operands.error(
                        entry.value().offset(), "predicate(): subqueries are not built");
            }
        }
        return entries;
    }

    QueryNode weighted(
            String field, QueryNode.AnyOf.Kind kind, YqlExpression.Call call, Annotations around) {
        double threshold = around.real(StandardAnnotation.SCORE_THRESHOLD).orElse(0);
        List<WeightedKey> keys = keys(call.arguments().get(1), call);
        return new QueryNode.AnyOf(
                field,
                kind,
                keys,
                call.function().equals("wand") ? threshold : 0,
                around.unaffixed());
    }

    private List<WeightedKey> keys(YqlExpression expression, YqlExpression.Call call) {
        var keys = new ArrayList<WeightedKey>();
        switch (expression) {
            case YqlExpression.MapOf(_, var entries) -> {
                for (YqlExpression.Entry entry : entries) {
                    keys.add(key(entry.key(), entry.value(), call));
                }
            }
            case YqlExpression.ListOf(_, var pairs) -> {
                for (YqlExpression pair : pairs) {
                    if (!(pair instanceof YqlExpression.ListOf(_, var both)) || both.size() != 2) {
                        throw operands.expected("pairs such as [1, 100]", call.function(), pair);
                    }
                    keys.add(key(text(both.getFirst(), call), both.getLast(), call));
                }
            }
            case YqlExpression.Parameter parameter -> {
                String text = operands.parameter(parameter);
                context.count(text.length());
                return keys(value(parameter, text), call);
            }
            default ->
                    throw operands.expected(
                            "a map of values and weights", call.function() + "()", expression);
        }
        return keys;
    }

    /** Parses the value of a parameter. */
    private YqlExpression value(YqlExpression.Parameter parameter, String text) {
        try {
            return YqlExpressionParser.value(text);
        } catch (YqlSyntaxException e) {
            throw operands.error(
                    parameter.offset(),
                    "the request parameter '%s' is no map of values and weights: %s"
                            .formatted(parameter.name(), text));
        }
    }

    private WeightedKey key(String key, YqlExpression weight, YqlExpression.Call call) {
        context.count(key.length());
        return new WeightedKey(
                key, operands.whole(weight, "a weight in " + call.function() + "()"));
    }

    private String text(YqlExpression key, YqlExpression.Call call) {
        return switch (key) {
            case YqlExpression.Whole(_, var value) -> Long.toString(value);
            case YqlExpression.Text(_, var value) -> value;
            default ->
                    throw operands.expected(
                            "a whole number or a string", call.function() + "()", key);
        };
    }

    /** Reads a circle. Letters such as E say which number is the longitude. */
    QueryNode circle(String field, YqlExpression.Call call, Annotations around) {
        YqlExpression first = call.arguments().get(1);
        YqlExpression second = call.arguments().get(2);
        boolean swapped =
                place(first).filter(text -> GeoText.hasLetter(text, "EW")).isPresent()
                        || place(second).filter(text -> GeoText.hasLetter(text, "NS")).isPresent();
        double latitude = degrees(swapped ? second : first, "NS", 90);
        double longitude = degrees(swapped ? first : second, "EW", 180);
        return new QueryNode.GeoCircle(
                field, latitude, longitude, radius(call.arguments().get(3)), around.unaffixed());
    }

    QueryNode box(String field, YqlExpression.Call call, Annotations around) {
        return new QueryNode.GeoBox(
                field,
                degrees(call.arguments().get(1), "NS", 90),
                degrees(call.arguments().get(2), "EW", 180),
                degrees(call.arguments().get(3), "NS", 90),
                degrees(call.arguments().get(4), "EW", 180),
                around.unaffixed());
    }

    /** Returns the text that an expression is; empty for others. */
    private Optional<String> place(YqlExpression expression) {
        return switch (expression) {
            case YqlExpression.Text(_, var text) -> Optional.of(text);
            case YqlExpression.Parameter parameter -> Optional.of(operands.parameter(parameter));
            default -> Optional.empty();
        };
    }

    /**
     * Returns a number, or the value of a text such as {@code N63.4}; the second of {@code signs}
     * makes it negative.
     */
    private double degrees(YqlExpression expression, String signs, int most) {
        String what =
                "degrees from -%d to %d, or such as \"%s63.4\""
                        .formatted(most, most, signs.charAt(0));
        Optional<String> text = place(expression);
        Optional<Double> angle =
                text.isPresent()
                        ? angle(text.get(), signs).or(() -> GeoText.degrees(text.get(), signs))
                        : Optional.of(operands.real(expression, what));
        return angle.filter(value -> Math.abs(value) <= most)
                .orElseThrow(() -> operands.expected(what, "a place", expression));
    }

    private static Optional<Double> angle(String text, String signs) {
        return signs.equals("NS") ? GeoAngle.latitude(text) : GeoAngle.longitude(text);
    }

    /** Returns a radius in degrees of latitude; below 0 for none. */
    private double radius(YqlExpression expression) {
        return GeoText.radius(operands.text(expression, "a radius such as \"10 km\""))
                .orElseThrow(() ->
                        operands.expected(
                                "a number and km, m, miles, mi, deg or d", "a radius", expression));
    }
}
