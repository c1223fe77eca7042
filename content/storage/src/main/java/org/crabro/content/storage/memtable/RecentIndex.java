package org.crabro.content.storage.memtable;

import com.dynatrace.hash4j.hashing.Hasher64;
import com.dynatrace.hash4j.hashing.Hashing;
import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import java.util.Arrays;
import java.util.concurrent.atomic.AtomicInteger;

/**
 * A hash index of rows by a part of their bytes: an open-addressing table of addresses, each with
 * half of its key's hash. One thread writes, any number of threads read.
 *
 * <p>The index stores no keys: if half of the hash matches, it compares the key with the row. The
 * hash has a random seed per process, so that clients cannot choose keys that collide.
 */
final class RecentIndex {
    private static final int FIRST_SLOTS = 16;
    private static final VarHandle SLOT = MethodHandles.arrayElementVarHandle(long[].class);
    private static final Hasher64 HASHER = Hashing.xxh3_64(System.nanoTime());

    /** Compares keys with equal hashes. */
    @FunctionalInterface
    interface Rows {
        /** Returns whether the row's key is {@code key} from {@code from} to {@code to}. */
        boolean hasKey(int address, byte[] key, int from, int to);
    }

    private final Rows rows;

    /**
     * The upper half of a hash above an address, 0 for a free slot; the length is a power of two.
     */
    private volatile long[] slots = new long[FIRST_SLOTS];

    // The slot of the next address. Only for the writing thread.
    private int located;
    private int locatedHash;

    private final AtomicInteger size = new AtomicInteger();

    RecentIndex(Rows rows) {
        this.rows = rows;
    }

    /** Returns the address that was last put for a key, 0 for none. */
    int find(byte[] key, int from, int to) {
        long[] now = slots;
        int hash = hash(key, from, to);
        return address((long) SLOT.getAcquire(now, slot(now, hash, key, from, to)));
    }

    /**
     * Returns the address that was last put for a key, 0 for none. The next {@link #put} replaces
     * it. Only for the writing thread.
     *
     * @param hash of the key
     */
    int locate(int hash, byte[] key, int from, int to) {
        locatedHash = hash;
        long[] now = slots;
        located = slot(now, locatedHash, key, from, to);
        int address = address(now[located]);
        if (address == 0 && 4L * (size.get() + 1) > 3L * now.length) {
            now = doubled(now);
            located = slot(now, locatedHash, key, from, to);
            slots = now;
        }
        return address;
    }

    /**
     * Returns the address that was last put for a key with this hash, 0 if it is not in its first
     * slot. Does not compare the key with a row.
     */
    int likely(int hash) {
        long[] now = slots;
        long entry = now[hash & (now.length - 1)];
        return hash(entry) == hash ? address(entry) : 0;
    }

    /** Puts an address for the located key. Only for the writing thread. */
    void put(int address) {
        long[] now = slots;
        if (now[located] == 0) {
            size.incrementAndGet();
        }
        SLOT.setRelease(now, located, entry(locatedHash, address));
    }

    /** Returns the hash of a key in this process. */
    static int hash(byte[] key, int from, int to) {
        return (int) (HASHER.hashBytesToLong(key, from, to - from) >>> Integer.SIZE);
    }

    private static long entry(int hash, int address) {
        return (long) hash << Integer.SIZE | Integer.toUnsignedLong(address);
    }

    private static int address(long entry) {
        return (int) entry;
    }

    private static int hash(long entry) {
        return (int) (entry >>> Integer.SIZE);
    }

    /** Returns the slot of a key, or the free slot for it. */
    private int slot(long[] in, int hash, byte[] key, int from, int to) {
        int slot = hash & (in.length - 1);
        while (true) {
            long entry = (long) SLOT.getAcquire(in, slot);
            if (entry == 0 || (hash(entry) == hash && rows.hasKey(address(entry), key, from, to))) {
                return slot;
            }
            slot = (slot + 1) & (in.length - 1);
        }
    }

    private static long[] doubled(long[] from) {
        var to = new long[Math.multiplyExact(2, from.length)];
        for (long entry : from) {
            if (entry != 0) {
                int slot = hash(entry) & (to.length - 1);
                while (to[slot] != 0) {
                    slot = (slot + 1) & (to.length - 1);
                }
                to[slot] = entry;
            }
        }
        return to;
    }

    /** Releases the table. There are no more readers. */
    void clear() {
        slots = new long[FIRST_SLOTS];
    }

    /** Returns the number of keys. */
    int size() {
        return size.get();
    }

    /** Returns the memory of the table, in bytes. */
    long bytes() {
        return (long) Long.BYTES * slots.length;
    }

    /** Returns the addresses of all keys, unordered. */
    int[] addresses() {
        long[] now = slots;
        var matches = new int[now.length];
        int count = 0;
        for (int slot = 0; slot < now.length; slot++) {
            int address = address((long) SLOT.getAcquire(now, slot));
            if (address != 0) {
                matches[count++] = address;
            }
        }
        return Arrays.copyOf(matches, count);
    }
}
