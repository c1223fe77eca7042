package org.crabro.content.search.visit;

import java.util.Set;
import org.crabro.content.storage.block.EncodedBlock;
import org.crabro.content.storage.file.WorkMeter;
import org.crabro.content.storage.layout.NumberBounds;
import org.crabro.document.DocumentType;
import org.crabro.document.select.BatchSelection;
import org.crabro.document.select.Selection;
import org.jspecify.annotations.Nullable;

/**
 * Selects rows of blocks by a selection and a range of write times. For one thread.
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
     * @param type the active type
     * @param now whole seconds since 1970
     * @param from microseconds since the epoch, included
     * @param to microseconds since the epoch, excluded
     * @param work may stop the selection inside a row
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

    /** Returns the fields that the selection reads. */
    public static Set<String> fields(Selection selection, DocumentType type) {
        return selection.fields(type.name());
    }

    /** Returns whether rows of a block may be selected, judged by its header. */
    public boolean mayMean(EncodedBlock block) {
        NumberBounds.Whole times = block.timestampBounds();
        return times.max() >= from
                && times.min() < to
                && selection.mayMean(
                        type.name(), now, field -> WantedBlocks.span(type, block, field), work);
    }

    /**
     * Retains the selected rows.
     *
     * @param rows the first {@code count} of them are tested; the selected ones are moved to the
     *     front, in order
     * @return the number of selected rows
     */
    public int select(EncodedBlock block, int[] rows, int count) {
        if (entered != block) {
            batches.enter(new ColumnRows(new OpenBlock(block, type)));
            entered = block;
        }
        int passed = 0;
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
            System.arraycopy(batch, 0, rows, passed, meant);
            passed += meant;
        }
        return passed;
    }
}
