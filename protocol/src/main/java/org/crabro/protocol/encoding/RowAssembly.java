package org.crabro.protocol.encoding;

import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import org.crabro.document.DocumentType;

/**
 * Puts an encoded row together from values that come in any order, and so that a later value of a
 * field replaces an earlier one. What is put there is not checked. Used again for every row of its
 * type; for one thread.
 *
 * {@snippet :
 * assembly.begin(id, 0, id.length, Integer.MAX_VALUE);
 * assembly.beginField(3);
 * assembly.putInt(7);
 * byte[] row = assembly.row();
 * }
 */
public final class RowAssembly extends RowParts {
    private static final int NOT_SET = -1;

    private final long fingerprint;

    /** Where the value of each field of the type starts and ends. */
    private final int[] starts;

    private final int[] ends;
    private int open = NOT_SET;

    /** Where the first field begins, behind header and id. */
    private int behindId;

    private int fieldCount;

    /** The field begun last, and whether all that were begun rose in index and are set. */
    private int last;

    private boolean isInOrder;

    public RowAssembly(DocumentType type) {
        this.fingerprint = type.fingerprint();
        this.starts = new int[type.fields().size()];
        this.ends = new int[starts.length];
        Arrays.fill(starts, NOT_SET);
    }

    /**
     * Begins a row without fields, with the timestamp 0.
     *
     * @param id in UTF-8, {@code length} bytes from {@code from} on
     * @param most how many bytes may be put, or a few more: to put some throws {@link
     *     RowTooLongException} where memory would have to grow beyond
     */
    public void begin(byte[] id, int from, int length, int most) {
        clear();
        limit = most;
        open = NOT_SET;
        last = NOT_SET;
        isInOrder = true;
        fieldCount = 0;
        Arrays.fill(starts, NOT_SET);
        reserve(RowEncoding.ID_OFFSET + length);
        Arrays.fill(bytes, 0, RowEncoding.ID_OFFSET, (byte) 0);
        segment.set(RowEncoding.LONG, RowEncoding.FINGERPRINT_OFFSET, fingerprint);
        bytes[RowEncoding.VERSION_OFFSET] = RowEncoding.VERSION;
        segment.set(RowEncoding.INT, RowEncoding.ID_LENGTH_OFFSET, length);
        size = RowEncoding.ID_OFFSET;
        putBytes(id, from, length);
        behindId = size;
    }

    /** Begins the value of a field, by its index in the type; the one before is complete. */
    public void beginField(int index) {
        endField();
        if (starts[index] == NOT_SET) {
            fieldCount++;
        }
        isInOrder &= index > last;
        putShort(index);
        starts[index] = size;
        open = index;
        last = index;
    }

    /** Leaves a field unset, whatever was put for it. */
    public void unset(int index) {
        endField();
        if (starts[index] != NOT_SET) {
            starts[index] = NOT_SET;
            fieldCount--;
            isInOrder = false;
        }
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

    /** Sets the short at {@code place}. */
    public void setShort(int place, int value) {
        segment.set(RowEncoding.SHORT, place, (short) value);
    }

    /** Puts zeros. */
    public void putZeros(int count) {
        reserve(count);
        Arrays.fill(bytes, size, size + count, (byte) 0);
        size += count;
    }

    /** Puts once more what was put from {@code from} to {@code to}. */
    public void putAgain(int from, int to) {
        reserve(to - from);
        System.arraycopy(bytes, from, bytes, size, to - from);
        size += to - from;
    }

    /** Puts what was put last, from {@code from} on, to {@code place} instead. */
    public void moveLast(int from, int place) {
        System.arraycopy(bytes, from, bytes, place, size - from);
        size = from;
    }

    /** Takes back what was put from {@code from} on, and returns it. */
    public byte[] take(int from) {
        byte[] taken = Arrays.copyOfRange(bytes, from, size);
        size = from;
        return taken;
    }

    /** Forgets what was put from {@code from} on. */
    public void forget(int from) {
        size = from;
    }

    /** Returns the text that was put from {@code from} on. */
    public String text(int from) {
        return new String(bytes, from, size - from, StandardCharsets.UTF_8);
    }

    /**
     * Returns the memory that what was put is in, where {@link #size} tells, for as long as nothing
     * else is put.
     */
    public byte[] bytes() {
        return bytes;
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

    /** Returns the row in memory of its own; what was put is forgotten. */
    public byte[] row() {
        endField();
        segment.set(RowEncoding.SHORT, RowEncoding.FIELD_COUNT_OFFSET, (short) fieldCount);
        byte[] row = isInOrder ? Arrays.copyOf(bytes, size) : ordered();
        // The next one may come much later.
        clear();
        return row;
    }

    private byte[] ordered() {
        int total = behindId;
        for (int i = 0; i < starts.length; i++) {
            if (starts[i] != NOT_SET) {
                total = Math.addExact(total, Short.BYTES + ends[i] - starts[i]);
            }
        }
        byte[] row = new byte[total];
        System.arraycopy(bytes, 0, row, 0, behindId);
        int at = behindId;
        for (int i = 0; i < starts.length; i++) {
            if (starts[i] != NOT_SET) {
                int count = Short.BYTES + ends[i] - starts[i];
                System.arraycopy(bytes, starts[i] - Short.BYTES, row, at, count);
                at += count;
            }
        }
        return row;
    }
}
