package org.crabro.content.group;

import org.crabro.protocol.search.Collation;

/** What strings are put in order by where the rules of a language hold. For one thread. */
final class CollationKeys extends Evaluator {
    private final Evaluator operand;
    private final Collation collation;

    CollationKeys(Evaluator operand, Collation collation) {
        super(ValueKind.RAW, operand);
        this.operand = operand;
        this.collation = collation;
    }

    @Override
    Values evaluate(RowBatch batch) {
        Values from = operand.evaluate(batch);
        values.shape(from);
        int size = from.size();
        int lastText = -1;
        int lastKey = -1;
        for (int i = 0; i < size; i++) {
            // Rows next to each other often have the same text.
            if (lastKey < 0 || from.texts[i] != lastText) {
                lastText = from.texts[i];
                byte[] key = collation.key(batch.texts.text(lastText));
                lastKey = batch.texts.number(key, 0, key.length);
            }
            values.texts[i] = lastKey;
        }
        return values;
    }
}
