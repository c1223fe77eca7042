package org.crabro.content.run;

import static org.crabro.content.run.BlockLayout.INT;

import java.lang.foreign.MemorySegment;

/** Collects texts, of rows or of elements, and writes where they start and their bytes. */
final class TextsWriter {
    private final BlockBytes starts = new BlockBytes(64);
    private final BlockBytes bytes = new BlockBytes(256);
    private int count;

    TextsWriter() {
        starts.putInt(0);
    }

    int count() {
        return count;
    }

    void clear() {
        starts.clear();
        starts.putInt(0);
        bytes.clear();
        count = 0;
    }

    void add(MemorySegment source, long offset, long length) {
        bytes.put(source, offset, Math.toIntExact(length));
        starts.putInt(bytes.position());
        count++;
    }

    /** Adds empty texts until there are {@code texts}. */
    void fillTo(int texts) {
        for (; count < texts; count++) {
            starts.putInt(bytes.position());
        }
    }

    /** Adds the elements of an encoded array of strings. */
    void addElements(MemorySegment encoded, long offset) {
        int elements = encoded.get(INT, offset);
        long at = offset + Integer.BYTES;
        for (int i = 0; i < elements; i++) {
            int length = encoded.get(INT, at);
            add(encoded, at + Integer.BYTES, length);
            at += Integer.BYTES + length;
        }
    }

    /** Returns the bytes that {@link #writeTo} writes. */
    int size() {
        return Math.addExact(starts.position(), bytes.position());
    }

    void writeTo(BlockBytes out) {
        out.put(starts);
        out.put(bytes);
    }
}
