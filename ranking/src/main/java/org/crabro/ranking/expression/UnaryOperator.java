package org.crabro.ranking.expression;

/** Operators with one operand. */
public enum UnaryOperator {
    MINUS,
    NOT
}
