package org.crabro.content.match;

import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.util.List;
import org.crabro.content.block.column.Column;
import org.crabro.content.layout.NumberBounds;
import org.crabro.content.match.text.TextScan;
import org.crabro.content.query.QueryFields;

/**
 * A compiled condition. Immutable and shared by threads; state during evaluation is in the {@link
 * BlockScan}.
 */
sealed interface Filter {
    /** Relative costs per row. Conditions are evaluated in the order of their costs. */
    int FREE = 0;

    int NUMBER_COST = 1;

    int TEXT_COST = 50;

    /** The cost of reading a value without a dictionary. */
    int VALUE_COST = 200;

    int cost();

    /**
     * Moves the matching rows to the front.
     *
     * @param rows row numbers in rising order; the matching ones are moved to the front, in order
     * @param count the number of rows
     * @return the number of matching rows
     */
    int narrow(BlockScan scan, int[] rows, int count);

    /**
     * Returns whether rows of the open block may match. Reads the block's directory and
     * dictionaries, but no values.
     */
    boolean canMatch(BlockScan scan);

    /**
     * Writes a superset of the matching live rows of the open slice, in rising order. Only
     * conditions that find these rows without reading the others implement this.
     *
     * @param rows long enough for all rows of the slice
     * @return the number of rows written; -1 if the rows cannot be found this way
     */
    default int lead(BlockScan scan, int[] rows) {
        return -1;
    }

    /** Returns the condition as an s-expression, for traces. */
    String text();

    /**
     * Returns an estimate of how many of some rows of the open block match, from the same data as
     * {@link #canMatch}. It is used in traces only and decides nothing.
     */
    default double estimate(BlockScan scan, int count) {
        return canMatch(scan) ? count : 0;
    }

    /** Matches the same rows as {@code of} and counts them, for traces. */
    record Counted(Filter of, FilterCounts counts) implements Filter {
        @Override
        public int cost() {
            return of.cost();
        }

        @Override
        public int narrow(BlockScan scan, int[] rows, int count) {
            double estimate = of.estimate(scan, count);
            long start = System.nanoTime();
            int kept = of.narrow(scan, rows, count);
            counts.add(count, estimate, kept, System.nanoTime() - start);
            return kept;
        }

        @Override
        public boolean canMatch(BlockScan scan) {
            boolean can = of.canMatch(scan);
            if (!can && scan.isOpen()) {
                counts.pass();
            }
            return can;
        }

        @Override
        public String text() {
            return of.text();
        }

        @Override
        public double estimate(BlockScan scan, int count) {
            return of.estimate(scan, count);
        }
    }

    /** Matches every row. */
    record Everything() implements Filter {
        @Override
        public int cost() {
            return FREE;
        }

        @Override
        public int narrow(BlockScan scan, int[] rows, int count) {
            return count;
        }

        @Override
        public boolean canMatch(BlockScan scan) {
            return true;
        }

        @Override
        public String text() {
            return "all";
        }
    }

    /** Matches no row. */
    record Nothing() implements Filter {
        @Override
        public int cost() {
            return FREE;
        }

        @Override
        public int narrow(BlockScan scan, int[] rows, int count) {
            return 0;
        }

        @Override
        public boolean canMatch(BlockScan scan) {
            return false;
        }

        @Override
        public String text() {
            return "none";
        }
    }

    /** Matches rows that match all of {@code parts}, which are sorted by cost. */
    record Every(List<Filter> parts) implements Filter {
        @Override
        public int cost() {
            return parts.stream().mapToInt(Filter::cost).sum();
        }

        @Override
        public int lead(BlockScan scan, int[] rows) {
            int count = -1;
            for (int i = 0; i < parts.size() && count < 0; i++) {
                count = parts.get(i).lead(scan, rows);
            }
            return count;
        }

        @Override
        public int narrow(BlockScan scan, int[] rows, int count) {
            int left = count;
            for (int i = 0; i < parts.size() && left > 0; i++) {
                scan.work().spend(left);
                left = parts.get(i).narrow(scan, rows, left);
            }
            return left;
        }

        @Override
        public boolean canMatch(BlockScan scan) {
            for (int i = 0; i < parts.size(); i++) {
                if (!parts.get(i).canMatch(scan)) {
                    return false;
                }
            }
            return true;
        }

        @Override
        public String text() {
            return list("and", parts);
        }
    }

    /** Matches rows that match at least one of {@code parts}, which are sorted by cost. */
    record Any(List<Filter> parts) implements Filter {
        @Override
        public int cost() {
            return parts.stream().mapToInt(Filter::cost).sum();
        }

        /*
         * Each part tests only the rows that no earlier part matched. The rows that it matches are
         * removed from the remaining rows. At the end the remaining rows are removed from all rows.
         */
        @Override
        public int narrow(BlockScan scan, int[] rows, int count) {
            int[] left = scan.borrow();
            int[] matched = scan.borrow();
            System.arraycopy(rows, 0, left, 0, count);
            int leftCount = count;
            for (int i = 0; i < parts.size() && leftCount > 0; i++) {
                System.arraycopy(left, 0, matched, 0, leftCount);
                scan.work().spend(leftCount);
                int matchedCount = parts.get(i).narrow(scan, matched, leftCount);
                leftCount = RowNumbers.without(left, leftCount, matched, matchedCount);
            }
            int kept = RowNumbers.without(rows, count, left, leftCount);
            scan.giveBack(matched);
            scan.giveBack(left);
            return kept;
        }

        @Override
        public boolean canMatch(BlockScan scan) {
            for (int i = 0; i < parts.size(); i++) {
                if (parts.get(i).canMatch(scan)) {
                    return true;
                }
            }
            return false;
        }

        @Override
        public String text() {
            return list("or", parts);
        }
    }

    /** Matches rows that match {@code kept} and not {@code out}. */
    record Except(Filter kept, Filter out) implements Filter {
        @Override
        public int cost() {
            return kept.cost() + out.cost();
        }

        @Override
        public int narrow(BlockScan scan, int[] rows, int count) {
            int left = kept.narrow(scan, rows, count);
            int[] matched = scan.borrow();
            System.arraycopy(rows, 0, matched, 0, left);
            int matchedCount = out.narrow(scan, matched, left);
            int result = RowNumbers.without(rows, left, matched, matchedCount);
            scan.giveBack(matched);
            return result;
        }

        @Override
        public int lead(BlockScan scan, int[] rows) {
            return kept.lead(scan, rows);
        }

        @Override
        public boolean canMatch(BlockScan scan) {
            return kept.canMatch(scan);
        }

        @Override
        public String text() {
            return list("without", List.of(kept, out));
        }
    }

    /**
     * Matches rows whose number is in {@code range}.
     *
     * @param field by {@link QueryFields}
     */
    record InRange(int field, String name, NumberRange range) implements Filter {
        @Override
        public int cost() {
            return NUMBER_COST;
        }

        @Override
        public int narrow(BlockScan scan, int[] rows, int count) {
            return switch (scan.column(field).orElse(null)) {
                case null -> 0;
                case Column.Numbers column -> {
                    int kept = inRange(column, rows, count);
                    yield RowNumbers.present(column.presence(), rows, kept);
                }
                case Column.Booleans column -> {
                    int kept = inRange(column.values(), rows, count);
                    yield RowNumbers.present(column.presence(), rows, kept);
                }
                case Column.Texts _, Column.Nested _, Column.DenseTensors _ -> 0;
            };
        }

        /** Assumes that the numbers are evenly distributed between the least and the largest. */
        @Override
        public double estimate(BlockScan scan, int count) {
            return count * scan.bounds(field).map(this::share).orElse(0.0);
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
            int kept = 0;
            for (int i = 0; i < count; i++) {
                int row = rows[i];
                int value = values.get(Layouts.INT, (long) row << 2);
                rows[kept] = row;
                kept += (value >= low ? 1 : 0) & (value <= high ? 1 : 0);
            }
            return kept;
        }

        private static int longs(MemorySegment values, int[] rows, int count, long low, long high) {
            int kept = 0;
            for (int i = 0; i < count; i++) {
                int row = rows[i];
                long value = values.get(Layouts.LONG, (long) row << 3);
                rows[kept] = row;
                kept += (value >= low ? 1 : 0) & (value <= high ? 1 : 0);
            }
            return kept;
        }

        private static int floats(
                MemorySegment values, int[] rows, int count, float low, float high) {
            int kept = 0;
            for (int i = 0; i < count; i++) {
                int row = rows[i];
                float value = values.get(Layouts.FLOAT, (long) row << 2);
                rows[kept] = row;
                kept += (value >= low ? 1 : 0) & (value <= high ? 1 : 0);
            }
            return kept;
        }

        private static int doubles(
                MemorySegment values, int[] rows, int count, double low, double high) {
            int kept = 0;
            for (int i = 0; i < count; i++) {
                int row = rows[i];
                double value = values.get(Layouts.DOUBLE, (long) row << 3);
                rows[kept] = row;
                kept += (value >= low ? 1 : 0) & (value <= high ? 1 : 0);
            }
            return kept;
        }

        private int inRange(MemorySegment booleans, int[] rows, int count) {
            int kept = 0;
            for (int i = 0; i < count; i++) {
                int row = rows[i];
                rows[kept] = row;
                kept += range.holds(booleans.get(ValueLayout.JAVA_BYTE, row)) ? 1 : 0;
            }
            return kept;
        }

        @Override
        public boolean canMatch(BlockScan scan) {
            // A block without bounds has no row with a number in this field.
            NumberBounds bounds = scan.bounds(field).orElse(null);
            return bounds != null && meets(bounds);
        }

        @Override
        public String text() {
            return "(number " + name + ")";
        }
    }

    /**
     * Matches rows whose text contains {@code pattern}.
     *
     * @param scanned the number of the text scan, by {@link Matcher#textScan}
     * @param pattern the index of the pattern in the {@link TextScan}
     */
    record Text(int scanned, int pattern, String name) implements Filter {
        @Override
        public int cost() {
            return TEXT_COST;
        }

        @Override
        public int narrow(BlockScan scan, int[] rows, int count) {
            TextHits hits = scan.textHits(scanned);
            hits.look(pattern, rows, count);
            int kept = 0;
            for (int i = 0; i < count; i++) {
                int row = rows[i];
                rows[kept] = row;
                kept += hits.occurrences(pattern, row) > 0 ? 1 : 0;
            }
            return kept;
        }

        @Override
        public int lead(BlockScan scan, int[] rows) {
            return scan.textHits(scanned).rows(pattern, rows);
        }

        @Override
        public boolean canMatch(BlockScan scan) {
            return scan.looksAtHeadersOnly() || scan.textHits(scanned).isPossible(pattern);
        }

        /** Returns the number of rows from the dictionary, if there is one. */
        @Override
        public double estimate(BlockScan scan, int count) {
            TextHits hits = scan.textHits(scanned);
            int documents = hits.hasTokens() ? hits.documents(pattern) : -1;
            return documents < 0
                    ? Filter.super.estimate(scan, count)
                    : (double) count * documents / Math.max(1, scan.slice().block().rowCount());
        }

        @Override
        public String text() {
            return "(text " + name + ")";
        }
    }

    /**
     * Matches rows whose value passes {@code test}.
     *
     * @param field by {@link QueryFields}
     * @param cost the cost of reading one value
     */
    record Values(int field, String name, ValuePredicate test, int cost) implements Filter {
        @Override
        public int narrow(BlockScan scan, int[] rows, int count) {
            Column column = scan.column(field).orElse(null);
            if (column == null) {
                return 0;
            }
            int kept = 0;
            for (int i = 0; i < count; i++) {
                int row = rows[i];
                if (test.test(scan, column, row)) {
                    rows[kept++] = row;
                }
            }
            return kept;
        }

        @Override
        public boolean canMatch(BlockScan scan) {
            return true;
        }

        @Override
        public String text() {
            return "(values " + name + ")";
        }
    }

    /**
     * Matches rows that a {@link NearestSearch} has selected before.
     *
     * @param search the index in {@link Matcher#nearest()}
     */
    record Selected(int search, String name) implements Filter {
        @Override
        public int cost() {
            return FREE;
        }

        @Override
        public int narrow(BlockScan scan, int[] rows, int count) {
            return RowNumbers.common(rows, count, scan.selected(search));
        }

        @Override
        public int lead(BlockScan scan, int[] rows) {
            int[] selected = scan.selected(search);
            System.arraycopy(selected, 0, rows, 0, selected.length);
            return selected.length;
        }

        @Override
        public boolean canMatch(BlockScan scan) {
            return scan.selected(search).length > 0;
        }

        @Override
        public String text() {
            return "(nearest " + name + ")";
        }
    }

    private static String list(String operator, List<Filter> parts) {
        var text = new StringBuilder("(").append(operator);
        for (Filter part : parts) {
            text.append(' ').append(part.text());
        }
        return text.append(')').toString();
    }
}
