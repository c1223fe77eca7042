package org.crabro.content.recent;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import org.crabro.content.run.BlockSlice;
import org.crabro.content.run.KeyBounds;
import org.crabro.content.run.KeyRange;
import org.crabro.content.run.QueryReads;
import org.crabro.content.run.RemovedGroups;
import org.crabro.content.run.RunView;
import org.crabro.content.run.Supersedes;
import org.crabro.content.run.View;

/**
 * Recent rows in front of runs, for one reader.
 *
 * <p>The moment of a group, or of a type, is the one at which its rows are asked for first; from
 * then on the view shows the same. Of a document that is in several places the younger is alive:
 * the active table before the frozen one, and that before the runs.
 */
final class RecentView implements View {
    private final RecentTable active;
    private final Optional<RecentTable> frozen;
    private final RunView runs;
    private final Runnable whenClosed;

    // Guarded by this.
    private final Map<RecentScope, Recent> recentByScope = new HashMap<>();
    private final List<RecentBlocks.Moment> moments = new ArrayList<>();
    private boolean isClosed;

    /**
     * What is recent of a scope.
     *
     * @param removed groups that are removed from runs
     */
    private record Recent(List<BlockSlice> slices, RemovedGroups removed) {}

    /**
     * @param active held until this is closed, as {@code frozen} is
     * @param runs taken after the tables; closed with this
     * @param whenClosed lets the tables go
     */
    RecentView(
            RecentTable active, Optional<RecentTable> frozen, RunView runs, Runnable whenClosed) {
        this.active = active;
        this.frozen = frozen;
        this.runs = runs;
        this.whenClosed = whenClosed;
    }

    @Override
    public List<BlockSlice> slices(String documentType, KeyRange range) {
        var reads = new QueryReads();
        List<BlockSlice> slices = slices(documentType, range, reads);
        if (!reads.setAside().isEmpty()) {
            throw reads.setAside().getFirst().reason();
        }
        return slices;
    }

    @Override
    public synchronized List<BlockSlice> slices(
            String documentType, KeyRange range, QueryReads reads) {
        if (isClosed) {
            throw new IllegalStateException("the view is closed");
        }
        Recent recent =
                recentByScope.computeIfAbsent(new RecentScope(documentType, range), this::recent);
        // Where the group is removed from runs, none of their rows needs replacing.
        boolean replaces =
                !recent.slices().isEmpty()
                        && (range instanceof KeyRange.Everything || recent.removed().isEmpty());
        Supersedes replaced = replaces ? runs.replacedBy(recent.slices(), reads) : Supersedes.NONE;
        List<BlockSlice> all = new ArrayList<>();
        for (BlockSlice slice : recent.slices()) {
            if (slice.liveCount() > 0) {
                all.add(slice);
            }
        }
        all.addAll(runs.slices(documentType, range, replaced, recent.removed(), reads));
        return all;
    }

    private Recent recent(RecentScope scope) {
        List<BlockSlice> slices = new ArrayList<>();
        Set<KeyBounds> removed = new HashSet<>();
        int activeEnd = 0;
        RemovedGroups removedByActive = RemovedGroups.NONE;
        Optional<RecentBlocks.Moment> young = active.moment(scope);
        if (young.isPresent()) {
            activeEnd = young.get().end();
            add(active, scope, young.get(), 0, RemovedGroups.NONE, slices, removed);
            removedByActive = RemovedGroups.of(removed);
        }
        // What a group had before it was removed need not be looked at.
        if (young.isEmpty() || !young.get().isRemoved()) {
            Optional<RecentBlocks.Moment> old = frozen.flatMap(table -> table.moment(scope));
            if (old.isPresent()) {
                add(
                        frozen.orElseThrow(),
                        scope,
                        old.get(),
                        activeEnd,
                        removedByActive,
                        slices,
                        removed);
            }
        }
        return new Recent(slices, RemovedGroups.of(removed));
    }

    /** Adds what a table shows at a moment, and the groups that are removed from what is older. */
    private void add(
            RecentTable table,
            RecentScope scope,
            RecentBlocks.Moment moment,
            int youngerEnd,
            RemovedGroups removedByYounger,
            List<BlockSlice> slices,
            Set<KeyBounds> removed) {
        moments.add(moment);
        RecentRemovals ofTable = RecentRemovals.NONE;
        if (scope.range() instanceof KeyRange.Everything) {
            ofTable = table.removals(scope.documentType(), moment.end());
            removed.addAll(ofTable.groups().groups());
        } else if (moment.isRemoved()) {
            removed.add(KeyBounds.of(scope.range()));
        }
        for (RecentBlock block : moment.blocks()) {
            slices.add(block.slice(moment.end(), youngerEnd, ofTable, removedByYounger));
        }
    }

    /** Lets tables and runs go. A second call does nothing. */
    @Override
    public synchronized void close() {
        if (!isClosed) {
            isClosed = true;
            moments.forEach(RecentBlocks.Moment::release);
            runs.close();
            whenClosed.run();
        }
    }
}
