package org.crabro.content.storage.index;

import java.io.EOFException;
import java.io.IOException;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.nio.ByteOrder;
import org.apache.lucene.store.IndexInput;
import org.apache.lucene.store.MemorySegmentAccessInput;

/**
 * Reads a mapped file, which has been checked. Lucene decodes postings with vector instructions
 * only from inputs that give it the memory. For one thread; clones and slices are independent.
 */
final class MappedInput extends IndexInput implements MemorySegmentAccessInput {
    private static final ValueLayout.OfShort SHORT =
            ValueLayout.JAVA_SHORT_UNALIGNED.withOrder(ByteOrder.LITTLE_ENDIAN);
    private static final ValueLayout.OfInt INT = IndexFileLayout.INT;
    private static final ValueLayout.OfLong LONG = IndexFileLayout.LONG;

    private final String name;
    private final MemorySegment bytes;
    private long at;

    /**
     * @param name of the file, for errors
     * @param bytes of the file
     */
    MappedInput(String name, MemorySegment bytes) {
        super(name);
        this.name = name;
        this.bytes = bytes;
    }

    @Override
    public void close() {
        // The mapping belongs to the index.
    }

    @Override
    public long getFilePointer() {
        return at;
    }

    @Override
    public void seek(long position) throws IOException {
        if (position < 0 || position > bytes.byteSize()) {
            throw new EOFException("%s: byte %d of %d".formatted(name, position, bytes.byteSize()));
        }
        at = position;
    }

    @Override
    public long length() {
        return bytes.byteSize();
    }

    @Override
    public MappedInput clone() {
        var copy = new MappedInput(name, bytes);
        copy.at = at;
        return copy;
    }

    @Override
    public MappedInput slice(String part, long offset, long length) {
        return new MappedInput(name + ", " + part, bytes.asSlice(offset, length));
    }

    @Override
    public MemorySegment segmentSliceOrNull(long position, long length) {
        return bytes.asSlice(position, length);
    }

    @Override
    public byte readByte() {
        return bytes.get(ValueLayout.JAVA_BYTE, at++);
    }

    @Override
    public void readBytes(byte[] into, int offset, int length) {
        readBytes(at, into, offset, length);
        at += length;
    }

    @Override
    public short readShort() {
        short value = readShort(at);
        at += Short.BYTES;
        return value;
    }

    @Override
    public int readInt() {
        int value = readInt(at);
        at += Integer.BYTES;
        return value;
    }

    @Override
    public long readLong() {
        long value = readLong(at);
        at += Long.BYTES;
        return value;
    }

    @Override
    public void readInts(int[] into, int offset, int length) {
        MemorySegment.copy(bytes, INT, at, into, offset, length);
        at += (long) length * Integer.BYTES;
    }

    @Override
    public void readLongs(long[] into, int offset, int length) {
        MemorySegment.copy(bytes, LONG, at, into, offset, length);
        at += (long) length * Long.BYTES;
    }

    @Override
    public void readFloats(float[] into, int offset, int length) {
        MemorySegment.copy(bytes, SectionIndex.FLOAT, at, into, offset, length);
        at += (long) length * Float.BYTES;
    }

    @Override
    public byte readByte(long position) {
        return bytes.get(ValueLayout.JAVA_BYTE, position);
    }

    @Override
    public void readBytes(long position, byte[] into, int offset, int length) {
        MemorySegment.copy(bytes, ValueLayout.JAVA_BYTE, position, into, offset, length);
    }

    @Override
    public short readShort(long position) {
        return bytes.get(SHORT, position);
    }

    @Override
    public int readInt(long position) {
        return bytes.get(INT, position);
    }

    @Override
    public long readLong(long position) {
        return bytes.get(LONG, position);
    }
}
