package org.crabro.container.yql;

import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Stream;
import org.crabro.protocol.query.QueryNode;
import org.crabro.protocol.query.TermSettings;

/** Reads conditions on the words of a field: what follows {@code contains}. */
final class ContainsReader {
    private static final Set<String> FUNCTIONS =
            Set.of(
                    "alternatives",
                    "equiv",
                    "fuzzy",
                    "near",
                    "onear",
                    "phrase",
                    "regex",
                    "sameElement",
                    "text",
                    "uri");

    /** Words of a user that name no field search the element itself. */
    private static final YqlExpression.MapOf ELEMENT_ITSELF =
            new YqlExpression.MapOf(
                    0,
                    List.of(
                            new YqlExpression.Entry(
                                    0,
                                    StandardAnnotation.DEFAULT_INDEX.key(),
                                    new YqlExpression.Text(0, ""))));

    /** A phrase with more choices of alternatives is searched by positions. */
    private static final int MAX_PHRASES = 64;

    private final Operands operands;
    private final QueryContext context;
    private final Operators operators;
    private final UserInputReader userInput;
    private final TimeReader times;
    private final Operators.Reader conditions;

    /** Whether the conditions inside a {@code sameElement()} are being read. */
    private boolean inElement;

    /**
     * @param conditions reads a condition inside {@code sameElement()}
     */
    ContainsReader(
            Operands operands,
            QueryContext context,
            Operators operators,
            UserInputReader userInput,
            TimeReader times,
            Operators.Reader conditions) {
        this.operands = operands;
        this.context = context;
        this.operators = operators;
        this.userInput = userInput;
        this.times = times;
        this.conditions = conditions;
    }

    QueryNode contains(YqlExpression.Comparison comparison, Annotations around) {
        YqlExpression value = comparison.right();
        Annotations inner = around;
        while (value instanceof YqlExpression.Annotated(_, var annotations, var operand)) {
            inner = inner.with(annotations);
            value = operand;
        }
        if (value instanceof YqlExpression.Call call && call.function().equals("sameElement")) {
            return sameElement(operands.field(comparison.left()), call, inner);
        }
        YqlExpression expression = value;
        Annotations all = inner;
        return operators.inField(
                comparison.left(), inner, field -> containing(field, expression, all));
    }

    private QueryNode containing(String field, YqlExpression value, Annotations around) {
        if (value instanceof YqlExpression.Annotated(_, var annotations, var operand)) {
            return containing(field, operand, around.with(annotations));
        }
        if (value instanceof YqlExpression.Call call) {
            Operators.Reader inField =
                    (expression, annotations) -> containing(field, expression, annotations);
            return switch (call.function()) {
                case "phrase" -> phrase(field, call, around);
                case "text" -> text(field, call, around);
                case "near", "onear" -> operators.near(field, call, around, inField);
                case "equiv" -> operators.equiv(call, around, inField);
                case "alternatives" -> operators.alternatives(field, call, around);
                case "fuzzy" -> operators.fuzzy(field, operands.only(call), around);
                case "regex" -> operators.regex(field, operands.only(call), around);
                case "sameElement" -> sameElement(field, call, around);
                case "uri" -> containing(field, operands.only(call), around);
                default -> throw operands.unknownFunction(call, FUNCTIONS);
            };
        }
        String text = around.normalized(operands.text(value, "contains"));
        TermSettings settings = around.termSettings();
        return around.truth(StandardAnnotation.AND_SEGMENTING, false)
                        && !context.fieldKind(field).isWhole()
                ? segments(field, text, settings)
                : term(field, text, settings);
    }

    /** Returns a condition that all words of a text occur, in any order. */
    private QueryNode segments(String field, String text, TermSettings settings) {
        List<QueryNode> words =
                QueryWords.of(text, context).stream()
                        .<QueryNode>map(word -> new QueryNode.Term(field, word, settings))
                        .toList();
        return words.size() < 2 ? term(field, text, settings) : new QueryNode.And(words);
    }

    private QueryNode sameElement(String field, YqlExpression.Call call, Annotations around) {
        if (call.arguments().isEmpty()) {
            throw operands.error(
                    call.offset(), "sameElement(): Expected 1 or more arguments, got 0.");
        }
        if (inElement) {
            throw operands.error(
                    call.offset(),
                    "sameElement() cannot be used inside sameElement(): name parts of inner elements by their path, such as inner.name");
        }
        Annotations inside = around.without(StandardAnnotation.ELEMENT_FILTER).with(ELEMENT_ITSELF);
        inElement = true;
        List<QueryNode> all =
                times.inElement(
                        field,
                        () ->
                                call.arguments().stream()
                                        .map(each -> conditions.read(ofElement(each), inside))
                                        .toList());
        inElement = false;
        return new QueryNode.SameElement(
                field,
                all,
                around.find(StandardAnnotation.ELEMENT_FILTER)
                        .map(operators::elements)
                        .orElse(List.of()));
    }

    /**
     * Returns a condition on an element with a field before each of its values: a bare string,
     * number or boolean, or an operand of contains, is a condition on the element itself.
     */
    private YqlExpression ofElement(YqlExpression expression) {
        return switch (expression) {
            case YqlExpression.Text _, YqlExpression.Parameter _ ->
                    ofItself(expression, YqlExpression.Operator.CONTAINS);
            case YqlExpression.Whole _, YqlExpression.Real _, YqlExpression.Truth _ ->
                    ofItself(expression, YqlExpression.Operator.EQUAL);
            case YqlExpression.Annotated(var offset, var annotations, var operand) ->
                    new YqlExpression.Annotated(offset, annotations, ofElement(operand));
            case YqlExpression.And(var offset, var children) ->
                    new YqlExpression.And(offset, ofElement(children, children.size()));
            case YqlExpression.Or(var offset, var children) ->
                    new YqlExpression.Or(offset, ofElement(children, children.size()));
            case YqlExpression.Not(var offset, var operand) ->
                    new YqlExpression.Not(offset, ofElement(operand));
            case YqlExpression.Call call -> ofElement(call);
            case YqlExpression.Value _,
                    YqlExpression.Name _,
                    YqlExpression.Access _,
                    YqlExpression.Comparison _ ->
                    expression;
        };
    }

    private YqlExpression ofElement(YqlExpression.Call call) {
        if (FUNCTIONS.contains(call.function())) {
            return ofItself(call, YqlExpression.Operator.CONTAINS);
        }
        int conditions =
                switch (call.function()) {
                    case "weakAnd" ->
                            throw operands.error(
                                    call.offset(), "weakAnd() cannot be used inside sameElement()");
                    case "rank" -> call.arguments().size();
                    case "labeled", "nonEmpty" -> Math.min(1, call.arguments().size());
                    default -> 0;
                };
        return new YqlExpression.Call(
                call.offset(), call.function(), ofElement(call.arguments(), conditions));
    }

    /** Returns the expressions. The first {@code count} are conditions on an element. */
    private List<YqlExpression> ofElement(List<YqlExpression> expressions, int count) {
        var all = new ArrayList<>(expressions);
        for (int i = 0; i < count; i++) {
            all.set(i, ofElement(all.get(i)));
        }
        return all;
    }

    private static YqlExpression ofItself(YqlExpression value, YqlExpression.Operator operator) {
        return new YqlExpression.Comparison(
                new YqlExpression.Name(value.offset(), ""), value.offset(), operator, value);
    }

    private QueryNode phrase(String field, YqlExpression.Call call, Annotations around) {
        var parts = new ArrayList<QueryNode>();
        addParts(field, call, around, parts);
        TermSettings settings = around.termSettings();
        var words = new ArrayList<String>();
        for (QueryNode part : parts) {
            if (part instanceof QueryNode.Term(_, var text, var own)
                    && own.affix() == settings.affix()) {
                words.add(text);
            }
        }
        if (words.size() < parts.size()) {
            return phrases(field, parts, settings).orElseGet(() -> consecutive(field, parts));
        }
        return words.size() == 1
                ? new QueryNode.Term(field, words.getFirst(), settings)
                : new QueryNode.Phrase(field, words, settings);
    }

    /**
     * Returns the phrases of words and alternatives, one for each choice of alternatives, as one
     * term; empty if there are other parts or too many choices.
     */
    private static Optional<QueryNode> phrases(
            String field, List<QueryNode> parts, TermSettings settings) {
        List<List<QueryNode.Term>> phrases = List.of(List.of());
        for (QueryNode part : parts) {
            List<QueryNode.Term> words = terms(part, settings.affix());
            if (words.isEmpty() || phrases.size() * words.size() > MAX_PHRASES) {
                return Optional.empty();
            }
            var longer = new ArrayList<List<QueryNode.Term>>();
            for (List<QueryNode.Term> phrase : phrases) {
                for (QueryNode.Term word : words) {
                    longer.add(Stream.concat(phrase.stream(), Stream.of(word)).toList());
                }
            }
            phrases = longer;
        }
        return Optional.of(
                new QueryNode.Equiv(
                        phrases.stream().map(phrase -> ofWords(field, phrase, settings)).toList()));
    }

    /** Returns the phrase of some words, with the weight of the least exact one. */
    private static QueryNode ofWords(
            String field, List<QueryNode.Term> words, TermSettings settings) {
        if (words.size() == 1) {
            return words.getFirst();
        }
        int weight =
                words.stream()
                        .mapToInt(word -> word.settings().weight())
                        .min()
                        .orElse(settings.weight());
        return new QueryNode.Phrase(
                field,
                words.stream().map(QueryNode.Term::text).toList(),
                settings.withWeight(weight));
    }

    /** Returns the word or the words that {@code part} is, if all match by {@code affix}. */
    private static List<QueryNode.Term> terms(QueryNode part, TermSettings.Affix affix) {
        List<QueryNode> alternatives =
                part instanceof QueryNode.Equiv(var several) ? several : List.of(part);
        List<QueryNode.Term> terms =
                alternatives.stream()
                        .filter(QueryNode.Term.class::isInstance)
                        .map(QueryNode.Term.class::cast)
                        .filter(term -> term.settings().affix() == affix)
                        .toList();
        return terms.size() == alternatives.size() ? terms : List.of();
    }

    /**
     * Adds the parts of a phrase. An inner phrase adds its words; alternatives(), fuzzy() and
     * regex() stand for one word.
     */
    private void addParts(
            String field, YqlExpression.Call call, Annotations around, List<QueryNode> parts) {
        if (call.arguments().isEmpty()) {
            throw operands.error(call.offset(), "phrase(): Expected 1 or more arguments, got 0.");
        }
        for (YqlExpression argument : call.arguments()) {
            YqlExpression plain = argument;
            Annotations own = around;
            while (plain instanceof YqlExpression.Annotated(_, var annotations, var operand)) {
                own = own.with(annotations);
                plain = operand;
            }
            switch (plain) {
                case YqlExpression.Call inner when inner.function().equals("phrase") ->
                        addParts(field, inner, own, parts);
                case YqlExpression.Call inner when inner.function().equals("fuzzy") ->
                        parts.add(operators.likeness(field, operands.only(inner), own));
                case YqlExpression.Call inner when inner.function().equals("regex") ->
                        parts.add(operators.expression(field, operands.only(inner), own));
                case YqlExpression.Call inner when inner.function().equals("alternatives") ->
                        parts.add(operators.alternatives(field, inner, own));
                default -> {
                    String word = own.normalized(operands.text(plain, "phrase()"));
                    context.count(word.length());
                    parts.add(new QueryNode.Term(field, word, own.termSettings()));
                }
            }
        }
    }

    /** Returns the condition that the parts follow each other directly. */
    private QueryNode consecutive(String field, List<QueryNode> parts) {
        var words = new ArrayList<QueryNode>();
        for (QueryNode part : parts) {
            if (part instanceof QueryNode.Term(_, var text, var settings)
                    && settings.affix() == TermSettings.Affix.FIELD) {
                QueryWords.of(text, context)
                        .forEach(word -> words.add(new QueryNode.Term(field, word, settings)));
            } else {
                words.add(part);
            }
        }
        return words.size() == 1 && words.getFirst() instanceof QueryNode.Term
                ? words.getFirst()
                : new QueryNode.Near(field, words, List.of(), words.size() - 1, 0, true);
    }

    private QueryNode text(String field, YqlExpression.Call call, Annotations around) {
        String text = operands.text(operands.only(call), "text()");
        return userInput
                .words(text, field, call.offset(), around, "linguistics")
                .orElseGet(QueryNode.None::new);
    }

    private QueryNode term(String field, String text, TermSettings settings) {
        context.count(text.length());
        return new QueryNode.Term(field, text, settings);
    }
}
