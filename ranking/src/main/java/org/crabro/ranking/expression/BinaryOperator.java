package org.crabro.ranking.expression;

/** Operators with two operands, from the one that binds tightest to the loosest. */
public enum BinaryOperator {
    POWER("^", 5),
    MULTIPLY("*", 4),
    DIVIDE("/", 4),
    REMAINDER("%", 4),
    PLUS("+", 3),
    MINUS("-", 3),
    EQUAL("==", BinaryOperator.COMPARISON),
    NOT_EQUAL("!=", BinaryOperator.COMPARISON),
    ABOUT_EQUAL("~=", BinaryOperator.COMPARISON),
    LESS_OR_EQUAL("<=", BinaryOperator.COMPARISON),
    LESS("<", BinaryOperator.COMPARISON),
    GREATER_OR_EQUAL(">=", BinaryOperator.COMPARISON),
    GREATER(">", BinaryOperator.COMPARISON),
    AND("&&", 1),
    OR("||", 0);

    /** The precedence of comparisons, and of {@code in}, which is no operator of two values. */
    static final int COMPARISON = 2;

    private final String symbol;
    private final int precedence;

    BinaryOperator(String symbol, int precedence) {
        this.symbol = symbol;
        this.precedence = precedence;
    }

    /** Returns the text of the operator, such as {@code "<="}. */
    public String symbol() {
        return symbol;
    }

    /** Returns how tightly the operator binds: the higher, the tighter. */
    int precedence() {
        return precedence;
    }

    /** Returns whether {@code a op b op c} means {@code a op (b op c)}. */
    boolean isRightAssociative() {
        return this == POWER;
    }
}
