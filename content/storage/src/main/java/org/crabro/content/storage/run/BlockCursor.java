package org.crabro.content.storage.run;

import java.util.Optional;
import java.util.function.IntPredicate;
import org.crabro.content.storage.block.EncodedBlock;
import org.crabro.content.storage.block.key.KeyArea;
import org.crabro.content.storage.block.key.RowKey;
import org.crabro.document.DocumentId;

/** A cursor over the rows of a block in memory. */
final class BlockCursor extends RowCursor {
    private final IntPredicate gone;

    BlockCursor(EncodedBlock block, KeyArea area, Optional<RowKey> after, IntPredicate gone) {
        super(block.documentType().name(), area, after);
        this.gone = gone;
        enter(block, 0, block.rowCount());
    }

    @Override
    public void open() {
        throw new IllegalStateException("a block of memory is open or left");
    }

    @Override
    public boolean isGone(int ofBlock) {
        return gone.test(ofBlock);
    }

    @Override
    public boolean isOfRun() {
        return false;
    }

    @Override
    public Optional<DocumentId> passedBefore(RowCursor bound) {
        return Optional.empty();
    }

    @Override
    void goOn() {
        // There is only one block.
    }
}
