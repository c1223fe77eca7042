package org.crabro.content.recent;

import com.dynatrace.hash4j.hashing.Hasher64;
import com.dynatrace.hash4j.hashing.Hashing;
import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import java.util.Arrays;
import java.util.concurrent.atomic.AtomicInteger;

/**
 * Finds rows by a part of their bytes: a table of addresses with open addressing, each beside half
 * of its key's hash. One thread writes, any number reads.
 *
 * <p>No key is kept: a row whose half of the hash is the one looked for is asked whether the key is
 * its own. The hash has a seed of its own in each process, so that nobody can choose keys that
 * collide.
 */
final class RecentIndex {
    private static final int FIRST_SLOTS = 16;
    private static final VarHandle SLOT = MethodHandles.arrayElementVarHandle(long[].class);
    private static final Hasher64 HASHER = Hashing.xxh3_64(System.nanoTime());

    /** Tells keys of equal hashes apart. */
    @FunctionalInterface
    interface Rows {
        /** Returns whether the row's key is {@code key} from {@code from} to {@code to}. */
        boolean hasKey(int address, byte[] key, int from, int to);
    }

    private final Rows rows;

    /** A hash's upper half above an address, 0 where nothing is; the length is a power of two. */
    private volatile long[] slots = new long[FIRST_SLOTS];

    // Where the next address is put. Only for the thread that writes.
    private int located;
    private int locatedHash;

    private final AtomicInteger size = new AtomicInteger();

    RecentIndex(Rows rows) {
        this.rows = rows;
    }

    /** Returns the address that was put last for a key, 0 for none. */
    int find(byte[] key, int from, int to) {
        long[] now = slots;
        int hash = hash(key, from, to);
        return address((long) SLOT.getAcquire(now, slot(now, hash, key, from, to)));
    }

    /**
     * Returns the address that was put last for a key, 0 for none; {@link #put} puts the next. Only
     * for the thread that writes.
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
     * Returns the address that was put last for a key with this hash, 0 where there is none or it
     * is not at hand. Asks no row.
     */
    int likely(int hash) {
        long[] now = slots;
        long entry = now[hash & (now.length - 1)];
        return hash(entry) == hash ? address(entry) : 0;
    }

    /** Puts an address for the key that was located. Only for the thread that writes. */
    void put(int address) {
        long[] now = slots;
        if (now[located] == 0) {
            size.incrementAndGet();
        }
        SLOT.setRelease(now, located, entry(locatedHash, address));
    }

    /** Returns the hash of a key, of this process. */
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

    /** Returns the slot of a key, or the free one where it is to be put. */
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

    /** Lets the table go; nobody looks into it any more. */
    void clear() {
        slots = new long[FIRST_SLOTS];
    }

    /** Returns how many keys there were put. */
    int size() {
        return size.get();
    }

    /** Returns the bytes of memory that the table takes. */
    long bytes() {
        return (long) Long.BYTES * slots.length;
    }

    /** Returns the addresses of all keys, in no order. */
    int[] addresses() {
        long[] now = slots;
        var found = new int[now.length];
        int count = 0;
        for (int slot = 0; slot < now.length; slot++) {
            int address = address((long) SLOT.getAcquire(now, slot));
            if (address != 0) {
                found[count++] = address;
            }
        }
        return Arrays.copyOf(found, count);
    }
}
