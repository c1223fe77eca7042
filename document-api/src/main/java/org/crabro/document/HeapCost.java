package org.crabro.document;

/**
 * Upper bounds of the heap bytes of values while they are decoded and held, computed from counts
 * and lengths before the values exist. They are larger than {@link HeldSize}, which measures
 * existing values.
 *
 * <p>All sizes assume references of 8 bytes.
 */
public final class HeapCost {
    /** A number: an object with a header and 8 bytes. */
    public static final long NUMBER = 24;

    /** A string with its array of bytes: two headers, a length and padding to 8 bytes. */
    private static final long STRING = 64;

    /** During decoding, a byte is a 16-bit character; the string may also need 16 bits for it. */
    private static final long TEXT_BYTE = 4;

    /** A value with one reference to a string. */
    private static final long VALUE = 24;

    /** A list with its array, and the lists from which it is copied. */
    private static final long LIST = 160;

    /**
     * An element of a list: a reference in the growing list, in the array of a copy, and in the
     * copy.
     */
    private static final long ELEMENT = 24;

    /** Two maps with minimal tables, because one is copied from the other, and their wrappers. */
    private static final long MAP = 480;

    /** Two entries of 56 bytes, and 2.7 references in each table. */
    private static final long ENTRY = 160;

    /** Cells are doubles, which are copied once. */
    private static final long CELL = 2 * Double.BYTES;

    /** The list of labels of a subspace, with references in the lists of all subspaces. */
    private static final long ADDRESS = 80;

    private static final long LABEL = 24;

    private HeapCost() {}

    /** Returns the bytes of a string value. */
    public static long text(long utf8Bytes) {
        return VALUE + string(utf8Bytes);
    }

    private static long string(long utf8Bytes) {
        return STRING + TEXT_BYTE * utf8Bytes;
    }

    /** Returns the bytes of an array without its elements. */
    public static long array(long elements) {
        return LIST + ELEMENT * elements;
    }

    /** Returns the bytes of a map or a struct without its keys and values. */
    public static long map(long entries) {
        return MAP + ENTRY * entries;
    }

    /** Returns the bytes of a tensor without mapped dimensions. */
    public static long dense(long cells) {
        return LIST + CELL * cells;
    }

    /**
     * Returns the bytes of a tensor with mapped dimensions.
     *
     * @param subspaces their number
     * @param cells of a subspace
     * @param labels of a subspace
     * @param labelBytes of all labels together, in UTF-8
     */
    public static long mixed(long subspaces, long cells, long labels, long labelBytes) {
        return 2 * LIST
                + subspaces * (ADDRESS + CELL * cells + labels * (LABEL + STRING))
                + TEXT_BYTE * labelBytes;
    }
}
