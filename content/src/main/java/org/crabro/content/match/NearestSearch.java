package org.crabro.content.match;

import java.lang.foreign.MemorySegment;
import java.util.Arrays;
import java.util.Map;
import java.util.Optional;
import org.crabro.config.schema.SchemaField;
import org.crabro.content.block.column.Column;
import org.crabro.content.block.column.Presence;
import org.crabro.content.match.cache.CachedVectors;
import org.crabro.content.query.QueryFields;
import org.crabro.content.query.QueryRejectedException;
import org.crabro.content.read.BlockSlice;
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
 * Selects the rows whose vectors are nearest to the query's, of those that fulfil the conditions
 * around it. Immutable; threads share it.
 *
 * <p>The selection is exact: distances decide, and document ids where those are equal.
 */
public final class NearestSearch {
    /** Behind fewer rows, so many may be near enough that telling which takes too long. */
    private static final int ROWS_PER_HIT = 16;

    /** The same for rows of which some have to tell first how near is near enough. */
    private static final int ROWS_PER_FIRST_HIT = 64;

    /** Where more rows are left, a straight run of all takes less time than to pick those. */
    private static final int ROWS_PER_PICKED = 8;

    private final String field;
    private final int fieldNumber;
    private final String label;
    private final boolean ranked;
    private final int targetHits;
    private final double limit;
    private final Distances distances;

    /** Whether a document may have several vectors. */
    private final boolean hasSeveral;

    private final double worstCloseness;
    private final Filter conditions;

    private NearestSearch(
            QueryNode.NearestNeighbor search,
            SchemaField field,
            int fieldNumber,
            Distances distances,
            boolean hasSeveral,
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
        this.distances = distances;
        this.hasSeveral = hasSeveral;
        this.worstCloseness =
                field.values().metric() == DistanceMetric.DOTPRODUCT ? -Double.MAX_VALUE : 0;
        this.conditions = conditions;
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
        // A document that has several vectors is as near as the nearest of them.
        TensorType type = whole.subspaceType();
        DenseTensor query = vector(search, type, inputs.get(search.input()));
        return new NearestSearch(
                search,
                field,
                fields.number(field.field()),
                distances(search, field, type, query),
                !whole.isDense(),
                conditions);
    }

    /** Returns how many indexed dimensions there are: neighbors are searched where it is one. */
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

    /** Returns by which name features know the search; empty for none. */
    public String label() {
        return label;
    }

    /** Returns whether features see the search. */
    public boolean isRanked() {
        return ranked;
    }

    /** Returns how many rows are selected at most. */
    public int targetHits() {
        return targetHits;
    }

    /** Returns whether the lengths of stored vectors are needed besides their cells. */
    boolean needsLengths() {
        return !hasSeveral && distances.needsLengths();
    }

    /** Returns the conditions that rows must fulfil to be looked at, for traces. */
    public String conditions() {
        return conditions.text();
    }

    /**
     * Offers the rows of the open slice that fulfil the conditions and are near enough.
     *
     * @param nearest ordered by {@link RowOrder#smallestFirst}
     */
    public void search(BlockScan scan, TopK nearest) {
        if (!conditions.canMatch(scan)) {
            return;
        }
        int[] rows = scan.rows();
        int count = conditions.narrow(scan, rows, scan.live());
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
        // Of most blocks no row is near enough. One without a vector, NaN, is not near to anything.
        int i = distances.firstWithin(internal, 0, count, bound);
        while (i < count) {
            nearest.offer(slice, rows[i], internal[i]);
            bound = Math.min(limit, nearest.valueToBeat());
            i = distances.firstWithin(internal, i + 1, count, bound);
        }
        scan.giveBack(internal);
    }

    /**
     * Drops rows that are too far away, as far as quantized vectors tell, and returns how many are
     * left: all where too many would be.
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
            double known = Double.isInfinite(bound) ? bound(scan, least, rows, count) : bound;
            left = nearRows(slice, least, known, rows, count, near);
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
     * Returns a distance that as many rows do not exceed as are wanted, of those that seem to be
     * the nearest of twice as many parts of some rows.
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
        // NaN is behind all others.
        Arrays.sort(internal, 0, parts);
        double bound = internal[targetHits - 1];
        scan.giveBack(internal);
        scan.giveBack(some);
        return Double.isNaN(bound) ? Double.POSITIVE_INFINITY : bound;
    }

    /**
     * Writes those of some rows to {@code near} that may be near enough, until they are too many to
     * be picked one by one, and returns how many.
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
     * Writes how far away the vectors of rows are, on a scale of the metric's own; NaN for a row
     * without one.
     */
    public void distances(BlockScan scan, int[] rows, int count, double[] into) {
        distances(scan, rows, count, Double.POSITIVE_INFINITY, into);
    }

    /** The same, but that of rows farther away than {@code bound} it may write any number above. */
    private void distances(BlockScan scan, int[] rows, int count, double bound, double[] into) {
        Column found = scan.column(fieldNumber).orElse(null);
        if (found instanceof Column.MixedTensors several) {
            new SeveralVectors(several, distances).distances(scan, rows, count, into);
            return;
        }
        if (!(found instanceof Column.DenseTensors column)) {
            Arrays.fill(into, 0, count, Double.NaN);
            return;
        }
        Optional<MemorySegment> lengths =
                needsLengths() ? scan.inverseLengths(fieldNumber) : Optional.empty();
        var vectors = new StoredVectors(column.cells(), lengths);
        BlockSlice slice = scan.slice();
        int size = slice.to() - slice.from();
        // A straight run reads memory up to twice as fast as rows that are picked one by one.
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
     * Returns which vector of a row is the nearest: the index of its subspace in the column, the
     * first of those that are equally near; -1 where the row has none.
     */
    public int nearest(BlockScan scan, Column.MixedTensors column, int row) {
        return new SeveralVectors(column, distances).nearest(scan, row);
    }

    /** Returns what {@code closeness} shows for a distance of {@link #distances}. */
    public double closeness(double internal) {
        return Double.isNaN(internal) ? worstCloseness : distances.closeness(internal);
    }

    /** Returns what {@code distance} shows for a distance of {@link #distances}. */
    public double distance(double internal) {
        return Double.isNaN(internal) ? Double.MAX_VALUE : distances.distance(internal);
    }
}
