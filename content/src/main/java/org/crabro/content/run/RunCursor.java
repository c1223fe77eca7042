package org.crabro.content.run;

import java.util.Optional;

/**
 * Goes through the rows of a section of a run, as far as the run counts. The index tells where to
 * begin and which blocks have no document of the area; only what is opened is read.
 */
final class RunCursor extends RowCursor {
    private final RunPart part;
    private final int sectionIndex;
    private final RunSection section;
    private final RemovedGroups removed;
    private final QueryReads reads;

    /** The block that is open or next, and the one behind the last. */
    private int next;

    private final int to;
    private DeadRows gone = DeadRows.NONE;

    /**
     * @param removed groups that are removed besides those that younger runs remove
     */
    RunCursor(
            RunPart part,
            int sectionIndex,
            KeyArea area,
            Optional<SortKey> after,
            RemovedGroups removed,
            QueryReads reads) {
        super(part.run().sections().get(sectionIndex).type().name(), area, after);
        this.part = part;
        this.sectionIndex = sectionIndex;
        this.section = part.run().sections().get(sectionIndex);
        this.removed = removed;
        this.reads = reads;
        KeyColumn firstKeys = section.firstKeys();
        KeyBounds bounds = KeyBounds.of(area);
        int from;
        int end;
        if (area.group().isPresent()) {
            from = section.from(bounds);
            end = section.to(bounds);
        } else {
            // Rows of the first place may stand at the end of the block before.
            from = Math.max(0, firstKeys.firstNotBelow(area.placeFrom()) - 1);
            end =
                    area.placeTo() == -1
                            ? section.blockCount()
                            : firstKeys.firstNotBelow(area.placeTo() + 1);
        }
        from = Math.max(from, part.firstBlock(sectionIndex));
        this.to = Math.min(end, part.endBlock(sectionIndex));
        if (after.isPresent() && from < to) {
            from = Math.max(from, firstBehind(firstKeys, after.get(), from, to) - 1);
        }
        this.next = from - 1;
        goOn();
    }

    @Override
    void goOn() {
        do {
            next++;
        } while (next < to && isPassedOver(next));
        if (next < to) {
            head(section.firstKeys(), next);
        }
    }

    /** Returns whether no row of a block is asked for, as far as memory tells. */
    private boolean isPassedOver(int block) {
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
        int number = section.firstBlock() + next;
        Optional<CorruptRunException> unknown = part.unknown(number);
        if (unknown.isPresent()) {
            throw unknown.get();
        }
        int from = part.firstRow(sectionIndex, next);
        int end = part.endRow(sectionIndex, next);
        DeadRows replaced = part.replaced(number);
        if (replaced.count(from, end) == end - from) {
            leave();
            return;
        }
        EncodedBlock block = section.block(next, reads);
        gone = removed.isEmpty() ? replaced : replaced.and(removed.in(section, next, block));
        if (gone.count(from, end) == end - from) {
            leave();
            return;
        }
        enter(block, from, end);
    }

    @Override
    public boolean isGone(int ofBlock) {
        return gone.has(ofBlock);
    }

    @Override
    public boolean isReplacedKnown() {
        return true;
    }
}
