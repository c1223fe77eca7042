package org.crabro.container.yql;

import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.TreeSet;
import java.util.function.Function;
import org.crabro.protocol.query.QueryNode;
import org.crabro.protocol.query.RangeEnd;
import org.crabro.protocol.query.TermSettings;

/** Turns the expression behind {@code where} into the tree that says which documents match. */
final class TreeBuilder {
    private static final Set<String> FUNCTIONS =
            Set.of(
                    "dotProduct",
                    "geoBoundingBox",
                    "geoLocation",
                    "labeled",
                    "nearestNeighbor",
                    "nonEmpty",
                    "predicate",
                    "range",
                    "rank",
                    "userInput",
                    "userQuery",
                    "wand",
                    "weakAnd",
                    "weightedSet");

    private static final Set<String> CONTAINS =
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

    private final Operands operands;
    private final QueryContext context;
    private final Operators operators;

    /**
     * @param what could not be made where something is wrong, and of what
     */
    TreeBuilder(String what, String statement, QueryContext context) {
        this.operands = new Operands(what, statement, context);
        this.context = context;
        this.operators = new Operators(operands, context);
    }

    QueryNode tree(YqlExpression expression) {
        var ids = new TermIds();
        QueryNode tree = node(expression, Annotations.none(operands, ids));
        ids.check(operands);
        return tree;
    }

    private QueryNode node(YqlExpression expression, Annotations around) {
        return switch (expression) {
            case YqlExpression.And(_, var children) -> and(children, around);
            case YqlExpression.Or(_, var children) -> or(children, around);
            case YqlExpression.Not(_, var operand) ->
                    new QueryNode.Without(new QueryNode.All(), List.of(node(operand, around)));
            case YqlExpression.Annotated(_, var annotations, var operand) ->
                    node(operand, around.with(annotations));
            case YqlExpression.Truth(_, var value) ->
                    value ? new QueryNode.All() : new QueryNode.None();
            case YqlExpression.Call call -> call(call, around);
            case YqlExpression.Comparison(var left, var at, var operator, var right)
                    when left instanceof YqlExpression.Annotated(_, var annotations, var operand) ->
                    // What stands before a condition is of all of it.
                    node(
                            new YqlExpression.Comparison(operand, at, operator, right),
                            around.with(annotations));
            case YqlExpression.Comparison comparison -> comparison(comparison, around);
            case YqlExpression.Text _,
                    YqlExpression.Whole _,
                    YqlExpression.Real _,
                    YqlExpression.Nothing _,
                    YqlExpression.Parameter _,
                    YqlExpression.Name _,
                    YqlExpression.Access _,
                    YqlExpression.ListOf _,
                    YqlExpression.MapOf _ ->
                    throw operands.error(
                            expression.offset(),
                            "expected a condition, got " + operands.shown(expression));
        };
    }

    /** What is negated narrows the rest, so it goes where the enclosing node excludes. */
    private QueryNode and(List<YqlExpression> children, Annotations around) {
        var include = new ArrayList<QueryNode>();
        var exclude = new ArrayList<QueryNode>();
        for (YqlExpression child : children) {
            if (child instanceof YqlExpression.Not(_, var operand)) {
                exclude.add(node(operand, around));
            } else {
                addConditions(node(child, around), include, exclude);
            }
        }
        include.removeIf(QueryNode.All.class::isInstance);
        QueryNode kept =
                switch (include.size()) {
                    case 0 -> new QueryNode.All();
                    case 1 -> include.getFirst();
                    default -> new QueryNode.And(include);
                };
        return exclude.isEmpty() ? kept : new QueryNode.Without(kept, exclude);
    }

    /**
     * Takes an inner and apart: all its conditions belong to the outer one, so that a nearest
     * neighbor is looked for among what passes every one of them, wherever parentheses are.
     */
    private static void addConditions(
            QueryNode node, List<QueryNode> include, List<QueryNode> exclude) {
        switch (node) {
            case QueryNode.And(var inner) -> include.addAll(inner);
            case QueryNode.Without(var inner, var out) -> {
                exclude.addAll(out);
                if (!(inner instanceof QueryNode.All)) {
                    addConditions(inner, include, exclude);
                }
            }
            case QueryNode.All _,
                    QueryNode.None _,
                    QueryNode.Or _,
                    QueryNode.WeakAnd _,
                    QueryNode.Rank _,
                    QueryNode.Term _,
                    QueryNode.Phrase _,
                    QueryNode.Range _,
                    QueryNode.BooleanEquals _,
                    QueryNode.Regex _,
                    QueryNode.Fuzzy _,
                    QueryNode.Near _,
                    QueryNode.Equiv _,
                    QueryNode.SameElement _,
                    QueryNode.AnyOf _,
                    QueryNode.GeoCircle _,
                    QueryNode.GeoBox _,
                    QueryNode.NearestNeighbor _ ->
                    include.add(node);
        }
    }

    private QueryNode or(List<YqlExpression> children, Annotations around) {
        var alternatives = new ArrayList<QueryNode>();
        for (YqlExpression child : children) {
            QueryNode node = node(child, around);
            if (node instanceof QueryNode.Or(var inner)) {
                alternatives.addAll(inner);
            } else {
                alternatives.add(node);
            }
        }
        return new QueryNode.Or(alternatives);
    }

    private QueryNode call(YqlExpression.Call call, Annotations around) {
        return switch (call.function()) {
            case "range" -> range(call, around);
            case "nearestNeighbor" -> nearestNeighbor(call, around);
            case "userInput" -> userInput(call, around);
            case "userQuery" -> userQuery(call);
            case "rank" -> rank(call, around);
            case "weakAnd" -> new QueryNode.WeakAnd(nodes(call, 1, around));
            case "nonEmpty" -> nonEmpty(call, around);
            case "weightedSet" -> weighted(call, QueryNode.AnyOf.Kind.WEIGHTED_SET, around);
            case "dotProduct", "wand" -> weighted(call, QueryNode.AnyOf.Kind.DOT_PRODUCT, around);
            case "geoLocation" -> {
                expectArguments(call, 4);
                yield operators.circle(field(call.arguments().getFirst()), call, around);
            }
            case "geoBoundingBox" -> {
                expectArguments(call, 5);
                yield operators.box(field(call.arguments().getFirst()), call, around);
            }
            case "labeled" -> labeled(call, around);
            case "predicate" -> {
                // Fields of conditions are not searched: nothing matches.
                expectArguments(call, 3);
                field(call.arguments().getFirst());
                yield new QueryNode.None();
            }
            default -> throw unknownFunction(call, FUNCTIONS);
        };
    }

    private QueryNode weighted(
            YqlExpression.Call call, QueryNode.AnyOf.Kind kind, Annotations around) {
        expectArguments(call, 2);
        return operators.weighted(field(call.arguments().getFirst()), kind, call, around);
    }

    /** No feature asks for the label or the score of a part of the tree. */
    private QueryNode labeled(YqlExpression.Call call, Annotations around) {
        if (call.arguments().size() < 2 || call.arguments().size() > 3) {
            throw operands.error(
                    call.offset(),
                    "labeled(): Expected 2 or 3 arguments, got %d."
                            .formatted(call.arguments().size()));
        }
        operands.text(call.arguments().get(1), "labeled()");
        return node(call.arguments().getFirst(), around);
    }

    private QueryNode range(YqlExpression.Call call, Annotations around) {
        expectArguments(call, 3);
        YqlExpression named = call.arguments().getFirst();
        String bounds = around.text(KnownAnnotation.BOUNDS, "closed");
        boolean openLeft = bounds.equals("open") || bounds.equals("leftOpen");
        boolean openRight = bounds.equals("open") || bounds.equals("rightOpen");
        if (!openLeft && !openRight && !bounds.equals("closed")) {
            throw operands.error(
                    around.find(KnownAnnotation.BOUNDS).orElseThrow().offset(),
                    "expected open, leftOpen or rightOpen for annotation 'bounds', got \""
                            + bounds
                            + '"');
        }
        RangeEnd low = operands.limit(call.arguments().get(1));
        RangeEnd high = operands.limit(call.arguments().get(2));
        TermSettings settings = around.termSettings();
        return inField(
                named,
                around,
                field ->
                        new QueryNode.Range(
                                field, end(low, !openLeft), end(high, !openRight), settings));
    }

    private static RangeEnd end(RangeEnd number, boolean included) {
        return switch (number) {
            case RangeEnd.Unbounded unbounded -> unbounded;
            case RangeEnd.Whole(var value, _) -> new RangeEnd.Whole(value, included);
            case RangeEnd.Real(var value, _) -> new RangeEnd.Real(value, included);
        };
    }

    private QueryNode nearestNeighbor(YqlExpression.Call call, Annotations around) {
        expectArguments(call, 2);
        String field = field(call.arguments().getFirst());
        String input = field(call.arguments().get(1));
        Optional<YqlExpression.Entry> each =
                around.find(KnownAnnotation.TARGET_HITS)
                        .or(() -> around.find(KnownAnnotation.TARGET_NUM_HITS));
        Optional<YqlExpression.Entry> total = around.find(KnownAnnotation.TOTAL_TARGET_HITS);
        if (each.isPresent() == total.isPresent()) {
            throw operands.badValue(
                    call.offset(),
                    each.isPresent()
                            ? "expected one of targetHits and totalTargetHits, got both"
                            : "expected {targetHits: a number} before nearestNeighbor()");
        }
        YqlExpression.Entry target = each.or(() -> total).orElseThrow();
        int targetHits = operands.whole(target.value(), "annotation '" + target.key() + "'");
        if (targetHits < 1) {
            throw operands.badValue(
                    target.offset(),
                    "expected at least 1 for annotation '" + target.key() + "', got " + targetHits);
        }
        checkLeastHits(around, total.isPresent() ? targetHits : Integer.MAX_VALUE);
        return new QueryNode.NearestNeighbor(
                field,
                input,
                targetHits,
                around.real(KnownAnnotation.DISTANCE_THRESHOLD),
                around.unaffixed());
    }

    /** Neighbors are exact: the number has no effect, but must make sense. */
    private void checkLeastHits(Annotations around, int most) {
        Optional<YqlExpression.Entry> least = around.find(KnownAnnotation.MIN_TARGET_HITS);
        int hits = around.whole(KnownAnnotation.MIN_TARGET_HITS, 1);
        if (hits < 1 || hits > most) {
            throw operands.badValue(
                    least.orElseThrow().offset(),
                    "expected 1 to %s for annotation 'minTargetHits', got %d"
                            .formatted(most == Integer.MAX_VALUE ? "any number" : most, hits));
        }
    }

    private QueryNode userInput(YqlExpression.Call call, Annotations around) {
        expectArguments(call, 1);
        String text = operands.text(call.arguments().getFirst(), "userInput()");
        if (text.startsWith("@") && call.arguments().getFirst() instanceof YqlExpression.Text at) {
            text = operands.parameter(new YqlExpression.Parameter(at.offset(), text.substring(1)));
        }
        String defaultIndex = around.text(KnownAnnotation.DEFAULT_INDEX, "default");
        return words(text, defaultIndex, call.offset(), around, context.grammar())
                .orElseGet(() -> {
                    if (around.truth(KnownAnnotation.ALLOW_EMPTY, false)) {
                        return new QueryNode.None();
                    }
                    throw operands.error(
                            call.offset(),
                            "userInput() got no words; {allowEmpty: true} lets it match"
                                    + " nothing");
                });
    }

    /** Parses what a user wrote, as the grammar annotations say. */
    private Optional<QueryNode> words(
            String written, String index, int offset, Annotations around, String otherwise) {
        String text = around.sought(written);
        context.count(text.length());
        String name = around.text(KnownAnnotation.GRAMMAR, otherwise);
        if (name.equals("raw")) {
            return text.isBlank()
                    ? Optional.empty()
                    : Optional.of(new QueryNode.Term(index, text, around.termSettings()));
        }
        Grammar grammar =
                Grammar.of(name)
                        .flatMap(named ->
                                named.with(
                                        around.text(KnownAnnotation.GRAMMAR_COMPOSITE, ""),
                                        around.text(KnownAnnotation.GRAMMAR_SYNTAX, "")))
                        .orElseThrow(() ->
                                operands.error(
                                        around.find(KnownAnnotation.GRAMMAR)
                                                .map(YqlExpression.Entry::offset)
                                                .orElse(offset),
                                        "expected one of "
                                                + Grammar.NAMES
                                                + " for annotation 'grammar', got \""
                                                + name
                                                + '"'));
        // A label is for the whole of the words, of which only a single one can bear it.
        TermSettings settings = around.termSettings();
        return SimpleQueryParser.parse(text, grammar, index, context, settings.labeled(""))
                .map(node ->
                        switch (node) {
                            case QueryNode.Term(var field, var word, var own) ->
                                    new QueryNode.Term(
                                            field, word, own.labeled(settings.hints().label()));
                            case QueryNode.Near near -> operators.apart(near, around);
                            case QueryNode.All _,
                                    QueryNode.None _,
                                    QueryNode.And _,
                                    QueryNode.Or _,
                                    QueryNode.WeakAnd _,
                                    QueryNode.Without _,
                                    QueryNode.Rank _,
                                    QueryNode.Phrase _,
                                    QueryNode.Range _,
                                    QueryNode.BooleanEquals _,
                                    QueryNode.Regex _,
                                    QueryNode.Fuzzy _,
                                    QueryNode.Equiv _,
                                    QueryNode.SameElement _,
                                    QueryNode.AnyOf _,
                                    QueryNode.GeoCircle _,
                                    QueryNode.GeoBox _,
                                    QueryNode.NearestNeighbor _ ->
                                    node;
                        });
    }

    private QueryNode userQuery(YqlExpression.Call call) {
        expectArguments(call, 0);
        return context.userQuery()
                .orElseThrow(() ->
                        operands.error(
                                call.offset(),
                                "userQuery() needs words in the request parameter" + " 'query'"));
    }

    private QueryNode rank(YqlExpression.Call call, Annotations around) {
        List<QueryNode> nodes = nodes(call, 1, around);
        return nodes.size() == 1
                ? nodes.getFirst()
                : new QueryNode.Rank(nodes.getFirst(), nodes.subList(1, nodes.size()));
    }

    private QueryNode nonEmpty(YqlExpression.Call call, Annotations around) {
        QueryNode inner = nodes(call, 1, around).getFirst();
        expectArguments(call, 1);
        boolean empty =
                switch (inner) {
                    case QueryNode.None _ -> true;
                    case QueryNode.Term(_, var text, _) -> text.isBlank();
                    case QueryNode.Phrase(_, var words, _) -> words.isEmpty();
                    case QueryNode.All _,
                            QueryNode.And _,
                            QueryNode.Or _,
                            QueryNode.WeakAnd _,
                            QueryNode.Without _,
                            QueryNode.Rank _,
                            QueryNode.Range _,
                            QueryNode.BooleanEquals _,
                            QueryNode.Regex _,
                            QueryNode.Fuzzy _,
                            QueryNode.Near _,
                            QueryNode.Equiv _,
                            QueryNode.SameElement _,
                            QueryNode.GeoCircle _,
                            QueryNode.GeoBox _,
                            QueryNode.NearestNeighbor _ ->
                            false;
                    case QueryNode.AnyOf any -> any.keys().isEmpty();
                };
        if (empty) {
            throw operands.badValue(call.offset(), "nonEmpty() got an empty condition");
        }
        return inner;
    }

    private List<QueryNode> nodes(YqlExpression.Call call, int least, Annotations around) {
        if (call.arguments().size() < least) {
            throw operands.error(
                    call.offset(),
                    "%s(): Expected %d or more arguments, got %d."
                            .formatted(call.function(), least, call.arguments().size()));
        }
        return call.arguments().stream().map(argument -> node(argument, around)).toList();
    }

    private QueryNode comparison(YqlExpression.Comparison comparison, Annotations around) {
        return switch (comparison.operator()) {
            case EQUAL, LESS, GREATER, LESS_OR_EQUAL, GREATER_OR_EQUAL ->
                    compared(comparison, around);
            case CONTAINS -> contains(comparison, around);
            case IN -> in(comparison, around);
            case MATCHES -> matches(comparison, around);
            case NOT_EQUAL, LIKE, NOT_MATCHES, NOT_LIKE, NOT_IN, IS_NULL, IS_NOT_NULL ->
                    throw operands.error(
                            comparison.operatorOffset(),
                            "expected AND, OR, EQ, LT, GT, LTEQ, GTEQ, CONTAINS, MATCHES, CALL,"
                                    + " LITERAL, NOT or IN, got '"
                                    + comparison.operator().written()
                                    + "'");
        };
    }

    private QueryNode compared(YqlExpression.Comparison comparison, Annotations around) {
        boolean fieldFirst = isField(comparison.left());
        YqlExpression named = fieldFirst ? comparison.left() : comparison.right();
        YqlExpression value = fieldFirst ? comparison.right() : comparison.left();
        YqlExpression.Operator operator =
                fieldFirst ? comparison.operator() : comparison.operator().flipped();
        Annotations inner = around;
        while (value instanceof YqlExpression.Annotated(_, var annotations, var operand)) {
            inner = inner.with(annotations);
            value = operand;
        }
        TermSettings settings = inner.termSettings();
        if (operator == YqlExpression.Operator.EQUAL) {
            Optional<Boolean> truth = truth(value);
            if (truth.isPresent()) {
                return inField(
                        named,
                        inner,
                        field -> new QueryNode.BooleanEquals(field, truth.get(), settings));
            }
            if (value instanceof YqlExpression.Text) {
                throw operands.error(
                        value.offset(), "'=' compares numbers and booleans; for text use contains");
            }
        }
        RangeEnd number = operands.number(value, "'" + comparison.operator().written() + "'");
        return inField(named, inner, field -> between(field, operator, number, settings));
    }

    /** An element that is named by its index is one that has to fulfil the condition. */
    private QueryNode inField(
            YqlExpression named, Annotations around, Function<String, QueryNode> condition) {
        if (named instanceof YqlExpression.Access(_, var base, _, var bracket, var index, var rest)
                && bracket == '[') {
            return new QueryNode.SameElement(
                    field(base), List.of(condition.apply(rest)), List.of(operators.element(index)));
        }
        return operators.inElements(field(named), around, condition);
    }

    private QueryNode matches(YqlExpression.Comparison comparison, Annotations around) {
        YqlExpression value = comparison.right();
        Annotations inner = around;
        while (value instanceof YqlExpression.Annotated(_, var annotations, var operand)) {
            inner = inner.with(annotations);
            value = operand;
        }
        YqlExpression sought = value;
        Annotations all = inner;
        return inField(comparison.left(), inner, field -> operators.regex(field, sought, all));
    }

    private static QueryNode between(
            String field, YqlExpression.Operator operator, RangeEnd number, TermSettings settings) {
        RangeEnd open = new RangeEnd.Unbounded();
        return switch (operator) {
            case LESS -> new QueryNode.Range(field, open, end(number, false), settings);
            case LESS_OR_EQUAL -> new QueryNode.Range(field, open, number, settings);
            case GREATER -> new QueryNode.Range(field, end(number, false), open, settings);
            case GREATER_OR_EQUAL -> new QueryNode.Range(field, number, open, settings);
            case EQUAL -> new QueryNode.Range(field, number, number, settings);
            case NOT_EQUAL,
                    CONTAINS,
                    MATCHES,
                    LIKE,
                    IN,
                    NOT_MATCHES,
                    NOT_LIKE,
                    NOT_IN,
                    IS_NULL,
                    IS_NOT_NULL ->
                    throw new IllegalArgumentException("no comparison: " + operator);
        };
    }

    private Optional<Boolean> truth(YqlExpression value) {
        if (value instanceof YqlExpression.Truth(_, var truth)) {
            return Optional.of(truth);
        }
        return value instanceof YqlExpression.Parameter parameter
                ? Operands.truth(operands.parameter(parameter))
                : Optional.empty();
    }

    private static boolean isField(YqlExpression expression) {
        return expression instanceof YqlExpression.Access
                || (expression instanceof YqlExpression.Name(_, var path)
                        && !path.equalsIgnoreCase("infinity"));
    }

    private QueryNode contains(YqlExpression.Comparison comparison, Annotations around) {
        YqlExpression value = comparison.right();
        Annotations inner = around;
        while (value instanceof YqlExpression.Annotated(_, var annotations, var operand)) {
            inner = inner.with(annotations);
            value = operand;
        }
        if (value instanceof YqlExpression.Call call && call.function().equals("sameElement")) {
            return sameElement(field(comparison.left()), call, inner);
        }
        YqlExpression sought = value;
        Annotations all = inner;
        return inField(comparison.left(), inner, field -> containing(field, sought, all));
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
                case "fuzzy" -> operators.fuzzy(field, only(call), around);
                case "regex" -> operators.regex(field, only(call), around);
                case "sameElement" -> sameElement(field, call, around);
                case "uri" -> containing(field, only(call), around);
                default -> throw unknownFunction(call, CONTAINS);
            };
        }
        String text = around.sought(operands.text(value, "contains"));
        TermSettings settings = around.termSettings();
        return around.truth(KnownAnnotation.AND_SEGMENTING, false)
                        && context.fieldKind(field) != FieldKind.WHOLE
                ? segments(field, text, settings)
                : term(field, text, settings);
    }

    /** The words of a text wherever they stand, instead of in a row. */
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
        List<QueryNode> conditions =
                call.arguments().stream().map(each -> inElement(each, around)).toList();
        return new QueryNode.SameElement(
                field,
                conditions,
                around.find(KnownAnnotation.ELEMENT_FILTER)
                        .map(operators::elements)
                        .orElse(List.of()));
    }

    /** A string, or what may stand behind contains, is about the element itself. */
    private QueryNode inElement(YqlExpression expression, Annotations around) {
        return switch (expression) {
            case YqlExpression.Annotated(_, var annotations, var operand) ->
                    inElement(operand, around.with(annotations));
            case YqlExpression.Text _, YqlExpression.Parameter _ ->
                    containing("", expression, around.without(KnownAnnotation.ELEMENT_FILTER));
            case YqlExpression.Call call when call.function().equals("weakAnd") ->
                    throw operands.error(
                            call.offset(), "weakAnd() cannot stand inside sameElement()");
            case YqlExpression.Call call when CONTAINS.contains(call.function()) ->
                    containing("", call, around.without(KnownAnnotation.ELEMENT_FILTER));
            case YqlExpression.Whole _,
                    YqlExpression.Real _,
                    YqlExpression.Truth _,
                    YqlExpression.Nothing _,
                    YqlExpression.Name _,
                    YqlExpression.Access _,
                    YqlExpression.Call _,
                    YqlExpression.And _,
                    YqlExpression.Or _,
                    YqlExpression.Not _,
                    YqlExpression.Comparison _,
                    YqlExpression.ListOf _,
                    YqlExpression.MapOf _ ->
                    node(expression, around.without(KnownAnnotation.ELEMENT_FILTER));
        };
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
            return consecutive(field, parts);
        }
        return words.size() == 1
                ? new QueryNode.Term(field, words.getFirst(), settings)
                : new QueryNode.Phrase(field, words, settings);
    }

    /** Phrases in a phrase are only more words; what is no word stands for one. */
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
                        parts.add(operators.likeness(field, only(inner), own));
                case YqlExpression.Call inner when inner.function().equals("regex") ->
                        parts.add(operators.expression(field, only(inner), own));
                case YqlExpression.Text _,
                        YqlExpression.Whole _,
                        YqlExpression.Real _,
                        YqlExpression.Truth _,
                        YqlExpression.Nothing _,
                        YqlExpression.Parameter _,
                        YqlExpression.Name _,
                        YqlExpression.Access _,
                        YqlExpression.Call _,
                        YqlExpression.And _,
                        YqlExpression.Or _,
                        YqlExpression.Not _,
                        YqlExpression.Comparison _,
                        YqlExpression.ListOf _,
                        YqlExpression.MapOf _,
                        YqlExpression.Annotated _ -> {
                    String word = own.sought(operands.text(plain, "phrase()"));
                    context.count(word.length());
                    parts.add(new QueryNode.Term(field, word, own.termSettings()));
                }
            }
        }
    }

    /** Words in this order and no further apart than they are many, some of them in part. */
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
        String text = operands.text(only(call), "text()");
        return words(text, field, call.offset(), around, "linguistics")
                .orElseGet(QueryNode.None::new);
    }

    private QueryNode in(YqlExpression.Comparison comparison, Annotations around) {
        return inField(comparison.left(), around, field -> in(field, comparison, around));
    }

    private QueryNode in(String field, YqlExpression.Comparison comparison, Annotations around) {
        context.unlisted(field)
                .ifPresent(type -> {
                    throw operands.error(
                            comparison.operatorOffset(),
                            "only integer and string fields are supported by in, and '%s' is of type %s"
                                    .formatted(field, type));
                });
        var keys = new ArrayList<String>();
        if (!(comparison.right() instanceof YqlExpression.ListOf(_, var elements))) {
            throw operands.expected("a list", "in", comparison.right());
        }
        for (YqlExpression element : elements) {
            if (element instanceof YqlExpression.Text(_, var value)) {
                context.count(value.length());
                keys.add(value);
            } else if (element instanceof YqlExpression.Whole(_, var value)) {
                keys.add(Long.toString(value));
            } else if (element instanceof YqlExpression.Parameter parameter) {
                String list = operands.parameter(parameter);
                context.count(list.length());
                for (String value : ListText.values(list)) {
                    context.count(value.length());
                    keys.add(value);
                }
            } else {
                throw operands.expected("whole numbers or strings", "in", element);
            }
        }
        return keys.isEmpty() ? new QueryNode.None() : in(field, keys, around.unaffixed());
    }

    private static QueryNode in(String field, List<String> keys, TermSettings settings) {
        if (field.equals(QueryNode.Term.DOCUMENT_TYPE)) {
            return new QueryNode.Or(
                    keys.stream()
                            .<QueryNode>map(key -> new QueryNode.Term(field, key, settings))
                            .toList());
        }
        return new QueryNode.AnyOf(
                field,
                QueryNode.AnyOf.Kind.IN,
                keys.stream().map(key -> new QueryNode.WeightedKey(key, 1)).toList(),
                0,
                settings);
    }

    private QueryNode term(String field, String text, TermSettings settings) {
        context.count(text.length());
        return new QueryNode.Term(field, text, settings);
    }

    private String field(YqlExpression expression) {
        if (expression instanceof YqlExpression.Name(_, var path)) {
            return path;
        }
        if (expression
                instanceof
                YqlExpression.Access(_, var base, var at, var bracket, var key, var rest)) {
            if (bracket == '[') {
                throw operands.error(at, "an element cannot be named by its index here");
            }
            String entry = "{\"" + operands.text(key, "the key of a map") + "\"}";
            return field(base) + entry + (rest.isEmpty() ? "" : "." + rest);
        }
        throw operands.error(
                expression.offset(), "expected a field, got " + operands.shown(expression));
    }

    private YqlExpression only(YqlExpression.Call call) {
        expectArguments(call, 1);
        return call.arguments().getFirst();
    }

    private void expectArguments(YqlExpression.Call call, int count) {
        if (call.arguments().size() != count) {
            throw operands.error(
                    call.offset(),
                    "%s(): Expected %d argument%s, got %d."
                            .formatted(
                                    call.function(),
                                    count,
                                    count == 1 ? "" : "s",
                                    call.arguments().size()));
        }
    }

    private YqlSyntaxException unknownFunction(YqlExpression.Call call, Set<String> known) {
        return operands.error(
                call.offset(),
                "expected one of the functions "
                        + String.join(", ", new TreeSet<>(known))
                        + ", got '"
                        + call.function()
                        + "'");
    }
}
