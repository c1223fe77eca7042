package org.crabro.content.search.match.text;

import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import org.crabro.content.storage.file.WorkMeter;
import org.crabro.text.Utf8;

/**
 * A decoded text. The memory is reused for the next text. Each read of a character is counted as
 * work. For one thread.
 */
final class DecodedText implements CharSequence {
    private final WorkMeter work;
    private final int charUnits;
    private byte[] raw = new byte[64];
    private char[] chars = new char[64];
    private int length;

    /**
     * @param charUnits the units of work for each read of a character
     */
    DecodedText(WorkMeter work, int charUnits) {
        this.work = work;
        this.charUnits = charUnits;
    }

    /** Decodes {@code count} bytes of UTF-8. */
    void set(MemorySegment bytes, long offset, int count) {
        if (raw.length < count) {
            raw = new byte[Integer.highestOneBit(count) * 2];
        }
        MemorySegment.copy(bytes, ValueLayout.JAVA_BYTE, offset, raw, 0, count);
        set(raw, count);
    }

    /** Decodes the first {@code count} bytes of UTF-8. */
    void set(byte[] bytes, int count) {
        if (chars.length < count) {
            chars = new char[Integer.highestOneBit(count) * 2];
        }
        int to = 0;
        for (int at = 0; at < count; ) {
            byte b = bytes[at];
            if (b >= 0) {
                chars[to++] = (char) b;
                at++;
            } else {
                int decoded = Utf8.decode(bytes, at, count);
                to += Character.toChars(Utf8.codePoint(decoded), chars, to);
                at += Utf8.length(decoded);
            }
        }
        length = to;
    }

    @Override
    public int length() {
        return length;
    }

    @Override
    public char charAt(int index) {
        work.spend(charUnits);
        return chars[index];
    }

    @Override
    public CharSequence subSequence(int start, int end) {
        return new String(chars, start, end - start);
    }

    @Override
    public String toString() {
        return new String(chars, 0, length);
    }
}
