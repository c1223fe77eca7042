package org.crabro.content.search.execution;

import java.math.BigDecimal;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashSet;
import java.util.IdentityHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.function.Predicate;
import org.crabro.config.schema.Fieldset;
import org.crabro.config.schema.MatchMode;
import org.crabro.config.schema.Schema;
import org.crabro.config.schema.SchemaField;
import org.crabro.document.Document;
import org.crabro.document.DocumentId;
import org.crabro.document.FieldType;
import org.crabro.document.FieldType.Primitive;
import org.crabro.document.FieldValue;
import org.crabro.protocol.query.QueryNode;
import org.crabro.protocol.query.QueryNode.NearestNeighbor;
import org.crabro.protocol.query.RangeEnd;
import org.crabro.protocol.query.TermSettings;
import org.crabro.ranking.kernel.DistanceMetric;
import org.crabro.tensor.DenseTensor;
import org.crabro.text.Tokenizer;

/**
 * Searches as in the specification: document by document, with strings and lists. Slow, and shares
 * no code with the scanner except the tokenizer.
 */
final class NaiveSearch {
    private final Schema schema;
    private final List<Document> scope;
    private final Map<String, DenseTensor> vectors;
    private final QueryNode tree;
    private final IdentityHashMap<NearestNeighbor, Set<DocumentId>> selected =
            new IdentityHashMap<>();

    /** A leaf that features see, in one of the fields that it searches. */
    record SearchedLeaf(QueryNode leaf, SchemaField field) {}

    NaiveSearch(
            Schema schema, List<Document> scope, QueryNode tree, Map<String, DenseTensor> vectors) {
        this.schema = schema;
        this.scope = scope;
        this.tree = tree;
        this.vectors = vectors;
        select(tree, _ -> true);
    }

    List<Document> matches() {
        return scope.stream().filter(document -> matches(tree, document)).toList();
    }

    private boolean matches(QueryNode node, Document document) {
        return switch (node) {
            case QueryNode.All() -> true;
            case QueryNode.None() -> false;
            case QueryNode.And(var children) ->
                    children.stream().allMatch(child -> matches(child, document));
            case QueryNode.Or(var children) ->
                    children.stream().anyMatch(child -> matches(child, document));
            case QueryNode.WeakAnd(var children) ->
                    children.stream().anyMatch(child -> matches(child, document));
            case QueryNode.Without(var include, var exclude) ->
                    matches(include, document)
                            && exclude.stream().noneMatch(out -> matches(out, document));
            case QueryNode.Rank(var required, _) -> matches(required, document);
            case NearestNeighbor search -> {
                Set<DocumentId> nearest = selected.get(search);
                yield nearest != null && nearest.contains(document.id());
            }
            case QueryNode.Term _,
                    QueryNode.Phrase _,
                    QueryNode.Range _,
                    QueryNode.BooleanEquals _ ->
                    fields(node).stream().anyMatch(field -> occurrences(node, field, document) > 0);
            case QueryNode.Leaf _, QueryNode.Equiv _, QueryNode.SameElement _ ->
                    throw new IllegalArgumentException("has a test of its own: " + node);
        };
    }

    List<SchemaField> fields(QueryNode leaf) {
        String name =
                switch (leaf) {
                    case QueryNode.Term term -> term.field();
                    case QueryNode.Phrase phrase -> phrase.field();
                    case QueryNode.Range range -> range.field();
                    case QueryNode.BooleanEquals equal -> equal.field();
                    case NearestNeighbor search -> search.field();
                    default -> throw new IllegalArgumentException(leaf.toString());
                };
        Fieldset fieldset = schema.names().fieldsets().get(name);
        List<String> names = fieldset == null ? List.of(name) : fieldset.fields();
        return names.stream().map(schema::field).flatMap(Optional::stream).toList();
    }

    /** How often a leaf is found in a field; numbers once. */
    int occurrences(QueryNode leaf, SchemaField field, Document document) {
        if (leaf instanceof NearestNeighbor) {
            return matches(leaf, document) ? 1 : 0;
        }
        Optional<FieldValue> value = document.value(field.field().name());
        if (value.isEmpty()) {
            return 0;
        }
        if (isText(field)) {
            return switch (leaf) {
                case QueryNode.Term(_, var text, var settings) ->
                        occurrences(List.of(text), settings, field, value.get());
                case QueryNode.Phrase(_, var words, var settings) ->
                        occurrences(words, settings, field, value.get());
                default -> 0;
            };
        }
        if (!(field.field().type() instanceof Primitive)) {
            return 0;
        }
        return switch (leaf) {
                    case QueryNode.Term(_, var text, _) -> isNumber(text, value.get());
                    case QueryNode.Phrase(_, var words, _) ->
                            isNumber(String.join(" ", words), value.get());
                    case QueryNode.Range(_, var low, var high, _) ->
                            isBetween(low, high, value.get());
                    case QueryNode.BooleanEquals(_, var wanted, _) ->
                            isBetween(
                                    new RangeEnd.Whole(wanted ? 1 : 0, true),
                                    new RangeEnd.Whole(wanted ? 1 : 0, true),
                                    value.get());
                    default -> false;
                }
                ? 1
                : 0;
    }

    private static boolean isText(SchemaField field) {
        return field.field().type() == Primitive.STRING
                || field.field().type() instanceof FieldType.ArrayOf;
    }

    private static List<String> elements(FieldValue value) {
        return switch (value) {
            case FieldValue.StringValue(var text) -> List.of(text);
            case FieldValue.ArrayValue(var elements) ->
                    elements.stream()
                            .map(element -> ((FieldValue.StringValue) element).value())
                            .toList();
            default -> throw new IllegalArgumentException(value.toString());
        };
    }

    /** Returns the tokens of a field, or its elements if whole values are matched. */
    static int length(SchemaField field, Document document) {
        return document.value(field.field().name())
                .map(value ->
                        elements(value).stream()
                                .mapToInt(element -> units(field, element).size())
                                .sum())
                .orElse(0);
    }

    private static List<String> units(SchemaField field, String element) {
        return field.matching().mode().unit() == MatchMode.Unit.TOKEN
                ? Tokenizer.tokens(element)
                : List.of(
                        field.matching().mode().cased()
                                ? element
                                : element.toLowerCase(Locale.ROOT));
    }

    private static int occurrences(
            List<String> words, TermSettings settings, SchemaField field, FieldValue value) {
        TermSettings.Affix affix =
                settings.affix() != TermSettings.Affix.FIELD
                        ? settings.affix()
                        : switch (field.matching().mode().affix()) {
                            case WHOLE -> TermSettings.Affix.FIELD;
                            case PREFIX -> TermSettings.Affix.PREFIX;
                            case SUFFIX -> TermSettings.Affix.SUFFIX;
                            case SUBSTRING -> TermSettings.Affix.SUBSTRING;
                        };
        if (affix == TermSettings.Affix.SUBSTRING) {
            // Folding is per word: only here, blanks between tokens match any separators.
            throw new IllegalArgumentException("substrings have tests of their own");
        }
        List<String> wanted =
                field.matching().mode().unit() == MatchMode.Unit.TOKEN
                        ? words.stream().flatMap(word -> Tokenizer.tokens(word).stream()).toList()
                        : units(field, String.join(" ", words));
        if (wanted.isEmpty() || wanted.getFirst().isEmpty()) {
            return 0;
        }
        int count = 0;
        for (String element : elements(value)) {
            List<String> units = units(field, element);
            for (int from = 0; from + wanted.size() <= units.size(); from++) {
                boolean fits = true;
                for (int i = 0; i < wanted.size(); i++) {
                    fits &= fits(units.get(from + i), wanted.get(i), i, wanted.size(), affix);
                }
                count += fits ? 1 : 0;
            }
        }
        return count;
    }

    private static boolean fits(
            String unit, String wanted, int index, int count, TermSettings.Affix affix) {
        if (affix == TermSettings.Affix.PREFIX && index == count - 1) {
            return unit.startsWith(wanted);
        }
        if (affix == TermSettings.Affix.SUFFIX && index == 0) {
            return unit.endsWith(wanted);
        }
        return unit.equals(wanted);
    }

    private static boolean isNumber(String text, FieldValue value) {
        if (value instanceof FieldValue.BoolValue(boolean set)) {
            return switch (text) {
                case "true" -> set;
                case "false" -> !set;
                default -> text.matches("-?[0-9]+") && set == Long.parseLong(text) > 0;
            };
        }
        if (!text.matches("-?[0-9]+")) {
            return false;
        }
        var end = new RangeEnd.Whole(Long.parseLong(text), true);
        return isBetween(end, end, value);
    }

    private static boolean isBetween(RangeEnd low, RangeEnd high, FieldValue value) {
        BigDecimal number =
                switch (value) {
                    case FieldValue.IntValue(int whole) -> BigDecimal.valueOf(whole);
                    case FieldValue.LongValue(long whole) -> BigDecimal.valueOf(whole);
                    case FieldValue.FloatValue(float real) -> new BigDecimal(real);
                    case FieldValue.DoubleValue(double real) -> new BigDecimal(real);
                    case FieldValue.BoolValue(boolean set) ->
                            set ? BigDecimal.ONE : BigDecimal.ZERO;
                    default -> throw new IllegalArgumentException(value.toString());
                };
        boolean isWhole =
                !(value instanceof FieldValue.FloatValue)
                        && !(value instanceof FieldValue.DoubleValue);
        if (isWhole
                && low.equals(high)
                && low instanceof RangeEnd.Real(double real, boolean included)
                && included) {
            return Double.isFinite(real)
                    && number.compareTo(BigDecimal.valueOf(Math.rint(real))) == 0;
        }
        boolean isFloat = value instanceof FieldValue.FloatValue;
        return order(number, low, isFloat, 1) && order(number, high, isFloat, -1);
    }

    /** Returns whether a number is on one side of an end: 1 for above, -1 for below. */
    private static boolean order(BigDecimal number, RangeEnd end, boolean isFloat, int side) {
        return switch (end) {
            case RangeEnd.Unbounded() -> true;
            case RangeEnd.Whole(long value, boolean included) -> {
                BigDecimal edge =
                        isFloat ? new BigDecimal((float) value) : BigDecimal.valueOf(value);
                int order = number.compareTo(edge) * side;
                yield included ? order >= 0 : order > 0;
            }
            case RangeEnd.Real(double value, boolean included) -> {
                if (Double.isInfinite(value)) {
                    yield value > 0 ? side < 0 : side > 0;
                }
                BigDecimal edge = new BigDecimal(isFloat ? (float) value : value);
                int order = number.compareTo(edge) * side;
                yield included ? order >= 0 : order > 0;
            }
        };
    }

    /** Selects the nearest neighbors of every search in the tree, conditions around it first. */
    private void select(QueryNode node, Predicate<Document> around) {
        switch (node) {
            case QueryNode.And(var children) -> {
                for (QueryNode child : children) {
                    Predicate<Document> conditions = around;
                    for (QueryNode other : children) {
                        // An equal condition is no other condition.
                        if (!other.equals(child) && !searches(other)) {
                            conditions = conditions.and(document -> matches(other, document));
                        }
                    }
                    select(child, conditions);
                }
            }
            case QueryNode.Or(var children) -> children.forEach(child -> select(child, around));
            case QueryNode.WeakAnd(var children) ->
                    children.forEach(child -> select(child, around));
            case QueryNode.Without(var include, var exclude) -> {
                boolean isDecided = exclude.stream().noneMatch(NaiveSearch::searches);
                select(
                        include,
                        around.and(document ->
                                !isDecided
                                        || exclude.stream()
                                                .noneMatch(out -> matches(out, document))));
                boolean includeDecided = !searches(include);
                exclude.forEach(out ->
                        select(
                                out,
                                around.and(document ->
                                        !includeDecided || matches(include, document))));
            }
            case QueryNode.Rank(var required, var others) -> {
                select(required, around);
                boolean isDecided = !searches(required);
                others.forEach(other ->
                        select(
                                other,
                                around.and(document -> !isDecided || matches(required, document))));
            }
            case NearestNeighbor search -> selected.put(search, nearest(search, around));
            default -> {}
        }
    }

    private static boolean searches(QueryNode node) {
        return switch (node) {
            case QueryNode.And(var children) -> children.stream().anyMatch(NaiveSearch::searches);
            case QueryNode.Or(var children) -> children.stream().anyMatch(NaiveSearch::searches);
            case QueryNode.WeakAnd(var children) ->
                    children.stream().anyMatch(NaiveSearch::searches);
            case QueryNode.Without(var include, var exclude) ->
                    searches(include) || exclude.stream().anyMatch(NaiveSearch::searches);
            case QueryNode.Rank(var required, _) -> searches(required);
            case NearestNeighbor _ -> true;
            default -> false;
        };
    }

    private Set<DocumentId> nearest(NearestNeighbor search, Predicate<Document> conditions) {
        record Near(DocumentId id, double distance) {}
        var near = new ArrayList<Near>();
        for (Document document : scope) {
            Optional<Double> distance = distance(search, document);
            if (conditions.test(document)
                    && distance.isPresent()
                    && (search.distanceThreshold().isEmpty()
                            || distance.get() <= search.distanceThreshold().getAsDouble() + 1e-9)) {
                near.add(new Near(document.id(), distance.get()));
            }
        }
        near.sort(
                Comparator.comparingDouble(Near::distance)
                        .thenComparing(next -> next.id().toString()));
        var ids = new HashSet<DocumentId>();
        near.stream().limit(search.targetHits()).forEach(next -> ids.add(next.id()));
        return ids;
    }

    /** Returns the distance as results show it; empty if the document has no vector. */
    Optional<Double> distance(NearestNeighbor search, Document document) {
        SchemaField field = schema.field(search.field()).orElseThrow();
        DenseTensor query = vectors.get(search.input());
        if (query == null) {
            throw new IllegalArgumentException(search.input());
        }
        return document.value(search.field())
                .map(value -> ((FieldValue.TensorValue) value).tensor())
                .map(tensor -> distance(field.values().metric(), query, tensor));
    }

    private static double distance(DistanceMetric metric, DenseTensor a, DenseTensor b) {
        double squares = 0;
        int bits = 0;
        for (int i = 0; i < a.size(); i++) {
            squares += (a.cell(i) - b.cell(i)) * (a.cell(i) - b.cell(i));
            bits += Integer.bitCount(((int) a.cell(i) ^ (int) b.cell(i)) & 0xff);
        }
        return switch (metric) {
            case EUCLIDEAN -> Math.sqrt(squares);
            case HAMMING -> bits;
            case ANGULAR, DOTPRODUCT, PRENORMALIZED_ANGULAR, GEODEGREES ->
                    throw new IllegalArgumentException(metric.toString());
        };
    }

    /** The ranked leaves in the order of the query, without those that only exclude. */
    List<List<SearchedLeaf>> terms() {
        var terms = new ArrayList<List<SearchedLeaf>>();
        terms(tree, terms);
        return terms;
    }

    private void terms(QueryNode node, List<List<SearchedLeaf>> into) {
        switch (node) {
            case QueryNode.And(var children) -> children.forEach(child -> terms(child, into));
            case QueryNode.Or(var children) -> children.forEach(child -> terms(child, into));
            case QueryNode.WeakAnd(var children) -> children.forEach(child -> terms(child, into));
            case QueryNode.Without(var include, _) -> terms(include, into);
            case QueryNode.Rank(var required, var others) -> {
                terms(required, into);
                others.forEach(other -> terms(other, into));
            }
            case QueryNode.All _, QueryNode.None _ -> {}
            case QueryNode.Term term -> term(node, term.settings(), into);
            case QueryNode.Phrase phrase -> term(node, phrase.settings(), into);
            case QueryNode.Range range -> term(node, range.settings(), into);
            case QueryNode.BooleanEquals equal -> term(node, equal.settings(), into);
            case NearestNeighbor _ -> term(node, TermSettings.DEFAULT, into);
            case QueryNode.Leaf _, QueryNode.Equiv _, QueryNode.SameElement _ ->
                    throw new IllegalArgumentException("has a test of its own: " + node);
        }
    }

    private void term(QueryNode leaf, TermSettings settings, List<List<SearchedLeaf>> into) {
        if (settings.ranked()) {
            into.add(fields(leaf).stream().map(field -> new SearchedLeaf(leaf, field)).toList());
        }
    }

    /** Returns all nearest-neighbor leaves, including excluding ones: features use all of them. */
    Set<NearestNeighbor> searches() {
        return selected.keySet();
    }

    List<Document> scope() {
        return scope;
    }
}
