package org.crabro.content.search.rank;

import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;
import org.crabro.content.search.match.BlockScan;
import org.crabro.content.search.match.Layouts;
import org.crabro.content.search.match.Matcher;
import org.crabro.content.search.match.NearestSearch;
import org.crabro.content.search.match.TextHits;
import org.crabro.content.storage.block.ColumnValues;
import org.crabro.content.storage.block.column.Column;
import org.crabro.content.storage.block.column.Presence;
import org.crabro.content.storage.block.column.TextReader;
import org.crabro.document.FieldValue;
import org.crabro.ranking.kernel.StoredCells;
import org.crabro.ranking.program.StringValue;
import org.crabro.ranking.tensor.CellBuffer;
import org.crabro.ranking.tensor.TensorData;
import org.crabro.tensor.TensorType;

/**
 * Computes the values of a feature for rows of the open slice. Immutable. It has a record for each
 * kind of feature.
 */
interface FeatureSource {
    /**
     * Writes one value per row.
     *
     * @param rows in rising order
     * @param into receives the values from index 0 on
     */
    void read(BlockScan scan, int[] rows, int count, double[] into);

    /**
     * Returns the tensor of one row.
     *
     * @throws IllegalStateException if the feature is a number
     */
    default TensorData tensor(BlockScan scan, int row) {
        throw new IllegalStateException(this + " is no tensor");
    }

    /** Writes the cells of {@link #tensor} for one row. */
    default void cells(BlockScan scan, int row, CellBuffer into) {
        into.hold(tensor(scan, row));
    }

    /** The same number for every document. */
    record Constant(double value) implements FeatureSource {
        @Override
        public void read(BlockScan scan, int[] rows, int count, double[] into) {
            Arrays.fill(into, 0, count, value);
        }
    }

    /** The rank of the document by the first phase. It is set only when rows are scored again. */
    record FirstPhaseRank() implements FeatureSource {
        @Override
        public void read(BlockScan scan, int[] rows, int count, double[] into) {
            Arrays.fill(into, 0, count, Double.MAX_VALUE);
        }
    }

    /** The best score of the first phase. It is set only when rows are scored again. */
    record FirstPhaseMax() implements FeatureSource {
        @Override
        public void read(BlockScan scan, int[] rows, int count, double[] into) {
            Arrays.fill(into, 0, count, Double.NEGATIVE_INFINITY);
        }
    }

    /** The same tensor for every document. */
    record ConstantTensor(TensorData value) implements FeatureSource {
        @Override
        public void read(BlockScan scan, int[] rows, int count, double[] into) {
            throw new IllegalStateException(this + " is no number");
        }

        @Override
        public TensorData tensor(BlockScan scan, int row) {
            return value;
        }
    }

    /**
     * The number, boolean or string of a field.
     *
     * @param missing the value of a document without a value
     * @param least the smallest whole number of the field's type, which represents a missing value
     */
    record Attribute(int field, double missing, long least) implements FeatureSource {
        @Override
        public void read(BlockScan scan, int[] rows, int count, double[] into) {
            switch (scan.column(field).orElse(null)) {
                case null -> Arrays.fill(into, 0, count, missing);
                case Column.Numbers column -> {
                    numbers(column, rows, count, into);
                    fillMissing(column, rows, count, into);
                }
                case Column.Booleans column -> {
                    for (int i = 0; i < count; i++) {
                        into[i] = column.values().get(ValueLayout.JAVA_BYTE, rows[i]);
                    }
                    fillMissing(column, rows, count, into);
                }
                case Column.Texts column -> {
                    texts(column, rows, count, into);
                    fillMissing(column, rows, count, into);
                }
                case Column.Nested _, Column.DenseTensors _ -> Arrays.fill(into, 0, count, 0);
            }
        }

        private void fillMissing(Column column, int[] rows, int count, double[] into) {
            if (column.presence() instanceof Presence.Some some) {
                for (int i = 0; i < count; i++) {
                    into[i] = some.has(rows[i]) ? into[i] : missing;
                }
            }
        }

        private void numbers(Column.Numbers column, int[] rows, int count, double[] into) {
            MemorySegment values = column.values();
            switch (column.kind()) {
                case INT -> {
                    for (int i = 0; i < count; i++) {
                        int value = values.get(Layouts.INT, (long) rows[i] << 2);
                        into[i] = value == least ? missing : value;
                    }
                }
                case LONG -> {
                    for (int i = 0; i < count; i++) {
                        long value = values.get(Layouts.LONG, (long) rows[i] << 3);
                        into[i] = value == least ? missing : value;
                    }
                }
                case FLOAT -> {
                    for (int i = 0; i < count; i++) {
                        into[i] = values.get(Layouts.FLOAT, (long) rows[i] << 2);
                    }
                }
                case DOUBLE -> {
                    for (int i = 0; i < count; i++) {
                        into[i] = values.get(Layouts.DOUBLE, (long) rows[i] << 3);
                    }
                }
            }
        }

        /*
         * A string is hashed from a copy. It is copied and hashed only if it differs from the
         * string of the previous row: string attributes have few values, often in runs.
         */
        private static void texts(Column.Texts column, int[] rows, int count, double[] into) {
            var text = new TextReader();
            byte[] last = {};
            double hash = StringValue.of(last);
            for (int i = 0; i < count; i++) {
                text.read(column, rows[i]);
                MemorySegment bytes = text.bytes().asSlice(text.offset(), text.length());
                if (text.length() != last.length
                        || bytes.mismatch(MemorySegment.ofArray(last)) >= 0) {
                    last = bytes.toArray(ValueLayout.JAVA_BYTE);
                    hash = StringValue.of(last);
                }
                into[i] = hash;
            }
        }
    }

    /** The tensor of a field; the empty tensor if a document has none. */
    record TensorAttribute(int field, TensorType type) implements FeatureSource {
        @Override
        public void read(BlockScan scan, int[] rows, int count, double[] into) {
            throw new IllegalStateException(this + " is no number");
        }

        @Override
        public TensorData tensor(BlockScan scan, int row) {
            Optional<Column> stored = scan.column(field);
            if (stored.isEmpty()) {
                return TensorData.empty(type);
            }
            return switch (stored.get()) {
                case Column.DenseTensors column
                        when column.type().equals(type) && column.presence().has(row) ->
                        TensorData.dense(type, dense(column, row));
                case Column.MixedTensors column
                        when column.type().equals(type) && column.presence().has(row) ->
                        LabelMemory.made(column, row, () -> mixed(column, row));
                case Column.FixedWidth _, Column.Texts _, Column.Nested _ -> TensorData.empty(type);
            };
        }

        private TensorData mixed(Column.MixedTensors column, int row) {
            return new ColumnValues()
                    .value(column, row)
                    .filter(FieldValue.MixedTensorValue.class::isInstance)
                    .map(value -> ((FieldValue.MixedTensorValue) value).tensor())
                    .map(TensorData::of)
                    .orElseGet(() -> TensorData.empty(type));
        }

        /* Fast paths read only cells, document after document. So this allocates no tensor. */
        @Override
        public void cells(BlockScan scan, int row, CellBuffer into) {
            Optional<Column> stored = scan.column(field);
            if (stored.isEmpty()) {
                clear(into);
                return;
            }
            switch (stored.get()) {
                case Column.DenseTensors column
                        when column.type().equals(type) && column.presence().has(row) -> {
                    int size = type.subspaceSize();
                    copy(column.cells(), (long) row * size, into, size);
                }
                case Column.MixedTensors column
                        when column.type().equals(type) && column.presence().has(row) -> {
                    long size = type.subspaceSize();
                    long first = column.first(row);
                    int count = Math.toIntExact((column.first(row + 1) - first) * size);
                    copy(column.cells(), first * size, into, count);
                }
                case Column.FixedWidth _, Column.Texts _, Column.Nested _ -> clear(into);
            }
        }

        /** Writes the cells of the empty tensor: zeros if it is dense, else none. */
        private void clear(CellBuffer into) {
            int size = type.isDense() ? type.subspaceSize() : 0;
            if (into.isFloat()) {
                Arrays.fill(into.floatRoom(size), 0, size, 0);
            } else {
                Arrays.fill(into.room(size), 0, size, 0);
            }
        }

        private void copy(MemorySegment bytes, long start, CellBuffer into, int count) {
            if (into.isFloat()) {
                StoredCells.copy(type.cellType(), bytes, start, into.floatRoom(count), count);
            } else {
                copy(bytes, start, into.room(count), count);
            }
        }

        private double[] dense(Column.DenseTensors column, int row) {
            double[] cells = new double[type.subspaceSize()];
            copy(column.cells(), (long) row * cells.length, cells, cells.length);
            return cells;
        }

        /**
         * Copies cells.
         *
         * @param start the index of the first cell
         */
        private void copy(MemorySegment bytes, long start, double[] into, int count) {
            switch (type.cellType()) {
                case DOUBLE -> {
                    for (int i = 0; i < count; i++) {
                        into[i] = bytes.get(Layouts.DOUBLE, (start + i) << 3);
                    }
                }
                case FLOAT -> {
                    for (int i = 0; i < count; i++) {
                        into[i] = bytes.get(Layouts.FLOAT, (start + i) << 2);
                    }
                }
                case BFLOAT16 -> {
                    for (int i = 0; i < count; i++) {
                        into[i] =
                                Float.intBitsToFloat(
                                        bytes.get(Layouts.SHORT, (start + i) << 1) << 16);
                    }
                }
                case INT8 -> {
                    for (int i = 0; i < count; i++) {
                        into[i] = bytes.get(ValueLayout.JAVA_BYTE, start + i);
                    }
                }
            }
        }
    }

    /** The first number of an array; NaN if there is none. */
    record FirstNumber(int field) implements FeatureSource {
        @Override
        public void read(BlockScan scan, int[] rows, int count, double[] into) {
            Column column = scan.column(field).orElse(null);
            for (int i = 0; i < count; i++) {
                into[i] =
                        column instanceof Column.Arrays arrays
                                        && arrays.presence().has(rows[i])
                                        && arrays.first(rows[i]) < arrays.first(rows[i] + 1)
                                        && arrays.elements() instanceof Column.Numbers numbers
                                        && numbers.presence().has(arrays.first(rows[i]))
                                ? AttributeElement.number(numbers, arrays.first(rows[i]))
                                : Double.NaN;
            }
        }
    }

    /** The age in seconds: the query's time minus the document's time. */
    record Age(FeatureSource time, double now) implements FeatureSource {
        /** The age of a document without a time. */
        static final double UNKNOWN = 1e10;

        @Override
        public void read(BlockScan scan, int[] rows, int count, double[] into) {
            time.read(scan, rows, count, into);
            for (int i = 0; i < count; i++) {
                into[i] = Double.isNaN(into[i]) ? UNKNOWN : Math.max(0, now - into[i]);
            }
        }
    }

    /**
     * The linear freshness: 1 for a new document, 0 at the maximum age.
     *
     * @param maxAge seconds
     */
    record Freshness(Age age, double maxAge) implements FeatureSource {
        @Override
        public void read(BlockScan scan, int[] rows, int count, double[] into) {
            age.read(scan, rows, count, into);
            for (int i = 0; i < count; i++) {
                into[i] = Math.max(1 - into[i] / maxAge, 0);
            }
        }
    }

    /**
     * The logarithmic freshness.
     *
     * @param maxAge seconds
     * @param scale seconds; determines the age with the value one half
     */
    record LogarithmicFreshness(Age age, double maxAge, double scale) implements FeatureSource {
        @Override
        public void read(BlockScan scan, int[] rows, int count, double[] into) {
            age.read(scan, rows, count, into);
            double oldest = Math.log(maxAge + scale);
            double range = oldest - Math.log(scale);
            for (int i = 0; i < count; i++) {
                double seconds = Math.clamp(into[i], 0.0, maxAge);
                into[i] = (oldest - Math.log(seconds + scale)) / range;
            }
        }
    }

    /** 1 if a ranked term occurs in a field, else 0. */
    record Matches(Matcher matcher, String field) implements FeatureSource {
        @Override
        public void read(BlockScan scan, int[] rows, int count, double[] into) {
            matcher.matches(scan, field, rows, count, into);
        }
    }

    /**
     * One output of a computation that runs document by document.
     *
     * @param output the index of the output
     */
    record OfRow(RowFeature feature, RankedTerms terms, int output) implements FeatureSource {
        @Override
        public void read(BlockScan scan, int[] rows, int count, double[] into) {
            throw new IllegalStateException("each thread computes it in memory of its own");
        }
    }

    /** A tensor that is computed document by document. */
    record OfRowTensor(ElementTexts feature, RankedTerms terms) implements FeatureSource {
        @Override
        public void read(BlockScan scan, int[] rows, int count, double[] into) {
            throw new IllegalStateException(this + " is no number");
        }

        @Override
        public TensorData tensor(BlockScan scan, int row) {
            throw new IllegalStateException("each thread computes it in memory of its own");
        }
    }

    /** The BM25 score of a text field. */
    final class Bm25 implements FeatureSource {
        private final SearchedText text;
        private final double[] inverseFrequencies;
        private final double saturation;
        private final double lengthNormalisation;
        private final double averageLength;

        /**
         * @param inverseFrequencies by term
         * @param saturation k1 of BM25: the larger, the more repeated occurrences count
         * @param lengthNormalisation b of BM25, from 0 to 1: the larger, the less long texts score
         */
        Bm25(
                SearchedText text,
                double[] inverseFrequencies,
                double saturation,
                double lengthNormalisation,
                double averageLength) {
            this.text = text;
            this.inverseFrequencies = inverseFrequencies;
            this.saturation = saturation;
            this.lengthNormalisation = lengthNormalisation;
            this.averageLength = averageLength;
        }

        SearchedText text() {
            return text;
        }

        /** Returns the weight of a term: what it adds to the score at most. */
        double weight(int term) {
            return inverseFrequencies[term] * (saturation + 1);
        }

        /**
         * Returns whether {@link #part} rises with the occurrences, and falls with the words, apart
         * from errors of rounding.
         */
        boolean isRising() {
            boolean isRising =
                    saturation >= 0
                            && lengthNormalisation >= 0
                            && lengthNormalisation <= 1
                            && averageLength > 0;
            for (int term = 0; term < text.termCount(); term++) {
                isRising &= weight(term) >= 0 && Double.isFinite(weight(term));
            }
            return isRising;
        }

        /** Returns what a term adds to the score of a row that it occurs in. */
        double part(double weight, double occurrences, int words) {
            double length = words / averageLength;
            double norm = saturation * (1 - lengthNormalisation + lengthNormalisation * length);
            return weight * occurrences / (occurrences + norm);
        }

        /*
         * Terms are added in the order of the query for every row. So the sum does not depend on
         * the batch.
         */
        @Override
        public void read(BlockScan scan, int[] rows, int count, double[] into) {
            TextHits hits = scan.textHits(text.scanned());
            Arrays.fill(into, 0, count, 0);
            for (int term = 0; term < text.termCount(); term++) {
                int pattern = text.pattern(term);
                hits.look(pattern, rows, count);
                double weight = weight(term);
                for (int i = 0; i < count; i++) {
                    int occurrences = hits.occurrences(pattern, rows[i]);
                    if (occurrences > 0) {
                        into[i] += part(weight, occurrences, hits.length(rows[i]));
                    }
                }
            }
        }
    }

    /**
     * The closeness of the nearest of several searches.
     *
     * @param searches at least 1
     */
    record Closeness(List<NearestSearch> searches) implements FeatureSource {
        @Override
        public void read(BlockScan scan, int[] rows, int count, double[] into) {
            double[] internal = scan.borrowNumbers();
            for (int search = 0; search < searches.size(); search++) {
                NearestSearch nearest = searches.get(search);
                nearest.distances(scan, rows, count, internal);
                for (int i = 0; i < count; i++) {
                    double closeness = nearest.closeness(internal[i]);
                    into[i] = search == 0 ? closeness : Math.max(into[i], closeness);
                }
            }
            scan.giveBack(internal);
        }
    }

    /**
     * The distance of the nearest of several searches.
     *
     * @param searches at least 1
     */
    record Distance(List<NearestSearch> searches) implements FeatureSource {
        @Override
        public void read(BlockScan scan, int[] rows, int count, double[] into) {
            double[] internal = scan.borrowNumbers();
            for (int search = 0; search < searches.size(); search++) {
                NearestSearch nearest = searches.get(search);
                nearest.distances(scan, rows, count, internal);
                for (int i = 0; i < count; i++) {
                    double distance = nearest.distance(internal[i]);
                    into[i] = search == 0 ? distance : Math.min(into[i], distance);
                }
            }
            scan.giveBack(internal);
        }
    }
}
