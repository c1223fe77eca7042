package org.crabro.content.search.group;

import org.crabro.protocol.search.Collation;

/** Computes the keys by which strings are sorted in the order of a language. For one thread. */
final class CollationKeys extends Evaluator {
    /** The units of work for a character. */
    private static final int CHAR_UNITS = 64;

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
            // Adjacent rows often have the same text.
            if (lastKey < 0 || from.texts[i] != lastText) {
                lastText = from.texts[i];
                String text = batch.texts.text(lastText);
                batch.spending.work().spend(text.length(), CHAR_UNITS);
                byte[] key = collation.key(text);
                lastKey = batch.texts.number(key, 0, key.length);
            }
            values.texts[i] = lastKey;
        }
        return values;
    }
}
