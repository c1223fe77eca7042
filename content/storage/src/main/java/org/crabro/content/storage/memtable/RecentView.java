package org.crabro.content.storage.memtable;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Stream;
import org.crabro.content.storage.block.EncodedBlock;
import org.crabro.content.storage.block.key.KeyArea;
import org.crabro.content.storage.block.key.KeyBounds;
import org.crabro.content.storage.block.key.KeyRange;
import org.crabro.content.storage.block.key.RowKey;
import org.crabro.content.storage.dead.RecentRemovedGroups;
import org.crabro.content.storage.dead.RemovedGroups;
import org.crabro.content.storage.dead.ReplacedRows;
import org.crabro.content.storage.file.ReadContext;
import org.crabro.content.storage.read.BlockSlice;
import org.crabro.content.storage.read.CursorSelection;
import org.crabro.content.storage.read.LiveRow;
import org.crabro.content.storage.read.RowFinder;
import org.crabro.content.storage.read.RowReads;
import org.crabro.content.storage.run.HiddenRows;
import org.crabro.content.storage.run.OrderedView;
import org.crabro.content.storage.run.RowCursor;
import org.crabro.content.storage.run.RunView;
import org.crabro.document.LocationKey;

/**
 * Recent rows merged with runs, for one reader.
 *
 * <p>The moment of a group, or of a type, is fixed when its rows are first read; the view then
 * always shows the same rows. If a document is in several places, the newest version wins: the
 * active table before the frozen one, and that before the runs.
 */
public final class RecentView implements OrderedView {
    private final RecentTable active;
    private final Optional<RecentTable> frozen;
    private final RunView runs;
    private final Runnable whenClosed;

    // Guarded by this.
    private final Map<RecentScope, Recent> recentByScope = new HashMap<>();
    private final List<RecentBlocks.Moment> moments = new ArrayList<>();
    private boolean isClosed;

    /**
     * The recent rows of a scope.
     *
     * @param removed groups that are removed from runs
     */
    private record Recent(List<Layer> layers, RemovedGroups removed) {
        /** Returns all rows of the blocks; tombstones are marked dead. */
        List<BlockSlice> slices() {
            var slices = new ArrayList<BlockSlice>();
            layers.forEach(layer -> layer.addSlices(slices));
            return slices;
        }

        /** Returns the rows of runs that rows of the blocks replace. */
        ReplacedRows replacedIn(RunView runs, ReadContext reads) {
            return ReplacedRows.union(
                    layers.stream()
                            .flatMap(layer -> layer.moment().blocks().stream())
                            .map(block -> block.replacedIn(runs, reads))
                            .toList());
        }
    }

    /**
     * The rows of a scope in a table at a moment.
     *
     * @param youngerEnd the end of the rows of the newer table, 0 for none
     * @param removed groups that were removed from the table
     * @param removedByYounger groups that the newer table had removed
     */
    private record Layer(
            RecentBlocks.Moment moment,
            int youngerEnd,
            RecentRemovedGroups removed,
            RemovedGroups removedByYounger) {
        void addSlices(List<BlockSlice> slices) {
            for (RecentBlock block : moment.blocks()) {
                slices.add(block.slice(moment.end(), youngerEnd, removed, removedByYounger));
            }
        }

        /** Returns the newest block that has a row of the document with {@code key}. */
        Optional<BlockSlice> newest(RowKey key) {
            for (RecentBlock block : moment.blocks().reversed()) {
                if (block.has(key)) {
                    return Optional.of(
                            block.slice(moment.end(), youngerEnd, removed, removedByYounger));
                }
            }
            return Optional.empty();
        }

        /** Returns cursors over the rows of the blocks, the last added first. */
        Stream<RowCursor> cursors(KeyArea area, Optional<RowKey> after) {
            return moment.blocks().reversed().stream()
                    .map(block ->
                            block.cursor(
                                    area,
                                    after,
                                    moment.end(),
                                    youngerEnd,
                                    removed,
                                    removedByYounger));
        }
    }

    /**
     * @param active held until this is closed, like {@code frozen}
     * @param runs acquired after the tables; closed with this
     * @param whenClosed releases the tables
     */
    public RecentView(
            RecentTable active, Optional<RecentTable> frozen, RunView runs, Runnable whenClosed) {
        this.active = active;
        this.frozen = frozen;
        this.runs = runs;
        this.whenClosed = whenClosed;
    }

    @Override
    public List<BlockSlice> slices(String documentType, KeyRange range) {
        var reads = new ReadContext();
        List<BlockSlice> slices = slices(documentType, range, reads);
        if (!reads.setAside().isEmpty()) {
            throw reads.setAside().getFirst().reason();
        }
        return slices;
    }

    @Override
    public List<BlockSlice> slices(String documentType, KeyRange range, ReadContext reads) {
        return slices(documentType, range, Optional.empty(), reads);
    }

    @Override
    public List<BlockSlice> slices(
            String documentType, KeyRange range, RowFinder finder, ReadContext reads) {
        return slices(documentType, range, Optional.of(finder), reads);
    }

    private synchronized List<BlockSlice> slices(
            String documentType, KeyRange range, Optional<RowFinder> finder, ReadContext reads) {
        if (isClosed) {
            throw new IllegalStateException("the view is closed");
        }
        Recent recent = recent(documentType, range);
        List<BlockSlice> slices = recent.slices();
        // If the group is removed from runs, their rows need not be marked as replaced.
        boolean replaces =
                !slices.isEmpty()
                        && (range instanceof KeyRange.Everything || recent.removed().isEmpty());
        ReplacedRows replaced = replaces ? recent.replacedIn(runs, reads) : ReplacedRows.NONE;
        List<BlockSlice> all = new ArrayList<>();
        for (BlockSlice slice : slices) {
            if (slice.liveCount() > 0) {
                all.add(slice);
            }
        }
        all.addAll(
                runs.slices(
                        documentType,
                        range,
                        new HiddenRows(replaced, recent.removed()),
                        finder,
                        reads));
        return all;
    }

    @Override
    public synchronized List<RowCursor> cursors(
            CursorSelection wanted, Optional<RowKey> after, RowReads reads) {
        Recent recent = recent(wanted.documentType(), range(wanted.area()));
        List<RowCursor> cursors = new ArrayList<>();
        for (Layer layer : recent.layers()) {
            layer.cursors(wanted.area(), after)
                    .filter(cursor -> !cursor.isAtEnd())
                    .forEach(cursors::add);
        }
        cursors.addAll(runs.cursors(wanted, after, recent.removed(), reads));
        return cursors;
    }

    @Override
    public synchronized Optional<LiveRow> find(RowKey key, ReadContext reads) {
        Recent recent = recent(key.id().documentType(), new KeyRange.Everything());
        for (Layer layer : recent.layers()) {
            Optional<BlockSlice> newest = layer.newest(key);
            if (newest.isPresent()) {
                EncodedBlock block = newest.get().block();
                int row = block.find(key);
                // A dead row is a tombstone, or its group was removed.
                return newest.get().dead().has(row)
                        ? Optional.empty()
                        : Optional.of(new LiveRow(block, row));
            }
        }
        return isRemoved(key.id().key(), recent.removed())
                ? Optional.empty()
                : runs.find(key, reads);
    }

    private static boolean isRemoved(LocationKey key, RemovedGroups removed) {
        return !removed.isEmpty()
                && switch (key) {
                    case LocationKey.Group(var name) ->
                            removed.has(KeyBounds.of(new KeyRange.Group(name)));
                    case LocationKey.Numbered(var value) ->
                            removed.has(KeyBounds.of(new KeyRange.Numbered(value)));
                    case LocationKey.Plain() -> false;
                };
    }

    private static KeyRange range(KeyArea area) {
        return area.group()
                .map(key -> RecentScope.of("", key).range())
                .orElseGet(KeyRange.Everything::new);
    }

    private Recent recent(String documentType, KeyRange range) {
        if (isClosed) {
            throw new IllegalStateException("the view is closed");
        }
        return recentByScope.computeIfAbsent(new RecentScope(documentType, range), this::recent);
    }

    private Recent recent(RecentScope scope) {
        List<Layer> layers = new ArrayList<>();
        Set<KeyBounds> removed = new HashSet<>();
        int activeEnd = 0;
        RemovedGroups removedByActive = RemovedGroups.NONE;
        Optional<RecentBlocks.Moment> young = active.moment(scope);
        if (young.isPresent()) {
            activeEnd = young.get().end();
            layers.add(layer(active, scope, young.get(), 0, RemovedGroups.NONE, removed));
            removedByActive = RemovedGroups.of(removed);
        }
        // Rows that a group had before its removal are not read.
        if (young.isEmpty() || !young.get().isRemoved()) {
            Optional<RecentBlocks.Moment> old = frozen.flatMap(table -> table.moment(scope));
            if (old.isPresent()) {
                layers.add(
                        layer(
                                frozen.orElseThrow(),
                                scope,
                                old.get(),
                                activeEnd,
                                removedByActive,
                                removed));
            }
        }
        return new Recent(layers, RemovedGroups.of(removed));
    }

    /**
     * Returns the rows of a table at a moment.
     *
     * @param removed receives the groups that are removed from older tables and runs
     */
    private Layer layer(
            RecentTable table,
            RecentScope scope,
            RecentBlocks.Moment moment,
            int youngerEnd,
            RemovedGroups removedByYounger,
            Set<KeyBounds> removed) {
        moments.add(moment);
        RecentRemovedGroups ofTable = RecentRemovedGroups.NONE;
        if (scope.range() instanceof KeyRange.Everything) {
            ofTable = table.removals(scope.documentType(), moment.end());
            removed.addAll(ofTable.groups().groups());
        } else if (moment.isRemoved()) {
            removed.add(KeyBounds.of(scope.range()));
        }
        return new Layer(moment, youngerEnd, ofTable, removedByYounger);
    }

    /** Releases tables and runs. A second call does nothing. */
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
