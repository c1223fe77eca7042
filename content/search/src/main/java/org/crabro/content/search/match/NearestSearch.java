package org.crabro.content.search.match;

import java.lang.foreign.MemorySegment;
import java.util.Arrays;
import java.util.Map;
import java.util.Optional;
import org.crabro.config.schema.SchemaField;
import org.crabro.content.search.match.cache.CachedVectors;
import org.crabro.content.search.query.QueryFields;
import org.crabro.content.search.query.QueryRejectedException;
import org.crabro.content.storage.block.column.Column;
import org.crabro.content.storage.block.column.Presence;
import org.crabro.content.storage.file.WorkMeter;
import org.crabro.content.storage.graph.GraphQuery;
import org.crabro.content.storage.graph.GraphTuning;
import org.crabro.content.storage.read.BlockSlice;
import org.crabro.document.DocumentType;
import org.crabro.document.Field;
import org.crabro.document.FieldType;
import org.crabro.protocol.query.QueryNode;
import org.crabro.protocol.search.QueryInput;
import org.crabro.ranking.kernel.DistanceMetric;
import org.crabro.ranking.kernel.Distances;
import org.crabro.ranking.kernel.StoredVectors;
import org.crabro.tensor.DenseTensor;
import org.crabro.tensor.Dimension;
import org.crabro.tensor.TensorType;
import org.jspecify.annotations.Nullable;

/**
 * Selects the rows whose vectors are nearest to the query's vector, among the rows that fulfil the
 * surrounding conditions. Immutable; threads share it.
 *
 * <p>Rows are ordered by distance, and by document id at equal distances. A scan selects exactly
 * the nearest ones. If the query allows it, {@link IndexedSearch} asks graphs instead, which may
 * miss some.
 */
public final class NearestSearch {
    /**
     * The least number of preceding rows per target hit for the use of quantized vectors. After
     * fewer rows, so many rows may be near enough that the quantized comparison costs more than it
     * saves.
     */
    private static final int ROWS_PER_HIT = 16;

    /**
     * The same for the first block, where some rows must first be compared exactly to find a
     * distance bound.
     */
    private static final int ROWS_PER_FIRST_HIT = 64;

    /**
     * If more than one in this many rows remains, comparing all rows in sequence is faster than
     * comparing single rows.
     */
    private static final int ROWS_PER_PICKED = 8;

    private final String field;
    private final int fieldNumber;
    private final String label;
    private final boolean ranked;
    private final int targetHits;
    private final double limit;
    private final TensorType whole;
    private final Distances distances;
    private final QueryNode.Exploration exploration;

    /** Whether a document may have several vectors. */
    private final boolean hasSeveral;

    private final double worstCloseness;
    private final Filter conditions;

    private NearestSearch(
            QueryNode.NearestNeighbor search,
            SchemaField field,
            int fieldNumber,
            TensorType whole,
            Distances distances,
            Filter conditions) {
        this.field = field.field().name();
        this.fieldNumber = fieldNumber;
        this.label = search.settings().hints().label();
        this.ranked = search.settings().ranked();
        this.targetHits = search.targetHits();
        this.limit =
                search.distanceThreshold().isPresent()
                        ? distances.internal(search.distanceThreshold().getAsDouble())
                        : Double.POSITIVE_INFINITY;
        this.whole = whole;
        this.distances = distances;
        this.exploration = search.exploration();
        this.hasSeveral = !whole.isDense();
        this.worstCloseness =
                field.values().metric() == DistanceMetric.DOTPRODUCT ? -Double.MAX_VALUE : 0;
        this.conditions = conditions;
    }

    private NearestSearch(NearestSearch of, Filter conditions) {
        this.field = of.field;
        this.fieldNumber = of.fieldNumber;
        this.label = of.label;
        this.ranked = of.ranked;
        this.targetHits = of.targetHits;
        this.limit = of.limit;
        this.whole = of.whole;
        this.distances = of.distances;
        this.exploration = of.exploration;
        this.hasSeveral = of.hasSeveral;
        this.worstCloseness = of.worstCloseness;
        this.conditions = conditions;
    }

    /** Returns a search that selects the same rows and counts those that it compares. */
    NearestSearch counting() {
        return new NearestSearch(this, Explanation.counted(conditions));
    }

    static NearestSearch of(
            QueryNode.NearestNeighbor search,
            SchemaField field,
            Map<String, QueryInput> inputs,
            QueryFields fields,
            Filter conditions) {
        if (!(field.field().type() instanceof FieldType.TensorOf(var whole))
                || indexedCount(whole) != 1) {
            throw new QueryRejectedException(
                    "nearestNeighbor needs a tensor field with one indexed dimension; '%s' is %s"
                            .formatted(search.field(), field.field().type().text()));
        }
        if (search.targetHits() < 1) {
            throw new QueryRejectedException(
                    "nearestNeighbor on '%s' needs targetHits of at least 1, not %d"
                            .formatted(search.field(), search.targetHits()));
        }
        // The distance of a document with several vectors is that of the nearest one.
        TensorType type = whole.subspaceType();
        DenseTensor query = vector(search, type, inputs.get(search.input()));
        return new NearestSearch(
                search,
                field,
                fields.number(field.field()),
                whole,
                distances(search, field, type, query),
                conditions);
    }

    /** Returns the number of indexed dimensions. Nearest-neighbor search requires exactly one. */
    public static long indexedCount(TensorType type) {
        return type.dimensions().stream().filter(Dimension.Indexed.class::isInstance).count();
    }

    private static Distances distances(
            QueryNode.NearestNeighbor search,
            SchemaField field,
            TensorType type,
            DenseTensor query) {
        try {
            return Distances.of(field.values().metric(), type, query);
        } catch (IllegalArgumentException e) {
            throw new QueryRejectedException(
                    "nearestNeighbor on '%s': %s".formatted(search.field(), e.getMessage()));
        }
    }

    private static DenseTensor vector(
            QueryNode.NearestNeighbor search, TensorType type, @Nullable QueryInput input) {
        if (!(input instanceof QueryInput.TensorInput(DenseTensor tensor))) {
            throw new QueryRejectedException(
                    "Expected a tensor value for 'query(%s)' of nearestNeighbor on '%s' but got %s"
                            .formatted(
                                    search.input(),
                                    search.field(),
                                    switch (input) {
                                        case null -> "nothing";
                                        case QueryInput.NumberInput _ -> "a number";
                                        case QueryInput.TensorInput(var given) -> given.type();
                                    }));
        }
        if (!tensor.type().dimensions().equals(type.dimensions())) {
            throw new QueryRejectedException(
                    "'query(%s)' is %s, which does not fit '%s' of type %s"
                            .formatted(search.input(), tensor.type(), search.field(), type));
        }
        return tensor;
    }

    /** Returns the field whose vectors are compared. */
    public String field() {
        return field;
    }

    /** Returns the label by which features refer to the search; empty if it has none. */
    public String label() {
        return label;
    }

    /** Returns whether features see the search. */
    public boolean isRanked() {
        return ranked;
    }

    /** Returns the maximum number of rows to select. */
    public int targetHits() {
        return targetHits;
    }

    /** Returns whether the lengths of stored vectors are needed in addition to their cells. */
    boolean needsLengths() {
        return !hasSeveral && distances.needsLengths();
    }

    /** Returns whether graphs of neighbors may be used. */
    boolean isApproximate() {
        return exploration.approximate();
    }

    /** Returns whether the rows of a type were written with the field as it is now. */
    boolean isOf(DocumentType type) {
        return type.field(field)
                .map(Field::type)
                .filter(own ->
                        own instanceof FieldType.TensorOf(var tensor) && tensor.equals(whole))
                .isPresent();
    }

    /**
     * Returns the search of a graph.
     *
     * @param work counts the comparisons
     */
    GraphQuery graphQuery(GraphTuning tuning, WorkMeter work) {
        return new GraphQuery(distances, targetHits, exploration.additionalHits(), tuning, work);
    }

    /** Returns the conditions on the compared rows. */
    Filter compared() {
        return conditions;
    }

    /** Returns the conditions on the compared rows, for traces. */
    public String conditions() {
        return conditions.text();
    }

    /**
     * Offers the rows of the open slice that fulfil the conditions and are near enough.
     *
     * @param nearest ordered by {@link RowOrder#smallestFirst}
     */
    public void search(BlockScan scan, TopK nearest) {
        if (scan.slice().isExcluded() || !conditions.canMatch(scan)) {
            return;
        }
        int[] rows = scan.rows();
        int count = conditions.narrow(scan, rows, scan.slice().candidates(rows));
        if (count == 0) {
            return;
        }
        double bound = Math.min(limit, nearest.valueToBeat());
        boolean isFew =
                bound < Double.POSITIVE_INFINITY
                        ? targetHits <= scan.rowsBefore() / ROWS_PER_HIT
                        : targetHits <= count / ROWS_PER_FIRST_HIT;
        if (isFew) {
            count = dropFarAway(scan, rows, count, bound);
            if (count == 0) {
                return;
            }
        }
        double[] internal = scan.borrowNumbers();
        distances(scan, rows, count, isFew ? bound : Double.POSITIVE_INFINITY, internal);
        int slice = scan.index();
        // In most blocks no row is near enough. A row without a vector has the distance NaN, which
        // is never near enough.
        int i = distances.firstWithin(internal, 0, count, bound);
        while (i < count) {
            nearest.offer(slice, rows[i], internal[i]);
            bound = Math.min(limit, nearest.valueToBeat());
            i = distances.firstWithin(internal, i + 1, count, bound);
        }
        scan.giveBack(internal);
    }

    /**
     * Drops rows that are too far away according to quantized vectors, and returns how many remain.
     * If too many would remain, it drops none.
     */
    private int dropFarAway(BlockScan scan, int[] rows, int count, double bound) {
        BlockSlice slice = scan.slice();
        int size = slice.to() - slice.from();
        Column column = scan.column(fieldNumber).orElse(null);
        if (count <= size / 2 || !distances.isQuantizable() || column == null) {
            return count;
        }
        Optional<MemorySegment> lengths =
                needsLengths() ? scan.inverseLengths(fieldNumber) : Optional.of(MemorySegment.NULL);
        CachedVectors lent = lengths.isEmpty() ? null : scan.vectors(fieldNumber, column);
        if (lent == null) {
            return count;
        }
        double[] least = scan.borrowNumbers();
        int[] near = scan.borrow();
        int left;
        try (lent) {
            if (column instanceof Column.MixedTensors several) {
                new SeveralVectors(several, distances).least(scan, lent, least);
            } else {
                distances.least(lent.vectors(), lengths.get(), slice.from(), size, least);
            }
            double limit = Double.isInfinite(bound) ? bound(scan, least, rows, count) : bound;
            left = nearRows(slice, least, limit, rows, count, near);
            lent.addTold(count, left);
        }
        if (left <= count / ROWS_PER_PICKED) {
            System.arraycopy(near, 0, rows, 0, left);
        } else {
            left = count;
        }
        scan.giveBack(near);
        scan.giveBack(least);
        return left;
    }

    /**
     * Returns an upper bound of the distance of the nearest {@link #targetHits} rows. The rows are
     * divided into twice as many parts. In each part the row with the least quantized distance is
     * compared exactly.
     */
    private double bound(BlockScan scan, double[] least, int[] rows, int count) {
        int slice = scan.slice().from();
        int[] some = scan.borrow();
        int parts = 2 * targetHits;
        for (int part = 0; part < parts; part++) {
            int from = (int) ((long) part * count / parts);
            int to = (int) ((part + 1L) * count / parts);
            int nearest = rows[from];
            for (int i = from + 1; i < to; i++) {
                double distance = least[nearest - slice];
                if (least[rows[i] - slice] < distance || Double.isNaN(distance)) {
                    nearest = rows[i];
                }
            }
            some[part] = nearest;
        }
        double[] internal = scan.borrowNumbers();
        distances(scan, some, parts, Double.POSITIVE_INFINITY, internal);
        // NaN sorts last.
        Arrays.sort(internal, 0, parts);
        double bound = internal[targetHits - 1];
        scan.giveBack(internal);
        scan.giveBack(some);
        return Double.isNaN(bound) ? Double.POSITIVE_INFINITY : bound;
    }

    /**
     * Writes the rows that may be near enough to {@code near} and returns their number. Stops when
     * they are too many for comparing single rows.
     */
    private int nearRows(
            BlockSlice slice, double[] least, double bound, int[] rows, int count, int[] near) {
        int left = 0;
        int most = count / ROWS_PER_PICKED;
        int size = slice.to() - slice.from();
        if (count < size) {
            for (int i = 0; i < count && left <= most; i++) {
                near[left] = rows[i];
                left += least[rows[i] - slice.from()] <= bound ? 1 : 0;
            }
            return left;
        }
        int row = distances.firstWithin(least, 0, size, bound);
        while (row < size && left <= most) {
            near[left++] = slice.from() + row;
            row = distances.firstWithin(least, row + 1, size, bound);
        }
        return left;
    }

    /**
     * Writes the distances of the vectors of rows, on the internal scale of the metric; NaN for a
     * row without a vector.
     */
    public void distances(BlockScan scan, int[] rows, int count, double[] into) {
        distances(scan, rows, count, Double.POSITIVE_INFINITY, into);
    }

    /** The same, but for rows farther away than {@code bound} it may write any larger number. */
    private void distances(BlockScan scan, int[] rows, int count, double bound, double[] into) {
        Column stored = scan.column(fieldNumber).orElse(null);
        if (stored instanceof Column.MixedTensors several) {
            new SeveralVectors(several, distances).distances(scan, rows, count, into);
            return;
        }
        if (!(stored instanceof Column.DenseTensors column)) {
            Arrays.fill(into, 0, count, Double.NaN);
            return;
        }
        Optional<MemorySegment> lengths =
                needsLengths() ? scan.inverseLengths(fieldNumber) : Optional.empty();
        var vectors = new StoredVectors(column.cells(), lengths);
        BlockSlice slice = scan.slice();
        int size = slice.to() - slice.from();
        // Comparing all rows in sequence reads memory up to twice as fast as comparing single rows.
        if (count == size) {
            distances.runWithin(vectors, slice.from(), size, bound, into);
        } else if (count > size / 2) {
            double[] all = scan.borrowNumbers();
            distances.runWithin(vectors, slice.from(), size, bound, all);
            for (int i = 0; i < count; i++) {
                into[i] = all[rows[i] - slice.from()];
            }
            scan.giveBack(all);
        } else {
            distances.select(vectors, rows, count, into);
        }
        if (column.presence() instanceof Presence.Some some) {
            for (int i = 0; i < count; i++) {
                if (!some.has(rows[i])) {
                    into[i] = Double.NaN;
                }
            }
        }
    }

    /**
     * Returns the index in the column of the nearest vector of a row. Of equally near vectors it is
     * the first; -1 if the row has no vector.
     */
    public int nearest(BlockScan scan, Column.MixedTensors column, int row) {
        return new SeveralVectors(column, distances).nearest(scan, row);
    }

    /**
     * Returns the value of the feature {@code closeness} for a distance from {@link #distances}.
     */
    public double closeness(double internal) {
        return Double.isNaN(internal) ? worstCloseness : distances.closeness(internal);
    }

    /** Returns the value of the feature {@code distance} for a distance from {@link #distances}. */
    public double distance(double internal) {
        return Double.isNaN(internal) ? Double.MAX_VALUE : distances.distance(internal);
    }
}
