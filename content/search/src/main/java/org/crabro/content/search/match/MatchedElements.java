package org.crabro.content.search.match;

import java.util.ArrayList;
import java.util.BitSet;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.crabro.config.schema.Fieldset;
import org.crabro.config.schema.Schema;
import org.crabro.config.schema.SchemaField;
import org.crabro.content.search.parent.RowValues;
import org.crabro.content.storage.block.EncodedBlock;
import org.crabro.content.storage.block.column.Column;
import org.crabro.protocol.query.QueryNode;

/**
 * Determines which elements of arrays, weighted sets and maps match a query. An element matches if
 * a leaf of the query finds it, even if features do not see that leaf; leaves that only exclude
 * documents do not count. It runs only for the few rows that are returned as hits. Immutable.
 */
public final class MatchedElements {
    /** Matches no elements. */
    static final MatchedElements NONE = new MatchedElements(Map.of());

    private final Map<String, List<ElementCondition>> byField;

    /**
     * The condition of one leaf on an element.
     *
     * @param elements the permitted indices of the element; empty permits all
     */
    private record ElementCondition(ValuePredicate test, List<Integer> elements) {
        boolean fits(BlockScan scan, Column column, int element, int index) {
            return (elements.isEmpty() || elements.contains(index))
                    && test.test(scan, column, element);
        }
    }

    private MatchedElements(Map<String, List<ElementCondition>> byField) {
        this.byField = Map.copyOf(byField);
    }

    /**
     * Compiles the conditions of {@code tree} on the elements of any field. The tree must be valid.
     */
    static MatchedElements compile(QueryNode tree, Schema schema, ValuePredicateCompiler values) {
        var byField = new HashMap<String, List<ElementCondition>>();
        new Leaves(schema, values, byField).add(tree);
        return new MatchedElements(byField);
    }

    /**
     * Returns the indices of the elements of a row's value that match.
     *
     * @param scan a scan of the query, for its memory
     */
    public BitSet of(BlockScan scan, EncodedBlock block, int row, SchemaField field) {
        var elements = new BitSet();
        List<ElementCondition> all = byField.getOrDefault(field.field().name(), List.of());
        if (all.isEmpty()) {
            return elements;
        }
        RowValues values = scan.rowValues().at(block, row, field.field());
        Column column = values.column();
        if (column != null) {
            int first = ValuePredicate.AnyElement.first(column, values.row());
            int end = ValuePredicate.AnyElement.end(column, values.row());
            for (int at = first; at < end; at++) {
                for (ElementCondition condition : all) {
                    if (condition.fits(scan, column, at, at - first)) {
                        elements.set(at - first);
                        break;
                    }
                }
            }
        }
        return elements;
    }

    /** Collects the conditions of the leaves of a tree on elements. */
    private record Leaves(
            Schema schema,
            ValuePredicateCompiler values,
            Map<String, List<ElementCondition>> byField) {
        void add(QueryNode node) {
            switch (node) {
                case QueryNode.And(var children) -> children.forEach(this::add);
                case QueryNode.Or(var children) -> children.forEach(this::add);
                case QueryNode.WeakAnd(var children) -> children.forEach(this::add);
                case QueryNode.Equiv(var children) -> children.forEach(this::add);
                case QueryNode.Without(var include, _) -> add(include);
                case QueryNode.Rank(var required, var others) -> {
                    add(required);
                    others.forEach(this::add);
                }
                case QueryNode.Leaf leaf -> add(leaf);
                case QueryNode.SameElement same -> {
                    for (FieldPath path : paths(same.field())) {
                        if (path.steps().isEmpty()) {
                            put(path, values.ofSameElement(path, same), same.elements());
                        }
                    }
                }
                case QueryNode.All(), QueryNode.None(), QueryNode.NearestNeighbor _ -> {}
            }
        }

        private void add(QueryNode.Leaf leaf) {
            for (FieldPath path : paths(leaf.field())) {
                values.ofElement(path, values.leaf(leaf, path.field().field().name()))
                        .ifPresent(test -> put(path, test, List.of()));
            }
        }

        private void put(FieldPath path, ValuePredicate test, List<Integer> elements) {
            byField.computeIfAbsent(path.field().field().name(), _ -> new ArrayList<>())
                    .add(new ElementCondition(test, elements));
        }

        private List<FieldPath> paths(String name) {
            Fieldset fieldset = schema.fieldset(name).orElse(null);
            List<String> names =
                    fieldset == null || schema.field(name).isPresent()
                            ? List.of(name)
                            : fieldset.fields();
            return names.stream()
                    .flatMap(each -> FieldPath.of(each, schema).stream())
                    .filter(path -> path.field().isSearchable())
                    .toList();
        }
    }
}
