package org.crabro.content.search.execution;

import java.util.List;
import java.util.Objects;
import java.util.Optional;
import java.util.Set;
import java.util.function.BooleanSupplier;
import java.util.stream.Stream;
import org.crabro.config.schema.Schema;
import org.crabro.content.search.query.QueryRejectedException;
import org.crabro.content.search.visit.RowSelection;
import org.crabro.content.storage.block.EncodedBlock;
import org.crabro.content.storage.dead.DeadRows;
import org.crabro.content.storage.file.BlockProjection;
import org.crabro.content.storage.file.WorkMeter;
import org.crabro.content.storage.read.BlockSlice;
import org.crabro.content.storage.read.ReadPlan;
import org.crabro.document.select.InvalidSelectionException;
import org.crabro.document.select.Selection;
import org.crabro.document.select.SelectionTypes;
import org.crabro.protocol.search.Scope;
import org.jspecify.annotations.Nullable;

/**
 * The selection of a scope. It is evaluated before the search. Documents that it excludes count as
 * dead for statistics, neighbors, matches and groups.
 */
final class ScopeSelection {
    private final Scope.Selected scope;
    private final Selection selection;
    private final Schema schema;
    private final long now;

    private ScopeSelection(Scope.Selected scope, Selection selection, Schema schema, long now) {
        this.scope = scope;
        this.selection = selection;
        this.schema = schema;
        this.now = now;
    }

    /**
     * @param types the types that the selection may name
     * @param now seconds since 1970
     * @throws QueryRejectedException if the selection cannot be parsed or names other types
     */
    static ScopeSelection of(Scope.Selected scope, Schema schema, SelectionTypes types, long now) {
        try {
            return new ScopeSelection(
                    scope, Selection.parseConjunction(scope.selection(), types), schema, now);
        } catch (InvalidSelectionException e) {
            throw new QueryRejectedException("the selection cannot be used: " + e.getMessage());
        }
    }

    /**
     * Returns slices without the documents that the selection excludes; empty if time was too short
     * to decide any slice.
     *
     * <p>If the client accepts a part of the answer, this takes half of the time left. Slices that
     * were not decided by then are excluded.
     *
     * @param acceptsPart whether the client accepts a part of the answer
     */
    Optional<ScopeSlices> narrow(
            ScopeSlices slices,
            SlicePasses passes,
            SearchDeadline deadline,
            CostMeter cost,
            boolean acceptsPart) {
        @Nullable DeadRows[] excluded = new @Nullable DeadRows[slices.count()];
        long left = deadline.nanosLeft();
        BooleanSupplier isOver = deadline.isOver(acceptsPart ? left / 2 : left);
        SliceTeam<Worker> team =
                passes.run(
                        "selecting documents",
                        slices,
                        () -> worker(slices.list(), excluded, cost.newMeter(isOver)),
                        isOver,
                        ReadPlan.of(parts()));
        if (team.isStopped() && (!acceptsPart || Stream.of(excluded).allMatch(Objects::isNull))) {
            return Optional.empty();
        }
        return Optional.of(slices.without(excluded, !team.isStopped()));
    }

    /** Returns the parts of a block that the selection reads. */
    private BlockProjection parts() {
        return new BlockProjection(
                RowSelection.fields(selection, schema.documentType()),
                Set.of(),
                Set.of(),
                false,
                true);
    }

    /**
     * Returns a worker for one thread.
     *
     * @param into receives the excluded rows by slice
     * @param work may stop the worker inside a row
     */
    private Worker worker(List<BlockSlice> slices, @Nullable DeadRows[] into, WorkMeter work) {
        return new Worker(
                slices,
                new RowSelection(
                        selection,
                        schema.documentType(),
                        now,
                        scope.fromTimestamp(),
                        scope.toTimestamp(),
                        work),
                into);
    }

    /** Finds the rows that the selection excludes. */
    static final class Worker implements SliceTeam.Worker {
        private final List<BlockSlice> slices;
        private final RowSelection rows;
        private final @Nullable DeadRows[] left;
        private int[] numbers = new int[0];

        private Worker(List<BlockSlice> slices, RowSelection rows, @Nullable DeadRows[] left) {
            this.slices = slices;
            this.rows = rows;
            this.left = left;
        }

        @Override
        public void work(int index) {
            BlockSlice slice = slices.get(index);
            EncodedBlock block = slice.block();
            int most = slice.to() - slice.from();
            if (numbers.length < most) {
                numbers = new int[most];
            }
            int meant = 0;
            if (rows.mayMean(block)) {
                int count = slice.dead().live(slice.from(), slice.to(), numbers);
                meant = rows.select(block, numbers, count);
            }
            left[index] = others(slice, meant);
        }

        /** Returns all rows of a slice except the first {@code meant} of {@link #numbers}. */
        private DeadRows others(BlockSlice slice, int meant) {
            var others = new int[slice.to() - slice.from() - meant];
            int next = 0;
            int count = 0;
            for (int row = slice.from(); row < slice.to(); row++) {
                if (next < meant && numbers[next] == row) {
                    next++;
                } else {
                    others[count++] = row;
                }
            }
            return DeadRows.of(others);
        }
    }
}
