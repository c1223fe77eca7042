package org.crabro.container.rows;

import java.util.Arrays;
import java.util.concurrent.ThreadLocalRandom;
import org.crabro.protocol.encoding.RowAssembly;
import org.crabro.text.EightBytes;

/**
 * Where the encoded keys and values of one map lie in a row that is put together, each key once.
 * Used again for every map; for one thread.
 */
final class EncodedEntries {
    private static final int FIRST_CAPACITY = 16;

    /** What grew larger for one map is let go of. */
    private static final int KEPT_CAPACITY = 1 << 12;

    private static final long MULTIPLIER = 0x9e37_79b9_7f4a_7c15L;

    /** Nobody who writes keys knows it, so nobody makes keys that meet. */
    private final long seed = ThreadLocalRandom.current().nextLong();

    private final RowAssembly row;
    private int count;
    private int[] keysFrom = {};
    private int[] keysTo = {};
    private int[] valuesFrom = {};
    private int[] valuesTo = {};

    /** By the hash of the key: an index more one, 0 where there is none. */
    private int[] table = {};

    EncodedEntries(RowAssembly row) {
        this.row = row;
    }

    /** Forgets all. */
    void clear() {
        if (count > KEPT_CAPACITY || keysFrom.length == 0) {
            keysFrom = new int[FIRST_CAPACITY];
            keysTo = new int[FIRST_CAPACITY];
            valuesFrom = new int[FIRST_CAPACITY];
            valuesTo = new int[FIRST_CAPACITY];
            table = new int[2 * FIRST_CAPACITY];
        } else if (count > 0) {
            Arrays.fill(table, 0);
        }
        count = 0;
    }

    /** Returns how many there are. */
    int count() {
        return count;
    }

    int keyFrom(int index) {
        return keysFrom[index];
    }

    int keyTo(int index) {
        return keysTo[index];
    }

    int valueFrom(int index) {
        return valuesFrom[index];
    }

    int valueTo(int index) {
        return valuesTo[index];
    }

    /** Says where the value of an entry is now. */
    void setValue(int index, int from, int to) {
        valuesFrom[index] = from;
        valuesTo[index] = to;
    }

    /** Returns the index of the entry with the key that lies there, -1 where there is none. */
    int find(int keyFrom, int keyTo) {
        return table[slot(keyFrom, keyTo)] - 1;
    }

    /** Adds an entry whose key is new; its value is to be set. Returns its index. */
    int add(int keyFrom, int keyTo) {
        if (count == keysFrom.length) {
            grow();
        }
        keysFrom[count] = keyFrom;
        keysTo[count] = keyTo;
        table[slot(keyFrom, keyTo)] = count + 1;
        return count++;
    }

    private void grow() {
        int capacity = 2 * count;
        keysFrom = Arrays.copyOf(keysFrom, capacity);
        keysTo = Arrays.copyOf(keysTo, capacity);
        valuesFrom = Arrays.copyOf(valuesFrom, capacity);
        valuesTo = Arrays.copyOf(valuesTo, capacity);
        table = new int[2 * capacity];
        for (int i = 0; i < count; i++) {
            table[slot(keysFrom[i], keysTo[i])] = i + 1;
        }
    }

    /** Returns where a key is in the table, or belongs. */
    private int slot(int from, int to) {
        byte[] bytes = row.bytes();
        int mask = table.length - 1;
        int slot = hash(bytes, from, to) & mask;
        while (table[slot] != 0) {
            int other = table[slot] - 1;
            if (Arrays.equals(bytes, keysFrom[other], keysTo[other], bytes, from, to)) {
                return slot;
            }
            slot = (slot + 1) & mask;
        }
        return slot;
    }

    private int hash(byte[] bytes, int from, int to) {
        long hash = seed;
        int i = from;
        for (; i + Long.BYTES <= to; i += Long.BYTES) {
            hash = mixed(hash ^ EightBytes.of(bytes, i));
        }
        for (; i < to; i++) {
            hash = mixed(hash ^ bytes[i]);
        }
        return (int) (hash >>> Integer.SIZE);
    }

    private static long mixed(long hash) {
        long product = hash * MULTIPLIER;
        return product ^ (product >>> Integer.SIZE);
    }
}
