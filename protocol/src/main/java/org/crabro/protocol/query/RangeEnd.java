package org.crabro.protocol.query;

/** An end of a range of numbers, exact for integers of 64 bits and for doubles. */
public sealed interface RangeEnd {
    /** The range is not limited on this side. */
    record Unbounded() implements RangeEnd {}

    /** An integer. */
    record Whole(long value, boolean included) implements RangeEnd {}

    /** A floating-point number, not NaN. */
    record Real(double value, boolean included) implements RangeEnd {}
}
