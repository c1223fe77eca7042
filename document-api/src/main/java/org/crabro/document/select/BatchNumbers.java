package org.crabro.document.select;

/** Compares numbers of fields and the results of arithmetic on them. */
final class BatchNumbers implements BatchStep {
    private final Comparison comparison;
    private final NumberProgram left;
    private final NumberProgram right;
    private final Each otherwise;
    private final EvaluationContext context;
    private final NumberProgram.Result leftResult = new NumberProgram.Result();
    private final NumberProgram.Result rightResult = new NumberProgram.Result();

    /** Whether a field has values that are not numbers in these rows. */
    private boolean isOther;

    /**
     * @param otherwise evaluates the same for rows whose fields are stored in another form
     */
    BatchNumbers(
            Comparison comparison,
            NumberProgram left,
            NumberProgram right,
            Each otherwise,
            EvaluationContext context) {
        this.context = context;
        this.comparison = comparison;
        this.left = left;
        this.right = right;
        this.otherwise = otherwise;
    }

    @Override
    public void enter(SelectedRows rows) {
        otherwise.enter(rows);
        isOther = !left.enter(rows) || !right.enter(rows);
    }

    @Override
    public void run(int[] rows, int count, Truth[] truths) {
        if (isOther) {
            otherwise.run(rows, count, truths);
            return;
        }
        if (right instanceof NumberProgram.Fixed(Value.Whole(var number))
                && left instanceof NumberProgram.OfField field
                && field.column() instanceof SelectedColumn.Numbers numbers
                && numbers.isWhole()) {
            compare(numbers, number, rows, count, truths);
            return;
        }
        for (int i = 0; i < count; i++) {
            left.at(rows[i], leftResult);
            right.at(rows[i], rightResult);
            truths[i] = comparison.compare(leftResult, rightResult);
        }
    }

    private void compare(
            SelectedColumn.Numbers numbers, long with, int[] rows, int count, Truth[] truths) {
        Truth less = comparison.ofOrder(-1);
        Truth equal = comparison.ofOrder(0);
        Truth greater = comparison.ofOrder(1);
        Truth unset = comparison.compare(Value.NOTHING, new Value.Whole(with), context);
        for (int i = 0; i < count; i++) {
            int row = rows[i];
            if (numbers.isSet(row)) {
                long number = numbers.whole(row);
                truths[i] = number < with ? less : number > with ? greater : equal;
            } else {
                truths[i] = unset;
            }
        }
    }
}
