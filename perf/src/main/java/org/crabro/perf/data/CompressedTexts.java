package org.crabro.perf.data;

import java.io.ByteArrayOutputStream;
import java.util.ArrayList;
import java.util.List;
import jdk.incubator.vector.ByteVector;
import jdk.incubator.vector.VectorSpecies;
import net.jpountz.lz4.LZ4Compressor;
import net.jpountz.lz4.LZ4Factory;
import net.jpountz.lz4.LZ4SafeDecompressor;

/**
 * Texts in LZ4 frames of whole texts, at least 16 KiB each. Without a token index, a search has to
 * decompress and scan them all. A position is compared if the first and the last byte match; many
 * positions are checked at a time.
 */
public final class CompressedTexts {
    private static final VectorSpecies<Byte> BYTES = ByteVector.SPECIES_PREFERRED;
    private static final int FRAME = 16 << 10;

    private final LZ4SafeDecompressor decompressor =
            LZ4Factory.fastestInstance().safeDecompressor();
    private final List<byte[]> frames = new ArrayList<>();
    private final byte[] buffer;
    private long size;

    public CompressedTexts(List<byte[]> texts) {
        LZ4Compressor compressor = LZ4Factory.fastestInstance().fastCompressor();
        var frame = new ByteArrayOutputStream();
        int longest = 0;
        for (int i = 0; i < texts.size(); i++) {
            frame.writeBytes(texts.get(i));
            if (frame.size() >= FRAME || i == texts.size() - 1) {
                byte[] compressed = compressor.compress(frame.toByteArray());
                frames.add(compressed);
                size += compressed.length;
                longest = Math.max(longest, frame.size());
                frame.reset();
            }
        }
        this.buffer = new byte[longest];
    }

    /** Returns the bytes of all frames. */
    public long size() {
        return size;
    }

    /** Returns the number of occurrences of {@code pattern} in the texts. */
    public long count(byte[] pattern) {
        long count = 0;
        for (byte[] frame : frames) {
            int length = decompressor.decompress(frame, 0, frame.length, buffer, 0, buffer.length);
            count += count(buffer, length, pattern);
        }
        return count;
    }

    private static long count(byte[] text, int length, byte[] pattern) {
        int behind = pattern.length - 1;
        long count = 0;
        int at = 0;
        for (; at + behind + BYTES.length() <= length; at += BYTES.length()) {
            long places =
                    ByteVector.fromArray(BYTES, text, at)
                            .eq(pattern[0])
                            .and(ByteVector.fromArray(BYTES, text, at + behind).eq(pattern[behind]))
                            .toLong();
            while (places != 0) {
                count += stands(text, at + Long.numberOfTrailingZeros(places), pattern) ? 1 : 0;
                places &= places - 1;
            }
        }
        for (; at + behind < length; at++) {
            count += stands(text, at, pattern) ? 1 : 0;
        }
        return count;
    }

    private static boolean stands(byte[] text, int at, byte[] pattern) {
        for (int i = 0; i < pattern.length; i++) {
            if (text[at + i] != pattern[i]) {
                return false;
            }
        }
        return true;
    }
}
