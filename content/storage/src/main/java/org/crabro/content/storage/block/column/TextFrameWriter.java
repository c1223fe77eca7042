package org.crabro.content.storage.block.column;

import net.jpountz.lz4.LZ4Compressor;
import org.crabro.content.storage.layout.BlockBytes;
import org.crabro.content.storage.layout.BlockLayout;

/**
 * Compresses strings in frames of whole strings, of at least {@value #FRAME_BYTES} bytes each
 * except the last. Reused for the next block.
 */
final class TextFrameWriter {
    /** A frame ends with the string that reaches this size. */
    static final int FRAME_BYTES = 16 << 10;

    /** Compressing fewer bytes does not pay off. */
    private static final int BYTES_MIN = 1 << 10;

    /** The saved bytes must be at least this part: one eighth. */
    private static final int SAVED_PART = 8;

    private static final int KEPT_CAPACITY = 1 << 20;

    private final LZ4Compressor compressor = Lz4.FACTORY.fastCompressor();
    private final BlockBytes index = new BlockBytes(64);
    private final BlockBytes frames = new BlockBytes(256);
    private byte[] compressed = {};
    private int count;

    /**
     * Compresses {@code textCount} strings.
     *
     * @param starts the start of each string in {@code texts}, and the end of the last
     * @return whether that saves enough
     */
    boolean build(BlockBytes starts, BlockBytes texts, int textCount) {
        index.clear();
        frames.clear();
        count = 0;
        int end = texts.position();
        if (end < BYTES_MIN) {
            return false;
        }
        int from = 0;
        for (int i = 1; i <= textCount; i++) {
            int to = starts.getInt(4 * i);
            if (to - from >= FRAME_BYTES || (i == textCount && to > from)) {
                addFrame(texts.array(), from, to - from);
                index.putInt(i);
                index.putInt(frames.position());
                from = to;
                count++;
            }
        }
        return size() <= end - end / SAVED_PART;
    }

    private void addFrame(byte[] texts, int offset, int length) {
        int bound = compressor.maxCompressedLength(length);
        if (compressed.length < bound || compressed.length > Math.max(bound, KEPT_CAPACITY)) {
            compressed = new byte[bound];
        }
        int size = compressor.compress(texts, offset, length, compressed, 0, compressed.length);
        if (size < length) {
            frames.put(compressed, 0, size);
        } else {
            frames.put(texts, offset, length);
        }
    }

    /** Returns the number of bytes that {@link #writeTo} writes. */
    long size() {
        return Integer.BYTES + (long) index.position() + frames.position();
    }

    /** Writes the frames with their index in the layout of {@link BlockLayout}. */
    void writeTo(BlockBytes out) {
        out.putInt(count);
        out.put(index);
        out.put(frames);
    }
}
