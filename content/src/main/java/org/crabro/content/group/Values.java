package org.crabro.content.group;

import java.util.Arrays;

/**
 * The values of an expression for the rows of a batch, used again for the next. A row has one, or
 * where there are many, those from {@code starts[row]} to before {@code starts[row + 1]}.
 */
final class Values {
    private static final int[] NO_INTS = {};
    private static final long[] NO_LONGS = {};
    private static final double[] NO_DOUBLES = {};

    final ValueKind kind;
    final boolean many;

    /** How many rows there are. */
    int count;

    int[] starts = NO_INTS;

    /** Of which element of a scope each value is, where the expression has one. */
    int[] positions = NO_INTS;

    /** Whole numbers, and 0 or 1 for truths. */
    long[] longs = NO_LONGS;

    double[] doubles = NO_DOUBLES;

    /** Numbers of strings in the batch's pool. */
    int[] texts = NO_INTS;

    private int size;

    Values(ValueKind kind, boolean many) {
        this.kind = kind;
        this.many = many;
    }

    /** Begins with the values of a batch of {@code rows}, each of which has one. */
    void one(int rows) {
        count = rows;
        ensure(rows);
        size = rows;
    }

    /** Begins with the values of a batch of {@code rows}; they are added row by row. */
    void begin(int rows) {
        count = rows;
        size = 0;
        if (many && starts.length <= rows) {
            starts = new int[rows + 1];
        }
        ensure(rows);
    }

    /** Takes over which row has which values. */
    void shape(Values that) {
        count = that.count;
        starts = that.starts;
        positions = that.positions;
        ensure(that.size());
        size = that.size();
    }

    /** Returns how many values there are. */
    int size() {
        return many ? starts[count] : count;
    }

    int start(int row) {
        return many ? starts[row] : row;
    }

    int end(int row) {
        return many ? starts[row + 1] : row + 1;
    }

    /** The values that are added from here on are those of {@code row}. */
    void row(int row) {
        if (many) {
            starts[row] = size;
        }
    }

    /** All values of all rows are there. */
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

    /** Adds a value of others. */
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
