package org.crabro.ranking.kernel;

import jdk.incubator.vector.DoubleVector;
import jdk.incubator.vector.FloatVector;
import jdk.incubator.vector.VectorShuffle;
import jdk.incubator.vector.VectorSpecies;

/*
 * Sums of a vector's lanes in a stated order: the upper half is added to the lower one until one
 * lane is left. The reduction of the Vector API does not define an order, and the interpreter uses
 * another than the compiler. Until the code is compiled, equal documents would score differently
 * and the order of hits would change.
 */
final class LaneSums {
    private static final VectorSpecies<Float> FLOATS = FloatVector.SPECIES_PREFERRED;
    private static final VectorShuffle<Float> FLOATS_BY_8 = swapping(FLOATS, 8);
    private static final VectorShuffle<Float> FLOATS_BY_4 = swapping(FLOATS, 4);
    private static final VectorShuffle<Float> FLOATS_BY_2 = swapping(FLOATS, 2);
    private static final VectorShuffle<Float> FLOATS_BY_1 = swapping(FLOATS, 1);

    private static final VectorSpecies<Double> DOUBLES = DoubleVector.SPECIES_PREFERRED;
    private static final VectorShuffle<Double> DOUBLES_BY_4 = swapping(DOUBLES, 4);
    private static final VectorShuffle<Double> DOUBLES_BY_2 = swapping(DOUBLES, 2);
    private static final VectorShuffle<Double> DOUBLES_BY_1 = swapping(DOUBLES, 1);

    private LaneSums() {}

    static float sum(FloatVector vector) {
        FloatVector sum = vector;
        if (FLOATS.length() > 8) {
            sum = sum.add(sum.rearrange(FLOATS_BY_8));
        }
        if (FLOATS.length() > 4) {
            sum = sum.add(sum.rearrange(FLOATS_BY_4));
        }
        if (FLOATS.length() > 2) {
            sum = sum.add(sum.rearrange(FLOATS_BY_2));
        }
        return sum.add(sum.rearrange(FLOATS_BY_1)).lane(0);
    }

    static double sum(DoubleVector vector) {
        DoubleVector sum = vector;
        if (DOUBLES.length() > 4) {
            sum = sum.add(sum.rearrange(DOUBLES_BY_4));
        }
        if (DOUBLES.length() > 2) {
            sum = sum.add(sum.rearrange(DOUBLES_BY_2));
        }
        return sum.add(sum.rearrange(DOUBLES_BY_1)).lane(0);
    }

    /** Swaps lanes that are {@code distance} apart; not used for vectors with fewer lanes. */
    static <E> VectorShuffle<E> swapping(VectorSpecies<E> species, int distance) {
        return VectorShuffle.fromOp(species, lane -> (lane ^ distance) % species.length());
    }
}
