package org.crabro.content.match;

import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.util.List;
import org.crabro.content.block.column.Column;
import org.crabro.content.layout.NumberBounds;
import org.crabro.content.match.text.TextScan;
import org.crabro.content.query.QueryFields;

/**
 * A condition, compiled. Immutable and shared by threads; what it needs to remember while it works
 * it borrows from the {@link BlockScan}.
 */
sealed interface Filter {
    /** Costs of a row, relative to one another: a condition is tried after all cheaper ones. */
    int FREE = 0;

    int NUMBER_COST = 1;

    int TEXT_COST = 50;

    /** Of looking into a value with no dictionary to help. */
    int VALUE_COST = 200;

    int cost();

    /**
     * Keeps the rows that match.
     *
     * @param rows row numbers in rising order; those that match come to its front, in order
     * @param count how many of them there are
     * @return how many match
     */
    int narrow(BlockScan scan, int[] rows, int count);

    /**
     * Returns whether rows of the open block may match. What tells lies in the block's directory
     * and in dictionaries: no values are read.
     */
    boolean canMatch(BlockScan scan);

    /**
     * Writes live rows of the open slice, in rising order: all that match are among them. Only
     * where they are found without a look at the others.
     *
     * @param rows long enough for all rows of the slice
     * @return how many there are; -1 where they are not found like that
     */
    default int lead(BlockScan scan, int[] rows) {
        return -1;
    }

    /** Returns the condition as an s-expression, for traces. */
    String text();

    /**
     * Returns about how many of some rows of the open block may match, from what {@link #canMatch}
     * looks at. For traces alone: nothing is decided by it.
     */
    default double estimate(BlockScan scan, int count) {
        return canMatch(scan) ? count : 0;
    }

    /** Rows match that match {@code of}; what becomes of them is counted, for traces. */
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

    /** Every row matches. */
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

    /** No row matches. */
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

    /** Rows match that match all of {@code parts}, which are sorted by cost. */
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

    /** Rows match that match at least one of {@code parts}, which are sorted by cost. */
    record Any(List<Filter> parts) implements Filter {
        @Override
        public int cost() {
            return parts.stream().mapToInt(Filter::cost).sum();
        }

        /*
         * Each part is asked only about the rows that no part before it matched. Those that it
         * matches are cut out of what is left; what is left in the end is cut out of all rows.
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

    /** Rows match that match {@code kept} and not {@code out}. */
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
     * Rows match whose number lies in {@code range}.
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

        /** As if numbers were spread evenly between the least and the largest. */
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

        // Asked of each block twice: by a plain condition, a switch takes several times as long.
        private boolean meets(NumberBounds bounds) {
            if (bounds instanceof NumberBounds.Whole(long min, long max)) {
                return range.lowWhole() <= max && range.highWhole() >= min;
            }
            // Floats are compared with ends narrowed to floats, doubles with others: either.
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

        // The loops keep without a branch: what matches half of the time would be mispredicted.

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
            // Where there are no bounds no row was written with such a number.
            NumberBounds bounds = scan.bounds(field).orElse(null);
            return bounds != null && meets(bounds);
        }

        @Override
        public String text() {
            return "(number " + name + ")";
        }
    }

    /**
     * Rows match in whose text {@code pattern} occurs.
     *
     * @param scanned by {@link Matcher#textScan}
     * @param pattern by its place in the {@link TextScan}
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

        /** As many as the dictionary says, where there is one. */
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
     * Rows match whose value passes {@code test}.
     *
     * @param field by {@link QueryFields}
     * @param cost that of looking into one value
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
     * Rows match that a {@link NearestSearch} selected before.
     *
     * @param search its place in {@link Matcher#nearest()}
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
