package org.crabro.document;

/**
 * The legal characters of ids and strings of documents: tab, line feed, carriage return, and all
 * code points from U+0020 except surrogates, U+FDD0 to U+FDDF, and the last two code points of each
 * plane.
 */
public final class LegalText {
    private static final int BLANK = 0x20;
    private static final int FIRST_SURROGATE = 0xd800;

    private LegalText() {}

    /**
     * Checks that all characters of {@code text} are legal.
     *
     * @param what names the text in the error
     * @throws InvalidDocumentException with the code point in hexadecimal and its position
     */
    public static void check(String what, String text) {
        for (int i = 0; i < text.length(); ) {
            char c = text.charAt(i);
            if (c >= BLANK && c < FIRST_SURROGATE) {
                i++;
                continue;
            }
            int codePoint = text.codePointAt(i);
            if (!isLegal(codePoint)) {
                throw new InvalidDocumentException(
                        "%s holds the illegal code point 0x%x at index %d"
                                .formatted(what, codePoint, i));
            }
            i += Character.charCount(codePoint);
        }
    }

    /** Returns whether ids and strings may contain {@code codePoint}. */
    public static boolean isLegal(int codePoint) {
        if (codePoint < BLANK) {
            return codePoint == '\t' || codePoint == '\n' || codePoint == '\r';
        }
        if (codePoint < FIRST_SURROGATE) {
            return true;
        }
        return codePoint > Character.MAX_SURROGATE
                && (codePoint < 0xfdd0 || codePoint > 0xfddf)
                && (codePoint & 0xfffe) != 0xfffe
                && codePoint < 0x10fffe;
    }
}
