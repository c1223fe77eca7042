package org.crabro.content.search.match;

import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import org.crabro.content.search.query.QueryFields;
import org.crabro.content.storage.block.column.Column;
import org.crabro.content.storage.layout.NumberBounds;

/**
 * Matches rows whose number is in {@code range}.
 *
 * @param field by {@link QueryFields}
 */
record NumberFilter(int field, String name, NumberRange range) implements Filter.Leaf {
    @Override
    public int cost() {
        return NUMBER_COST;
    }

    @Override
    public int narrow(BlockScan scan, int[] rows, int count) {
        return switch (scan.column(field).orElse(null)) {
            case null -> 0;
            case Column.Numbers column -> {
                int passed = inRange(column, rows, count);
                yield RowNumbers.present(column.presence(), rows, passed);
            }
            case Column.Booleans column -> {
                int passed = inRange(column.values(), rows, count);
                yield RowNumbers.present(column.presence(), rows, passed);
            }
            case Column.Texts _, Column.Nested _, Column.DenseTensors _ -> 0;
        };
    }

    /** Assumes that the numbers are evenly distributed between the least and the largest. */
    @Override
    public double estimate(BlockScan scan, int count) {
        return scan.isPart(field)
                ? count
                : count
                        * scan.bounds(field)
                                .map(this::share)
                                .orElse(scan.isImported(field) ? 1.0 : 0);
    }

    private double share(NumberBounds bounds) {
        return switch (bounds) {
            case NumberBounds.Whole(long min, long max) ->
                    share(
                            (double) range.lowWhole(),
                            (double) range.highWhole(),
                            (double) min,
                            (double) max,
                            1);
            case NumberBounds.Real(double min, double max) ->
                    share(range.lowDouble(), range.highDouble(), min, max, 0);
        };
    }

    private static double share(double low, double high, double min, double max, double step) {
        double inside = Math.min(high, max) - Math.max(low, min) + step;
        double all = max - min + step;
        return all > 0 ? Math.clamp(inside / all, 0, 1) : inside >= 0 ? 1 : 0;
    }

    // Called twice per block. A plain condition is several times faster than a switch.
    private boolean meets(NumberBounds bounds) {
        if (bounds instanceof NumberBounds.Whole(long min, long max)) {
            return range.lowWhole() <= max && range.highWhole() >= min;
        }
        // Float columns compare with ends narrowed to floats, double columns with doubles.
        // Bounds do not show which, so either suffices.
        return bounds instanceof NumberBounds.Real(double min, double max)
                && ((range.lowFloat() <= max && range.highFloat() >= min)
                        || (range.lowDouble() <= max && range.highDouble() >= min));
    }

    private int inRange(Column.Numbers column, int[] rows, int count) {
        MemorySegment values = column.values();
        return switch (column.kind()) {
            case INT -> ints(values, rows, count, range.lowWhole(), range.highWhole());
            case LONG -> longs(values, rows, count, range.lowWhole(), range.highWhole());
            case FLOAT -> floats(values, rows, count, range.lowFloat(), range.highFloat());
            case DOUBLE -> doubles(values, rows, count, range.lowDouble(), range.highDouble());
        };
    }

    // The loops compact the rows without a branch, because a condition that matches half of the
    // rows would be mispredicted.

    private static int ints(MemorySegment values, int[] rows, int count, long low, long high) {
        int passed = 0;
        for (int i = 0; i < count; i++) {
            int row = rows[i];
            int value = values.get(Layouts.INT, (long) row << 2);
            rows[passed] = row;
            passed += (value >= low ? 1 : 0) & (value <= high ? 1 : 0);
        }
        return passed;
    }

    private static int longs(MemorySegment values, int[] rows, int count, long low, long high) {
        int passed = 0;
        for (int i = 0; i < count; i++) {
            int row = rows[i];
            long value = values.get(Layouts.LONG, (long) row << 3);
            rows[passed] = row;
            passed += (value >= low ? 1 : 0) & (value <= high ? 1 : 0);
        }
        return passed;
    }

    private static int floats(MemorySegment values, int[] rows, int count, float low, float high) {
        int passed = 0;
        for (int i = 0; i < count; i++) {
            int row = rows[i];
            float value = values.get(Layouts.FLOAT, (long) row << 2);
            rows[passed] = row;
            passed += (value >= low ? 1 : 0) & (value <= high ? 1 : 0);
        }
        return passed;
    }

    private static int doubles(
            MemorySegment values, int[] rows, int count, double low, double high) {
        int passed = 0;
        for (int i = 0; i < count; i++) {
            int row = rows[i];
            double value = values.get(Layouts.DOUBLE, (long) row << 3);
            rows[passed] = row;
            passed += (value >= low ? 1 : 0) & (value <= high ? 1 : 0);
        }
        return passed;
    }

    private int inRange(MemorySegment booleans, int[] rows, int count) {
        int passed = 0;
        for (int i = 0; i < count; i++) {
            int row = rows[i];
            rows[passed] = row;
            passed += range.holds(booleans.get(ValueLayout.JAVA_BYTE, row)) ? 1 : 0;
        }
        return passed;
    }

    @Override
    public boolean canMatch(BlockScan scan) {
        if (scan.isPart(field)) {
            return true;
        }
        // A block without bounds has no row with a number in its own field.
        NumberBounds bounds = scan.bounds(field).orElse(null);
        return bounds == null ? scan.isImported(field) : meets(bounds);
    }

    @Override
    public String text() {
        return "(number " + name + ")";
    }
}
