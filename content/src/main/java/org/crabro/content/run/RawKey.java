package org.crabro.content.run;

import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.util.Arrays;

/**
 * The parts of a {@link SortKey} without its id: set again for every row, so that rows are copied
 * from block to block without an id being parsed or hashed. Keys that are compared are of one
 * document type.
 */
final class RawKey {
    private static final int FIRST_CAPACITY = 128;

    private long place;
    private long document;
    private int groupFrom;
    private int groupTo;
    private byte[] text = new byte[FIRST_CAPACITY];
    private MemorySegment bytes = MemorySegment.ofArray(text);
    private int length;

    /** Becomes {@code key}. */
    void set(SortKey key) {
        place = key.place();
        document = key.document();
        groupFrom = key.groupFrom();
        groupTo = key.groupTo();
        length = key.text().length;
        ensure();
        System.arraycopy(key.text(), 0, text, 0, length);
    }

    /** Becomes the key with these numbers of the document {@code id}. */
    void set(long ofPlace, long ofDocument, MemorySegment id) {
        place = ofPlace;
        document = ofDocument;
        length = (int) id.byteSize();
        ensure();
        MemorySegment.copy(id, ValueLayout.JAVA_BYTE, 0, text, 0, length);
        groupFrom = SortKey.groupFrom(text);
        groupTo = SortKey.colonAfter(text, groupFrom);
    }

    /** Becomes the key of {@code row}. */
    void set(KeyColumn keys, int row) {
        place = keys.place(row);
        document = keys.document(row);
        groupFrom = keys.groupFrom(row);
        groupTo = groupFrom + keys.groupLength(row);
        length = keys.idLength(row);
        ensure();
        keys.copyId(row, text);
    }

    /** Becomes {@code that}. */
    void set(RawKey that) {
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
            text = new byte[2 * length];
            bytes = MemorySegment.ofArray(text);
        }
    }

    long place() {
        return place;
    }

    long document() {
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

    int length() {
        return length;
    }

    /** Returns {@link #text()} as a segment. */
    MemorySegment bytes() {
        return bytes;
    }

    /** Returns whether this stands behind {@code that}. */
    boolean isBehind(RawKey that) {
        int byPlace = Long.compareUnsigned(place, that.place);
        if (byPlace != 0) {
            return byPlace > 0;
        }
        int byGroup = compareGroup(that);
        if (byGroup != 0) {
            return byGroup > 0;
        }
        int byDocument = Long.compareUnsigned(document, that.document);
        if (byDocument != 0) {
            return byDocument > 0;
        }
        return Arrays.compareUnsigned(text, 0, length, that.text, 0, that.length) > 0;
    }

    /** Returns whether {@code that} is a key of the same group, the same number or the same id. */
    boolean isOfSameGroup(RawKey that) {
        return place == that.place && compareGroup(that) == 0;
    }

    private int compareGroup(RawKey that) {
        return Arrays.compareUnsigned(
                text, groupFrom, groupTo, that.text, that.groupFrom, that.groupTo);
    }

    @Override
    public String toString() {
        return "%016x %016x %s".formatted(place, document, EncodedBlock.text(bytes, 0, length));
    }
}
