package org.crabro.content.run;

import java.util.Arrays;

/** Collects keys in rising order and writes them as a key column. Used again for the next. */
final class KeyColumnWriter {
    private static final int FIRST_CAPACITY = 16;

    private long[] places = new long[FIRST_CAPACITY];
    private long[] documents = new long[FIRST_CAPACITY];

    /** Where a key's group starts and ends in its id, two numbers a key. */
    private int[] groups = new int[2 * FIRST_CAPACITY];

    /** Where the id of a key ends in {@link #ids}. */
    private int[] ends = new int[FIRST_CAPACITY];

    private final BlockBytes ids = new BlockBytes(FIRST_CAPACITY * 32);
    private int count;

    int count() {
        return count;
    }

    void clear() {
        ids.clear();
        count = 0;
    }

    void add(RawKey key) {
        if (count == places.length) {
            places = Arrays.copyOf(places, 2 * count);
            documents = Arrays.copyOf(documents, 2 * count);
            groups = Arrays.copyOf(groups, 4 * count);
            ends = Arrays.copyOf(ends, 2 * count);
        }
        places[count] = key.place();
        documents[count] = key.document();
        groups[2 * count] = key.groupFrom();
        groups[2 * count + 1] = key.groupTo();
        ids.put(key.text(), key.length());
        ends[count] = ids.position();
        count++;
    }

    /** Returns the bytes of the column. */
    int size() {
        return Math.toIntExact(BlockLayout.idsOffset(count) + ids.position());
    }

    /** Writes the column, laid out as {@link BlockLayout} tells. */
    void writeTo(BlockBytes out) {
        out.putLongs(places, count);
        out.putLongs(documents, count);
        out.putInts(groups, 2 * count);
        out.putInt(0);
        out.putInts(ends, count);
        out.put(ids);
    }
}
