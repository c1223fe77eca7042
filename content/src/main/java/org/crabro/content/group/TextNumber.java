package org.crabro.content.group;

import org.crabro.protocol.grouping.GroupFunction;

/** Functions that compute a number from each string. */
final class TextNumber extends Evaluator {
    private final GroupFunction function;
    private final Evaluator operand;

    TextNumber(GroupFunction function, Evaluator operand) {
        super(function == GroupFunction.TO_DOUBLE ? ValueKind.REAL : ValueKind.WHOLE, operand);
        this.function = function;
        this.operand = operand;
    }

    @Override
    Values evaluate(RowBatch batch) {
        Values from = operand.evaluate(batch);
        values.shape(from);
        int size = from.size();
        for (int i = 0; i < size; i++) {
            int text = from.texts[i];
            switch (function) {
                case STRLEN -> values.longs[i] = batch.texts.length(text);
                case TO_DOUBLE ->
                        values.doubles[i] = TextFunction.leadingReal(batch.texts.text(text));
                default -> values.longs[i] = TextFunction.leadingWhole(batch.texts.text(text));
            }
        }
        return values;
    }
}
