package org.crabro.content.storage.run;

import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.function.IntUnaryOperator;
import org.crabro.content.storage.block.EncodedBlock;
import org.crabro.content.storage.block.key.KeyBounds;
import org.crabro.content.storage.block.key.KeyColumn;
import org.crabro.content.storage.block.key.RowKey;
import org.crabro.content.storage.block.key.RowRange;
import org.crabro.content.storage.dead.DeadRows;
import org.crabro.content.storage.dead.RemovedGroups;
import org.crabro.content.storage.file.CorruptRunException;
import org.crabro.content.storage.read.BlockSlice;
import org.crabro.content.storage.read.CursorSelection;
import org.crabro.content.storage.read.RowReads;
import org.crabro.content.storage.read.SliceReads;
import org.crabro.document.DocumentId;
import org.jspecify.annotations.Nullable;

/**
 * A cursor over the valid rows of a section of a run. The index determines the start and excludes
 * blocks without documents of the area. The cursor reads the headers of several other blocks
 * together. If a header shows that rows may be wanted, it requests the selected parts of the block.
 */
final class RunCursor extends RowCursor {
    /** The most blocks whose headers are read together. */
    private static final int BLOCKS_AHEAD = 64;

    private final RunPart part;
    private final int sectionIndex;
    private final RunSection section;
    private final KeyBounds bounds;
    private final CursorSelection wanted;
    private final RemovedGroups removed;
    private final RowReads reads;

    /** The blocks that were examined and will be visited, the next one first. */
    private final ArrayDeque<Ahead> ahead = new ArrayDeque<>();

    private @Nullable SliceReads pass;

    /** The blocks without a wanted row since the block that was next at the last request. */
    private final List<EncodedBlock> passedOver = new ArrayList<>();

    /** The end of the examined blocks, and the end of all blocks. */
    private int next;

    private final int to;
    private DeadRows gone = DeadRows.NONE;
    private int slice = -1;

    /**
     * A block whose header is in memory.
     *
     * @param index of the block in the section
     * @param slice of the block in the pass
     */
    private record Ahead(int index, EncodedBlock block, DeadRows gone, int slice) {}

    /**
     * @param removed groups that are removed in addition to those that newer runs remove
     */
    RunCursor(
            RunPart part,
            int sectionIndex,
            CursorSelection wanted,
            Optional<RowKey> after,
            RemovedGroups removed,
            RowReads reads) {
        super(wanted.documentType(), wanted.area(), after);
        this.part = part;
        this.sectionIndex = sectionIndex;
        this.section = part.run().sections().get(sectionIndex);
        this.wanted = wanted;
        this.removed = removed;
        this.reads = reads;
        this.bounds = KeyBounds.of(area());
        KeyColumn firstKeys = section.firstKeys();
        int from;
        int end;
        if (area().group().isPresent()) {
            from = section.from(bounds);
            end = section.to(bounds);
        } else {
            // Rows with the first place may be at the end of the previous block.
            from = Math.max(0, firstKeys.firstNotBelow(area().placeFrom()) - 1);
            end =
                    area().placeTo() == -1
                            ? section.blockCount()
                            : firstKeys.firstNotBelow(area().placeTo() + 1);
        }
        from = Math.max(from, part.firstBlock(sectionIndex));
        this.to = Math.min(end, part.endBlock(sectionIndex));
        if (after.isPresent() && from < to) {
            from = Math.max(from, firstBehind(firstKeys, after.get(), from, to) - 1);
        }
        this.next = from;
        goOn();
    }

    @Override
    void goOn() {
        if (pass != null && slice >= 0) {
            pass.finish(slice);
            slice = -1;
        }
        if (!ahead.isEmpty()) {
            head(section.firstKeys(), ahead.getFirst().index());
            return;
        }
        if (pass != null) {
            reads.end(pass);
            pass = null;
        }
        while (next < to && isPassedOver(next)) {
            next++;
        }
        if (next < to) {
            head(section.firstKeys(), next);
        }
    }

    /** Returns whether the data in memory shows that a block has no wanted row. */
    private boolean isPassedOver(int block) {
        int from = part.firstRow(sectionIndex, block);
        int end = part.endRow(sectionIndex, block);
        if (part.replaced(section.firstBlock() + block).count(from, end) == end - from) {
            return true;
        }
        if (!area().isOfSomeDocuments() || section.hasSeveralGroups(block)) {
            return false;
        }
        KeyColumn firstKeys = section.firstKeys();
        if (Long.compareUnsigned(firstKeys.document(block), area().documentTo()) > 0) {
            return true;
        }
        return block + 1 < section.blockCount()
                && section.goesOn(block + 1)
                && Long.compareUnsigned(firstKeys.document(block + 1), area().documentFrom()) < 0;
    }

    @Override
    public void open() {
        if (ahead.isEmpty()) {
            lookAhead();
        }
        Ahead first = ahead.pollFirst();
        if (first == null) {
            closeBlock();
            return;
        }
        if (pass != null) {
            slice = first.slice();
            pass.take(slice);
        }
        gone = first.gone();
        enter(
                first.block(),
                part.firstRow(sectionIndex, first.index()),
                part.endRow(sectionIndex, first.index()));
    }

    /** Examines headers until enough blocks are wanted, or enough were examined. */
    private void lookAhead() {
        // All skipped blocks before the next one are already passed; only the last document
        // matters.
        if (passedOver.size() > 1) {
            passedOver.subList(0, passedOver.size() - 1).clear();
        }
        int end = Math.min(to, next + BLOCKS_AHEAD);
        var blocks =
                new BlockReadAhead(
                        section, next, end, bounds, IntUnaryOperator.identity(), reads.reads());
        var slices = new ArrayList<BlockSlice>();
        long bytes = 0;
        while (next < end && bytes < reads.bytesAhead()) {
            int index = next;
            next++;
            if (isPassedOver(index)) {
                continue;
            }
            int number = section.firstBlock() + index;
            Optional<CorruptRunException> unknown = part.unknown(number);
            if (unknown.isPresent()) {
                throw unknown.get();
            }
            EncodedBlock block = blocks.open(index);
            if (!wanted.mayHave().test(block)) {
                passedOver.add(block);
                continue;
            }
            int from = part.firstRow(sectionIndex, index);
            int rowsTo = part.endRow(sectionIndex, index);
            if (area().group().isPresent()) {
                RowRange rows = rowsOfGroup(index, block);
                from = Math.max(from, rows.from());
                rowsTo = Math.min(rowsTo, rows.to());
                if (from >= rowsTo) {
                    continue;
                }
            }
            DeadRows dead = part.replaced(number);
            if (!removed.isEmpty()) {
                dead = dead.and(removed.in(section, index, block));
            }
            // For a part of a group, only its own rows are read.
            EncodedBlock read = area().group().isPresent() ? block.only(from, rowsTo) : block;
            ahead.add(new Ahead(index, read, dead, slices.size()));
            slices.add(new BlockSlice(read, from, rowsTo, dead));
            bytes += read.byteSize(wanted.parts());
        }
        if (!slices.isEmpty()) {
            pass = reads.begin(slices, wanted.parts());
        }
    }

    /** Returns the rows of the area's group and documents. */
    private RowRange rowsOfGroup(int index, EncodedBlock block) {
        RowRange rows =
                section.isInside(index, bounds)
                        ? new RowRange(0, block.rowCount())
                        : block.rowsIn(bounds);
        return area().isOfSomeDocuments()
                ? ofDocuments(block.keys(), rows.from(), rows.to())
                : rows;
    }

    @Override
    public Optional<DocumentId> passedBefore(RowCursor bound) {
        for (int i = passedOver.size() - 1; i >= 0; i--) {
            EncodedBlock block = passedOver.get(i);
            int row = firstNotBefore(block.keys(), 0, block.rowCount(), bound);
            if (row > 0) {
                return Optional.of(block.id(row - 1));
            }
        }
        return Optional.empty();
    }

    @Override
    public boolean isGone(int ofBlock) {
        return gone.has(ofBlock);
    }

    @Override
    public boolean isOfRun() {
        return true;
    }
}
