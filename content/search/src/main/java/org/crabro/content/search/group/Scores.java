package org.crabro.content.search.group;

/** Evaluates to the scores of the rows. */
final class Scores extends Evaluator {
    Scores() {
        super(ValueKind.REAL, false, NO_SCOPE, LONG_WIDTH);
    }

    @Override
    Values evaluate(RowBatch batch) {
        values.one(batch.count);
        System.arraycopy(batch.scores, 0, values.doubles, 0, batch.count);
        return values;
    }
}
