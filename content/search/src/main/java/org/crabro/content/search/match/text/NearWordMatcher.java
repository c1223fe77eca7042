package org.crabro.content.search.match.text;

import java.util.Arrays;
import org.crabro.content.storage.file.WorkMeter;
import org.crabro.text.Tokenizer;
import org.crabro.text.Utf8;

/**
 * Computes the number of edits between tokens and one word, in code points. An edit inserts,
 * removes or replaces a character, or exchanges two neighbors; exchanged characters are not edited
 * again. For one thread.
 *
 * <p>The table of edits has a row for each character of a token. Rows of characters that a token
 * shares with the one before it are computed once, which makes the search in a sorted dictionary
 * fast: most tokens are out of reach after two or three characters, and those that begin with the
 * same characters are then rejected without any computation.
 */
public final class NearWordMatcher {
    /** The result for a token that is out of reach. */
    public static final int FAR = -1;

    /** The number of characters from which on words may differ in one. */
    public static final int LENGTH_OF_ONE = 5;

    /** The number of characters from which on words may differ in two. */
    public static final int LENGTH_OF_TWO = 9;

    /** Longer words match as they are written. */
    public static final int LENGTH_MAX = 64;

    private static final int BYTES_MAX = 4;

    /** The units of work to compute a row of the table. */
    private static final int ROW_UNITS = 16;

    private final int[] target;
    private final int maxEdits;
    private final WorkMeter work;

    /** By number of characters of a token: the edits to each beginning of the word. */
    private final int[][] rows;

    private final int[] characters;

    /** By number of characters: their bytes. */
    private final int[] ends;

    /** The bytes of the characters whose rows are computed. */
    private final byte[] last;

    /** The number of rows that are computed, without the first. */
    private int depth;

    /** Whether no token that begins with the computed characters is within reach. */
    private boolean isDead;

    private int deadLength = Integer.MAX_VALUE;

    /**
     * @param maxEdits at least 1
     */
    public NearWordMatcher(String word, int maxEdits, WorkMeter work) {
        this.target = word.codePoints().toArray();
        this.maxEdits = maxEdits;
        this.work = work;
        int most = target.length + maxEdits;
        this.rows = new int[most + 1][target.length + 1];
        this.characters = new int[most + 1];
        this.ends = new int[most + 1];
        this.last = new byte[BYTES_MAX * (most + 1)];
        for (int j = 0; j <= target.length; j++) {
            rows[0][j] = j;
        }
    }

    /**
     * Returns the most edits by which other words are near a word; 0 for a word that matches as it
     * is written: a short or very long one, one with a character that is no letter, or one of a
     * script without blanks.
     *
     * @param token as in documents
     */
    public static int edits(String token) {
        int length = token.codePointCount(0, token.length());
        if (length < LENGTH_OF_ONE
                || length > LENGTH_MAX
                || !isOfLetters(token)
                || Tokenizer.isRun(token)) {
            return 0;
        }
        return length < LENGTH_OF_TWO ? 1 : 2;
    }

    /** Returns whether a text has only letters and marks. */
    public static boolean isOfLetters(String token) {
        return token.codePoints().allMatch(NearWordMatcher::isLetter);
    }

    private static boolean isLetter(int codePoint) {
        return Character.isLetter(codePoint)
                || switch (Character.getType(codePoint)) {
                    case Character.NON_SPACING_MARK, Character.COMBINING_SPACING_MARK -> true;
                    default -> false;
                };
    }

    /**
     * Returns the number of edits between a token and the word; {@link #FAR} if there are more than
     * permitted.
     *
     * @param token its first {@code length} bytes
     */
    public int edits(byte[] token, int length) {
        deadLength = Integer.MAX_VALUE;
        if (length < target.length - maxEdits || length > BYTES_MAX * (rows.length - 1)) {
            return FAR;
        }
        if (rewind(token, length)) {
            deadLength = ends[depth];
            return FAR;
        }
        int at = ends[depth];
        while (at < length) {
            if (depth == rows.length - 1) {
                return FAR;
            }
            int decoded = Utf8.decode(token, at, length);
            int next = Math.min(length, at + Utf8.length(decoded));
            System.arraycopy(token, at, last, at, next - at);
            at = next;
            depth++;
            ends[depth] = at;
            if (addRow(Utf8.codePoint(decoded)) > maxEdits) {
                isDead = true;
                deadLength = at;
                return FAR;
            }
        }
        int edits = rows[depth][target.length];
        return Math.abs(target.length - depth) <= maxEdits && edits <= maxEdits ? edits : FAR;
    }

    /**
     * Returns how many bytes of the last token are the beginning of no token within reach; {@link
     * Integer#MAX_VALUE} if that is not known.
     */
    public int deadLength() {
        return deadLength;
    }

    /**
     * Removes the rows of characters that a token does not begin with. Returns whether the token is
     * out of reach because of those that remain.
     */
    private boolean rewind(byte[] token, int length) {
        int common = Arrays.mismatch(last, 0, ends[depth], token, 0, length);
        if (common < 0 || common == ends[depth]) {
            return isDead;
        }
        while (ends[depth] > common) {
            depth--;
        }
        isDead = false;
        return false;
    }

    /** Computes the row of the last character, and returns its least number of edits. */
    private int addRow(int character) {
        work.spend(ROW_UNITS);
        characters[depth] = character;
        int[] row = rows[depth];
        int[] above = rows[depth - 1];
        // Cells farther from the diagonal than the permitted edits cannot be within the limit.
        int from = Math.max(1, depth - maxEdits);
        int to = Math.min(target.length, depth + maxEdits);
        row[from - 1] = from == 1 ? depth : maxEdits + 1;
        int least = row[from - 1];
        for (int j = from; j <= to; j++) {
            int edits = above[j - 1] + (character == target[j - 1] ? 0 : 1);
            edits = Math.min(edits, Math.min(above[j], row[j - 1]) + 1);
            if (j > 1
                    && depth > 1
                    && character == target[j - 2]
                    && characters[depth - 1] == target[j - 1]) {
                edits = Math.min(edits, rows[depth - 2][j - 2] + 1);
            }
            row[j] = edits;
            least = Math.min(least, edits);
        }
        if (to < target.length) {
            // The row below reaches one cell farther.
            row[to + 1] = maxEdits + 1;
        }
        return least;
    }
}
