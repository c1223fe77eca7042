package org.crabro.content.recent;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.crabro.content.run.BlockSlice;
import org.crabro.content.run.KeyRange;
import org.crabro.content.run.QueryReads;
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
    private final Map<RecentScope, List<BlockSlice>> slicesByScope = new HashMap<>();
    private final List<RecentBlocks.Moment> moments = new ArrayList<>();
    private boolean isClosed;

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
        List<BlockSlice> recent =
                slicesByScope.computeIfAbsent(new RecentScope(documentType, range), this::slices);
        Supersedes replaced = recent.isEmpty() ? Supersedes.NONE : runs.replacedBy(recent);
        List<BlockSlice> all = new ArrayList<>();
        for (BlockSlice slice : recent) {
            if (slice.liveCount() > 0) {
                all.add(slice);
            }
        }
        all.addAll(runs.slices(documentType, range, replaced, reads));
        return all;
    }

    private List<BlockSlice> slices(RecentScope scope) {
        List<BlockSlice> slices = new ArrayList<>();
        int activeEnd = 0;
        Optional<RecentBlocks.Moment> young = active.moment(scope);
        if (young.isPresent()) {
            moments.add(young.get());
            activeEnd = young.get().end();
            for (RecentBlock block : young.get().blocks()) {
                slices.add(block.slice(activeEnd, 0));
            }
        }
        Optional<RecentBlocks.Moment> old = frozen.flatMap(table -> table.moment(scope));
        if (old.isPresent()) {
            moments.add(old.get());
            for (RecentBlock block : old.get().blocks()) {
                slices.add(block.slice(old.get().end(), activeEnd));
            }
        }
        return slices;
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
