package org.crabro.content.search.match;

import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import org.crabro.config.schema.MatchMode;
import org.crabro.config.schema.SchemaField;
import org.crabro.content.search.match.FieldPath.Step;
import org.crabro.content.search.match.LeafCompiler.Leaf;
import org.crabro.content.search.match.ValuePredicate.OfElement.Part;
import org.crabro.content.search.match.text.TextPattern;
import org.crabro.content.search.match.text.TextPredicate;
import org.crabro.content.search.query.QueryRejectedException;
import org.crabro.document.Field;
import org.crabro.document.FieldType;
import org.crabro.document.FieldType.Primitive;
import org.crabro.protocol.query.QueryNode;

/**
 * Compiles conditions on single values: on collections, structs and maps, and all others that no
 * dictionary can answer. {@link LeafCompiler} compiles the condition on one value, this class the
 * path to the value.
 */
final class ValuePredicateCompiler {
    private final LeafCompiler leaves = new LeafCompiler();

    List<TextPredicate> textPredicates() {
        return leaves.textPredicates();
    }

    /**
     * Returns the condition that words are near each other in the elements of a collection, or in a
     * part of its elements, taken together. It is empty if these are no texts matched by words.
     *
     * @param gap the number of words added to the distance between words of consecutive elements
     */
    Optional<ValuePredicate> nearElements(FieldPath path, QueryNode.Near near, int gap) {
        List<Step> steps = path.steps();
        Part part = Part.VALUE;
        FieldType type;
        int from = 0;
        switch (path.field().field().type()) {
            case FieldType.ArrayOf(var element) -> type = element;
            case FieldType.WeightedSetOf(var element) -> type = element;
            case FieldType.MapOf(var key, _)
                    when !steps.isEmpty() && steps.getFirst().equals(new Step.Named("key")) -> {
                part = Part.KEY;
                type = key;
                from = 1;
            }
            case FieldType.MapOf(_, var value)
                    when !steps.isEmpty() && steps.getFirst().equals(new Step.Named("value")) -> {
                type = value;
                from = 1;
            }
            default -> {
                return Optional.empty();
            }
        }
        var members = new ArrayList<Integer>();
        for (Step step : steps.subList(from, steps.size())) {
            int index =
                    step instanceof Step.Named(String name)
                                    && type instanceof FieldType.StructOf struct
                            ? index(struct, name)
                            : -1;
            if (index < 0) {
                return Optional.empty();
            }
            members.add(index);
            type = ((FieldType.StructOf) type).fields().get(index).type();
        }
        MatchMode match = path.field().matching().of(path.path());
        if (!(type instanceof Primitive primitive)
                || !primitive.isText()
                || match.unit() != MatchMode.Unit.TOKEN) {
            return Optional.empty();
        }
        // A gap larger than the searched distances has the same effect as the smallest such gap.
        long most = (long) near.distance() + near.exclusionDistance() + 1;
        return Optional.of(
                new ValuePredicate.NearElements(
                        part,
                        members,
                        leaves.near(near, match, path.field().field().name()),
                        (int) Math.min(gap, most)));
    }

    private static int index(FieldType.StructOf struct, String name) {
        List<Field> fields = struct.fields();
        for (int i = 0; i < fields.size(); i++) {
            if (fields.get(i).name().equals(name)) {
                return i;
            }
        }
        return -1;
    }

    /**
     * Returns the condition of a leaf of the query tree on a value.
     *
     * @param name of the field, for errors
     */
    Leaf leaf(QueryNode.Leaf leaf, String name) {
        return leaves.leaf(leaf, name);
    }

    /** Returns the condition that the value, or one of the values, at a path fulfils a leaf. */
    Optional<ValuePredicate> test(FieldPath path, Leaf leaf) {
        return at(path.field().field().type(), path.steps(), "", path.field(), leaf);
    }

    private Optional<ValuePredicate> at(
            FieldType type, List<Step> steps, String above, SchemaField field, Leaf leaf) {
        return switch (type) {
            case FieldType.ArrayOf(var element) ->
                    at(element, steps, above, field, leaf).map(ValuePredicateCompiler::anyElement);
            case FieldType.WeightedSetOf(var element) ->
                    at(element, steps, above, field, leaf).map(ValuePredicateCompiler::anyElement);
            case FieldType.MapOf map ->
                    ofEntry(map, steps, above, field, leaf).map(ValuePredicate.AnyElement::new);
            case FieldType.StructOf struct -> ofStruct(struct, steps, above, field, leaf);
            case Primitive _, FieldType.ReferenceOf _, FieldType.TensorOf _ ->
                    steps.isEmpty()
                            ? leaf.test(type, field.matching().of(above))
                            : Optional.empty();
        };
    }

    private static ValuePredicate anyElement(ValuePredicate test) {
        return new ValuePredicate.AnyElement(new ValuePredicate.OfElement(Part.VALUE, test));
    }

    /**
     * Returns the condition on an entry of a map: on its key, on its value, or on either if the
     * path names neither.
     */
    private Optional<ValuePredicate> ofEntry(
            FieldType.MapOf map, List<Step> steps, String above, SchemaField field, Leaf leaf) {
        if (steps.isEmpty()) {
            var parts = new ArrayList<ValuePredicate>();
            ofKey(map, steps, above, field, leaf).ifPresent(parts::add);
            ofValue(map, steps, above, field, leaf).ifPresent(parts::add);
            return any(parts);
        }
        List<Step> tail = steps.subList(1, steps.size());
        return switch (steps.getFirst()) {
            case Step.Named(String name) when name.equals("key") ->
                    ofKey(map, tail, above, field, leaf);
            case Step.Named(String name) when name.equals("value") ->
                    ofValue(map, tail, above, field, leaf);
            case Step.Named _ -> Optional.empty();
            case Step.Entry(String key) -> {
                ValuePredicate ofKey =
                        new ValuePredicate.OfElement(Part.KEY, isKey(map.key(), key));
                yield ofValue(map, tail, above, field, leaf)
                        .map(value -> new ValuePredicate.Every(List.of(ofKey, value)));
            }
        };
    }

    private Optional<ValuePredicate> ofKey(
            FieldType.MapOf map, List<Step> steps, String above, SchemaField field, Leaf leaf) {
        return at(map.key(), steps, path(above, "key"), field, leaf)
                .map(test -> new ValuePredicate.OfElement(Part.KEY, test));
    }

    private Optional<ValuePredicate> ofValue(
            FieldType.MapOf map, List<Step> steps, String above, SchemaField field, Leaf leaf) {
        return at(map.value(), steps, path(above, "value"), field, leaf)
                .map(test -> new ValuePredicate.OfElement(Part.VALUE, test));
    }

    private ValuePredicate isKey(FieldType type, String key) {
        if (type instanceof Primitive primitive && primitive.stored() != Primitive.STRING) {
            return NumberRangeParser.parse(key)
                    .<ValuePredicate>map(ValuePredicate.InRange::new)
                    .orElseGet(() -> new ValuePredicate.Any(List.of()));
        }
        var match = new MatchMode(MatchMode.Unit.VALUE, MatchMode.Affix.WHOLE, true);
        return leaves.text(
                new TextPredicate.OfPattern(
                        match, new TextPattern.Whole(key, MatchMode.Affix.WHOLE)));
    }

    private Optional<ValuePredicate> ofStruct(
            FieldType.StructOf struct,
            List<Step> steps,
            String above,
            SchemaField field,
            Leaf leaf) {
        if (!steps.isEmpty()) {
            List<Step> tail = steps.subList(1, steps.size());
            return steps.getFirst() instanceof Step.Named(String name)
                    ? member(struct, name, tail, above, field, leaf)
                    : Optional.empty();
        }
        Optional<ValuePredicate> whole = leaf.test(struct, field.matching().of(above));
        if (whole.isPresent()) {
            return whole;
        }
        var parts = new ArrayList<ValuePredicate>();
        for (Field member : struct.fields()) {
            member(struct, member.name(), steps, above, field, leaf).ifPresent(parts::add);
        }
        return any(parts);
    }

    private Optional<ValuePredicate> member(
            FieldType.StructOf struct,
            String name,
            List<Step> steps,
            String above,
            SchemaField field,
            Leaf leaf) {
        for (int i = 0; i < struct.fields().size(); i++) {
            Field member = struct.fields().get(i);
            if (member.name().equals(name)) {
                int index = i;
                return at(member.type(), steps, path(above, name), field, leaf)
                        .map(test -> new ValuePredicate.Member(index, test));
            }
        }
        return Optional.empty();
    }

    private static String path(String above, String name) {
        return above.isEmpty() ? name : above + "." + name;
    }

    private static Optional<ValuePredicate> any(List<ValuePredicate> parts) {
        return switch (parts.size()) {
            case 0 -> Optional.empty();
            case 1 -> Optional.of(parts.getFirst());
            default -> Optional.of(new ValuePredicate.Any(List.copyOf(parts)));
        };
    }

    /**
     * Returns the condition that one element fulfils all {@code conditions}.
     *
     * @throws QueryRejectedException if a condition does not apply to elements
     */
    ValuePredicate sameElement(FieldPath path, QueryNode.SameElement same) {
        FieldType type = path.field().field().type();
        if (!path.steps().isEmpty() || !isCollection(type)) {
            throw new QueryRejectedException(
                    "sameElement() is for arrays, weighted sets and maps, and '%s' is %s"
                            .formatted(same.field(), type.text()));
        }
        if (!same.elements().isEmpty() && type instanceof FieldType.ArrayOf(var element)) {
            same.conditions().forEach(condition -> requireEqual(condition, element, same));
        }
        return new ValuePredicate.AnyElement(ofSameElement(path, same), same.elements());
    }

    /** Checks that an element at an index can equal a value: it must be of the same type. */
    private static void requireEqual(
            QueryNode condition, FieldType element, QueryNode.SameElement same) {
        if (!isNumber(element)) {
            return;
        }
        boolean isBoolean = element == Primitive.BOOL;
        boolean isFit = true;
        if (condition instanceof QueryNode.Term(var name, var text, _) && name.isEmpty()) {
            isFit = !NumberRangeParser.range(isBoolean, text).equals(NumberRange.EMPTY);
        } else if (condition instanceof QueryNode.Range range && range.field().isEmpty()) {
            NumberRange values = NumberRange.between(range.low(), range.high());
            isFit =
                    !isBoolean
                            || values.equals(NumberRange.TRUE)
                            || values.equals(NumberRange.FALSE);
        } else if (condition instanceof QueryNode.BooleanEquals(var name, _, _) && name.isEmpty()) {
            isFit = isBoolean;
        }
        if (!isFit) {
            throw new QueryRejectedException(
                    "an element of '%s' is of type %s: it cannot equal a value of another type"
                            .formatted(same.field(), element.text()));
        }
    }

    /** Returns the condition on an element that combines all {@code conditions}. */
    ValuePredicate ofSameElement(FieldPath path, QueryNode.SameElement same) {
        return new ValuePredicate.Every(
                all(same.conditions(), path.field().field().type(), path.field()));
    }

    private static boolean isCollection(FieldType type) {
        return switch (type) {
            case FieldType.ArrayOf _, FieldType.WeightedSetOf _, FieldType.MapOf _ -> true;
            case Primitive _, FieldType.StructOf _, FieldType.ReferenceOf _, FieldType.TensorOf _ ->
                    false;
        };
    }

    private ValuePredicate inElement(QueryNode node, FieldType type, SchemaField field) {
        return switch (node) {
            case QueryNode.All() -> new ValuePredicate.Every(List.of());
            case QueryNode.None() -> new ValuePredicate.Any(List.of());
            case QueryNode.And(var children) ->
                    new ValuePredicate.Every(all(children, type, field));
            case QueryNode.Or(var children) -> new ValuePredicate.Any(all(children, type, field));
            case QueryNode.WeakAnd(var children) ->
                    new ValuePredicate.Any(all(children, type, field));
            case QueryNode.Equiv(var children) ->
                    new ValuePredicate.Any(all(children, type, field));
            case QueryNode.Without(var include, var exclude) ->
                    new ValuePredicate.Except(
                            inElement(include, type, field),
                            new ValuePredicate.Any(all(exclude, type, field)));
            case QueryNode.Rank(var required, _) -> inElement(required, type, field);
            case QueryNode.Leaf leaf -> leaf(leaf, type, field);
            case QueryNode.SameElement _, QueryNode.NearestNeighbor _ ->
                    throw new QueryRejectedException(
                            "sameElement(%s) cannot contain sameElement or nearestNeighbor"
                                    .formatted(field.field().name()));
        };
    }

    private List<ValuePredicate> all(List<QueryNode> nodes, FieldType type, SchemaField field) {
        return nodes.stream().map(node -> inElement(node, type, field)).toList();
    }

    private ValuePredicate leaf(QueryNode.Leaf leaf, FieldType type, SchemaField field) {
        Optional<ValuePredicate> test =
                FieldPath.inside(leaf.field())
                        .flatMap(steps ->
                                ofElement(
                                        new FieldPath(field, steps),
                                        leaves.leaf(leaf, field.field().name())));
        return test.orElseThrow(() ->
                new QueryRejectedException(
                        "sameElement(%s) on elements of type %s: '%s' cannot be searched this way"
                                .formatted(field.field().name(), type.text(), leaf.field())));
    }

    /**
     * Returns the condition that an element of the field, or the part of it that the path names,
     * fulfils a leaf. It is empty if the leaf does not apply, or the field has no elements.
     */
    Optional<ValuePredicate> ofElement(FieldPath path, Leaf leaf) {
        SchemaField field = path.field();
        return switch (field.field().type()) {
            case FieldType.ArrayOf(var element) -> ofElement(element, path.steps(), field, leaf);
            case FieldType.WeightedSetOf(var element) ->
                    ofElement(element, path.steps(), field, leaf);
            case FieldType.MapOf map -> ofEntry(map, path.steps(), "", field, leaf);
            case Primitive _, FieldType.StructOf _, FieldType.ReferenceOf _, FieldType.TensorOf _ ->
                    Optional.empty();
        };
    }

    private Optional<ValuePredicate> ofElement(
            FieldType element, List<Step> steps, SchemaField field, Leaf leaf) {
        return at(element, steps, "", field, leaf)
                .map(test -> new ValuePredicate.OfElement(Part.VALUE, test));
    }

    static boolean isNumber(FieldType type) {
        return type instanceof Primitive primitive && primitive.stored() != Primitive.STRING;
    }

    /**
     * Returns the condition that the sum of products of key weights and element weights exceeds the
     * threshold.
     */
    Optional<ValuePredicate> product(FieldPath path, QueryNode.AnyOf any) {
        FieldType type = path.field().field().type();
        Optional<FieldType> element =
                path.steps().isEmpty()
                        ? switch (type) {
                            case FieldType.ArrayOf(var each) -> Optional.of(each);
                            case FieldType.WeightedSetOf(var each) -> Optional.of(each);
                            case FieldType.MapOf(var key, _) -> Optional.of(key);
                            case Primitive primitive -> Optional.of(primitive);
                            case FieldType.StructOf _,
                                    FieldType.ReferenceOf _,
                                    FieldType.TensorOf _ ->
                                    Optional.empty();
                        }
                        : Optional.empty();
        return element.flatMap(each -> product(each, path.field().matching().mode(), any));
    }

    private Optional<ValuePredicate> product(
            FieldType element, MatchMode match, QueryNode.AnyOf any) {
        NumberKeys numbers = NumberKeys.of(any.keys());
        if (isNumber(element)) {
            return Optional.of(
                    new ValuePredicate.Product(
                            numbers, ValuePredicate.Product.NO_PREDICATE, any.threshold()));
        }
        return leaves.keys(element, any.keys(), match)
                .map(test ->
                        new ValuePredicate.Product(
                                numbers,
                                ((ValuePredicate.Text) test).textPredicate(),
                                any.threshold()));
    }
}
