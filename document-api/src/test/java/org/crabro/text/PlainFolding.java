package org.crabro.text;

import java.text.Normalizer;
import java.util.Map;

/** Folding with strings and without tables: slow, and written differently from the tested class. */
final class PlainFolding {
    private static final Map<String, String> LETTERS =
            Map.ofEntries(
                    Map.entry("\u00e6", "ae"),
                    Map.entry("\u00f8", "oe"),
                    Map.entry("\u0153", "oe"),
                    Map.entry("\u00f0", "d"),
                    Map.entry("\u0111", "d"),
                    Map.entry("\u00fe", "th"),
                    Map.entry("\u00df", "ss"),
                    Map.entry("\u0127", "h"),
                    Map.entry("\u0131", "i"),
                    Map.entry("\u0133", "ij"),
                    Map.entry("\u0140", "l"),
                    Map.entry("\u0142", "l"),
                    Map.entry("\u0149", "n"),
                    Map.entry("\u014b", "n"),
                    Map.entry("\u017f", "s"),
                    Map.entry("\u0167", "t"),
                    Map.entry("\u01c6", "dz"),
                    Map.entry("\u01f3", "dz"),
                    Map.entry("\u01c9", "lj"),
                    Map.entry("\u01cc", "nj"),
                    Map.entry("\u03c2", "\u03c3"));

    private PlainFolding() {}

    static String of(String text, Folding folding) {
        return switch (folding) {
            case NONE -> text;
            case CASE -> lower(text);
            case ACCENTS -> accents(text);
        };
    }

    private static String lower(String text) {
        var lower = new StringBuilder();
        text.codePoints().forEach(c -> lower.appendCodePoint(Character.toLowerCase(c)));
        return lower.toString();
    }

    private static String accents(String text) {
        var apart = new StringBuilder();
        lower(text)
                .codePoints()
                .forEach(c -> {
                    String one = Character.toString(c);
                    apart.append(
                            isWidthVariant(c)
                                    ? lower(Normalizer.normalize(one, Normalizer.Form.NFKC))
                                    : isLatin(c) ? latin(one) : one);
                });
        var folded = new StringBuilder();
        apart.codePoints()
                .forEach(c -> {
                    String one = Character.toString(c);
                    if (c < 0x300 || c >= 0x370 || !endsWithAsciiLetter(folded)) {
                        folded.append(LETTERS.getOrDefault(one, one));
                    } else if (c == 0x308 && folded.toString().matches("(?s).*[aou]")) {
                        folded.append('e');
                    } else if (c == 0x30a && folded.toString().matches("(?s).*a")) {
                        folded.append('a');
                    }
                });
        return folded.toString();
    }

    /** Letters whose base is not in a to z keep their marks. */
    private static String latin(String letter) {
        String apart = Normalizer.normalize(letter, Normalizer.Form.NFD);
        String base = apart.substring(0, 1);
        return LETTERS.getOrDefault(base, base).matches("[a-z]+") ? apart : letter;
    }

    private static boolean isWidthVariant(int c) {
        return c >= 0xff00 && c < 0xffa0;
    }

    private static boolean isLatin(int c) {
        return (c >= 0x80 && c < 0x250) || (c >= 0x1e00 && c < 0x1f00);
    }

    private static boolean endsWithAsciiLetter(StringBuilder text) {
        return text.toString().matches("(?s).*[a-z]");
    }
}
