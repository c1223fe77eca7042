package org.crabro.text;

import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Comparator;
import java.util.List;

/**
 * Words that contain characters which otherwise separate words, such as {@code c++}, and what they
 * are replaced by. A token is found where a word may begin. If it ends with a character of words,
 * no further one may follow. The case of ASCII letters does not matter. Immutable.
 */
public final class SpecialTokens {
    /** No special tokens. */
    public static final SpecialTokens NONE = new SpecialTokens(List.of());

    private static final int FIRST_BYTES = 256;

    private final List<Token> tokens;
    private final byte[][] texts;
    private final byte[][] replacements;

    /** By the first byte of a text: the numbers of the tokens that begin with it. */
    private final int[][] byFirst = new int[FIRST_BYTES][0];

    private final int longest;

    private SpecialTokens(List<Token> tokens) {
        this.tokens = List.copyOf(tokens);
        this.texts = new byte[tokens.size()][];
        this.replacements = new byte[tokens.size()][];
        int most = 0;
        for (int number = 0; number < texts.length; number++) {
            Token token = tokens.get(number);
            texts[number] = token.text.getBytes(StandardCharsets.UTF_8);
            replacements[number] = token.replacement.getBytes(StandardCharsets.UTF_8);
            most = Math.max(most, replacements[number].length);
            add(texts[number][0], number);
        }
        this.longest = most;
    }

    /**
     * A special token.
     *
     * @param text in lower case, not empty
     * @param replacement the word that documents and queries contain instead; the text itself if
     *     there is none
     */
    public record Token(String text, String replacement) {
        public Token {
            if (text.isEmpty() || replacement.isEmpty()) {
                throw new IllegalArgumentException("an empty token");
            }
        }
    }

    /** Returns the tokens; of several at one place, the longest is found. */
    public static SpecialTokens of(List<Token> tokens) {
        var sorted = new ArrayList<>(tokens);
        sorted.sort(Comparator.comparingInt((Token token) -> -token.text.length()));
        return sorted.isEmpty() ? NONE : new SpecialTokens(sorted);
    }

    private void add(byte first, int number) {
        int[] before = byFirst[first & 0xff];
        int[] after = Arrays.copyOf(before, before.length + 1);
        after[before.length] = number;
        byFirst[first & 0xff] = after;
    }

    public boolean isEmpty() {
        return tokens.isEmpty();
    }

    /** Returns all tokens, the longest first. */
    public List<Token> tokens() {
        return tokens;
    }

    /**
     * Returns the number of the token in the bytes from {@code from} on; -1 if there is none.
     *
     * @param text in UTF-8
     */
    int at(byte[] text, int from, int end) {
        for (int number : byFirst[lower(text[from]) & 0xff]) {
            if (begins(text, from, end, texts[number])) {
                return number;
            }
        }
        return -1;
    }

    private static boolean begins(byte[] text, int from, int end, byte[] token) {
        int after = from + token.length;
        if (after > end) {
            return false;
        }
        for (int i = 0; i < token.length; i++) {
            if (lower(text[from + i]) != token[i]) {
                return false;
            }
        }
        return after == end
                || !isWordCharacter(token[token.length - 1])
                || !Tokenizer.isWordCharacter(Utf8.codePoint(Utf8.decode(text, after, end)));
    }

    /** Bytes of other than ASCII characters belong to words, in most tokens. */
    private static boolean isWordCharacter(byte last) {
        return last < 0 || Tokenizer.isWordCharacter(last);
    }

    private static byte lower(byte b) {
        return b >= 'A' && b <= 'Z' ? (byte) (b | 0x20) : b;
    }

    /** Returns the number of bytes of a token in texts. */
    int length(int number) {
        return texts[number].length;
    }

    /** Returns what replaces a token, in UTF-8. */
    byte[] replacement(int number) {
        return replacements[number];
    }

    /** Returns the number of bytes of the longest replacement. */
    int longestReplacement() {
        return longest;
    }

    /**
     * Returns the end of the token in the characters from {@code from} on; {@code from} if there is
     * none.
     */
    public int end(String text, int from) {
        if (tokens.isEmpty() || from >= text.length()) {
            return from;
        }
        for (Token token : tokens) {
            if (begins(text, from, token.text)) {
                return from + token.text.length();
            }
        }
        return from;
    }

    private static boolean begins(String text, int from, String token) {
        int after = from + token.length();
        if (after > text.length()) {
            return false;
        }
        for (int i = 0; i < token.length(); i++) {
            char c = text.charAt(from + i);
            if ((c >= 'A' && c <= 'Z' ? c | 0x20 : c) != token.charAt(i)) {
                return false;
            }
        }
        char last = token.charAt(token.length() - 1);
        return after == text.length()
                || !(last >= 0x80 || Tokenizer.isWordCharacter(last))
                || !Tokenizer.isWordCharacter(text.codePointAt(after));
    }

    @Override
    public boolean equals(Object other) {
        return other instanceof SpecialTokens tokensOf && tokens.equals(tokensOf.tokens);
    }

    @Override
    public int hashCode() {
        return tokens.hashCode();
    }

    @Override
    public String toString() {
        return tokens.toString();
    }
}
