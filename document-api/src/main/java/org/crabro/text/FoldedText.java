package org.crabro.text;

import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;

/**
 * Folds texts into a buffer of its own. It allocates memory only to grow the buffer, and for texts
 * that are normalized to NFKC and are not in that form. For one thread.
 */
public final class FoldedText {
    private final Folding folding;
    private final boolean isNormalized;
    private byte[] raw = new byte[0];
    private byte[] buffer = new byte[64];
    private int length;

    public FoldedText(TextAnalysis analysis) {
        this.folding = analysis.folding();
        this.isNormalized = analysis.isNormalized();
    }

    /** Returns {@code text} as it is compared with others. */
    public static String of(String text, TextAnalysis analysis) {
        byte[] utf8 = text.getBytes(StandardCharsets.UTF_8);
        var folded = new FoldedText(analysis);
        folded.set(utf8, 0, utf8.length);
        return new String(folded.buffer, 0, folded.length, StandardCharsets.UTF_8);
    }

    /** Folds the {@code count} bytes of UTF-8 text from {@code offset} on. */
    public void set(MemorySegment text, long offset, int count) {
        if (raw.length < count) {
            raw = new byte[Integer.highestOneBit(Math.max(count, 32)) * 2];
        }
        MemorySegment.copy(text, ValueLayout.JAVA_BYTE, offset, raw, 0, count);
        set(raw, 0, count);
    }

    /** Folds the {@code count} bytes of UTF-8 text from {@code offset} on. */
    public void set(byte[] text, int offset, int count) {
        if (isNormalized && CompatibleLetters.anyIsChanged(text, offset, offset + count)) {
            byte[] usual = CompatibleLetters.normalized(text, offset, count);
            fold(usual, 0, usual.length);
        } else {
            fold(text, offset, count);
        }
    }

    private void fold(byte[] text, int offset, int count) {
        int needed = Math.addExact(count, count / 2) + 4;
        if (buffer.length < needed) {
            buffer = new byte[needed];
        }
        int to = 0;
        for (int at = offset, end = offset + count; at < end; ) {
            byte b = text[at];
            if (b >= 0) {
                boolean isUpper = b >= 'A' && b <= 'Z' && folding != Folding.NONE;
                buffer[to++] = isUpper ? (byte) (b | 0x20) : b;
                at++;
            } else {
                int decoded = Utf8.decode(text, at, end);
                to = folding.append(Utf8.codePoint(decoded), buffer, 0, to);
                at += Utf8.length(decoded);
            }
        }
        length = to;
    }

    /**
     * Returns the buffer, which contains the folded text from index 0 on. Valid until the next call
     * of set.
     */
    public byte[] buffer() {
        return buffer;
    }

    /** Returns the number of bytes of the folded text. */
    public int length() {
        return length;
    }

    /** Returns whether the folded text equals {@code other}. */
    public boolean is(byte[] other) {
        return Arrays.equals(buffer, 0, length, other, 0, other.length);
    }
}
