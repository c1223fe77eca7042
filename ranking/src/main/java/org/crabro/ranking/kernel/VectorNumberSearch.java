package org.crabro.ranking.kernel;

import static java.nio.ByteOrder.LITTLE_ENDIAN;
import static jdk.incubator.vector.VectorOperators.ULE;

import java.lang.foreign.MemorySegment;
import jdk.incubator.vector.ByteVector;
import jdk.incubator.vector.IntVector;
import jdk.incubator.vector.ShortVector;
import jdk.incubator.vector.VectorSpecies;

/**
 * Compares many numbers at a time with the Vector API. A number is in a range if its unsigned
 * difference to the low end is at most that of the high end, which takes one comparison instead of
 * two. Most vectors contain no match, and only those with a match are examined lane by lane. The
 * scalar version handles the last, partial vector.
 */
final class VectorNumberSearch implements NumberSearch {
    private static final VectorSpecies<Byte> BYTES = ByteVector.SPECIES_PREFERRED;
    private static final VectorSpecies<Short> SHORTS = ShortVector.SPECIES_PREFERRED;
    private static final VectorSpecies<Integer> INTS = IntVector.SPECIES_PREFERRED;

    @Override
    public int find(
            MemorySegment numbers, int width, int from, int to, int low, int high, int[] into) {
        return switch (width) {
            case 1 -> low > 0xff ? 0 : bytes(numbers, from, to, low, Math.min(high, 0xff), into);
            case 2 ->
                    low > 0xffff ? 0 : shorts(numbers, from, to, low, Math.min(high, 0xffff), into);
            case 4 -> ints(numbers, from, to, low, high, into);
            default -> throw new IllegalArgumentException("numbers of " + width + " bytes");
        };
    }

    private static int bytes(
            MemorySegment numbers, int from, int to, int low, int high, int[] into) {
        ByteVector lows = ByteVector.broadcast(BYTES, (byte) low);
        ByteVector spans = ByteVector.broadcast(BYTES, (byte) (high - low));
        int count = 0;
        int at = from;
        for (int last = to - BYTES.length(); at <= last; at += BYTES.length()) {
            ByteVector loaded = ByteVector.fromMemorySegment(BYTES, numbers, at, LITTLE_ENDIAN);
            long hits = loaded.sub(lows).compare(ULE, spans).toLong();
            while (hits != 0) {
                into[count++] = at + Long.numberOfTrailingZeros(hits);
                hits &= hits - 1;
            }
        }
        return ScalarNumberSearch.bytes(numbers, at, to, low, high, into, count);
    }

    private static int shorts(
            MemorySegment numbers, int from, int to, int low, int high, int[] into) {
        ShortVector lows = ShortVector.broadcast(SHORTS, (short) low);
        ShortVector spans = ShortVector.broadcast(SHORTS, (short) (high - low));
        int count = 0;
        int at = from;
        for (int last = to - SHORTS.length(); at <= last; at += SHORTS.length()) {
            ShortVector loaded =
                    ShortVector.fromMemorySegment(SHORTS, numbers, (long) at << 1, LITTLE_ENDIAN);
            long hits = loaded.sub(lows).compare(ULE, spans).toLong();
            while (hits != 0) {
                into[count++] = at + Long.numberOfTrailingZeros(hits);
                hits &= hits - 1;
            }
        }
        return ScalarNumberSearch.shorts(numbers, at, to, low, high, into, count);
    }

    private static int ints(
            MemorySegment numbers, int from, int to, int low, int high, int[] into) {
        IntVector lows = IntVector.broadcast(INTS, low);
        IntVector spans = IntVector.broadcast(INTS, high - low);
        int count = 0;
        int at = from;
        for (int last = to - INTS.length(); at <= last; at += INTS.length()) {
            IntVector loaded =
                    IntVector.fromMemorySegment(INTS, numbers, (long) at << 2, LITTLE_ENDIAN);
            long hits = loaded.sub(lows).compare(ULE, spans).toLong();
            while (hits != 0) {
                into[count++] = at + Long.numberOfTrailingZeros(hits);
                hits &= hits - 1;
            }
        }
        return ScalarNumberSearch.ints(numbers, at, to, low, high, into, count);
    }
}
