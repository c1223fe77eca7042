package org.crabro.content.search.group;

import java.util.List;

/** Concatenates all values of all operands, as texts or as bytes. */
final class Concatenation extends Evaluator {
    private final List<Evaluator> operands;
    private final Bytes bytes = new Bytes();

    /**
     * @param kind of the result; for text, numbers are written in decimal form
     */
    Concatenation(ValueKind kind, List<Evaluator> operands) {
        super(kind, false, NO_SCOPE, LONG_WIDTH);
        this.operands = List.copyOf(operands);
    }

    @Override
    Values evaluate(RowBatch batch) {
        // The values of each operand stay valid while the other operands are evaluated.
        operands.forEach(operand -> operand.evaluate(batch));
        values.one(batch.count);
        for (int row = 0; row < batch.count; row++) {
            bytes.clear();
            for (Evaluator operand : operands) {
                Values from = operand.values;
                for (int i = from.start(row); i < from.end(row); i++) {
                    if (kind() == ValueKind.TEXT) {
                        TextFunction.addText(bytes, from, i, batch.texts);
                    } else {
                        TextFunction.addBytes(bytes, from, i, operand.width, batch.texts);
                    }
                }
            }
            batch.spending.work().spend(bytes.length());
            values.texts[row] = batch.texts.number(bytes.array(), 0, bytes.length());
        }
        return values;
    }
}
