package org.crabro.protocol.encoding;

import jdk.incubator.vector.ByteVector;
import jdk.incubator.vector.VectorMask;
import jdk.incubator.vector.VectorSpecies;

/** Copies a vector at a time, and the rest by words. */
final class VectorPlainCopy implements PlainCopy {
    private static final VectorSpecies<Byte> SPECIES = ByteVector.SPECIES_PREFERRED;
    private static final int LENGTH = SPECIES.length();

    private final PlainCopy remainder = new WordPlainCopy();

    /** Returns whether vectors are longer than 8 bytes on this machine. */
    static boolean isWorthwhile() {
        return LENGTH > Long.BYTES;
    }

    @Override
    public int copy(byte[] source, int from, int to, byte[] target, int into) {
        int shift = into - from;
        int at = from;
        for (; at <= to - LENGTH; at += LENGTH) {
            ByteVector bytes = ByteVector.fromArray(SPECIES, source, at);
            bytes.intoArray(target, shift + at);
            // Bytes that are not ASCII are negative.
            VectorMask<Byte> special =
                    bytes.lt((byte) ' ').or(bytes.eq((byte) '"')).or(bytes.eq((byte) '\\'));
            if (special.anyTrue()) {
                return at + special.firstTrue();
            }
        }
        return remainder.copy(source, at, to, target, shift + at);
    }
}
