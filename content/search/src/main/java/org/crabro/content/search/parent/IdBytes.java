package org.crabro.content.search.parent;

import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import org.crabro.content.storage.block.column.TextReader;

/**
 * The text of a document id as a key of a map. One thread reads all ids into the same object, and
 * only {@link #copy() copies} are kept.
 */
final class IdBytes {
    private byte[] bytes;
    private int length;
    private int hash;

    IdBytes() {
        this.bytes = new byte[64];
    }

    private IdBytes(byte[] bytes, int hash) {
        this.bytes = bytes;
        this.length = bytes.length;
        this.hash = hash;
    }

    /** Reads the current text of a reader. */
    void set(TextReader text) {
        length = text.length();
        if (bytes.length < length) {
            bytes = new byte[2 * length];
        }
        MemorySegment.copy(text.bytes(), ValueLayout.JAVA_BYTE, text.offset(), bytes, 0, length);
        int sum = 1;
        for (int i = 0; i < length; i++) {
            sum = 31 * sum + bytes[i];
        }
        hash = sum;
    }

    boolean isEmpty() {
        return length == 0;
    }

    IdBytes copy() {
        return new IdBytes(Arrays.copyOf(bytes, length), hash);
    }

    @Override
    public boolean equals(Object other) {
        return other instanceof IdBytes that
                && Arrays.equals(bytes, 0, length, that.bytes, 0, that.length);
    }

    @Override
    public int hashCode() {
        return hash;
    }

    @Override
    public String toString() {
        return new String(bytes, 0, length, StandardCharsets.UTF_8);
    }
}
