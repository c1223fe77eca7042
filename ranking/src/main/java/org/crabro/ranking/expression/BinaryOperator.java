package org.crabro.ranking.expression;

/** Operators with two operands; precedence is the parser's. */
public enum BinaryOperator {
    POWER,
    MULTIPLY,
    DIVIDE,
    REMAINDER,
    PLUS,
    MINUS,
    EQUAL,
    NOT_EQUAL,
    ABOUT_EQUAL,
    LESS,
    LESS_OR_EQUAL,
    GREATER,
    GREATER_OR_EQUAL,
    AND,
    OR
}
