package org.crabro.container.search;

import java.util.function.BiConsumer;
import org.eclipse.jetty.util.UrlEncoded;

/**
 * Reads the parameters of a URL, or of a body that is encoded like one.
 *
 * <pre>
 *   parameters := [ parameter ] { "&amp;" [ parameter ] }
 *   parameter  := name [ "=" value ]
 * </pre>
 *
 * In names and values {@code +} stands for a blank, and {@code %} with two hexadecimal digits for a
 * byte of UTF-8.
 */
final class UrlParameters {
    private static final int ASCII_END = 0x80;

    private final String encoded;
    private final StringBuilder decoded = new StringBuilder();

    private UrlParameters(String encoded) {
        this.encoded = encoded;
    }

    /**
     * Gives {@code each} the names and values, in their order.
     *
     * @throws IllegalArgumentException if they are not encoded so
     */
    static void decode(String encoded, BiConsumer<String, String> each) {
        if (isPlain(encoded)) {
            new UrlParameters(encoded).each(each);
        } else {
            UrlEncoded.decodeUtf8To(encoded, 0, encoded.length(), each);
        }
    }

    /** Returns whether each character, and each byte that two digits stand for, is one of ASCII. */
    private static boolean isPlain(String encoded) {
        for (int i = 0; i < encoded.length(); i++) {
            char c = encoded.charAt(i);
            if (c >= ASCII_END || (c == '%' && !isPlain(encoded, i))) {
                return false;
            }
        }
        return true;
    }

    private static boolean isPlain(String encoded, int percent) {
        return percent + 2 < encoded.length()
                && encoded.charAt(percent + 1) < '8'
                && Character.digit(encoded.charAt(percent + 1), 16) >= 0
                && Character.digit(encoded.charAt(percent + 2), 16) >= 0;
    }

    private void each(BiConsumer<String, String> each) {
        int from = 0;
        int equals = encoded.indexOf('=');
        while (from < encoded.length()) {
            int end = encoded.indexOf('&', from);
            end = end < 0 ? encoded.length() : end;
            if (equals >= 0 && equals < from) {
                equals = encoded.indexOf('=', from);
            }
            if (equals >= 0 && equals < end) {
                each.accept(text(from, equals), text(equals + 1, end));
            } else if (end > from) {
                each.accept(text(from, end), "");
            }
            from = end + 1;
        }
    }

    private String text(int from, int to) {
        int i = from;
        while (i < to && encoded.charAt(i) != '%' && encoded.charAt(i) != '+') {
            i++;
        }
        if (i == to) {
            return encoded.substring(from, to);
        }
        decoded.setLength(0);
        decoded.append(encoded, from, i);
        for (; i < to; i++) {
            char c = encoded.charAt(i);
            if (c == '%') {
                int high = Character.digit(encoded.charAt(i + 1), 16);
                c = (char) (high << 4 | Character.digit(encoded.charAt(i + 2), 16));
                i += 2;
            } else if (c == '+') {
                c = ' ';
            }
            decoded.append(c);
        }
        return decoded.toString();
    }
}
