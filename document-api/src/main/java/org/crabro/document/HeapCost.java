package org.crabro.document;

/**
 * Upper bounds of the heap bytes of values while they are decoded and held, computed from counts
 * and lengths before the values exist. They are larger than {@link HeldSize}, which measures
 * existing values.
 *
 * <p>References are taken for 8 bytes, objects for what they take with these.
 */
public final class HeapCost {
    /** A number: an object of a header and 8 bytes. */
    public static final long NUMBER = 24;

    /** A string with the array of its bytes: two headers, a length and what fills up to 8. */
    private static final long STRING = 64;

    /** While it is decoded a byte is a char, and may need one in the string too. */
    private static final long TEXT_BYTE = 4;

    /** What holds one reference to a string: a value. */
    private static final long VALUE = 24;

    /** A list, the array of what it holds, and those that it is copied from. */
    private static final long LIST = 160;

    /** In a list: a reference each in the list that grows, in the array of a copy, in the copy. */
    private static final long ELEMENT = 24;

    /** Two maps with the least tables, as one is copied from the other, and what is around them. */
    private static final long MAP = 480;

    /** Two entries of 56 bytes, and 2.7 references in the table of each. */
    private static final long ENTRY = 160;

    /** Cells are doubles, and copied once. */
    private static final long CELL = 2 * Double.BYTES;

    /** A label's list, with references in the lists of all and one for each of its labels. */
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
