package org.crabro.ranking.kernel;

import static java.nio.ByteOrder.LITTLE_ENDIAN;
import static jdk.incubator.vector.VectorOperators.XOR;

import java.lang.foreign.MemorySegment;
import jdk.incubator.vector.LongVector;
import jdk.incubator.vector.VectorSpecies;

/** Reads memory and does as little as possible with it: the bound that scans are held against. */
public final class MemoryRead {
    private static final VectorSpecies<Long> SPECIES = LongVector.SPECIES_PREFERRED;
    private static final long STEP = SPECIES.vectorByteSize();

    private MemoryRead() {}

    /**
     * Returns the exclusive or of all longs of {@code memory}, read once from start to end. The end
     * that does not fill four vectors is left out.
     */
    public static long all(MemorySegment memory) {
        LongVector a = LongVector.zero(SPECIES);
        LongVector b = LongVector.zero(SPECIES);
        LongVector c = LongVector.zero(SPECIES);
        LongVector d = LongVector.zero(SPECIES);
        for (long at = 0; at <= memory.byteSize() - 4 * STEP; at += 4 * STEP) {
            a = a.lanewise(XOR, load(memory, at));
            b = b.lanewise(XOR, load(memory, at + STEP));
            c = c.lanewise(XOR, load(memory, at + 2 * STEP));
            d = d.lanewise(XOR, load(memory, at + 3 * STEP));
        }
        return a.lanewise(XOR, b).lanewise(XOR, c.lanewise(XOR, d)).reduceLanes(XOR);
    }

    private static LongVector load(MemorySegment memory, long at) {
        return LongVector.fromMemorySegment(SPECIES, memory, at, LITTLE_ENDIAN);
    }
}
