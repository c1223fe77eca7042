package org.crabro.ranking.kernel;

import java.lang.foreign.MemorySegment;
import java.util.Objects;
import org.crabro.tensor.CellType;
import org.crabro.tensor.DenseTensor;
import org.crabro.tensor.TensorType;
import org.jspecify.annotations.Nullable;

/**
 * The distances of stored vectors from one query vector. Created once per query. Immutable and
 * thread-safe.
 *
 * <p>Stored vectors are the rows of a column: cells of one type, little-endian, contiguous. The
 * query is converted to the cells' type first. No method allocates memory per row.
 *
 * {@snippet :
 * Distances distances = Distances.of(DistanceMetric.ANGULAR, fieldType, query);
 * distances.run(StoredVectors.of(column), 0, count, internal);
 * double closeness = distances.closeness(internal[0]);
 * }
 */
public final class Distances {
    private static final RowKernels BEST = RowKernels.best();

    private static final ScalarRowKernels EXACT = new ScalarRowKernels();

    /**
     * Cosines nearer to 1 or -1 than this are computed in double, cell by cell. The error of
     * floats, about 1e-7, changes an angle there by up to 5e-4; outside of this range, by up to
     * 4e-6. Few vectors are that similar to the query; each takes at least ten times as long as
     * another.
     */
    private static final double STEEP = 0x1p-11;

    /** If more than 1 / this of a run is within the bound, all rows are compared together. */
    private static final int MANY_TO_COMPARE = 8;

    private final RowKernels kernels;
    private final DistanceMetric metric;
    private final QueryVector query;
    private final long rowSize;
    private final boolean isQuantizable;

    /** Internal distances that are less, or more than {@link #mostSure}, are computed in double. */
    private final double leastSure;

    private final double mostSure;

    private final double subtractedFrom;

    // Created at the first use; threads that race create equal ones.
    private @Nullable QuantizedQuery quantized;

    private Distances(RowKernels kernels, DistanceMetric metric, QueryVector query) {
        this.kernels = kernels;
        this.metric = metric;
        this.query = query;
        rowSize = query.rowSize;
        isQuantizable = hasDotProducts(metric) && QuantizedQuery.isFor(query);
        boolean isAngle = metric == DistanceMetric.ANGULAR;
        leastSure = isAngle ? STEEP : -Double.MAX_VALUE;
        mostSure = isAngle ? 2 - STEEP : Double.MAX_VALUE;
        subtractedFrom = subtractedFrom(metric, query);
    }

    private static boolean hasDotProducts(DistanceMetric metric) {
        return switch (metric) {
            case EUCLIDEAN, ANGULAR, DOTPRODUCT, PRENORMALIZED_ANGULAR -> true;
            case GEODEGREES, HAMMING -> false;
        };
    }

    /**
     * Returns the distances of vectors of type {@code field} from {@code query}.
     *
     * @throws IllegalArgumentException if the field is not dense, the query has another number of
     *     cells, or the metric is for pairs of degrees and the vectors are no pairs
     */
    public static Distances of(DistanceMetric metric, TensorType field, DenseTensor query) {
        return of(BEST, metric, field, query);
    }

    static Distances of(
            RowKernels kernels, DistanceMetric metric, TensorType field, DenseTensor query) {
        if (!field.isDense() || field.cellCount() != query.size()) {
            throw new IllegalArgumentException(
                    "a query of type " + query.type() + " for a field of type " + field);
        }
        if (metric == DistanceMetric.GEODEGREES && query.size() != 2) {
            throw new IllegalArgumentException(
                    metric + " is for latitude and longitude, but " + field + " has others");
        }
        return new Distances(kernels, metric, new QueryVector(field.cellType(), query));
    }

    /** Returns whether the Vector API is used; the server logs it at start. */
    public static boolean isVectorized() {
        return BEST instanceof VectorRowKernels;
    }

    /** Returns whether machine code of this process is used. */
    public static boolean isMachineCode() {
        return BEST instanceof MachineRowKernels;
    }

    /**
     * Returns whether bytes are compared about as fast as caches are read, so that {@link #least}
     * also helps for vectors in caches.
     */
    public static boolean areBytesFast() {
        return isMachineCode();
    }

    /**
     * Computes the internal distances of a straight run of rows.
     *
     * @param into receives {@code count} distances, from index 0 on
     * @throws IndexOutOfBoundsException if {@code vectors} or {@code into} is too short
     */
    public void run(StoredVectors vectors, int firstRow, int count, double[] into) {
        Objects.checkFromIndexSize(0, count, into.length);
        MemorySegment run = vectors.cells().asSlice(firstRow * rowSize, count * rowSize);
        if (multipliesLengths(vectors)) {
            kernels.dots(query, run, count, into);
            MemorySegment lengths = ofRun(vectors, firstRow, count);
            kernels.angular(into, count, lengths, query.inverseLength);
        } else {
            compare(run, count, into);
            finish(into, count);
        }
        sharpen(run, count, into);
    }

    /** Returns whether cosines are computed from dot products and stored lengths. */
    private boolean multipliesLengths(StoredVectors vectors) {
        return metric == DistanceMetric.ANGULAR
                && vectors.inverseLengths().isPresent()
                && FloatCosines.haveRoom(query.squaredLength);
    }

    private void compare(MemorySegment run, int count, double[] into) {
        switch (metric) {
            case EUCLIDEAN -> kernels.squaredDistances(query, run, count, into);
            case ANGULAR -> kernels.cosines(query, run, count, into);
            case DOTPRODUCT, PRENORMALIZED_ANGULAR -> kernels.dots(query, run, count, into);
            case GEODEGREES -> {
                for (int i = 0; i < count; i++) {
                    into[i] = haversine(run, i * rowSize);
                }
            }
            case HAMMING -> kernels.differing(query, run, count, into);
        }
    }

    /** Recomputes distances in double if floats are too coarse. */
    private void sharpen(MemorySegment run, int count, double[] into) {
        int row = kernels.firstOutside(into, 0, count, leastSure, mostSure);
        while (row < count) {
            into[row] = exact(run, row * rowSize);
            row = kernels.firstOutside(into, row + 1, count, leastSure, mostSure);
        }
    }

    private double exact(MemorySegment cells, long at) {
        return finished(compare(EXACT, cells, at));
    }

    /**
     * Computes distances for a search that needs no row farther away than {@code bound}. For such
     * rows it writes any number above {@code bound} instead of the distance.
     *
     * @param bound an internal distance
     */
    public void runWithin(
            StoredVectors vectors, int firstRow, int count, double bound, double[] into) {
        if (!isEstimated() || vectors.inverseLengths().isEmpty() || Double.isInfinite(bound)) {
            run(vectors, firstRow, count, into);
            return;
        }
        Objects.checkFromIndexSize(0, count, into.length);
        MemorySegment run = vectors.cells().asSlice(firstRow * rowSize, count * rowSize);
        kernels.dots(query, run, count, into);
        MemorySegment lengths = ofRun(vectors, firstRow, count);
        kernels.leastSquaredDistances(query, lengths, 0, count, into);
        int left = count / MANY_TO_COMPARE;
        int row = firstWithin(into, 0, count, bound);
        while (row < count && left > 0) {
            into[row] = kernels.squaredDistance(query, run, row * rowSize);
            row = firstWithin(into, row + 1, count, bound);
            left--;
        }
        if (row < count) {
            kernels.squaredDistances(query, run, count, into);
        }
        sharpen(run, count, into);
    }

    /**
     * Returns whether {@link #least} applies to such vectors. It needs lengths if {@link
     * #needsLengths} is true.
     */
    public boolean isQuantizable() {
        return isQuantizable;
    }

    /**
     * Computes tight lower bounds of the internal distances of contiguous rows. Requires {@link
     * #isQuantizable}.
     *
     * @param vectors the quantized rows
     * @param inverseLengths of the rows before quantization, as in {@link StoredVectors}; not used
     *     if {@link #needsLengths} is false
     * @param into receives {@code count} numbers, from index 0 on; NaN if the distance is NaN
     * @throws IndexOutOfBoundsException if {@code vectors} or {@code into} is too short
     */
    public void least(
            QuantizedVectors vectors,
            MemorySegment inverseLengths,
            int firstRow,
            int count,
            double[] into) {
        Objects.checkFromIndexSize(0, count, into.length);
        QuantizedQuery rounded = quantized();
        long size = rounded.cells.rowSize;
        MemorySegment run = vectors.cells().asSlice(firstRow * size, count * size);
        kernels.dots(rounded.cells, run, count, into);
        kernels.mostDots(rounded, vectors, firstRow, 0, count, into);
        switch (metric) {
            case ANGULAR ->
                    kernels.angular(
                            into,
                            count,
                            floats(inverseLengths, firstRow, count),
                            query.inverseLength);
            case EUCLIDEAN ->
                    kernels.leastSquaredDistances(
                            query, floats(inverseLengths, firstRow, count), 0, count, into);
            case DOTPRODUCT, PRENORMALIZED_ANGULAR -> finish(into, count);
            case GEODEGREES, HAMMING ->
                    throw new IllegalStateException("no bound is known for " + metric);
        }
    }

    /**
     * Returns the maximum difference between internal distances computed with {@link
     * StoredVectors#inverseLengths} and without. With {@code n} cells, the length that kernels
     * compute contributes {@code (n + 2) * 0x1p-24} of a cosine; the rounding of stored lengths
     * adds a little.
     */
    public double lengthsTolerance() {
        return metric == DistanceMetric.ANGULAR ? (query.size + 8) * 0x1p-23 : 0;
    }

    private QuantizedQuery quantized() {
        QuantizedQuery prepared = quantized;
        if (prepared == null) {
            prepared = QuantizedQuery.of(query);
            quantized = prepared;
        }
        return prepared;
    }

    /**
     * Computes the internal distances of the rows {@code rows[0]} to {@code rows[count - 1]}.
     *
     * @param into receives {@code count} distances, from index 0 on
     * @throws IndexOutOfBoundsException if {@code vectors} lack one of the rows, or an array is too
     *     short
     */
    public void select(StoredVectors vectors, int[] rows, int count, double[] into) {
        Objects.checkFromIndexSize(0, count, into.length);
        Objects.checkFromIndexSize(0, count, rows.length);
        MemorySegment cells = vectors.cells();
        if (multipliesLengths(vectors)) {
            MemorySegment lengths = vectors.inverseLengths().get();
            for (int i = 0; i < count; i++) {
                float length = lengths.get(ScalarRowKernels.FLOAT, (long) rows[i] * Float.BYTES);
                double dot = kernels.dot(query, cells, rows[i] * rowSize);
                into[i] = dot * (query.inverseLength * length);
            }
        } else {
            for (int i = 0; i < count; i++) {
                into[i] = compare(kernels, cells, rows[i] * rowSize);
            }
        }
        finish(into, count);
        int i = kernels.firstOutside(into, 0, count, leastSure, mostSure);
        while (i < count) {
            into[i] = exact(cells, rows[i] * rowSize);
            i = kernels.firstOutside(into, i + 1, count, leastSure, mostSure);
        }
    }

    /**
     * Returns the internal distance of one row, as {@link #select} computes it.
     *
     * @throws IndexOutOfBoundsException if {@code vectors} lack the row
     */
    public double select(StoredVectors vectors, int row) {
        MemorySegment cells = vectors.cells();
        long at = row * rowSize;
        double compared;
        if (multipliesLengths(vectors)) {
            float length =
                    vectors.inverseLengths()
                            .get()
                            .get(ScalarRowKernels.FLOAT, (long) row * Float.BYTES);
            compared = kernels.dot(query, cells, at) * (query.inverseLength * length);
        } else {
            compared = compare(kernels, cells, at);
        }
        double internal = finished(compared);
        return internal < leastSure || internal > mostSure ? exact(cells, at) : internal;
    }

    /**
     * Returns the index of the first internal distance that is at most {@code bound}, or {@code to}
     * if there is none. NaN is never at most {@code bound}.
     *
     * @param from the first index
     * @param to the index after the last
     * @throws IndexOutOfBoundsException if {@code internal} has no such indexes
     */
    public int firstWithin(double[] internal, int from, int to, double bound) {
        Objects.checkFromToIndex(from, to, internal.length);
        return kernels.firstWithin(internal, from, to, bound);
    }

    /**
     * Returns whether computation with stored {@link StoredVectors#inverseLengths} is faster.
     * Angular distances with and without them differ in the last bits; other distances are equal.
     */
    public boolean needsLengths() {
        return metric == DistanceMetric.ANGULAR
                || (metric == DistanceMetric.EUCLIDEAN
                        && QuantizedVectors.areMadeOf(query.cellType));
    }

    private boolean isEstimated() {
        return metric == DistanceMetric.EUCLIDEAN && kernels.subtracts(query);
    }

    private static MemorySegment ofRun(StoredVectors vectors, int firstRow, int count) {
        return floats(vectors.inverseLengths().orElseThrow(), firstRow, count);
    }

    private static MemorySegment floats(MemorySegment all, int first, int count) {
        return all.asSlice((long) first * Float.BYTES, (long) count * Float.BYTES);
    }

    /** Converts an internal distance to the distance in results. */
    public double distance(double internal) {
        return metric.distance(internal, query.squaredLength);
    }

    /** Converts an internal distance to a closeness. */
    public double closeness(double internal) {
        return metric.closeness(internal, query.squaredLength);
    }

    /** Converts a distance as in results, such as a threshold, to an internal distance. */
    public double internal(double distance) {
        return metric.internal(distance, query.squaredLength);
    }

    private double compare(RowKernels by, MemorySegment cells, long at) {
        return switch (metric) {
            case EUCLIDEAN -> by.squaredDistance(query, cells, at);
            case ANGULAR -> by.cosine(query, cells, at);
            case DOTPRODUCT, PRENORMALIZED_ANGULAR -> by.dot(query, cells, at);
            case GEODEGREES -> haversine(cells, at);
            case HAMMING -> by.differing(query, cells, at);
        };
    }

    /** Converts the results of the kernels to internal distances. */
    private void finish(double[] into, int count) {
        if (growsWithCloseness(metric)) {
            for (int i = 0; i < count; i++) {
                into[i] = subtractedFrom - into[i];
            }
        }
    }

    private double finished(double compared) {
        return growsWithCloseness(metric) ? subtractedFrom - compared : compared;
    }

    /** Returns whether a larger result of the kernels means a closer row. */
    private static boolean growsWithCloseness(DistanceMetric metric) {
        return switch (metric) {
            case ANGULAR, DOTPRODUCT, PRENORMALIZED_ANGULAR -> true;
            case EUCLIDEAN, GEODEGREES, HAMMING -> false;
        };
    }

    /** Returns the number from which cosines or dot products are subtracted. */
    private static double subtractedFrom(DistanceMetric metric, QueryVector query) {
        return switch (metric) {
            case ANGULAR -> 1;
            case PRENORMALIZED_ANGULAR -> DistanceMetric.positive(query.squaredLength);
            case DOTPRODUCT, EUCLIDEAN, GEODEGREES, HAMMING -> 0;
        };
    }

    private double haversine(MemorySegment cells, long at) {
        CellType type = query.cellType;
        return haversine(
                query.cells[0],
                query.cells[1],
                ScalarRowKernels.cell(type, cells, at, 0),
                ScalarRowKernels.cell(type, cells, at, 1));
    }

    /** Returns the haversine of the angle between two places in degrees. */
    static double haversine(
            double fromLatitude, double fromLongitude, double toLatitude, double toLongitude) {
        double latitude = Math.toRadians(toLatitude);
        double longitude = Math.toRadians(toLongitude);
        double from = Math.toRadians(fromLatitude);
        double up = Math.sin((latitude - from) / 2);
        double along = Math.sin((longitude - Math.toRadians(fromLongitude)) / 2);
        return up * up + Math.cos(from) * Math.cos(latitude) * along * along;
    }
}
