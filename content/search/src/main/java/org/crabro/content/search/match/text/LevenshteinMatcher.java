package org.crabro.content.search.match.text;

import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.nio.charset.StandardCharsets;
import org.crabro.content.search.query.QueryRejectedException;
import org.crabro.content.storage.file.WorkMeter;
import org.crabro.protocol.query.QueryNode;
import org.crabro.text.FoldedText;
import org.crabro.text.Folding;
import org.crabro.text.Utf8;

/**
 * Computes the Levenshtein distance of texts to one text, in code points. It computes only those
 * cells of the table that can be within the permitted number of edits. For one thread.
 */
public final class LevenshteinMatcher implements TextMatcher.Weigher, TokenMatcher {
    /** The maximum number of bytes of a code point. */
    private static final int BYTES_MAX = 4;

    /** The value of a cell that was not computed. It is larger than any number of edits. */
    private static final int TOO_MANY = Integer.MAX_VALUE / 2;

    /** The units of work to compute a cell. */
    private static final int CELL_UNITS = 2;

    /**
     * The limit for the product of code points of the searched text and permitted edits. This is
     * about the number of cells that are computed for each text.
     */
    static final int CELLS_MAX = 1_000_000;

    private final int[] target;
    private final int maxEdits;
    private final int prefixLength;
    private final boolean prefix;
    private final int maxLength;
    private final FoldedText folded;
    private final WorkMeter work;
    private final int[] row;
    private final int[] previous;
    private int[] text = new int[64];

    /**
     * @param work counts the computed cells of the table
     */
    LevenshteinMatcher(TextPredicate.OfFuzzy likeness, WorkMeter work) {
        this.work = work;
        this.target = likeness.text().codePoints().toArray();
        this.maxEdits = likeness.maxEdits();
        this.prefixLength = Math.min(likeness.prefixLength(), target.length);
        this.prefix = likeness.prefix();
        this.maxLength = likeness.maxLength();
        this.folded = new FoldedText(likeness.cased() ? Folding.NONE : Folding.CASE);
        this.row = new int[target.length + 1];
        this.previous = new int[target.length + 1];
    }

    /**
     * Returns the condition if its cost is within the limit.
     *
     * @throws QueryRejectedException if the text is too long for the number of edits
     */
    public static QueryNode.Fuzzy checked(QueryNode.Fuzzy fuzzy) {
        long length = fuzzy.text().codePointCount(0, fuzzy.text().length());
        // The number of edits is effectively limited by the number of code points.
        long cells = length * Math.min(length, fuzzy.maxEdits());
        if (cells > CELLS_MAX) {
            throw new QueryRejectedException(
                    "fuzzy() in field '%s' has %d characters and maxEditDistance %d; their product is limited to %d"
                            .formatted(fuzzy.field(), length, fuzzy.maxEdits(), CELLS_MAX));
        }
        return fuzzy;
    }

    @Override
    public long weight(MemorySegment bytes, long offset, int size) {
        int length = Math.min(size, maxLength);
        // A text is out of reach if it exceeds the searched text by more bytes than the edits can
        // have.
        int most = (int) Math.min(Integer.MAX_VALUE, charsMax() * BYTES_MAX);
        if (length > most && !prefix) {
            return TextKeys.NONE;
        }
        int count = decode(bytes, offset, cut(bytes, offset, length, most));
        return isLike(count) ? 1 : TextKeys.NONE;
    }

    @Override
    public byte[] beginning() {
        return new String(target, 0, prefixLength).getBytes(StandardCharsets.UTF_8);
    }

    @Override
    public boolean fits(byte[] token, int length) {
        return isLike(decode(token, length));
    }

    /** Returns the maximum number of code points of a matching text. */
    private long charsMax() {
        return (long) target.length + maxEdits;
    }

    /** Returns the number of bytes to read. The last character is not cut. */
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
            if (text[i] != target[i]) {
                return false;
            }
        }
        int[] above = previous;
        int[] at = row;
        int last = target.length;
        for (int j = 0; j <= last; j++) {
            above[j] = j;
        }
        boolean isMatch = prefix && above[last] <= maxEdits;
        int rows = (int) Math.min(count, charsMax());
        for (int i = 1; i <= rows && !isMatch; i++) {
            // Cells farther from the diagonal than the permitted edits cannot be within the limit.
            int from = (int) Math.max(1, (long) i - maxEdits);
            int to = (int) Math.min(last, (long) i + maxEdits);
            work.spend(CELL_UNITS, Math.max(1, to - from + 1));
            at[from - 1] = from == 1 ? i : TOO_MANY;
            int least = at[from - 1];
            for (int j = from; j <= to; j++) {
                int replaced = above[j - 1] + (text[i - 1] == target[j - 1] ? 0 : 1);
                at[j] = Math.min(replaced, Math.min(above[j], at[j - 1]) + 1);
                least = Math.min(least, at[j]);
            }
            if (to < last) {
                at[to + 1] = TOO_MANY;
            }
            if (least > maxEdits) {
                return false;
            }
            isMatch = prefix && to == last && at[last] <= maxEdits;
            int[] free = above;
            above = at;
            at = free;
        }
        return isMatch
                || (count == rows && (long) count + maxEdits >= last && above[last] <= maxEdits);
    }
}
