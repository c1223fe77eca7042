package org.crabro.text;

import java.nio.charset.StandardCharsets;
import java.text.Normalizer;
import java.util.Locale;
import org.jspecify.annotations.Nullable;

/**
 * The differences of texts that are removed before a comparison.
 *
 * <p>Folding works by code points and is independent of the language. The result has at most 1.5
 * times as many UTF-8 bytes as the text.
 */
public enum Folding implements TextAnalysis {
    /** No folding. */
    NONE {
        @Override
        int append(int codePoint, byte[] into, int start, int at) {
            return Utf8.encode(codePoint, into, at);
        }
    },

    /** Folds upper case to lower case, for whole values. */
    CASE {
        @Override
        int append(int codePoint, byte[] into, int start, int at) {
            return Utf8.encode(Character.toLowerCase(codePoint), into, at);
        }
    },

    /**
     * Folds case and accents of words. Accents of Latin letters are dropped, both precomposed and
     * combining, but ä, ö and ü become ae, oe and ue, and å becomes aa; letters that correspond to
     * two letters, such as ß, become two; full-width letters and half-width katakana get their
     * usual width. Marks on letters of other scripts are kept.
     */
    ACCENTS {
        @Override
        int append(int codePoint, byte[] into, int start, int at) {
            int lower = LatinFolding.lowerCase(codePoint);
            if (lower < 0x80) {
                return Utf8.encode(lower, into, at);
            }
            byte[] folded = LatinFolding.of(lower);
            if (folded != null) {
                System.arraycopy(folded, 0, into, at, folded.length);
                return at + folded.length;
            }
            if (LatinFolding.isMark(lower) && at > start && isAsciiLetter(into[at - 1])) {
                int letter = LatinFolding.secondLetter(into[at - 1], lower);
                return letter == 0 ? at : Utf8.encode(letter, into, at);
            }
            return Utf8.encode(lower, into, at);
        }
    };

    /**
     * Appends the folded form of {@code codePoint}.
     *
     * @param into has room for 4 bytes more
     * @param start the offset of the text or word in {@code into}
     * @param at the current offset: an accent depends on the letter before it
     * @return the offset after the appended bytes
     */
    abstract int append(int codePoint, byte[] into, int start, int at);

    @Override
    public Folding folding() {
        return this;
    }

    @Override
    public boolean isNormalized() {
        return false;
    }

    @Override
    public SpecialTokens special() {
        return SpecialTokens.NONE;
    }

    /** Returns {@code text} folded. */
    public String of(String text) {
        if (this == NONE) {
            return text;
        }
        return FoldedText.of(text, this);
    }

    private static boolean isAsciiLetter(int b) {
        return b >= 'a' && b <= 'z';
    }

    /** Latin letters and letters of other widths with their folded forms. */
    private static final class LatinFolding {
        private static final int LATIN_START = 0x80;
        private static final int LATIN_END = 0x250;
        private static final int ADDITIONAL_START = 0x1e00;
        private static final int ADDITIONAL_END = 0x1f00;
        private static final int WIDTHS_START = 0xff00;
        private static final int WIDTHS_END = 0xffa0;

        private static final byte[][] LATIN = table(LATIN_START, LATIN_END);
        private static final byte[][] ADDITIONAL = table(ADDITIONAL_START, ADDITIONAL_END);
        private static final byte[][] WIDTHS = table(WIDTHS_START, WIDTHS_END);

        /** Returns the UTF-8 bytes of the folded form of a letter in the tables. */
        static byte @Nullable [] of(int codePoint) {
            if (codePoint < LATIN_END) {
                return LATIN[codePoint - LATIN_START];
            }
            if (codePoint >= ADDITIONAL_START && codePoint < ADDITIONAL_END) {
                return ADDITIONAL[codePoint - ADDITIONAL_START];
            }
            if (codePoint >= WIDTHS_START && codePoint < WIDTHS_END) {
                return WIDTHS[codePoint - WIDTHS_START];
            }
            return null;
        }

        static boolean isMark(int codePoint) {
            return codePoint >= 0x300 && codePoint < 0x370;
        }

        /**
         * Returns the letter that {@code mark} adds after {@code letter}, or 0 if it is dropped.
         */
        static int secondLetter(int letter, int mark) {
            return switch (mark) {
                case 0x308 -> letter == 'a' || letter == 'o' || letter == 'u' ? 'e' : 0;
                case 0x30a -> letter == 'a' ? 'a' : 0;
                default -> 0;
            };
        }

        static int lowerCase(int codePoint) {
            return switch (codePoint) {
                case 0x3c2 -> 0x3c3; // A final sigma is folded to a sigma.
                default -> Character.toLowerCase(codePoint);
            };
        }

        private static byte[][] table(int start, int end) {
            byte[][] table = new byte[end - start][];
            for (int codePoint = start; codePoint < end; codePoint++) {
                table[codePoint - start] = folded(codePoint).getBytes(StandardCharsets.UTF_8);
            }
            return table;
        }

        private static String folded(int codePoint) {
            if (codePoint >= WIDTHS_START) {
                String usual =
                        Normalizer.normalize(Character.toString(codePoint), Normalizer.Form.NFKC);
                return usual.toLowerCase(Locale.ROOT);
            }
            int lower = Character.toLowerCase(codePoint);
            String parts = Normalizer.normalize(Character.toString(lower), Normalizer.Form.NFD);
            var folded = new StringBuilder();
            for (int part : parts.codePoints().toArray()) {
                if (!isMark(part)) {
                    folded.append(letters(part));
                    continue;
                }
                char last = folded.charAt(folded.length() - 1);
                if (!isAsciiLetter(last)) {
                    return Character.toString(lower);
                }
                int second = secondLetter(last, part);
                if (second != 0) {
                    folded.append((char) second);
                }
            }
            return folded.toString();
        }

        /**
         * Returns the folded form of a letter that has no decomposition into a base letter and
         * accents.
         */
        private static String letters(int letter) {
            return switch (letter) {
                case 'æ' -> "ae";
                case 'ø', 'œ' -> "oe";
                case 'ð', 'đ' -> "d";
                case 'þ' -> "th";
                case 'ß' -> "ss";
                case 'ħ' -> "h";
                case 'ı' -> "i";
                case 'ĳ' -> "ij";
                case 'ŀ', 'ł' -> "l";
                case 'ŉ', 'ŋ' -> "n";
                case 'ſ' -> "s";
                case 'ŧ' -> "t";
                case 'ǆ', 'ǳ' -> "dz";
                case 'ǉ' -> "lj";
                case 'ǌ' -> "nj";
                default -> Character.toString(letter);
            };
        }
    }
}
