package org.crabro.content.storage.block.column;

import static org.crabro.content.storage.layout.BlockLayout.INT;

import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import net.jpountz.lz4.LZ4Exception;
import net.jpountz.lz4.LZ4SafeDecompressor;
import org.crabro.content.storage.file.ByteOrigin;
import org.crabro.content.storage.file.CorruptRunException;
import org.crabro.content.storage.layout.BlockLayout;

/** A view of compressed frames of strings. Thread-safe; {@link TextReader} reads it. */
public final class TextFrames {
    private static final LZ4SafeDecompressor DECOMPRESSOR = Lz4.FACTORY.safeDecompressor();

    private final MemorySegment starts;
    private final MemorySegment bytes;
    private final int count;
    private final ByteOrigin origin;
    private final long offset;
    private final long framesOffset;

    /**
     * @param starts the start of each string in the decompressed bytes
     * @param bytes the index of frames and the frames, in the layout of {@link BlockLayout}
     * @param offset of {@code bytes} in their block
     */
    public TextFrames(MemorySegment starts, MemorySegment bytes, ByteOrigin origin, long offset) {
        this.starts = starts;
        this.bytes = bytes;
        this.origin = origin;
        this.offset = offset;
        this.count = bytes.get(INT, 0);
        this.framesOffset = BlockLayout.framesOffset(count);
        if (count < 1 || framesOffset > bytes.byteSize()) {
            throw origin.corrupt(offset, "frames", count + " of them");
        }
    }

    long byteSize() {
        return bytes.byteSize();
    }

    /**
     * Returns the frame of a string.
     *
     * @throws CorruptRunException if there is none
     */
    int frameOf(int text) {
        int low = 0;
        int high = count - 1;
        while (low < high) {
            int middle = (low + high) >>> 1;
            if (endOf(middle) <= text) {
                low = middle + 1;
            } else {
                high = middle;
            }
        }
        if (text < firstOf(low) || text >= endOf(low)) {
            throw corrupt(low, "a frame with string " + text, "up to " + endOf(low));
        }
        return low;
    }

    /** Returns the first string of a frame. */
    int firstOf(int frame) {
        return frame == 0 ? 0 : endOf(frame - 1);
    }

    /** Returns the end of the strings of a frame, exclusive. */
    int endOf(int frame) {
        return bytes.get(INT, BlockLayout.frame(frame) + BlockLayout.FRAME_TEXT);
    }

    /** Returns the start of a string in the decompressed bytes. */
    int start(int text) {
        return starts.get(INT, 4L * text);
    }

    /** Returns the decompressed size of a frame in bytes. */
    int length(int frame) {
        int first = firstOf(frame);
        int end = endOf(frame);
        if (first < 0 || first >= end || 4L * end >= starts.byteSize()) {
            throw corrupt(frame, "strings", "%d to %d".formatted(first, end));
        }
        int length = start(end) - start(first);
        if (length <= 0) {
            throw corrupt(frame, "strings", length + " bytes");
        }
        return length;
    }

    /** Returns the compressed size of a frame in bytes. */
    int compressedLength(int frame) {
        int from = frame == 0 ? 0 : frameEnd(frame - 1);
        int to = frameEnd(frame);
        if (from < 0 || to < from || to > bytes.byteSize() - framesOffset) {
            throw corrupt(frame, "a frame inside the chunk", "%d to %d".formatted(from, to));
        }
        return to - from;
    }

    /**
     * Decompresses a frame.
     *
     * @param compressed a buffer of at least {@link #compressedLength} bytes. The frame is copied
     *     into it first: native code must not read the mapping, because it could not report read
     *     errors
     * @param into a buffer of at least {@link #length} bytes
     * @throws CorruptRunException if the frame is damaged
     */
    void decompress(int frame, byte[] compressed, byte[] into) {
        int expected = length(frame);
        int size = compressedLength(frame);
        long from = framesOffset + (frame == 0 ? 0 : frameEnd(frame - 1));
        if (size == expected) {
            MemorySegment.copy(bytes, ValueLayout.JAVA_BYTE, from, into, 0, size);
            return;
        }
        MemorySegment.copy(bytes, ValueLayout.JAVA_BYTE, from, compressed, 0, size);
        int actual;
        try {
            actual = DECOMPRESSOR.decompress(compressed, 0, size, into, 0, expected);
        } catch (LZ4Exception | IndexOutOfBoundsException e) {
            throw corrupt(frame, "a frame of %d bytes".formatted(expected), String.valueOf(e));
        }
        if (actual != expected) {
            throw corrupt(frame, "a frame of %d bytes".formatted(expected), actual + " bytes");
        }
    }

    private int frameEnd(int frame) {
        return bytes.get(INT, BlockLayout.frame(frame) + BlockLayout.FRAME_END);
    }

    private CorruptRunException corrupt(int frame, String expected, String actual) {
        return origin.corrupt(offset + BlockLayout.frame(frame), expected, actual);
    }
}
