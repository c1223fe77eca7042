package org.crabro.content.search.group;

import java.util.Arrays;

/**
 * The values of an expression for the rows of a batch; reused for the next batch. A row has one
 * value. With {@code many}, its values are those from {@code starts[row]} (inclusive) to {@code
 * starts[row + 1]} (exclusive).
 */
final class Values {
    private static final int[] NO_INTS = {};
    private static final long[] NO_LONGS = {};
    private static final double[] NO_DOUBLES = {};

    final ValueKind kind;
    final boolean many;

    /** The number of rows. */
    int count;

    int[] starts = NO_INTS;

    /** The element index of each value, if the expression has a scope. */
    int[] positions = NO_INTS;

    /** Whole numbers, and 0 or 1 for booleans. */
    long[] longs = NO_LONGS;

    double[] doubles = NO_DOUBLES;

    /** The numbers of strings in the batch's pool. */
    int[] texts = NO_INTS;

    private int size;

    Values(ValueKind kind, boolean many) {
        this.kind = kind;
        this.many = many;
    }

    /** Starts a batch with one value for each of {@code rows} rows. */
    void one(int rows) {
        count = rows;
        ensure(rows);
        size = rows;
    }

    /** Starts a batch of {@code rows} rows, whose values are added row by row. */
    void begin(int rows) {
        count = rows;
        size = 0;
        if (many && starts.length <= rows) {
            starts = new int[rows + 1];
        }
        ensure(rows);
    }

    /** Takes over the assignment of values to rows. */
    void shape(Values that) {
        count = that.count;
        starts = that.starts;
        positions = that.positions;
        ensure(that.size());
        size = that.size();
    }

    /** Returns the number of values. */
    int size() {
        return many ? starts[count] : count;
    }

    int start(int row) {
        return many ? starts[row] : row;
    }

    int end(int row) {
        return many ? starts[row + 1] : row + 1;
    }

    /** Starts a row: the values added next belong to {@code row}. */
    void row(int row) {
        if (many) {
            starts[row] = size;
        }
    }

    /** Ends the batch. */
    void finish() {
        if (many) {
            starts[count] = size;
        }
    }

    void add(long number, int position) {
        ensure(size + 1);
        if (many) {
            positions[size] = position;
        }
        longs[size++] = number;
    }

    void add(double number, int position) {
        ensure(size + 1);
        if (many) {
            positions[size] = position;
        }
        doubles[size++] = number;
    }

    void addText(int number, int position) {
        ensure(size + 1);
        if (many) {
            positions[size] = position;
        }
        texts[size++] = number;
    }

    /** Adds a value of another object. */
    void add(Values from, int index) {
        switch (kind) {
            case WHOLE, TRUTH -> add(from.longs[index], 0);
            case REAL -> add(from.doubles[index], 0);
            case TEXT, RAW -> addText(from.texts[index], 0);
        }
    }

    /** Returns a number as a double. */
    double number(int index) {
        return kind == ValueKind.REAL ? doubles[index] : longs[index];
    }

    private void ensure(int needed) {
        int have =
                switch (kind) {
                    case WHOLE, TRUTH -> longs.length;
                    case REAL -> doubles.length;
                    case TEXT, RAW -> texts.length;
                };
        if (many && positions.length < needed) {
            positions = Arrays.copyOf(positions, grown(positions.length, needed));
        }
        if (have >= needed) {
            return;
        }
        int capacity = grown(have, needed);
        switch (kind) {
            case WHOLE, TRUTH -> longs = Arrays.copyOf(longs, capacity);
            case REAL -> doubles = Arrays.copyOf(doubles, capacity);
            case TEXT, RAW -> texts = Arrays.copyOf(texts, capacity);
        }
    }

    private static int grown(int have, int needed) {
        return Math.max(needed, have + (have >> 1));
    }
}
