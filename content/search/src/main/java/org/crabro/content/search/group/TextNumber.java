package org.crabro.content.search.group;

import org.crabro.protocol.grouping.GroupFunction;

/**
 * Functions that compute a number from each string, or from bytes: the first eight, most
 * significant first, with zeros after fewer.
 */
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
                        values.doubles[i] =
                                from.kind == ValueKind.RAW
                                        ? leading(batch.texts, text)
                                        : TextFunction.leadingReal(batch.texts.text(text));
                default ->
                        values.longs[i] =
                                from.kind == ValueKind.RAW
                                        ? leading(batch.texts, text)
                                        : TextFunction.leadingWhole(batch.texts.text(text));
            }
        }
        return values;
    }

    private static long leading(TextPool texts, int number) {
        int start = texts.start(number);
        int count = Math.min(Long.BYTES, texts.length(number));
        long leading = 0;
        for (int i = 0; i < Long.BYTES; i++) {
            leading = leading << Byte.SIZE | (i < count ? texts.bytes()[start + i] & 0xff : 0);
        }
        return leading;
    }
}
