package org.crabro.content.storage.run;

import java.util.Arrays;
import java.util.Optional;
import org.crabro.content.storage.dead.DeadRows;
import org.crabro.content.storage.dead.ReplacedRows;
import org.crabro.content.storage.file.CorruptRunException;
import org.crabro.content.storage.graph.IncludedRows;
import org.crabro.content.storage.index.LiveRows;
import org.crabro.content.storage.layout.RunLayout;
import org.jspecify.annotations.Nullable;

/**
 * The rows of a section that a view includes. What is dead in a block is found when a row of it is
 * asked for.
 */
final class SectionRowsInView implements IncludedRows {
    private final RunPart part;
    private final int section;
    private final RunSection rows;
    private final HiddenRows hidden;
    private final int begin;
    private final int end;
    private @Nullable DeadRows @Nullable [] dead;

    /** The last block that was asked for, and its rows. */
    private int block = -1;

    private int firstRow;
    private int endRow;
    private DeadRows deadOfBlock = DeadRows.NONE;

    /**
     * @param section the index of the section in the run
     * @param hidden rows that rows in no run hide
     */
    SectionRowsInView(RunPart part, int section, HiddenRows hidden) {
        this.part = part;
        this.section = section;
        this.rows = part.run().sections().get(section);
        this.hidden = hidden;
        this.begin = part.firstBlock(section);
        this.end = part.endBlock(section);
    }

    @Override
    public boolean areAll() {
        return hidden.replaced().isEmpty() && hidden.removed().isEmpty() && part.isWhole(section);
    }

    /**
     * Returns the rows as bits; empty if the dead rows of a block are unknown. For views without
     * removed groups.
     */
    Optional<LiveRows> live() {
        Optional<LiveRows> own = part.live(section);
        ReplacedRows replaced = hidden.replaced();
        if (own.isEmpty() || replaced.isEmpty()) {
            return own;
        }
        long run = part.run().number();
        for (int i = begin; !replaced.areKnown(run) && i < end; i++) {
            if (replaced.unknown(run, rows.firstBlock() + i).isPresent()) {
                return Optional.empty();
            }
        }
        int first = rows.firstBlock();
        int[] more =
                Arrays.stream(replaced.addresses(run, first + begin, first + end))
                        .mapToInt(address ->
                                rows.firstRow(RunLayout.block(address) - first)
                                        + RunLayout.row(address))
                        .toArray();
        return Optional.of(own.get().without(more));
    }

    private boolean isUnknown(int index) {
        int number = rows.firstBlock() + index;
        return part.unknown(number).isPresent()
                || hidden.replaced().unknown(part.run().number(), number).isPresent();
    }

    @Override
    public boolean has(int row) {
        if (block < 0 || row < firstRow || row >= endRow) {
            block = rows.blockOf(row);
            firstRow = rows.firstRow(block);
            endRow = firstRow + rows.rowCount(block);
            deadOfBlock = dead(block);
        }
        return !deadOfBlock.has(row - firstRow);
    }

    private DeadRows dead(int index) {
        @Nullable DeadRows[] all = dead;
        if (all == null) {
            all = new @Nullable DeadRows[rows.blockCount()];
            dead = all;
        }
        DeadRows cached = all[index];
        if (cached == null) {
            cached = find(index);
            all[index] = cached;
        }
        return cached;
    }

    private DeadRows find(int index) {
        int count = rows.rowCount(index);
        DeadRows every = DeadRows.between(0, count);
        int number = rows.firstBlock() + index;
        long run = part.run().number();
        if (index < begin || index >= end || isUnknown(index)) {
            return every;
        }
        DeadRows gone =
                part.dead(number)
                        .and(DeadRows.between(0, part.firstRow(section, index)))
                        .and(DeadRows.between(part.endRow(section, index), count));
        if (!hidden.replaced().isEmpty()) {
            gone = gone.and(hidden.replaced().rows(run, number));
        }
        if (hidden.removed().isEmpty()) {
            return gone;
        }
        try {
            return gone.and(hidden.removed().in(rows, index, rows.block(index)));
        } catch (CorruptRunException _) {
            // The view reports the block as unreadable.
            return every;
        }
    }
}
