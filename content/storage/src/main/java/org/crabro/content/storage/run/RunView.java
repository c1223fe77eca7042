package org.crabro.content.storage.run;

import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.function.IntUnaryOperator;
import org.crabro.content.storage.block.BlockWriter;
import org.crabro.content.storage.block.EncodedBlock;
import org.crabro.content.storage.block.ValueBudget;
import org.crabro.content.storage.block.key.KeyBounds;
import org.crabro.content.storage.block.key.KeyRange;
import org.crabro.content.storage.block.key.RowKey;
import org.crabro.content.storage.block.key.RowRange;
import org.crabro.content.storage.dead.DeadRows;
import org.crabro.content.storage.dead.RemovedGroups;
import org.crabro.content.storage.dead.ReplacedRows;
import org.crabro.content.storage.file.CorruptRunException;
import org.crabro.content.storage.file.ReadContext;
import org.crabro.content.storage.graph.IncludedRows;
import org.crabro.content.storage.graph.SectionGraphs;
import org.crabro.content.storage.index.BlockRows;
import org.crabro.content.storage.index.LiveRows;
import org.crabro.content.storage.index.MatchingRows;
import org.crabro.content.storage.index.SectionIndex;
import org.crabro.content.storage.journal.Damage;
import org.crabro.content.storage.read.BlockSlice;
import org.crabro.content.storage.read.CursorSelection;
import org.crabro.content.storage.read.IndexedSection;
import org.crabro.content.storage.read.LiveRow;
import org.crabro.content.storage.read.RowFinder;
import org.crabro.content.storage.read.RowReads;
import org.crabro.document.DocumentId;
import org.crabro.document.DocumentType;
import org.crabro.protocol.encoding.Row;
import org.jspecify.annotations.Nullable;

/**
 * A snapshot of the runs of a partition for one reader. The caller combines it with rows that are
 * newer than all runs: see {@link #replacedBy}.
 *
 * {@snippet :
 * try (RunView view = log.acquire()) {
 *     ReplacedRows replaced = view.replacedBy(recentBlock, reads);
 *     for (BlockSlice slice : view.slices("mail", range, replaced)) {
 *         scan(slice);
 *     }
 * }
 * }
 */
public final class RunView implements OrderedView {
    private final PublishedRuns published;
    private final AtomicBoolean isClosed = new AtomicBoolean();

    /**
     * @param published its reference is passed to this view
     */
    public RunView(PublishedRuns published) {
        this.published = published;
    }

    @Override
    public List<BlockSlice> slices(String documentType, KeyRange range) {
        return slices(documentType, range, ReplacedRows.NONE);
    }

    @Override
    public List<BlockSlice> slices(String documentType, KeyRange range, ReadContext reads) {
        return slices(documentType, range, HiddenRows.NONE, Optional.empty(), reads);
    }

    /**
     * Returns the slices in {@code range}, without slices whose rows are all dead.
     *
     * @param replaced rows that are dead in addition to those that newer runs replace
     * @throws CorruptRunException if keys or the header of a block are damaged
     */
    public List<BlockSlice> slices(String documentType, KeyRange range, ReplacedRows replaced) {
        var reads = new ReadContext();
        List<BlockSlice> slices =
                slices(
                        documentType,
                        range,
                        new HiddenRows(replaced, RemovedGroups.NONE),
                        Optional.empty(),
                        reads);
        if (!reads.setAside().isEmpty()) {
            throw reads.setAside().getFirst().reason();
        }
        return slices;
    }

    /**
     * Returns the slices in {@code range}, without slices whose rows are all dead and without
     * unreadable blocks.
     *
     * @param hidden rows that are dead in addition to those that newer runs replace or remove
     * @param finder finds the rows of a query in indexes; empty if all rows are searched
     * @param reads counts all rows of the omitted blocks, since their number in the range is not
     *     known. If the index of a run cannot be read, it counts every row of the run
     */
    public List<BlockSlice> slices(
            String documentType,
            KeyRange range,
            HiddenRows hidden,
            Optional<RowFinder> finder,
            ReadContext reads) {
        checkOpen();
        RemovedGroups removed = hidden.removed();
        KeyBounds bounds = KeyBounds.of(range);
        var slices = new ArrayList<BlockSlice>();
        if (!bounds.isEverything() && removed.has(bounds)) {
            return slices;
        }
        RemovedGroups inside = bounds.isEverything() ? removed : RemovedGroups.NONE;
        var selection =
                new SliceSelection(
                        bounds, new HiddenRows(hidden.replaced(), inside), finder, reads);
        for (RunPart part : published.parts()) {
            if (!bounds.overlaps(part.places().first(), part.places().last())) {
                continue;
            }
            part.run()
                    .lost()
                    .rows()
                    .ifPresent(reason ->
                            reads.setAside(
                                    new CorruptRunException(reason), part.entry().rowCount()));
            List<RunSection> sections = part.run().sections();
            for (int i = 0; i < sections.size(); i++) {
                if (sections.get(i).type().name().equals(documentType)) {
                    selection.addSlices(part, i, slices);
                }
            }
        }
        return slices;
    }

    /**
     * The rows of runs that a scan reads.
     *
     * @param bounds only rows within
     * @param hidden without these rows
     * @param finder finds the rows of a query in indexes
     * @param reads receives the blocks that cannot be read
     */
    private record SliceSelection(
            KeyBounds bounds, HiddenRows hidden, Optional<RowFinder> finder, ReadContext reads) {
        void addSlices(RunPart part, int sectionIndex, List<BlockSlice> slices) {
            RunSection rowsOf = part.run().sections().get(sectionIndex);
            if (finder.isEmpty() || (rowsOf.index().isEmpty() && rowsOf.graphs().isEmpty())) {
                addSlices(part, sectionIndex, null, slices);
                return;
            }
            var section = new Section(this, part, sectionIndex, live(part, sectionIndex));
            section.addSlices(finder.orElseThrow().find(section), slices);
        }

        /**
         * @param live the live rows of the section, if blocks without rows of the answer may be
         *     left out
         */
        void addSlices(
                RowFinder.Answer answer,
                RunPart part,
                int sectionIndex,
                Optional<LiveRows> live,
                List<BlockSlice> slices) {
            switch (answer) {
                case RowFinder.Answer.Every() -> addSlices(part, sectionIndex, null, slices);
                case RowFinder.Answer.Found(var rows, boolean leavesOut) ->
                        addSlices(
                                part,
                                sectionIndex,
                                new Candidates(
                                        part.run().sections().get(sectionIndex),
                                        rows,
                                        leavesOut ? live : Optional.empty()),
                                slices);
                case RowFinder.Answer.Taken() -> {
                    // The finder asks for the slices.
                }
            }
        }

        private int firstBlock(RunPart part, int sectionIndex) {
            RunSection section = part.run().sections().get(sectionIndex);
            return Math.max(section.from(bounds), part.firstBlock(sectionIndex));
        }

        private int endBlock(RunPart part, int sectionIndex) {
            RunSection section = part.run().sections().get(sectionIndex);
            return Math.min(section.to(bounds), part.endBlock(sectionIndex));
        }

        private void addSlices(
                RunPart part,
                int sectionIndex,
                @Nullable Candidates candidates,
                List<BlockSlice> slices) {
            RunSection section = part.run().sections().get(sectionIndex);
            long number = part.run().number();
            int end = endBlock(part, sectionIndex);
            ReplacedRows replaced = hidden.replaced();
            RemovedGroups removed = hidden.removed();
            IntUnaryOperator needed = block -> next(part, sectionIndex, candidates, block, end);
            int begin = firstBlock(part, sectionIndex);
            var blocks = new BlockReadAhead(section, begin, end, bounds, needed, reads);
            int live = 0;
            for (int i = needed.applyAsInt(begin); i < end; i = needed.applyAsInt(i + 1)) {
                EncodedBlock block;
                DeadRows gone;
                int from = part.firstRow(sectionIndex, i);
                int to = part.endRow(sectionIndex, i);
                DeadRows deadRows = dead(part, sectionIndex, i);
                Optional<BlockRows> matching = Optional.empty();
                if (candidates != null) {
                    matching = Optional.of(candidates.of(i));
                    live += to - from - deadRows.count(from, to);
                }
                try {
                    block = blocks.open(i);
                    if (!section.isInside(i, bounds)) {
                        RowRange rows = block.rowsIn(bounds);
                        from = Math.max(from, rows.from());
                        to = Math.min(to, rows.to());
                    }
                    gone = removed.isEmpty() ? DeadRows.NONE : removed.in(section, i, block);
                } catch (CorruptRunException e) {
                    reads.setAside(e, to - from);
                    continue;
                }
                int blockNumber = section.firstBlock() + i;
                Optional<CorruptRunException> unknown =
                        part.unknown(blockNumber).or(() -> replaced.unknown(number, blockNumber));
                if (unknown.isPresent()) {
                    reads.setAside(unknown.get(), to - from);
                    continue;
                }
                DeadRows dead = deadRows.and(gone);
                if (from < to && to - from > dead.count(from, to)) {
                    slices.add(new BlockSlice(block.only(from, to), from, to, dead, matching));
                }
            }
            if (candidates != null && candidates.live.isPresent()) {
                finder.orElseThrow().skip(candidates.live.get().count() - live);
            }
        }

        /** Returns the first block from a block on that a scan opens, or {@code end}. */
        private static int next(
                RunPart part,
                int sectionIndex,
                @Nullable Candidates candidates,
                int from,
                int end) {
            int next = from;
            while (next < end) {
                next = candidates == null ? next : candidates.next(next);
                // Blocks of a removed group are not read.
                if (next >= end || !part.isDead(sectionIndex, next)) {
                    return next;
                }
                next++;
            }
            return end;
        }

        /** Returns the dead rows of a block, without those of removed groups. */
        private DeadRows dead(RunPart part, int sectionIndex, int block) {
            int number = part.run().sections().get(sectionIndex).firstBlock() + block;
            DeadRows dead = part.dead(number);
            return hidden.replaced().isEmpty()
                    ? dead
                    : dead.and(hidden.replaced().rows(part.run().number(), number));
        }

        /**
         * Returns the live rows of a section; empty if they are unknown, as groups are removed or
         * rows of other runs could not be read.
         */
        private Optional<LiveRows> live(RunPart part, int sectionIndex) {
            // Without the groups of the rows, it is unknown which of them are removed.
            if (!hidden.removed().isEmpty() || !bounds.isEverything()) {
                return Optional.empty();
            }
            return new SectionRowsInView(part, sectionIndex, hidden).live();
        }
    }

    /**
     * The rows of a section that may match.
     *
     * @param live all live rows of the section, if blocks without such rows are left out
     */
    private record Candidates(RunSection section, MatchingRows rows, Optional<LiveRows> live) {
        BlockRows of(int block) {
            return new BlockRows(rows, section.firstRow(block));
        }

        /** Returns the first block from a block on that is not left out, or the end. */
        int next(int block) {
            if (live.isEmpty() || block >= section.blockCount()) {
                return block;
            }
            int row = rows.next(section.firstRow(block));
            return row < section.rowTotal() ? section.blockOf(row) : section.blockCount();
        }
    }

    /** A section with an index or graphs, as a search sees it. */
    private record Section(
            SliceSelection selection, RunPart part, int sectionIndex, Optional<LiveRows> live)
            implements IndexedSection {
        @Override
        public RunSection rows() {
            return part.run().sections().get(sectionIndex);
        }

        @Override
        public Optional<SectionIndex> index() {
            return rows().index();
        }

        @Override
        public SectionGraphs graphs() {
            return rows().graphs();
        }

        @Override
        public int rowCount() {
            return rows().rowTotal();
        }

        @Override
        public DocumentType type() {
            return rows().type();
        }

        @Override
        public IncludedRows included() {
            return live.<IncludedRows>map(IncludedLiveRows::new)
                    .orElseGet(() -> new SectionRowsInView(part, sectionIndex, selection.hidden));
        }

        @Override
        public void addSlices(RowFinder.Answer answer, List<BlockSlice> into) {
            selection.addSlices(answer, part, sectionIndex, live, into);
        }
    }

    /** The rows of a section whose live rows are known. */
    private record IncludedLiveRows(LiveRows live) implements IncludedRows {
        @Override
        public boolean areAll() {
            return live.isEvery();
        }

        @Override
        public boolean has(int row) {
            return live.has(row);
        }
    }

    @Override
    public List<RowCursor> cursors(CursorSelection wanted, Optional<RowKey> after, RowReads reads) {
        return cursors(wanted, after, RemovedGroups.NONE, reads);
    }

    /**
     * Returns cursors over the rows of a type, without removed groups.
     *
     * @param removed groups that are removed in addition to those that newer runs remove
     * @throws CorruptRunException if the area may have rows of a run whose index cannot be read
     */
    public List<RowCursor> cursors(
            CursorSelection wanted, Optional<RowKey> after, RemovedGroups removed, RowReads reads) {
        checkOpen();
        var cursors = new ArrayList<RowCursor>();
        for (RunPart part : published.parts()) {
            if (!wanted.area().overlaps(part.places().first(), part.places().last())) {
                continue;
            }
            part.run().checkRows();
            List<RunSection> sections = part.run().sections();
            for (int i = 0; i < sections.size(); i++) {
                if (sections.get(i).type().name().equals(wanted.documentType())) {
                    var cursor = new RunCursor(part, i, wanted, after, removed, reads);
                    if (!cursor.isAtEnd()) {
                        cursors.add(cursor);
                    }
                }
            }
        }
        return cursors;
    }

    /**
     * Returns the rows of runs that the rows of a newer block replace, for {@link #slices(String,
     * KeyRange, ReplacedRows)}. Dead rows of the block replace rows too, as tombstones must. The
     * result is the same in all views with the same {@link #version()}.
     *
     * <p>If the keys of a block are needed and cannot be read, the block is omitted from these
     * slices: any of its rows may be replaced.
     *
     * @param younger a block that {@link BlockWriter} wrote
     * @param reads counts the bytes read from the device
     */
    public ReplacedRows replacedBy(EncodedBlock younger, ReadContext reads) {
        checkOpen();
        var replaced = new ReplacedRowFinder(published.parts(), reads);
        replaced.add(younger, 0, younger.rowCount());
        return replaced.finish();
    }

    /** Returns a number that two views have in common if they show the same runs. */
    public long version() {
        return published.version();
    }

    /** Returns the newest version of a document, which may be a tombstone. */
    public Optional<Row> newest(DocumentId id) {
        return newest(RowKey.of(id), new ReadContext(), ValueBudget.UNLIMITED);
    }

    /**
     * Returns the newest version of the document with {@code key}, which may be a tombstone, also
     * one of its group.
     *
     * @param reads counts the bytes read from the device
     * @param room reserves memory before the values are decoded
     * @throws CorruptRunException if a run that may have the newest version cannot be read
     */
    public Optional<Row> newest(RowKey key, ReadContext reads, ValueBudget room) {
        return newest(key, reads)
                .flatMap(match ->
                        match.isRemoved()
                                ? removed(key, match.row().block().fingerprint(), match.younger())
                                : Optional.of(match.row().row(room)));
    }

    @Override
    public Optional<LiveRow> find(RowKey key, ReadContext reads) {
        return newest(key, reads)
                .filter(match -> !match.isRemoved())
                .map(Newest::row)
                .filter(row -> !row.block().isTombstone(row.index()))
                .map(row -> new LiveRow(row.block(), row.index()));
    }

    /**
     * The newest version of a document in the runs.
     *
     * @param isRemoved whether its group was removed since
     * @param younger the runs that are newer than that of the row
     */
    private record Newest(Run.StoredRow row, boolean isRemoved, List<RunPart> younger) {}

    private Optional<Newest> newest(RowKey key, ReadContext reads) {
        checkOpen();
        List<RunPart> parts = published.parts();
        for (int i = 0; i < parts.size(); i++) {
            RunPart part = parts.get(i);
            Optional<Run.StoredRow> match = part.find(key, reads);
            if (match.isPresent()) {
                Run.StoredRow row = match.get();
                List<RunPart> younger = parts.subList(0, i);
                if (part.isReplaced(row) || part.isUnknown(row)) {
                    checkGroups(key, younger);
                }
                // No newer run has the document, so its group was removed.
                boolean isRemoved =
                        part.isReplaced(row)
                                || (part.isUnknown(row) && isRemoved(key, row, younger));
                return Optional.of(new Newest(row, isRemoved, younger));
            }
        }
        return Optional.empty();
    }

    /** Throws if the groups that a newer run removes are unknown. */
    private static void checkGroups(RowKey key, List<RunPart> younger) {
        for (RunPart part : younger) {
            Optional<Damage> lost = part.run().lost().groups();
            if (lost.isPresent() && part.places().contains(key.place())) {
                throw new CorruptRunException(lost.get());
            }
        }
    }

    /** If a group was removed and its rows could not be searched, the timestamps decide. */
    private static boolean isRemoved(RowKey key, Run.StoredRow row, List<RunPart> younger) {
        return removal(key, younger)
                .filter(removal -> removal >= row.block().timestamp(row.index()))
                .isPresent();
    }

    private static Optional<Row> removed(RowKey key, long fingerprint, List<RunPart> younger) {
        return removal(key, younger)
                .map(removal -> new Row(key.id(), removal, fingerprint, true, Map.of()));
    }

    /** Returns the time of the last removal of a document's group. */
    private static Optional<Long> removal(RowKey key, List<RunPart> younger) {
        return younger.stream()
                .map(part -> part.groupRemoval(key))
                .filter(OptionalLong::isPresent)
                .findFirst()
                .map(OptionalLong::getAsLong);
    }

    /** Returns the number of documents: rows that are neither replaced nor tombstones. */
    public long documentCount() {
        return published.liveRowCount();
    }

    /**
     * Returns the number of stored tombstones of documents and groups, also of documents that were
     * written again since.
     */
    public long tombstoneCount() {
        return published.parts().stream()
                .map(RunPart::run)
                .mapToLong(run -> run.tombstoneCount() + run.groupTombstones().count())
                .sum();
    }

    /**
     * Returns the number of stored rows that newer rows replace, or that were removed with their
     * group.
     */
    public long replacedRowCount() {
        return published.parts().stream().mapToLong(RunPart::replacedRowCount).sum();
    }

    /** Returns the total size of the files in bytes. */
    public long byteCount() {
        return published.parts().stream().mapToLong(part -> part.run().byteCount()).sum();
    }

    /** Returns the number of runs. */
    public int runCount() {
        return published.parts().size();
    }

    /** Releases the runs. A second call does nothing. */
    @Override
    public void close() {
        if (!isClosed.getAndSet(true)) {
            published.release();
        }
    }

    private void checkOpen() {
        if (isClosed.get()) {
            throw new IllegalStateException("the view is closed");
        }
    }
}
