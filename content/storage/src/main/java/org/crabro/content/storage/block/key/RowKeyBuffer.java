package org.crabro.content.storage.block.key;

import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.util.Arrays;
import org.crabro.content.storage.layout.BlockLayout;
import org.jspecify.annotations.Nullable;

/**
 * A mutable {@link RowKey} without its id. It is reused for every row, so rows are copied between
 * blocks without parsing or hashing ids. Compared keys have the same document type.
 */
public final class RowKeyBuffer {
    private static final int FIRST_CAPACITY = 128;

    private long place;
    private long document;
    private int groupFrom;
    private int groupTo;
    private byte[] text = new byte[FIRST_CAPACITY];
    private MemorySegment bytes = MemorySegment.ofArray(text);
    private int length;

    // The source of the copied part of the text before the tail.
    private @Nullable KeyColumn source;
    private int sourceGroup;
    private int sourceHead;

    /** Sets this to {@code key}. */
    public void set(RowKey key) {
        source = null;
        place = key.place();
        document = key.document();
        groupFrom = key.groupFrom();
        groupTo = key.groupTo();
        length = key.text().length;
        ensure();
        System.arraycopy(key.text(), 0, text, 0, length);
    }

    /** Sets this to the key with these numbers of the document {@code id}. */
    public void set(long ofPlace, long ofDocument, MemorySegment id) {
        source = null;
        place = ofPlace;
        document = ofDocument;
        length = (int) id.byteSize();
        ensure();
        MemorySegment.copy(id, ValueLayout.JAVA_BYTE, 0, text, 0, length);
        groupFrom = RowKey.groupFrom(text);
        groupTo = RowKey.colonAfter(text, groupFrom);
    }

    /** Sets this to the key of {@code row}. */
    public void set(KeyColumn keys, int row) {
        set(keys, row, keys.groups().groupOf(row));
    }

    /**
     * Sets this to the key of {@code row}, which is in {@code group}. Copies only the tail if the
     * previous key was in the same group.
     */
    public void set(KeyColumn keys, int row, int group) {
        int head = keys.head(row);
        int tail = keys.tailOffset(group, head);
        document = keys.document(row);
        length = tail + keys.tailLength(row);
        ensure();
        if (keys != source || group != sourceGroup || head != sourceHead) {
            place = keys.groups().place(group);
            groupFrom = keys.groupFrom(head);
            groupTo = tail - 1;
            keys.copyStart(group, head, text);
            source = keys;
            sourceGroup = group;
            sourceHead = head;
        }
        keys.copyTail(row, text, tail);
    }

    /** Sets this to {@code that}. */
    public void set(RowKeyBuffer that) {
        source = null;
        place = that.place;
        document = that.document;
        groupFrom = that.groupFrom;
        groupTo = that.groupTo;
        length = that.length;
        ensure();
        System.arraycopy(that.text, 0, text, 0, length);
    }

    private void ensure() {
        if (text.length < length) {
            text = Arrays.copyOf(text, 2 * length);
            bytes = MemorySegment.ofArray(text);
        }
    }

    public long place() {
        return place;
    }

    public long document() {
        return document;
    }

    int groupFrom() {
        return groupFrom;
    }

    int groupTo() {
        return groupTo;
    }

    /** Returns the array whose first {@link #length()} bytes are the id's text. */
    byte[] text() {
        return text;
    }

    public int length() {
        return length;
    }

    /** Returns {@link #text()} as a segment. */
    public MemorySegment bytes() {
        return bytes;
    }

    /** Returns whether this is after {@code that}. */
    public boolean isBehind(RowKeyBuffer that) {
        return compare(that) > 0;
    }

    /** Orders keys of one document type. */
    public int compare(RowKeyBuffer that) {
        int byPlace = Long.compareUnsigned(place, that.place);
        if (byPlace != 0) {
            return byPlace;
        }
        int byGroup = compareGroup(that);
        if (byGroup != 0) {
            return byGroup;
        }
        int byDocument = Long.compareUnsigned(document, that.document);
        return byDocument != 0
                ? byDocument
                : Arrays.compareUnsigned(text, 0, length, that.text, 0, that.length);
    }

    /** Returns whether {@code that} is a key of the same group, the same number or the same id. */
    public boolean isOfSameGroup(RowKeyBuffer that) {
        return place == that.place && compareGroup(that) == 0;
    }

    private int compareGroup(RowKeyBuffer that) {
        return Arrays.compareUnsigned(
                text, groupFrom, groupTo, that.text, that.groupFrom, that.groupTo);
    }

    @Override
    public String toString() {
        return "%016x %016x %s".formatted(place, document, BlockLayout.text(bytes, 0, length));
    }
}
