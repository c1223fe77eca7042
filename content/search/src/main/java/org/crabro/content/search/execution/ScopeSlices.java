package org.crabro.content.search.execution;

import java.util.ArrayList;
import java.util.List;
import java.util.stream.IntStream;
import org.crabro.content.search.match.IndexedSearch;
import org.crabro.content.storage.block.key.KeyRange;
import org.crabro.content.storage.dead.DeadRows;
import org.crabro.content.storage.file.BlockProjection;
import org.crabro.content.storage.file.ReadContext;
import org.crabro.content.storage.read.BlockSlice;
import org.crabro.content.storage.read.View;
import org.crabro.protocol.search.Scope;
import org.jspecify.annotations.Nullable;

/**
 * The slices of blocks in the scope of a search, and how threads share them. Immutable.
 *
 * <p>All phases of a search name a row by the index of its slice in {@link #list()} and by its row
 * number in the block.
 */
final class ScopeSlices {
    /**
     * Up to this size, the parts of blocks that hits are made of are read with the scanned parts.
     */
    private static final long SHOWN_BYTES = 32 << 10;

    private final List<BlockSlice> list;
    private final int[] portions;
    private final int threads;
    private final BlockProjection read;
    private final Absent absent;

    /**
     * The rows in scope that are in no slice.
     *
     * @param unreadable rows of blocks that cannot be read
     * @param undecided rows that time was too short to select
     * @param leftOut rows of blocks that an index has decided
     * @param matching how many of those match
     * @param limited rows in slices or not, whose values are not good enough for a limit
     */
    private record Absent(
            long unreadable, long undecided, long leftOut, long matching, long limited) {
        Absent withUndecided(long rows) {
            return new Absent(unreadable, rows, leftOut, matching, limited);
        }

        Absent withLeftOut(long rows, long ofThemMatching) {
            return new Absent(unreadable, undecided, rows, ofThemMatching, limited);
        }

        long count() {
            return unreadable + undecided + leftOut;
        }
    }

    private ScopeSlices(
            List<BlockSlice> list,
            int[] portions,
            int threads,
            BlockProjection read,
            Absent absent) {
        this.list = list;
        this.portions = portions;
        this.threads = threads;
        this.read = read;
        this.absent = absent;
    }

    /**
     * Finds the blocks in scope and divides them into slices.
     *
     * @param views one per partition
     * @param indexes finds rows of the query in indexes
     * @param reads receives the blocks that cannot be opened
     * @param share the most threads that may work for the search
     * @param countsMax the most word counts that a thread holds at a time
     */
    static ScopeSlices locate(
            SearchPlan plan,
            List<View> views,
            IndexedSearch indexes,
            ReadContext reads,
            int share,
            int countsMax) {
        var ranges = new ArrayList<KeyRange>();
        addRanges(plan.request().scope().documents(), ranges);
        var slices = new ArrayList<BlockSlice>();
        String type = plan.schema().name();
        for (View view : views) {
            for (KeyRange range : ranges) {
                // One group is read as it is: its blocks are known without an index.
                slices.addAll(
                        range instanceof KeyRange.Everything
                                ? view.slices(type, range, indexes, reads)
                                : view.slices(type, range, reads));
            }
        }
        indexes.finish(slices);
        long unreadable = 0;
        for (ReadContext.SetAside each : reads.setAside()) {
            unreadable += each.rows();
        }
        if (!plan.request().header().principal().hasEveryGroup()) {
            // How many of these rows are in scope is not known; others are of other groups.
            unreadable = Math.min(1, unreadable);
        }
        long leftOut = indexes.leftOut();
        long matching = 0;
        if (plan.ranking().isEmpty()) {
            for (IndexedSearch.TakenSection each : indexes.taken()) {
                leftOut += each.live().count();
                matching += each.rows().count(each.live());
            }
        }
        return divided(
                plan,
                slices,
                share,
                countsMax,
                new Absent(unreadable, 0, leftOut, matching, indexes.leftOutByLimit()));
    }

    /**
     * Returns these slices, and slices of the rows that are left of sections, which are among the
     * best by the scores of indexes.
     *
     * @param sections scored; those that no slice of this has
     */
    ScopeSlices with(SearchPlan plan, List<ScoredSection> sections, int share, int countsMax) {
        var slices = new ArrayList<BlockSlice>();
        long leftOut = absent.leftOut();
        long matching = absent.matching();
        for (ScoredSection section : sections) {
            leftOut += section.liveCount();
            matching += section.matching() - section.addSlices(slices);
        }
        for (BlockSlice slice : slices) {
            leftOut -= slice.liveCount();
        }
        slices.addAll(list);
        return divided(plan, slices, share, countsMax, absent.withLeftOut(leftOut, matching));
    }

    /** Divides slices among threads. */
    private static ScopeSlices divided(
            SearchPlan plan, List<BlockSlice> located, int share, int countsMax, Absent absent) {
        long[] sizes = Portions.sizes(located, plan.scanned());
        BlockProjection read = read(plan, located);
        int threads = Portions.threads(sizes, share);
        int rows =
                Math.min(
                        Math.max(1, countsMax / (1 + plan.matcher().patternCount())),
                        plan.sliceRows());
        var slices = new ArrayList<BlockSlice>();
        for (BlockSlice slice : Portions.cut(located, sizes, threads)) {
            cut(slice, rows, slices);
        }
        boolean isUncut = slices.size() == located.size();
        int[] portions =
                Portions.of(isUncut ? sizes : Portions.sizes(slices, plan.scanned()), threads);
        return new ScopeSlices(slices, portions, threads, read, absent);
    }

    private static void addRanges(Scope scope, List<KeyRange> into) {
        switch (scope) {
            case Scope.Group(String name) -> into.add(new KeyRange.Group(name));
            case Scope.Numbered(long value) -> into.add(new KeyRange.Numbered(value));
            case Scope.Several(List<Scope> parts) -> parts.forEach(part -> addRanges(part, into));
            case Scope.Everything() -> into.add(new KeyRange.Everything());
            case Scope.Selected selected -> addRanges(selected.within(), into);
        }
    }

    /** Reading the parts of hits with the scanned parts saves a second wait for the disk. */
    private static BlockProjection read(SearchPlan plan, List<BlockSlice> slices) {
        if (plan.ranking().isEmpty()) {
            return plan.scanned();
        }
        BlockProjection shown = plan.shown();
        return Portions.areWithin(SHOWN_BYTES, slices, shown)
                ? plan.scanned().and(shown)
                : plan.scanned();
    }

    /**
     * Adds a slice, in parts if the word counts or the imported values of all its rows would take
     * too much memory.
     *
     * @param rows the most rows of a part
     */
    private static void cut(BlockSlice slice, int rows, List<BlockSlice> into) {
        if (slice.to() - slice.from() <= rows) {
            into.add(slice);
            return;
        }
        for (int from = slice.from(); from < slice.to(); from += rows) {
            int to = Math.min(slice.to(), from + rows);
            into.add(slice.part(from, to));
        }
    }

    /**
     * Returns these slices without the rows that a selection excludes.
     *
     * @param excluded the excluded rows by slice; null for a slice that was not decided
     * @param isComplete whether a slice without excluded rows is included as it is; otherwise none
     *     of its rows is
     */
    ScopeSlices without(@Nullable DeadRows[] excluded, boolean isComplete) {
        var slices = new ArrayList<>(list);
        long rows = absent.undecided();
        for (int i = 0; i < excluded.length; i++) {
            BlockSlice slice = slices.get(i);
            DeadRows out = excluded[i];
            if (out == null && !isComplete) {
                rows += slice.liveCount();
                out = DeadRows.of(IntStream.range(slice.from(), slice.to()).toArray());
            }
            if (out != null) {
                slices.set(i, slice.without(out));
            }
        }
        return new ScopeSlices(slices, portions, threads, read, absent.withUndecided(rows));
    }

    List<BlockSlice> list() {
        return list;
    }

    /** Returns the number of slices. */
    int count() {
        return list.size();
    }

    /** Returns whether a slice is the first of its block. */
    @SuppressWarnings("ReferenceEquality") // Parts of one block hold the same object.
    boolean isBlockStart(int slice) {
        return slice == 0 || list.get(slice - 1).block() != list.get(slice).block();
    }

    /** Returns the portions that a thread takes at a time, as {@link SliceTeam} defines them. */
    int[] portions() {
        return portions;
    }

    /** Returns how many threads the work is divided among. */
    int threads() {
        return threads;
    }

    /** Returns the parts of blocks that are read into memory for matching. */
    BlockProjection read() {
        return read;
    }

    /** Returns the number of live rows in all slices. */
    long liveCount() {
        long count = 0;
        for (BlockSlice slice : list) {
            count += slice.liveCount();
        }
        return count;
    }

    /** Returns whether indexes have scored the rows of all slices. */
    boolean areScored() {
        return list.stream().allMatch(BlockSlice::isScored);
    }

    /** Returns the number of live rows in slices whose words no index has counted. */
    long uncounted() {
        long count = 0;
        for (BlockSlice slice : list) {
            count += slice.isCounted() ? 0 : slice.liveCount();
        }
        return count;
    }

    /** Returns the number of live rows in no slice, because an index has decided them. */
    long leftOut() {
        return absent.leftOut();
    }

    /** Returns how many of {@link #leftOut()} match. */
    long matchingLeftOut() {
        return absent.matching();
    }

    /** Returns the number of live rows that no match may be among, because of a limit. */
    long limited() {
        return absent.limited();
    }

    /** Returns the number of rows in scope, with those in no slice. */
    long rowCount() {
        return absent.count() + liveCount();
    }

    /** Returns whether time was too short to decide whether the scope includes some rows. */
    boolean hasUndecided() {
        return absent.undecided() > 0;
    }
}
