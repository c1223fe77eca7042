package org.crabro.content.recent;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import org.crabro.content.run.BlockSlice;
import org.crabro.content.run.KeyRange;
import org.crabro.content.run.RunView;
import org.crabro.content.run.StoredTypes;
import org.crabro.content.run.Supersedes;
import org.crabro.content.run.View;

/**
 * Recent rows in front of runs, for one reader.
 *
 * <p>A group's moment is the one at which its rows are asked for first; from then on the view shows
 * the same. Of a document that is in several places the younger is alive: the active table before
 * the frozen one, and that before the runs.
 */
final class RecentView implements View {
    private final RecentTable active;
    private final Optional<RecentTable> frozen;
    private final RunView runs;
    private final StoredTypes types;
    private final Runnable whenClosed;

    // Guarded by this.
    private final Map<GroupName, List<BlockSlice>> slicesByGroup = new HashMap<>();
    private final List<RecentGroup.Moment> moments = new ArrayList<>();
    private boolean isClosed;

    /**
     * @param active held until this is closed, as {@code frozen} is
     * @param runs taken after the tables; closed with this
     * @param whenClosed lets the tables go
     */
    RecentView(
            RecentTable active,
            Optional<RecentTable> frozen,
            RunView runs,
            StoredTypes types,
            Runnable whenClosed) {
        this.active = active;
        this.frozen = frozen;
        this.runs = runs;
        this.types = types;
        this.whenClosed = whenClosed;
    }

    @Override
    public synchronized List<BlockSlice> slices(String documentType, KeyRange range) {
        if (isClosed) {
            throw new IllegalStateException("the view is closed");
        }
        List<BlockSlice> recent = new ArrayList<>();
        for (GroupName name : groups(documentType, range)) {
            recent.addAll(slicesByGroup.computeIfAbsent(name, this::slices));
        }
        Supersedes replaced = recent.isEmpty() ? Supersedes.NONE : runs.replacedBy(recent);
        List<BlockSlice> all = new ArrayList<>();
        for (BlockSlice slice : recent) {
            if (slice.liveCount() > 0) {
                all.add(slice);
            }
        }
        all.addAll(runs.slices(documentType, range, replaced));
        return all;
    }

    private Set<GroupName> groups(String documentType, KeyRange range) {
        Set<GroupName> names = new LinkedHashSet<>(active.groups(documentType, range));
        frozen.ifPresent(table -> names.addAll(table.groups(documentType, range)));
        return names;
    }

    private List<BlockSlice> slices(GroupName name) {
        List<BlockSlice> slices = new ArrayList<>();
        int activeCount = 0;
        Optional<RecentGroup.Moment> young = active.moment(name, types);
        if (young.isPresent()) {
            moments.add(young.get());
            activeCount = young.get().count();
            for (RecentBlock block : young.get().blocks()) {
                slices.add(block.slice(activeCount, 0));
            }
        }
        Optional<RecentGroup.Moment> old = frozen.flatMap(table -> table.moment(name, types));
        if (old.isPresent()) {
            moments.add(old.get());
            for (RecentBlock block : old.get().blocks()) {
                slices.add(block.slice(old.get().count(), activeCount));
            }
        }
        return slices;
    }

    /** Lets tables and runs go. A second call does nothing. */
    @Override
    public synchronized void close() {
        if (!isClosed) {
            isClosed = true;
            moments.forEach(RecentGroup.Moment::release);
            runs.close();
            whenClosed.run();
        }
    }
}
