package org.crabro.content.storage.block.column;

import static org.crabro.content.storage.layout.BlockLayout.INT;

import java.lang.foreign.MemorySegment;
import org.crabro.content.storage.file.CorruptRunException;
import org.jspecify.annotations.Nullable;

/**
 * Reads strings of columns one after another, independent of their storage. It keeps the last
 * decompressed frame, so that neighbours are decompressed once. To read two columns in turn, use
 * two readers. For one thread.
 *
 * {@snippet :
 * reader.read(column, row);
 * folded.set(reader.bytes(), reader.offset(), reader.length());
 * }
 */
public final class TextReader {
    /** The buffer of a longer frame, which holds a single long string, is freed at the next one. */
    private static final int KEPT_CAPACITY = 256 << 10;

    private static final byte[] NOTHING = {};

    private MemorySegment bytes = MemorySegment.NULL;
    private long offset;
    private int length;

    private byte[] compressed = NOTHING;
    private byte[] decompressed = NOTHING;
    private MemorySegment segment = MemorySegment.ofArray(NOTHING);
    private @Nullable TextFrames frames;
    private int first;
    private int end;

    /**
     * Moves to a string.
     *
     * @param index of the row, or of the element if {@code column} holds elements
     * @throws CorruptRunException if it cannot be decompressed
     */
    public void read(Column.Texts column, int index) {
        switch (column) {
            case Column.RawTexts raw -> read(raw.starts(), raw.bytes(), index);
            case Column.CodedTexts coded -> readValue(coded, coded.code(index));
            case Column.FramedTexts framed -> read(framed.frames(), index);
        }
    }

    /** Moves to the string with a code. */
    public void readValue(Column.CodedTexts column, int code) {
        read(column.starts(), column.bytes(), code);
    }

    private void read(MemorySegment starts, MemorySegment texts, int index) {
        bytes = texts;
        offset = starts.get(INT, 4L * index);
        length = (int) (starts.get(INT, 4L * index + 4) - offset);
    }

    private void read(TextFrames from, int index) {
        int start = from.start(index);
        length = from.start(index + 1) - start;
        if (length == 0) {
            // Strings after the last frame are empty.
            bytes = MemorySegment.NULL;
            offset = 0;
            return;
        }
        if (frames != from || index < first || index >= end) {
            decompress(from, from.frameOf(index));
        }
        bytes = segment;
        offset = (long) start - from.start(first);
    }

    private void decompress(TextFrames from, int frame) {
        frames = null;
        if (!hasRoom(compressed, from.compressedLength(frame))) {
            compressed = ofSize(from.compressedLength(frame));
        }
        if (!hasRoom(decompressed, from.length(frame))) {
            decompressed = ofSize(from.length(frame));
            segment = MemorySegment.ofArray(decompressed);
        }
        from.decompress(frame, compressed, decompressed);
        frames = from;
        first = from.firstOf(frame);
        end = from.endOf(frame);
    }

    private static boolean hasRoom(byte[] array, int size) {
        return array.length >= size && array.length <= Math.max(size, KEPT_CAPACITY);
    }

    private static byte[] ofSize(int size) {
        return new byte[Math.max(size, 2 * TextFrameWriter.FRAME_BYTES)];
    }

    /** Returns the memory that contains the string, until the next read. */
    public MemorySegment bytes() {
        return bytes;
    }

    /** Returns the start of the string in {@link #bytes()}. */
    public long offset() {
        return offset;
    }

    /** Returns the length of the string in bytes of UTF-8. */
    public int length() {
        return length;
    }
}
