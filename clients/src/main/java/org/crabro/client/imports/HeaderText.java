package org.crabro.client.imports;

import java.io.ByteArrayOutputStream;
import java.nio.charset.StandardCharsets;
import java.util.Base64;
import java.util.function.UnaryOperator;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/**
 * Texts of headers, with their encoded words of RFC 2047. Bytes beyond ASCII, which a header must
 * not have, are UTF-8 or windows-1252.
 *
 * <p>The words are decoded here and not by the library: it drops the last letter of base64 without
 * padding, and knows fewer names of character sets.
 */
final class HeaderText {
    /** Characters of the name of a set and of a language. */
    private static final int NAME_MAX = 100;

    private static final Pattern FOLD = Pattern.compile("\\r?\\n(?=[ \\t])");
    private static final Pattern BREAK = Pattern.compile("[\\r\\n]+");

    private HeaderText() {}

    /** Returns the text of the raw bytes of a header in one line, with its encoded words. */
    static String unfolded(byte[] raw) {
        String text = DecodedBytes.of(raw, null).text();
        return BREAK.matcher(FOLD.matcher(text).replaceAll("")).replaceAll(" ").strip();
    }

    /** Returns a text with its encoded words decoded. */
    static String decoded(String text) {
        return replaced(text, word -> word);
    }

    /** Returns a text with its encoded words in a form that every parser of addresses decodes. */
    static String canonical(String text) {
        return replaced(
                text,
                word ->
                        "=?UTF-8?B?"
                                + Base64.getEncoder()
                                        .encodeToString(word.getBytes(StandardCharsets.UTF_8))
                                + "?=");
    }

    /** Words with only blanks between them are one text; a character can begin in one of them. */
    private static String replaced(String text, UnaryOperator<String> form) {
        var all = new StringBuilder();
        var words = new Words();
        int end = 0;
        for (Word word = Word.from(text, 0); word != null; word = Word.from(text, end)) {
            String between = text.substring(end, word.start);
            if (!between.isBlank() || words.isEmpty()) {
                words.endText(all, form);
                all.append(between);
            }
            words.add(word);
            end = word.end;
        }
        words.endText(all, form);
        return all.append(text, end, text.length()).toString();
    }

    /**
     * An encoded word: {@code =?charset*language?encoding?encoded?=}.
     *
     * @param start its first index in the text, {@code end} the index after it
     */
    private record Word(int start, int end, String charset, boolean isBase64, String encoded) {
        /** Returns the first word at or after an index. The encoded text can have {@code ?}. */
        static @Nullable Word from(String text, int from) {
            for (int start = text.indexOf("=?", from);
                    start >= 0;
                    start = text.indexOf("=?", start + 1)) {
                int nameEnd = nameEnd(text, start + 2);
                if (nameEnd < 0
                        || nameEnd + 2 >= text.length()
                        || text.charAt(nameEnd + 2) != '?') {
                    continue;
                }
                int encoding = "bBqQ".indexOf(text.charAt(nameEnd + 1));
                if (encoding < 0) {
                    continue;
                }
                int textEnd = text.indexOf("?=", nameEnd + 3);
                if (textEnd < 0) {
                    return null;
                }
                String name = text.substring(start + 2, nameEnd);
                int language = name.indexOf('*');
                return new Word(
                        start,
                        textEnd + 2,
                        language < 0 ? name : name.substring(0, language),
                        encoding < 2,
                        text.substring(nameEnd + 3, textEnd));
            }
            return null;
        }

        /** Returns the index of the question mark after a name; -1 if there is no name. */
        private static int nameEnd(String text, int from) {
            int end = from;
            while (end < text.length()
                    && end - from <= NAME_MAX
                    && text.charAt(end) > ' '
                    && text.charAt(end) != '?') {
                end++;
            }
            return end > from && end < text.length() && text.charAt(end) == '?' ? end : -1;
        }
    }

    /** Encoded words that follow each other. */
    private static final class Words {
        private final StringBuilder text = new StringBuilder();
        private final ByteArrayOutputStream bytes = new ByteArrayOutputStream();
        private @Nullable String charset;

        boolean isEmpty() {
            return charset == null;
        }

        void add(Word word) {
            if (charset != null && !charset.equalsIgnoreCase(word.charset)) {
                endCharset();
            }
            charset = word.charset;
            // Characters beyond ASCII stay as they are in the set of the word, if it is UTF-8.
            byte[] given = word.encoded.getBytes(StandardCharsets.UTF_8);
            if (word.isBase64) {
                bytes.writeBytes(TransferEncoding.BASE64.decoded(given));
            } else {
                for (int i = 0; i < given.length; i++) {
                    given[i] = given[i] == '_' ? (byte) ' ' : given[i];
                }
                TransferEncoding.quoted(given, 0, given.length, bytes);
            }
        }

        private void endCharset() {
            text.append(DecodedBytes.of(bytes.toByteArray(), charset).text());
            bytes.reset();
        }

        void endText(StringBuilder to, UnaryOperator<String> form) {
            if (charset == null) {
                return;
            }
            endCharset();
            charset = null;
            // A line break in a word would begin a header of its own.
            to.append(form.apply(BREAK.matcher(text).replaceAll(" ")));
            text.setLength(0);
        }
    }
}
