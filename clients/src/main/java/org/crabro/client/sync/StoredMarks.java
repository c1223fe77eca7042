package org.crabro.client.sync;

import java.util.Arrays;
import org.crabro.client.file.TextHash;

/**
 * The documents of a group, as hashes of their ids: which source each is from, the hash of its
 * fields, and whether the source has it still. Not thread-safe.
 *
 * <p>Two ids with one hash do no harm: then a document is fed although it has not changed, or is
 * not removed.
 */
final class StoredMarks {
    private static final int FIRST_SIZE = 1 << 10;

    /** Another source has the document, or none. */
    private static final byte OTHER = 1;

    /** The source had it at the last import. */
    private static final byte OURS = 2;

    /** The source has it. */
    private static final byte PRESENT = 3;

    private final int max;

    /** Open addressing: the hashes of ids, those of their fields, and the states; 0 is free. */
    private long[] ids = new long[FIRST_SIZE];

    private long[] hashes = new long[FIRST_SIZE];
    private byte[] states = new byte[FIRST_SIZE];
    private int size;

    /** How a document differs from the stored one. */
    enum Change {
        NEW,
        CHANGED,
        UNCHANGED
    }

    /**
     * @param max the maximum number of documents
     */
    StoredMarks(int max) {
        this.max = max;
    }

    /**
     * Adds a stored document.
     *
     * @param hash of its fields
     * @param isOurs whether it is from the source
     * @return whether there was a place for it
     */
    boolean add(String id, long hash, boolean isOurs) {
        if (size == max) {
            return false;
        }
        put(TextHash.of(id), hash, isOurs ? OURS : OTHER);
        return true;
    }

    private void put(long id, long hash, byte state) {
        if (2 * (size + 1) > ids.length) {
            grow();
        }
        int slot = slot(id);
        if (states[slot] == 0) {
            size++;
        }
        ids[slot] = id;
        hashes[slot] = hash;
        states[slot] = state;
    }

    private void grow() {
        long[] oldIds = ids;
        long[] oldHashes = hashes;
        byte[] oldStates = states;
        ids = new long[2 * oldIds.length];
        hashes = new long[ids.length];
        states = new byte[ids.length];
        for (int i = 0; i < oldIds.length; i++) {
            if (oldStates[i] != 0) {
                int slot = slot(oldIds[i]);
                ids[slot] = oldIds[i];
                hashes[slot] = oldHashes[i];
                states[slot] = oldStates[i];
            }
        }
    }

    /** Returns the slot of an id, or the free one for it. */
    private int slot(long id) {
        int slot = (int) id & (ids.length - 1);
        while (states[slot] != 0 && ids[slot] != id) {
            slot = (slot + 1) & (ids.length - 1);
        }
        return slot;
    }

    /**
     * Says that the source has a document.
     *
     * @param hash of its fields
     */
    Change present(String id, long hash) {
        long key = TextHash.of(id);
        int slot = slot(key);
        byte state = states[slot];
        boolean isEqual = state >= OURS && hashes[slot] == hash;
        if (state != 0) {
            states[slot] = PRESENT;
            hashes[slot] = hash;
        } else if (size < max) {
            put(key, hash, PRESENT);
        }
        return state == 0 ? Change.NEW : isEqual ? Change.UNCHANGED : Change.CHANGED;
    }

    /** Returns whether the source had a document with these fields, and has it no more. */
    boolean isGone(String id, long hash) {
        int slot = slot(TextHash.of(id));
        return states[slot] == OURS && hashes[slot] == hash;
    }

    /** Says that a document is not from the source. */
    void forget(String id) {
        int slot = slot(TextHash.of(id));
        states[slot] = states[slot] == 0 ? 0 : OTHER;
    }

    /** Returns how many documents the source had and has no more. */
    long gone() {
        long count = 0;
        for (byte state : states) {
            count += state == OURS ? 1 : 0;
        }
        return count;
    }

    /** Forgets all documents. */
    void clear() {
        Arrays.fill(states, (byte) 0);
        size = 0;
    }
}
