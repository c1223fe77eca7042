package org.crabro.text;

import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.nio.charset.StandardCharsets;
import java.text.Normalizer;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;

/**
 * Splits UTF-8 text into words: the longest runs of letters, digits, marks and private-use
 * characters. Ideographs are letters, so a run of them is one word.
 *
 * <p>Words are returned folded, one at a time, in a buffer of the tokenizer; nothing is allocated
 * once the buffers have grown to the longest text, except for words that NFKC changes. For one
 * thread.
 *
 * {@snippet :
 * byte[] text = "Crème brûlée".getBytes(UTF_8);
 * var tokenizer = new Tokenizer(Folding.ACCENTS);
 * tokenizer.set(text, 0, text.length);
 * while (tokenizer.next()) {
 *     // "creme" at position 0, "brulee" at position 1
 *     use(tokenizer.buffer(), tokenizer.length(), tokenizer.position());
 * }
 * }
 */
public final class Tokenizer {
    /** Bytes of a text after this limit are ignored. */
    public static final int TEXT_LENGTH_MAX = 1 << 20;

    /** Characters of scripts without blanks between words are not below this one. */
    private static final int FIRST_OF_RUNS = 0x2e80;

    private static final int WORD_TYPES =
            1 << Character.UPPERCASE_LETTER
                    | 1 << Character.LOWERCASE_LETTER
                    | 1 << Character.TITLECASE_LETTER
                    | 1 << Character.MODIFIER_LETTER
                    | 1 << Character.OTHER_LETTER
                    | 1 << Character.LETTER_NUMBER
                    | 1 << Character.DECIMAL_DIGIT_NUMBER
                    | 1 << Character.NON_SPACING_MARK
                    | 1 << Character.COMBINING_SPACING_MARK
                    | 1 << Character.ENCLOSING_MARK
                    | 1 << Character.PRIVATE_USE;

    private static final byte[] ASCII_AS_IS = asciiWords(Folding.NONE);
    private static final byte[] ASCII_FOLDED = asciiWords(Folding.CASE);

    private final Folding folding;
    private final boolean isNormalized;
    private final SpecialTokens special;

    /** Whether words are only folded. */
    private final boolean isPlain;

    /** By ASCII character: its folded form in a word, or 0 if it separates words. */
    private final byte[] ascii;

    private byte[] raw = new byte[0];
    private byte[] text = raw;
    private int at;
    private int end;

    /** The word from index 0 on. The array is at least {@link Long#BYTES} longer than any word. */
    private byte[] word = new byte[64];

    private int length;
    private int position;

    public Tokenizer(TextAnalysis analysis) {
        this.folding = analysis.folding();
        this.isNormalized = analysis.isNormalized();
        this.special = analysis.special();
        this.isPlain = !isNormalized && special.isEmpty();
        this.ascii = folding == Folding.NONE ? ASCII_AS_IS : ASCII_FOLDED;
    }

    /**
     * Returns the folded words of {@code text}, as they are stored for documents. For queries,
     * tests and other uses without speed requirements.
     */
    public static List<String> tokens(String text) {
        return tokens(text, Folding.ACCENTS);
    }

    private static List<String> tokens(String text, Folding folding) {
        byte[] utf8 = text.getBytes(StandardCharsets.UTF_8);
        var tokenizer = new Tokenizer(folding);
        tokenizer.set(utf8, 0, utf8.length);
        var tokens = new ArrayList<String>();
        while (tokenizer.next()) {
            tokens.add(new String(tokenizer.word, 0, tokenizer.length, StandardCharsets.UTF_8));
        }
        return List.copyOf(tokens);
    }

    /**
     * Returns the words of {@code text} in the form of dictionaries: in lower case, with accents,
     * normalized to NFKC.
     */
    public static List<String> words(String text) {
        String usual = Normalizer.normalize(text, Normalizer.Form.NFKC);
        return tokens(usual, Folding.CASE);
    }

    /** Returns whether {@code codePoint} belongs to words. */
    public static boolean isWordCharacter(int codePoint) {
        return (WORD_TYPES >>> Character.getType(codePoint) & 1) != 0
                || Character.isAlphabetic(codePoint);
    }

    /**
     * Returns whether {@code token} contains characters of a script without blanks between words,
     * Chinese or Japanese. Such a token may consist of several words, and a searched word may be
     * any part of it.
     */
    public static boolean isRun(String token) {
        int codePoint;
        for (int at = 0; at < token.length(); at += Character.charCount(codePoint)) {
            codePoint = token.codePointAt(at);
            if (codePoint >= FIRST_OF_RUNS && isOfRuns(codePoint)) {
                return true;
            }
        }
        return false;
    }

    private static boolean isOfRuns(int codePoint) {
        return switch (Character.UnicodeScript.of(codePoint)) {
            case HAN, HIRAGANA, KATAKANA, BOPOMOFO -> true;
            default -> false;
        };
    }

    /** Sets the text: the {@code count} bytes of UTF-8 from {@code offset} on. */
    public void set(MemorySegment text, long offset, int count) {
        int length = Math.min(count, TEXT_LENGTH_MAX);
        if (raw.length < length) {
            raw = new byte[Integer.highestOneBit(Math.max(length, 32)) * 2];
        }
        MemorySegment.copy(text, ValueLayout.JAVA_BYTE, offset, raw, 0, length);
        set(raw, 0, length);
    }

    /**
     * Sets the text: the {@code count} bytes of UTF-8 from {@code offset} on.
     *
     * @param text not to be changed before the last word was read
     */
    public void set(byte[] text, int offset, int count) {
        int length = Math.min(count, TEXT_LENGTH_MAX);
        this.text = text;
        this.at = offset;
        this.end = offset + length;
        this.position = -1;
        this.length = 0;
        // A word is at most 1.5 times as long as its text, so next() needs no check.
        ensureWord(Math.max(length + length / 2, special.longestReplacement() * 2));
    }

    private void ensureWord(int bytes) {
        int needed = bytes + Long.BYTES;
        if (word.length < needed) {
            word = new byte[needed];
        }
    }

    /** Moves to the next word; returns false if there is none. */
    public boolean next() {
        return isPlain ? nextFolded() : nextAnalysed();
    }

    private boolean nextFolded() {
        if (!skipSeparators()) {
            return false;
        }
        // The loop uses only local variables, because stores into the word could alias fields.
        byte[] from = text;
        byte[] into = word;
        byte[] table = ascii;
        int i = at;
        int to = 0;
        while (i < end) {
            byte b = from[i];
            if (b >= 0) {
                byte folded = table[b];
                if (folded == 0) {
                    break;
                }
                into[to++] = folded;
                i++;
            } else {
                int decoded = Utf8.decode(from, i, end);
                if (!isWordCharacter(Utf8.codePoint(decoded))) {
                    break;
                }
                to = folding.append(Utf8.codePoint(decoded), into, 0, to);
                i += Utf8.length(decoded);
            }
        }
        at = i;
        length = to;
        position++;
        return true;
    }

    private boolean skipSeparators() {
        byte[] from = text;
        int i = at;
        while (i < end) {
            byte b = from[i];
            if (b >= 0) {
                if (ascii[b] != 0) {
                    break;
                }
                i++;
            } else {
                int decoded = Utf8.decode(from, i, end);
                if (isWordCharacter(Utf8.codePoint(decoded))) {
                    break;
                }
                i += Utf8.length(decoded);
            }
        }
        at = i;
        return i < end;
    }

    private boolean nextAnalysed() {
        int token = skipToSpecial();
        if (token >= 0) {
            at += special.length(token);
            fold(special.replacement(token));
            position++;
            return true;
        }
        if (at == end) {
            return false;
        }
        byte[] from = text;
        byte[] into = word;
        boolean isChanged = false;
        int i = at;
        int to = 0;
        while (i < end) {
            byte b = from[i];
            if (b >= 0) {
                byte folded = ascii[b];
                if (folded == 0) {
                    break;
                }
                into[to++] = folded;
                i++;
            } else {
                int decoded = Utf8.decode(from, i, end);
                int codePoint = Utf8.codePoint(decoded);
                if (!isWordCharacter(codePoint)) {
                    break;
                }
                isChanged |= isNormalized && CompatibleLetters.isChanged(codePoint);
                to = folding.append(codePoint, into, 0, to);
                i += Utf8.length(decoded);
            }
        }
        length = to;
        if (isChanged) {
            fold(CompatibleLetters.normalized(from, at, i - at));
        }
        at = i;
        position++;
        return true;
    }

    /** Moves to the next word or special token; returns the number of the token, or -1. */
    private int skipToSpecial() {
        byte[] from = text;
        boolean hasSpecial = !special.isEmpty();
        int i = at;
        int token = -1;
        while (i < end) {
            token = hasSpecial ? special.at(from, i, end) : -1;
            if (token >= 0) {
                break;
            }
            byte b = from[i];
            if (b >= 0) {
                if (ascii[b] != 0) {
                    break;
                }
                i++;
            } else {
                int decoded = Utf8.decode(from, i, end);
                if (isWordCharacter(Utf8.codePoint(decoded))) {
                    break;
                }
                i += Utf8.length(decoded);
            }
        }
        at = i;
        return token;
    }

    /** Makes a text the current word. */
    private void fold(byte[] of) {
        ensureWord(of.length + of.length / 2);
        int to = 0;
        for (int i = 0; i < of.length; ) {
            int decoded = Utf8.decode(of, i, of.length);
            to = folding.append(Utf8.codePoint(decoded), word, 0, to);
            i += Utf8.length(decoded);
        }
        length = to;
    }

    /** Returns the buffer, which contains the word from index 0 on. Valid until {@link #next()}. */
    public byte[] buffer() {
        return word;
    }

    /** Returns the number of bytes of the word, at least 1. */
    public int length() {
        return length;
    }

    /** Returns the number of words before this one in the text. */
    public int position() {
        return position;
    }

    /** Returns whether the word equals {@code other}, which must be folded. */
    public boolean is(byte[] other) {
        return length == other.length && Arrays.equals(word, 0, length, other, 0, length);
    }

    /** Returns the hash of the word, which equals {@link #hash(byte[])} of its bytes. */
    public long hash() {
        return hash(word, 0, length);
    }

    /**
     * Returns a 64-bit hash of a word. It must not be stored, because it may change in the next
     * version.
     */
    public static long hash(byte[] word) {
        return hash(Arrays.copyOf(word, word.length + Long.BYTES), 0, word.length);
    }

    /**
     * Returns {@link #hash(byte[])} of the {@code length} bytes from {@code offset} on. Words of
     * one length, up to eight bytes, have different hashes.
     *
     * @param bytes read eight at a time, so eight bytes must follow the last one
     */
    public static long hash(byte[] bytes, int offset, int length) {
        long factor = 0x9e3779b97f4a7c15L;
        long hash = length * factor;
        int i = 0;
        for (; i + Long.BYTES <= length; i += Long.BYTES) {
            hash = mix((hash ^ EightBytes.of(bytes, offset + i)) * factor);
        }
        int remaining = length - i;
        if (remaining > 0) {
            // The shift removes bytes after the word, which are left from longer words.
            long last = EightBytes.of(bytes, offset + i) << (8 * (Long.BYTES - remaining));
            hash = mix((hash ^ last) * factor);
        }
        return hash;
    }

    private static long mix(long hash) {
        return hash ^ hash >>> 32;
    }

    private static byte[] asciiWords(Folding folding) {
        byte[] words = new byte[128];
        for (int c = 0; c < words.length; c++) {
            if (isWordCharacter(c)) {
                folding.append(c, words, c, c);
            }
        }
        return words;
    }
}
