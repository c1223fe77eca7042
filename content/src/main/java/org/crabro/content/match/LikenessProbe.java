package org.crabro.content.match;

import org.crabro.text.FoldedText;
import org.crabro.text.Folding;
import org.crabro.text.Utf8;

import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.nio.charset.StandardCharsets;

/**
 * Compares texts with one by how many code points are more, less or others. Only the part of the
 * table is computed that can stay below the most edits allowed. For one thread.
 */
final class LikenessProbe implements TextProbe.Look, WordTest {
    /** The most bytes of a code point. */
    private static final int BYTES_MAX = 4;

    private final int[] sought;
    private final int maxEdits;
    private final int prefixLength;
    private final boolean prefix;
    private final int maxLength;
    private final FoldedText folded;
    private final int[] row;
    private final int[] previous;
    private int[] text = new int[64];

    LikenessProbe(Probing.OfLikeness likeness) {
        this.sought = likeness.text().codePoints().toArray();
        this.maxEdits = likeness.maxEdits();
        this.prefixLength = Math.min(likeness.prefixLength(), sought.length);
        this.prefix = likeness.prefix();
        this.maxLength = likeness.maxLength();
        this.folded = new FoldedText(likeness.cased() ? Folding.NONE : Folding.CASE);
        this.row = new int[sought.length + 1];
        this.previous = new int[sought.length + 1];
    }

    @Override
    public long weight(MemorySegment bytes, long offset, int size) {
        int length = Math.min(size, maxLength);
        // A text that is longer by more bytes than edits can have is not like the one sought.
        int most = (int) Math.min(Integer.MAX_VALUE, charsMax() * BYTES_MAX);
        if (length > most && !prefix) {
            return NumberKeys.NONE;
        }
        int count = decode(bytes, offset, cut(bytes, offset, length, most));
        return isLike(count) ? 1 : NumberKeys.NONE;
    }

    @Override
    public byte[] beginning() {
        return new String(sought, 0, prefixLength).getBytes(StandardCharsets.UTF_8);
    }

    @Override
    public boolean fits(byte[] token, int length) {
        return isLike(decode(token, length));
    }

    /** Returns how many code points a text like the one sought has at most. */
    private long charsMax() {
        return (long) sought.length + maxEdits;
    }

    /** Returns how many bytes to look at: only whole characters. */
    private static int cut(MemorySegment bytes, long offset, int length, int most) {
        int cut = Math.min(length, most);
        while (cut < length
                && cut > 0
                && (bytes.get(ValueLayout.JAVA_BYTE, offset + cut) & 0xc0) == 0x80) {
            cut--;
        }
        return cut;
    }

    private int decode(MemorySegment bytes, long offset, int length) {
        folded.set(bytes, offset, length);
        return decode(folded.buffer(), folded.length());
    }

    private int decode(byte[] bytes, int length) {
        if (text.length < length) {
            text = new int[length * 2];
        }
        int count = 0;
        for (int at = 0; at < length; ) {
            int decoded = Utf8.decode(bytes, at, length);
            text[count++] = Utf8.codePoint(decoded);
            at += Utf8.length(decoded);
        }
        return count;
    }

    private boolean isLike(int count) {
        if (count < prefixLength) {
            return false;
        }
        for (int i = 0; i < prefixLength; i++) {
            if (text[i] != sought[i]) {
                return false;
            }
        }
        int[] above = previous;
        int[] at = row;
        for (int j = 0; j < above.length; j++) {
            above[j] = j;
        }
        int last = sought.length;
        boolean found = prefix && above[last] <= maxEdits;
        int rows = (int) Math.min(count, charsMax());
        for (int i = 1; i <= rows && !found; i++) {
            at[0] = i;
            int least = i;
            for (int j = 1; j <= last; j++) {
                int replaced = above[j - 1] + (text[i - 1] == sought[j - 1] ? 0 : 1);
                at[j] = Math.min(replaced, Math.min(above[j], at[j - 1]) + 1);
                least = Math.min(least, at[j]);
            }
            if (least > maxEdits) {
                return false;
            }
            found = prefix && at[last] <= maxEdits;
            int[] free = above;
            above = at;
            at = free;
        }
        return found || (count == rows && above[last] <= maxEdits);
    }
}
