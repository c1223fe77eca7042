package org.crabro.protocol.encoding;

import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import org.crabro.document.DocumentType;

/**
 * Builds an encoded row from values in any order. A later value of a field replaces an earlier one.
 * The content is not checked. Reused for every row of its type. For one thread.
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

    /** The start and end of the value of each field of the type. */
    private final int[] starts;

    private final int[] ends;
    private int open = NOT_SET;

    /** The offset of the first field, after header and id. */
    private int behindId;

    private int fieldCount;

    /** The last started field, and whether all fields were started in rising order and are set. */
    private int last;

    private boolean isInOrder;

    public RowAssembly(DocumentType type) {
        this.fingerprint = type.fingerprint();
        this.starts = new int[type.fields().size()];
        this.ends = new int[starts.length];
        Arrays.fill(starts, NOT_SET);
    }

    /**
     * Starts a row without fields, with timestamp 0.
     *
     * @param id in UTF-8, {@code length} bytes from {@code from} on
     * @param most the approximate maximum number of bytes; a write that would grow the memory
     *     beyond it throws {@link RowTooLongException}
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

    /** Starts the value of a field, by its index in the type. The previous value is complete. */
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

    /** Removes a field. */
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

    /** Reserves an int that is set later, and returns its offset. */
    public int putCount() {
        putInt(0);
        return size - Integer.BYTES;
    }

    /** Sets the int at an offset. */
    public void setCount(int place, int value) {
        segment.set(RowEncoding.INT, place, value);
    }

    /** Sets the short at an offset. */
    public void setShort(int place, int value) {
        segment.set(RowEncoding.SHORT, place, (short) value);
    }

    /** Appends zeros. */
    public void putZeros(int count) {
        reserve(count);
        Arrays.fill(bytes, size, size + count, (byte) 0);
        size += count;
    }

    /** Appends a copy of the bytes from {@code from} to {@code to}. */
    public void putAgain(int from, int to) {
        reserve(to - from);
        System.arraycopy(bytes, from, bytes, size, to - from);
        size += to - from;
    }

    /** Moves the last bytes, from {@code from} on, to {@code place}. */
    public void moveLast(int from, int place) {
        System.arraycopy(bytes, from, bytes, place, size - from);
        size = from;
    }

    /** Removes the bytes from {@code from} on and returns them. */
    public byte[] take(int from) {
        charge(size - from);
        byte[] taken = Arrays.copyOfRange(bytes, from, size);
        size = from;
        return taken;
    }

    /** Removes the bytes from {@code from} on. */
    public void forget(int from) {
        size = from;
    }

    /** Returns the bytes from {@code from} on as text. */
    public String text(int from) {
        return new String(bytes, from, size - from, StandardCharsets.UTF_8);
    }

    /**
     * Returns the memory of the row, of which {@link #size} bytes are used. Valid until the next
     * write.
     */
    public byte[] bytes() {
        return bytes;
    }

    /**
     * Reserves bytes after the end. Returns the memory, to be written from {@link #size} on. Valid
     * until the next write.
     */
    public byte[] room(int length) {
        reserve(length);
        return bytes;
    }

    /** Returns the number of written bytes. */
    public int size() {
        return size;
    }

    /** Adds reserved bytes that the caller has written. */
    public void fill(int length) {
        size += length;
    }

    /** Returns the number of bytes after the int at {@code place}. */
    public int sizeSince(int place) {
        return size - place - Integer.BYTES;
    }

    /** Returns a copy of the row and clears this. */
    public byte[] row() {
        endField();
        segment.set(RowEncoding.SHORT, RowEncoding.FIELD_COUNT_OFFSET, (short) fieldCount);
        charge(size);
        byte[] row = isInOrder ? Arrays.copyOf(bytes, size) : ordered();
        // The next row may follow much later.
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
