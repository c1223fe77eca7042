package org.crabro.protocol.grouping;

import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.Base64;
import java.util.List;

/** A value of a group: its id, or an aggregate of its documents. */
public sealed interface GroupValue {
    /** Returns the value in the form of results. */
    String text();

    /** A whole number. */
    record Whole(long value) implements GroupValue {
        @Override
        public String text() {
            return Long.toString(value);
        }
    }

    /** A floating-point number. Both zeros are the same value, and so are all NaNs. */
    record Real(double value) implements GroupValue {
        public Real {
            value = value + 0.0;
        }

        @Override
        public String text() {
            return Double.toString(value);
        }
    }

    /** A string. */
    record Text(String value) implements GroupValue {
        @Override
        public String text() {
            return value;
        }
    }

    /** A boolean. */
    record Truth(boolean value) implements GroupValue {
        @Override
        public String text() {
            return Boolean.toString(value);
        }
    }

    /**
     * Bytes.
     *
     * @param bytes a character from 0 to 255 for each byte
     */
    record Raw(String bytes) implements GroupValue {
        /** Returns the bytes as a value. */
        public static Raw of(byte[] bytes, int from, int to) {
            return new Raw(new String(bytes, from, to - from, StandardCharsets.ISO_8859_1));
        }

        @Override
        public String text() {
            return Base64.getEncoder().encodeToString(bytes.getBytes(StandardCharsets.ISO_8859_1));
        }
    }

    /** Quantiles of values. */
    record Quantiles(List<Quantile> quantiles) implements GroupValue {
        public Quantiles {
            quantiles = List.copyOf(quantiles);
        }

        @Override
        public String text() {
            return quantiles.toString();
        }
    }

    /**
     * The smallest value such that at least a share of all values do not exceed it.
     *
     * @param level the share, from 0 to 1
     */
    record Quantile(double level, double value) {}

    /** Returns the value as a number; 0 if it is not a number. */
    default double number() {
        return switch (this) {
            case Whole(long value) -> value;
            case Real(double value) -> value;
            case Truth(boolean value) -> value ? 1 : 0;
            case Text _, Raw _, Quantiles _ -> 0;
        };
    }

    /**
     * Compares values: numbers by size as {@link GroupMath#compare} does, strings by their UTF-8
     * bytes; then by kind.
     */
    static int compare(GroupValue a, GroupValue b) {
        if (a instanceof Text(String one) && b instanceof Text(String other)) {
            return Arrays.compareUnsigned(
                    one.getBytes(StandardCharsets.UTF_8), other.getBytes(StandardCharsets.UTF_8));
        }
        if (a instanceof Raw(String one) && b instanceof Raw(String other)) {
            return one.compareTo(other);
        }
        if (a instanceof Whole(long one) && b instanceof Whole(long other)) {
            return Long.compare(one, other);
        }
        int kinds = Integer.compare(a.kind(), b.kind());
        return kinds != 0 ? kinds : GroupMath.compare(a.number(), b.number());
    }

    private int kind() {
        return switch (this) {
            case Whole _, Real _ -> 0;
            case Truth _ -> 1;
            case Text _ -> 2;
            case Raw _ -> 3;
            case Quantiles _ -> 4;
        };
    }
}
