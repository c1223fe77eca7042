package org.crabro.content.storage.block.key;

import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.util.Arrays;
import org.crabro.document.GlobalId;
import org.crabro.document.IdHashes;
import org.crabro.protocol.encoding.RowEncoding;

/**
 * Computes the two numbers at the start of a {@link RowKey}, for encoded rows one after another. It
 * allocates nothing per row, and it does not hash the group again if two consecutive rows have the
 * same group. For one thread.
 */
public final class RowKeyPrefix {
    private static final int FIRST_CAPACITY = 128;

    private final IdHashes hashes = new IdHashes();
    private byte[] text = new byte[FIRST_CAPACITY];
    private byte[] group = new byte[FIRST_CAPACITY];
    private int groupLength;
    private long place;
    private long document;

    /**
     * Moves to a row.
     *
     * @param row a document in the format of {@link RowEncoding}
     */
    public void set(MemorySegment row) {
        MemorySegment id = RowEncoding.idBytes(row);
        int length = (int) id.byteSize();
        if (text.length < length) {
            text = new byte[2 * length];
            group = Arrays.copyOf(group, text.length);
        }
        MemorySegment.copy(id, ValueLayout.JAVA_BYTE, 0, text, 0, length);
        int from = RowKey.groupFrom(text);
        int to = RowKey.colonAfter(text, from);
        if (from == to || !Arrays.equals(text, from, to, group, 0, groupLength)) {
            place = RowKey.place(hashes.location(text, length, from, to));
            groupLength = to - from;
            System.arraycopy(text, from, group, 0, groupLength);
        }
        document = RowKey.document(new GlobalId(0, hashes.hash(text, length)));
    }

    /** Returns the first part of the row's key; order is unsigned. */
    public long place() {
        return place;
    }

    /**
     * Returns the part of the row's key that distinguishes the documents of a group, except for
     * hash collisions.
     */
    public long document() {
        return document;
    }
}
