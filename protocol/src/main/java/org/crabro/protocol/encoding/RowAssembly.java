package org.crabro.protocol.encoding;

import java.lang.foreign.MemorySegment;
import java.util.Arrays;
import org.crabro.document.DocumentType;

/**
 * Puts an encoded row together from values that come in any order, and so that a later value of a
 * field replaces an earlier one. What is put there is not checked. Used again for every row of its
 * type; for one thread.
 *
 * {@snippet :
 * assembly.begin();
 * assembly.beginField(3);
 * assembly.putInt(7);
 * byte[] row = assembly.row(id, 0, id.length);
 * }
 */
public final class RowAssembly extends RowParts {
    private static final int NOT_SET = -1;

    private final long fingerprint;

    /** Where the value of each field of the type starts and ends. */
    private final int[] starts;

    private final int[] ends;
    private int open = NOT_SET;

    public RowAssembly(DocumentType type) {
        this.fingerprint = type.fingerprint();
        this.starts = new int[type.fields().size()];
        this.ends = new int[starts.length];
        Arrays.fill(starts, NOT_SET);
    }

    /** Begins a row without fields. */
    public void begin() {
        clear();
        open = NOT_SET;
        Arrays.fill(starts, NOT_SET);
    }

    /** Begins the value of a field, by its index in the type; the one before is complete. */
    public void beginField(int index) {
        endField();
        starts[index] = size;
        open = index;
    }

    /** Leaves a field unset, whatever was put for it. */
    public void unset(int index) {
        endField();
        starts[index] = NOT_SET;
    }

    private void endField() {
        if (open != NOT_SET) {
            ends[open] = size;
            open = NOT_SET;
        }
    }

    /** Leaves room for an int that is known later, and returns where it is. */
    public int putCount() {
        putInt(0);
        return size - Integer.BYTES;
    }

    /** Sets the int at {@code place}. */
    public void setCount(int place, int value) {
        segment.set(RowEncoding.INT, place, value);
    }

    /**
     * Makes room behind what was put, and returns the memory whose bytes from {@link #size} on it
     * is; for as long as nothing else is put.
     */
    public byte[] room(int length) {
        reserve(length);
        return bytes;
    }

    /** Returns how much was put. */
    public int size() {
        return size;
    }

    /** Says that so many bytes of the room were filled. */
    public void fill(int length) {
        size += length;
    }

    /** Returns how many bytes were put since {@code place}. */
    public int sizeSince(int place) {
        return size - place - Integer.BYTES;
    }

    /**
     * Returns the row in memory of its own, with the timestamp 0.
     *
     * @param id in UTF-8, {@code length} bytes from {@code from} on
     */
    public byte[] row(byte[] id, int from, int length) {
        endField();
        int fieldCount = 0;
        int total = RowEncoding.ID_OFFSET + length;
        for (int i = 0; i < starts.length; i++) {
            if (starts[i] != NOT_SET) {
                fieldCount++;
                total = Math.addExact(total, Short.BYTES + ends[i] - starts[i]);
            }
        }
        byte[] row = new byte[total];
        MemorySegment target = MemorySegment.ofArray(row);
        target.set(RowEncoding.LONG, RowEncoding.FINGERPRINT_OFFSET, fingerprint);
        row[RowEncoding.VERSION_OFFSET] = RowEncoding.VERSION;
        target.set(RowEncoding.SHORT, RowEncoding.FIELD_COUNT_OFFSET, (short) fieldCount);
        target.set(RowEncoding.INT, RowEncoding.ID_LENGTH_OFFSET, length);
        System.arraycopy(id, from, row, RowEncoding.ID_OFFSET, length);
        int at = RowEncoding.ID_OFFSET + length;
        for (int i = 0; i < starts.length; i++) {
            if (starts[i] != NOT_SET) {
                target.set(RowEncoding.SHORT, at, (short) i);
                int count = ends[i] - starts[i];
                System.arraycopy(bytes, starts[i], row, at + Short.BYTES, count);
                at += Short.BYTES + count;
            }
        }
        return row;
    }
}
