package org.crabro.protocol.json;

import java.util.Arrays;
import java.util.concurrent.ThreadLocalRandom;
import org.crabro.document.memory.MemoryShare;
import org.crabro.protocol.encoding.RowAssembly;
import org.crabro.text.EightBytes;

/**
 * The offsets of the encoded keys and values of one map in a row under construction, each key once.
 * Reused for every map. For one thread.
 */
final class EncodedEntries {
    /** Memory of an entry in its arrays, and while entries are sorted. */
    private static final int ENTRY_BYTES = 100;

    private static final int FIRST_CAPACITY = 16;

    /** Arrays above this capacity are not reused. */
    private static final int KEPT_CAPACITY = 1 << 12;

    private static final long MULTIPLIER = 0x9e37_79b9_7f4a_7c15L;

    /** Clients do not know it, so they cannot choose keys with equal hashes. */
    private final long seed = ThreadLocalRandom.current().nextLong();

    private final RowAssembly row;
    private int count;
    private int[] keysFrom = {};
    private int[] keysTo = {};
    private int[] valuesFrom = {};
    private int[] valuesTo = {};

    /** By the hash of the key: an index plus one, 0 for a free slot. */
    private int[] table = {};

    EncodedEntries(RowAssembly row) {
        this.row = row;
    }

    /** Removes all entries. */
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

    /** Returns the count of entries. */
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

    /** Sets the offsets of the value of an entry. */
    void setValue(int index, int from, int to) {
        valuesFrom[index] = from;
        valuesTo[index] = to;
    }

    /** Returns the index of the entry with the key at these offsets, -1 if there is none. */
    int find(int keyFrom, int keyTo) {
        return table[slot(keyFrom, keyTo)] - 1;
    }

    /** Adds an entry with a new key, and returns its index. The caller sets its value. */
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
        // Sorting takes more than the arrays.
        MemoryShare.current().charge((long) ENTRY_BYTES * count);
        keysFrom = Arrays.copyOf(keysFrom, capacity);
        keysTo = Arrays.copyOf(keysTo, capacity);
        valuesFrom = Arrays.copyOf(valuesFrom, capacity);
        valuesTo = Arrays.copyOf(valuesTo, capacity);
        table = new int[2 * capacity];
        for (int i = 0; i < count; i++) {
            table[slot(keysFrom[i], keysTo[i])] = i + 1;
        }
    }

    /** Returns the slot of a key, or the free slot for it. */
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
