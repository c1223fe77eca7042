package org.crabro.content.search.match;

import java.util.List;
import org.crabro.content.search.match.text.TextScan;
import org.crabro.content.search.query.QueryFields;
import org.crabro.content.storage.block.column.Column;

/**
 * A compiled condition. Immutable and shared by threads; state during evaluation is in the {@link
 * BlockScan}.
 */
sealed interface Filter
        permits Filter.Leaf, Filter.Counted, Filter.Every, Filter.Any, Filter.Except {
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

    /** A condition that contains no other conditions. */
    sealed interface Leaf extends Filter
            permits Everything, Nothing, NumberFilter, Text, Values, Selected {}

    /** Matches the same rows as {@code of} and counts them, for traces and plans. */
    record Counted(Filter of, FilterCounts counts) implements Filter {
        @Override
        public int cost() {
            return of.cost();
        }

        @Override
        public int narrow(BlockScan scan, int[] rows, int count) {
            double estimate = of.estimate(scan, count);
            long start = System.nanoTime();
            int passed = of.narrow(scan, rows, count);
            counts.add(count, estimate, passed, System.nanoTime() - start);
            return passed;
        }

        @Override
        public int lead(BlockScan scan, int[] rows) {
            return of.lead(scan, rows);
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
    record Everything() implements Leaf {
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
    record Nothing() implements Leaf {
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
            int passed = RowNumbers.without(rows, count, left, leftCount);
            scan.giveBack(matched);
            scan.giveBack(left);
            return passed;
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

    /** Matches rows that match {@code included} and not {@code out}. */
    record Except(Filter included, Filter out) implements Filter {
        @Override
        public int cost() {
            return included.cost() + out.cost();
        }

        @Override
        public int narrow(BlockScan scan, int[] rows, int count) {
            int left = included.narrow(scan, rows, count);
            int[] matched = scan.borrow();
            System.arraycopy(rows, 0, matched, 0, left);
            int matchedCount = out.narrow(scan, matched, left);
            int result = RowNumbers.without(rows, left, matched, matchedCount);
            scan.giveBack(matched);
            return result;
        }

        @Override
        public int lead(BlockScan scan, int[] rows) {
            return included.lead(scan, rows);
        }

        @Override
        public boolean canMatch(BlockScan scan) {
            return included.canMatch(scan);
        }

        @Override
        public String text() {
            return list("without", List.of(included, out));
        }
    }

    /**
     * Matches rows whose text contains {@code pattern}.
     *
     * @param scanned the number of the text scan, by {@link Matcher#textScan}
     * @param pattern the index of the pattern in the {@link TextScan}
     */
    record Text(int scanned, int pattern, String name) implements Leaf {
        @Override
        public int cost() {
            return TEXT_COST;
        }

        @Override
        public int narrow(BlockScan scan, int[] rows, int count) {
            TextHits hits = scan.textHits(scanned);
            hits.look(pattern, rows, count);
            int passed = 0;
            for (int i = 0; i < count; i++) {
                int row = rows[i];
                rows[passed] = row;
                passed += hits.occurrences(pattern, row) > 0 ? 1 : 0;
            }
            return passed;
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
                    ? Leaf.super.estimate(scan, count)
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
    record Values(int field, String name, ValuePredicate test, int cost) implements Leaf {
        @Override
        public int narrow(BlockScan scan, int[] rows, int count) {
            Column column = scan.column(field).orElse(null);
            if (column == null) {
                return 0;
            }
            int passed = 0;
            for (int i = 0; i < count; i++) {
                int row = rows[i];
                if (test.test(scan, column, row)) {
                    rows[passed++] = row;
                }
            }
            return passed;
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
    record Selected(int search, String name) implements Leaf {
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
