package org.crabro.document.select;

import java.util.List;

/** Computes a number for each row, without allocating. For one thread. */
sealed interface NumberProgram {
    /**
     * Sets the rows for the next calls. Returns false if a field has values that are not numbers.
     */
    boolean enter(SelectedRows rows);

    void at(int row, Result result);

    /** The values of a row. */
    final class Result {
        enum Kind {
            WHOLE,
            REAL,
            NOTHING,
            INVALID
        }

        private Kind kind = Kind.NOTHING;
        private long whole;
        private double real;

        Kind kind() {
            return kind;
        }

        long whole() {
            return whole;
        }

        /** Returns the number, whole or not. */
        double real() {
            return kind == Kind.WHOLE ? whole : real;
        }

        boolean isNumber() {
            return kind == Kind.WHOLE || kind == Kind.REAL;
        }

        void setWhole(long number) {
            kind = Kind.WHOLE;
            whole = number;
        }

        void setReal(double number) {
            kind = Kind.REAL;
            real = number;
        }

        void setNothing() {
            kind = Kind.NOTHING;
        }

        void setInvalid() {
            kind = Kind.INVALID;
        }
    }

    /**
     * The same for all rows.
     *
     * @param value a number, missing, or invalid
     */
    record Fixed(Value value) implements NumberProgram {
        @Override
        public boolean enter(SelectedRows rows) {
            return true;
        }

        @Override
        public void at(int row, Result result) {
            switch (value) {
                case Value.Whole(var number) -> result.setWhole(number);
                case Value.Real(var number) -> result.setReal(number);
                case Value.Nothing _ -> result.setNothing();
                default -> result.setInvalid();
            }
        }
    }

    final class OfField implements NumberProgram {
        private final String field;
        private SelectedColumn column = new SelectedColumn.Unset();

        OfField(String field) {
            this.field = field;
        }

        @Override
        public boolean enter(SelectedRows rows) {
            column = rows.column(field);
            return switch (column) {
                case SelectedColumn.Unset _, SelectedColumn.Numbers _ -> true;
                case SelectedColumn.Texts _, SelectedColumn.Other _ -> false;
            };
        }

        SelectedColumn column() {
            return column;
        }

        @Override
        public void at(int row, Result result) {
            if (!(column instanceof SelectedColumn.Numbers numbers) || !numbers.isSet(row)) {
                result.setNothing();
            } else if (numbers.isWhole()) {
                result.setWhole(numbers.whole(row));
            } else {
                result.setReal(numbers.real(row));
            }
        }
    }

    record Absolute(NumberProgram of) implements NumberProgram {
        @Override
        public boolean enter(SelectedRows rows) {
            return of.enter(rows);
        }

        @Override
        public void at(int row, Result result) {
            of.at(row, result);
            switch (result.kind()) {
                case WHOLE -> result.setWhole(Math.abs(result.whole()));
                case REAL -> result.setReal(Math.abs(result.real()));
                case NOTHING, INVALID -> result.setInvalid();
            }
        }
    }

    /** Operators of one precedence, from left to right. */
    final class Calculation implements NumberProgram {
        private final List<NumberProgram> operands;
        private final List<SelectionExpression.Operator> operators;
        private final Result right = new Result();

        Calculation(List<NumberProgram> operands, List<SelectionExpression.Operator> operators) {
            this.operands = List.copyOf(operands);
            this.operators = List.copyOf(operators);
        }

        @Override
        public boolean enter(SelectedRows rows) {
            boolean areNumbers = true;
            for (NumberProgram operand : operands) {
                areNumbers &= operand.enter(rows);
            }
            return areNumbers;
        }

        @Override
        public void at(int row, Result result) {
            operands.getFirst().at(row, result);
            for (int i = 0; i < operators.size(); i++) {
                operands.get(i + 1).at(row, right);
                calculate(operators.get(i), result);
            }
        }

        private void calculate(SelectionExpression.Operator operator, Result result) {
            if (!result.isNumber() || !right.isNumber()) {
                result.setInvalid();
            } else if (result.kind() == Result.Kind.WHOLE && right.kind() == Result.Kind.WHOLE) {
                whole(operator, result, result.whole(), right.whole());
            } else {
                real(operator, result, result.real(), right.real());
            }
        }

        private static void whole(
                SelectionExpression.Operator operator, Result result, long a, long b) {
            switch (operator) {
                case ADD -> result.setWhole(a + b);
                case SUBTRACT -> result.setWhole(a - b);
                case MULTIPLY -> result.setWhole(a * b);
                case DIVIDE -> {
                    if (b == 0) {
                        result.setInvalid();
                    } else {
                        result.setWhole(a / b);
                    }
                }
                case REMAINDER -> {
                    if (b == 0) {
                        result.setInvalid();
                    } else {
                        result.setWhole(a % b);
                    }
                }
            }
        }

        private static void real(
                SelectionExpression.Operator operator, Result result, double a, double b) {
            switch (operator) {
                case ADD -> result.setReal(a + b);
                case SUBTRACT -> result.setReal(a - b);
                case MULTIPLY -> result.setReal(a * b);
                case DIVIDE -> {
                    if (b == 0) {
                        result.setInvalid();
                    } else {
                        result.setReal(a / b);
                    }
                }
                case REMAINDER -> result.setInvalid();
            }
        }
    }
}
