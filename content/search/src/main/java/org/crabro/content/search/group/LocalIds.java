package org.crabro.content.search.group;

import org.crabro.content.storage.block.EncodedBlock;

/** Evaluates to the user-specified part at the end of document ids. */
final class LocalIds extends Evaluator {
    LocalIds() {
        super(ValueKind.TEXT, false, NO_SCOPE, LONG_WIDTH);
    }

    @Override
    Values evaluate(RowBatch batch) {
        values.one(batch.count);
        EncodedBlock block = batch.scan.slice().block();
        for (int i = 0; i < batch.count; i++) {
            values.texts[i] = batch.texts.number(block.id(batch.rows[i]).user());
        }
        return values;
    }
}
