package org.crabro.content.visit;

import java.util.Set;
import org.crabro.content.block.EncodedBlock;
import org.crabro.content.layout.NumberBounds;
import org.crabro.content.query.WorkMeter;
import org.crabro.document.DocumentType;
import org.crabro.document.select.BatchSelection;
import org.crabro.document.select.Selection;
import org.jspecify.annotations.Nullable;

/**
 * Which rows of blocks a selection means that were written in a time. For one thread.
 *
 * {@snippet :
 * int meant = rows.mayMean(block) ? rows.select(block, numbers, count) : 0;
 * }
 */
public final class RowSelection {
    private final Selection selection;
    private final DocumentType type;
    private final long now;
    private final long from;
    private final long to;
    private final BatchSelection batches;
    private final WorkMeter work;
    private final int[] batch = new int[BatchSelection.ROWS_MAX];
    private @Nullable EncodedBlock entered;

    /**
     * @param type the active one
     * @param now whole seconds since 1970
     * @param from microseconds since the epoch, included
     * @param to microseconds since the epoch, excluded
     * @param work ends it inside a row
     */
    public RowSelection(
            Selection selection, DocumentType type, long now, long from, long to, WorkMeter work) {
        this.work = work;
        this.selection = selection;
        this.type = type;
        this.now = now;
        this.from = from;
        this.to = to;
        this.batches = selection.batches(type.name(), now, work);
    }

    /** Returns the fields that are looked at. */
    public static Set<String> fields(Selection selection, DocumentType type) {
        return selection.fields(type.name());
    }

    /** Returns whether rows of a block may be meant, as far as its header tells. */
    public boolean mayMean(EncodedBlock block) {
        NumberBounds.Whole times = block.timestampBounds();
        return times.max() >= from
                && times.min() < to
                && selection.mayMean(
                        type.name(), now, field -> WantedBlocks.span(type, block, field), work);
    }

    /**
     * Leaves out the rows that are not meant.
     *
     * @param rows the first {@code count} of them count; those that are meant are moved to the
     *     front, in order
     * @return how many are meant
     */
    public int select(EncodedBlock block, int[] rows, int count) {
        if (entered != block) {
            batches.enter(new ColumnRows(new OpenBlock(block, type)));
            entered = block;
        }
        int kept = 0;
        int next = 0;
        while (next < count) {
            int alive = 0;
            while (next < count && alive < batch.length) {
                long timestamp = block.timestamp(rows[next]);
                if (timestamp >= from && timestamp < to) {
                    batch[alive++] = rows[next];
                }
                next++;
            }
            int meant = alive == 0 ? 0 : batches.select(batch, alive);
            System.arraycopy(batch, 0, rows, kept, meant);
            kept += meant;
        }
        return kept;
    }
}
