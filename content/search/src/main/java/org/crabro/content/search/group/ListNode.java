package org.crabro.content.search.group;

import java.time.ZoneId;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.function.Supplier;
import org.crabro.content.search.match.RowOrder;
import org.crabro.protocol.grouping.Group;
import org.crabro.protocol.grouping.GroupExpression;
import org.crabro.protocol.grouping.GroupId;
import org.crabro.protocol.grouping.GroupList;
import org.crabro.protocol.grouping.GroupSteps;
import org.crabro.protocol.grouping.GroupValue;
import org.crabro.protocol.grouping.ListPlan;
import org.jspecify.annotations.Nullable;

/** The groups of one list within all groups of the parent list, for one thread. */
final class ListNode {
    /** The number of rows per batch if rows are in several groups. */
    private static final int BATCH_SIZE = 4_096;

    /** The units of work to assign a row to the group of one of its values. */
    private static final int EXPANDED_UNITS = 8;

    private static final int UNKNOWN = -1;

    /** The approximate size of the value of a group in bytes. */
    private static final long GROUP_BYTES = 256;

    private final ListPlan plan;
    private final ZoneId zone;
    private final Evaluator by;
    private final @Nullable RowFilter filter;

    /** Whether the filter selects values of the grouped collection, not documents. */
    private final boolean filtersValues;

    private final GroupTable table = new GroupTable();
    private final KeyWindow window = new KeyWindow();
    private final TextPool keys = new TextPool();
    private final GroupNode node;
    private final int skipped;

    // By text of the current batch: its key, or, if there is only one parent group, its group.
    private int[] states = {};
    private int[] groups = {};
    private boolean[] passes = {};
    private @Nullable RowBatch filtered;
    private int[] filteredGroups = {};
    private @Nullable RowBatch expanded;
    private int[] expandedGroups = {};
    private int[] expandedValues = {};

    // The groups of each parent group, computed when all groups are known.
    private int[] firsts = {};
    private int[] members = {};
    private boolean isIndexed;

    ListNode(
            ListPlan plan,
            ExpressionCompiler compiler,
            Set<Integer> entered,
            boolean keepsRelevance,
            Supplier<RowOrder> order,
            GroupNode.Skipped skipped) {
        this.plan = plan;
        this.zone = compiler.zone();
        this.by = compiler.compileKey(plan.by(), entered);
        if (plan.listed().fill().isPresent()) {
            compiler.checkSteps(plan, by);
        }
        Set<Integer> inner = new HashSet<>(entered);
        if (by.many() && by.scope != Evaluator.NO_SCOPE) {
            inner.add(by.scope);
        }
        int elementReads = compiler.elementReads(by.scope);
        this.filter = plan.filter().map(each -> compiler.compile(each, inner)).orElse(null);
        this.filtersValues =
                inner.size() > entered.size() && compiler.elementReads(by.scope) > elementReads;
        this.node = new GroupNode(plan.group(), compiler, inner, keepsRelevance, order, skipped);
        this.skipped = skipped.of(plan.label().tag());
    }

    /**
     * Adds rows.
     *
     * @param parents the parent group of each row
     */
    void add(RowBatch all, int[] parents) {
        RowBatch batch = all;
        int[] above = parents;
        if (filter != null && !filtersValues) {
            batch = filtered(all, parents, filter);
            above = filteredGroups;
        }
        if (batch.count == 0) {
            return;
        }
        Values values = by.evaluate(batch);
        prepare(values, batch.texts);
        if (values.many) {
            expand(values, batch, above);
            return;
        }
        if (groups.length < batch.count) {
            groups = new int[batch.count];
        }
        find(values, batch, above);
        node.add(batch, groups, table.size());
    }

    /** Finds the group of each row with a single value. */
    private void find(Values values, RowBatch batch, int[] above) {
        if (by instanceof PredefinedBuckets
                || values.kind.isPooled()
                || values.kind == ValueKind.REAL) {
            for (int i = 0; i < batch.count; i++) {
                groups[i] = group(values, i, above[i], batch.texts);
            }
            return;
        }
        if (window.find(table, values.longs, above, batch.count, groups)) {
            return;
        }
        for (int i = 0; i < batch.count; i++) {
            groups[i] = table.find(above[i], values.longs[i]);
        }
    }

    private void prepare(Values values, TextPool texts) {
        if (values.kind.isPooled()) {
            if (states.length < texts.size()) {
                states = new int[texts.size() * 2];
            }
            Arrays.fill(states, 0, texts.size(), UNKNOWN);
        }
    }

    private int group(Values values, int index, int parent, TextPool texts) {
        return switch (values.kind) {
            case WHOLE, TRUTH -> {
                long number = values.longs[index];
                yield by instanceof PredefinedBuckets && number < 0
                        ? table.findMissing(parent)
                        : table.find(parent, number);
            }
            case REAL -> {
                double number = values.doubles[index];
                yield Double.isNaN(number) && by instanceof FixedWidth
                        ? table.findMissing(parent)
                        : table.find(parent, Double.doubleToLongBits(number + 0.0));
            }
            case TEXT, RAW -> {
                int text = values.texts[index];
                int key = states[text];
                if (key == UNKNOWN) {
                    key = keys.number(texts, text);
                    states[text] = key;
                }
                yield table.find(parent, key);
            }
        };
    }

    private RowBatch filtered(RowBatch all, int[] parents, RowFilter test) {
        if (passes.length < all.count) {
            passes = new boolean[all.count];
        }
        test.test(all, passes);
        RowBatch into = filtered;
        if (into == null || into.scan != all.scan) {
            into = new RowBatch(all.scan, all.texts, all.elements.length, all.spending);
            filtered = into;
        }
        if (filteredGroups.length < all.count) {
            filteredGroups = new int[all.count];
        }
        reserve(into, all.count, all);
        into.begin();
        into.turn = all.turn;
        into.isAscending = all.isAscending;
        for (int i = 0; i < all.count; i++) {
            if (passes[i]) {
                filteredGroups[into.count] = parents[i];
                copy(all, i, into);
            }
        }
        return into;
    }

    private static void reserve(RowBatch into, int size, RowBatch from) {
        if (into.rows.length < size) {
            into.rows = new int[size];
            into.scores = new double[size];
        }
        for (int scope = 0; scope < from.elements.length; scope++) {
            if (from.elements[scope].length == 0) {
                into.elements[scope] = from.elements[scope];
            } else if (into.elements[scope].length < size) {
                into.elements[scope] = new int[size];
            }
        }
    }

    private static void copy(RowBatch from, int row, RowBatch into) {
        int at = into.count++;
        into.rows[at] = from.rows[row];
        into.scores[at] = from.scores[row];
        for (int scope = 0; scope < from.elements.length; scope++) {
            int[] elements = from.elements[scope];
            if (elements.length > 0) {
                into.elements[scope][at] = elements[row];
            }
        }
    }

    /** Passes each row on once for each of its values. */
    private void expand(Values values, RowBatch batch, int[] above) {
        RowBatch into = expanded;
        if (into == null || into.scan != batch.scan) {
            into = new RowBatch(batch.scan, batch.texts, batch.elements.length, batch.spending);
            expanded = into;
            expandedGroups = new int[BATCH_SIZE];
            expandedValues = new int[BATCH_SIZE];
        }
        reserve(into, BATCH_SIZE, batch);
        int scope = by.scope;
        if (scope != Evaluator.NO_SCOPE && into.elements[scope].length < BATCH_SIZE) {
            into.elements[scope] = new int[BATCH_SIZE];
        }
        into.begin();
        into.turn = batch.turn;
        for (int row = 0; row < batch.count; row++) {
            for (int i = values.start(row); i < values.end(row); i++) {
                if (into.count == BATCH_SIZE) {
                    batch.spending.work().spend(BATCH_SIZE, EXPANDED_UNITS);
                    addExpanded(values, into);
                    batch.spending.memory().run();
                    into.begin();
                }
                int at = into.count;
                expandedGroups[at] = above[row];
                expandedValues[at] = i;
                copy(batch, row, into);
                if (scope != Evaluator.NO_SCOPE) {
                    into.elements[scope][at] = values.positions[i];
                }
            }
        }
        if (into.count > 0) {
            addExpanded(values, into);
        }
    }

    /**
     * Adds rows, one for each value, to the groups of these values. At first {@link
     * #expandedGroups} has their parent groups.
     */
    private void addExpanded(Values values, RowBatch into) {
        if (filter != null && filtersValues) {
            select(into, filter);
        }
        for (int i = 0; i < into.count; i++) {
            expandedGroups[i] = group(values, expandedValues[i], expandedGroups[i], into.texts);
        }
        node.add(into, expandedGroups, table.size());
    }

    /** Removes the rows whose values the filter does not select. */
    private void select(RowBatch into, RowFilter test) {
        if (passes.length < into.count) {
            passes = new boolean[BATCH_SIZE];
        }
        test.test(into, passes);
        int count = into.count;
        into.begin();
        for (int i = 0; i < count; i++) {
            if (passes[i]) {
                int at = into.count;
                expandedGroups[at] = expandedGroups[i];
                expandedValues[at] = expandedValues[i];
                copy(into, i, into);
            }
        }
    }

    /**
     * Adds the groups of another node of the same plan.
     *
     * @param parents by parent group of {@code from}, the number of the group in this node
     */
    void merge(ListNode from, int[] parents) {
        int count = from.table.size();
        var into = new int[count];
        boolean isPooled = isPooled();
        for (int group = 0; group < count; group++) {
            int parent = parents[from.table.parent(group)];
            long key = from.table.key(group);
            if (from.table.isMissing(group)) {
                into[group] = table.findMissing(parent);
            } else {
                into[group] =
                        table.find(parent, isPooled ? keys.number(from.keys, (int) key) : key);
            }
        }
        node.merge(from.node, into, count, table.size());
    }

    private boolean isPooled() {
        return by.kind().isPooled();
    }

    /**
     * Returns the groups of a parent group.
     *
     * @param isWhole whether this node has all documents; then groups beyond the limit are left out
     */
    GroupList<RowHit> list(int parent, boolean isWhole) {
        index();
        int first = parent + 1 < firsts.length ? firsts[parent] : members.length;
        int end = parent + 1 < firsts.length ? firsts[parent + 1] : members.length;
        int count = end - first;
        List<Group<RowHit>> shown = new ArrayList<>();
        if (!isWhole || (plan.listed().isListed() && plan.listed().max() < 0)) {
            for (int i = first; i < end; i++) {
                shown.add(node.group(id(members[i]), members[i], isWhole));
            }
        } else if (plan.listed().isListed()) {
            long most = (long) plan.listed().max() + skipped;
            for (int group :
                    new TopGroups(plan, table, node, this::compareIds)
                            .best(members, first, end, most)) {
                shown.add(node.group(id(group), group, true));
            }
        }
        if (count == 0) {
            filled().ifPresent(id -> shown.add(node.empty(id, table.size())));
        }
        return new GroupList<>(shown, 0, count);
    }

    /** Returns the id of the empty group that {@code fill} adds to an empty list. */
    private Optional<GroupId> filled() {
        if (plan.listed().fill().isEmpty()) {
            return Optional.empty();
        }
        if (plan.by() instanceof GroupExpression.Predefined(_, var buckets)) {
            return Optional.of(buckets.getFirst().id());
        }
        return plan.listed()
                .fill()
                .get()
                .bounds()
                .map(bounds ->
                        GroupSteps.of(plan.by(), by.kind() == ValueKind.REAL, zone)
                                .at(bounds.from()));
    }

    /** Sorts the groups by their parent groups. */
    private void index() {
        if (isIndexed) {
            return;
        }
        isIndexed = true;
        int parents = 0;
        for (int group = 0; group < table.size(); group++) {
            parents = Math.max(parents, table.parent(group) + 1);
        }
        firsts = new int[parents + 1];
        for (int group = 0; group < table.size(); group++) {
            firsts[table.parent(group) + 1]++;
        }
        for (int parent = 0; parent < parents; parent++) {
            firsts[parent + 1] += firsts[parent];
        }
        int[] next = Arrays.copyOf(firsts, parents);
        members = new int[table.size()];
        for (int group = 0; group < table.size(); group++) {
            members[next[table.parent(group)]++] = group;
        }
    }

    private int compareIds(int a, int b) {
        if (table.isMissing(a) || table.isMissing(b)) {
            return Boolean.compare(table.isMissing(b), table.isMissing(a));
        }
        if (isPooled()) {
            return keys.compare((int) table.key(a), (int) table.key(b));
        }
        return GroupId.compare(id(a), id(b));
    }

    private GroupId id(int group) {
        if (table.isMissing(group)) {
            return new GroupId.Missing();
        }
        long key = table.key(group);
        if (plan.by() instanceof GroupExpression.Predefined(_, var buckets)) {
            return buckets.get((int) key).id();
        }
        if (by instanceof FixedWidth widths) {
            return range(widths, key);
        }
        return new GroupId.Value(
                switch (by.kind()) {
                    case WHOLE -> new GroupValue.Whole(key);
                    case TRUTH -> new GroupValue.Truth(key != 0);
                    case REAL -> new GroupValue.Real(Double.longBitsToDouble(key));
                    case TEXT -> new GroupValue.Text(keys.text((int) key));
                    case RAW -> {
                        byte[] bytes = keys.copy((int) key);
                        yield GroupValue.Raw.of(bytes, 0, bytes.length);
                    }
                });
    }

    private static GroupId range(FixedWidth widths, long key) {
        return widths.kind() == ValueKind.REAL
                ? new GroupSteps.RealRanges(widths.realWidth()).range(Double.longBitsToDouble(key))
                : new GroupSteps.Ranges(widths.wholeWidth()).range(key);
    }

    /** Returns the approximate size of the values of all groups in bytes. */
    long shownBytes() {
        return table.size() * GROUP_BYTES + node.shownBytes();
    }

    long byteSize() {
        long shown =
                plan.listed().isListed() && plan.listed().max() < 0
                        ? table.size() * GROUP_BYTES
                        : 0;
        return table.byteSize() + window.byteSize() + keys.byteSize() + node.byteSize() + shown;
    }
}
