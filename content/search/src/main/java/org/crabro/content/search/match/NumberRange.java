package org.crabro.content.search.match;

import java.util.OptionalLong;
import org.crabro.protocol.query.RangeEnd;

/**
 * A range of numbers in the representation of each kind of column, both ends included.
 *
 * <p>Whole numbers are compared as {@code long}; fractional ends are moved inwards to the next
 * whole number. Floats are compared with ends narrowed to floats, so that {@code 0.1} matches a
 * float that was fed as {@code 0.1}. An excluded end is moved by one step of the column's
 * precision.
 *
 * @param lowWhole for columns of ints and longs; above {@code highWhole} if nothing matches
 * @param lowFloat for columns of floats; an end is NaN if nothing matches
 * @param lowDouble for columns of doubles; an end is NaN if nothing matches
 */
record NumberRange(
        long lowWhole,
        long highWhole,
        float lowFloat,
        float highFloat,
        double lowDouble,
        double highDouble) {
    /** The range of the boolean true. */
    static final NumberRange TRUE =
            between(new RangeEnd.Whole(1, true), new RangeEnd.Whole(1, true));

    /** The range of the boolean false. */
    static final NumberRange FALSE =
            between(new RangeEnd.Whole(0, true), new RangeEnd.Whole(0, true));

    /** The empty range. */
    static final NumberRange EMPTY =
            new NumberRange(1, 0, Float.NaN, Float.NaN, Double.NaN, Double.NaN);

    private static final double TWO_TO_63 = 0x1p63;

    /** Returns the range between two ends. */
    static NumberRange between(RangeEnd low, RangeEnd high) {
        OptionalLong lowWhole = lowWhole(low);
        OptionalLong highWhole = highWhole(high);
        if (low.equals(high)
                && low instanceof RangeEnd.Real(double value, boolean included)
                && included) {
            // Equality with a fraction compares whole numbers with the nearest one.
            lowWhole = whole(Math.rint(value));
            highWhole = lowWhole;
        }
        boolean whole = lowWhole.isPresent() && highWhole.isPresent();
        return new NumberRange(
                whole ? lowWhole.getAsLong() : 1,
                whole ? highWhole.getAsLong() : 0,
                lowFloat(low),
                highFloat(high),
                lowDouble(low),
                highDouble(high));
    }

    /** Returns the range as text for traces and plans. */
    String text() {
        if (lowDouble == highDouble) {
            return "= " + end(lowWhole, lowDouble);
        }
        String low = lowDouble == Double.NEGATIVE_INFINITY ? "" : low();
        String high = highDouble == Double.POSITIVE_INFINITY ? "" : high();
        return (low + " " + high).strip();
    }

    private String low() {
        boolean isExcluded = lowDouble == Math.nextUp(lowWhole - 1.0);
        return isExcluded ? "above " + (lowWhole - 1) : "from " + end(lowWhole, lowDouble);
    }

    private String high() {
        boolean isExcluded = highDouble == Math.nextDown(highWhole + 1.0);
        return isExcluded ? "below " + (highWhole + 1) : "to " + end(highWhole, highDouble);
    }

    private static String end(long whole, double real) {
        return whole == real ? Long.toString(whole) : Double.toString(real);
    }

    boolean holds(long value) {
        return value >= lowWhole && value <= highWhole;
    }

    private static OptionalLong lowWhole(RangeEnd end) {
        return switch (end) {
            case RangeEnd.Unbounded() -> OptionalLong.of(Long.MIN_VALUE);
            case RangeEnd.Whole(long value, boolean included) -> {
                if (included) {
                    yield OptionalLong.of(value);
                }
                yield above(OptionalLong.of(value));
            }
            case RangeEnd.Real(double value, boolean included) -> {
                if (included) {
                    double next = Math.ceil(value);
                    yield next < -TWO_TO_63 ? OptionalLong.of(Long.MIN_VALUE) : whole(next);
                }
                // Adds one as a long, because large doubles cannot represent the sum.
                double next = Math.floor(value);
                yield next < -TWO_TO_63 ? OptionalLong.of(Long.MIN_VALUE) : above(whole(next));
            }
        };
    }

    private static OptionalLong highWhole(RangeEnd end) {
        return switch (end) {
            case RangeEnd.Unbounded() -> OptionalLong.of(Long.MAX_VALUE);
            case RangeEnd.Whole(long value, boolean included) -> {
                if (included) {
                    yield OptionalLong.of(value);
                }
                yield below(OptionalLong.of(value));
            }
            case RangeEnd.Real(double value, boolean included) -> {
                if (included) {
                    double next = Math.floor(value);
                    yield next >= TWO_TO_63 ? OptionalLong.of(Long.MAX_VALUE) : whole(next);
                }
                double next = Math.ceil(value);
                yield next >= TWO_TO_63 ? OptionalLong.of(Long.MAX_VALUE) : below(whole(next));
            }
        };
    }

    private static OptionalLong above(OptionalLong value) {
        return value.isEmpty() || value.getAsLong() == Long.MAX_VALUE
                ? OptionalLong.empty()
                : OptionalLong.of(value.getAsLong() + 1);
    }

    private static OptionalLong below(OptionalLong value) {
        return value.isEmpty() || value.getAsLong() == Long.MIN_VALUE
                ? OptionalLong.empty()
                : OptionalLong.of(value.getAsLong() - 1);
    }

    private static OptionalLong whole(double value) {
        return value >= -TWO_TO_63 && value < TWO_TO_63
                ? OptionalLong.of((long) value)
                : OptionalLong.empty();
    }

    private static float lowFloat(RangeEnd end) {
        return switch (end) {
            case RangeEnd.Unbounded() -> Float.NEGATIVE_INFINITY;
            case RangeEnd.Whole(long value, boolean included) -> above((float) value, included);
            case RangeEnd.Real(double value, boolean included) -> above((float) value, included);
        };
    }

    private static float highFloat(RangeEnd end) {
        return switch (end) {
            case RangeEnd.Unbounded() -> Float.POSITIVE_INFINITY;
            case RangeEnd.Whole(long value, boolean included) -> -above(-(float) value, included);
            case RangeEnd.Real(double value, boolean included) -> -above(-(float) value, included);
        };
    }

    private static float above(float value, boolean included) {
        if (included) {
            return value;
        }
        return value == Float.POSITIVE_INFINITY ? Float.NaN : Math.nextUp(value);
    }

    private static double lowDouble(RangeEnd end) {
        return switch (end) {
            case RangeEnd.Unbounded() -> Double.NEGATIVE_INFINITY;
            case RangeEnd.Whole(long value, boolean included) -> {
                double near = (double) value;
                int side = side(near, value);
                yield above(near, included ? side >= 0 : side > 0);
            }
            case RangeEnd.Real(double value, boolean included) -> above(value, included);
        };
    }

    private static double highDouble(RangeEnd end) {
        return switch (end) {
            case RangeEnd.Unbounded() -> Double.POSITIVE_INFINITY;
            case RangeEnd.Whole(long value, boolean included) -> {
                double near = (double) value;
                int side = side(near, value);
                yield -above(-near, included ? side <= 0 : side < 0);
            }
            case RangeEnd.Real(double value, boolean included) -> -above(-value, included);
        };
    }

    /** Returns the sign of the difference between the nearest double and {@code value}. */
    private static int side(double near, long value) {
        return near == TWO_TO_63 ? 1 : Long.compare((long) near, value);
    }

    private static double above(double value, boolean included) {
        if (included) {
            return value;
        }
        return value == Double.POSITIVE_INFINITY ? Double.NaN : Math.nextUp(value);
    }
}
