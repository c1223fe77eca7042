package org.crabro.container.query;

import static org.crabro.text.EightBytes.EACH;
import static org.crabro.text.EightBytes.HIGH;

import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.util.function.BiConsumer;
import org.crabro.text.EightBytes;
import org.eclipse.jetty.util.UrlEncoded;
import org.jspecify.annotations.Nullable;

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
 *
 * <p>What is ASCII, as written and decoded, is decoded here in one pass; all from the first
 * parameter on that is not, by the library.
 */
final class UrlParameters {
    private static final int ASCII_END = 0x80;

    private final byte[] encoded;
    private final int to;
    private final BiConsumer<String, String> each;

    /** The text that is read at present, decoded. */
    private final byte[] decoded;

    private UrlParameters(byte[] encoded, int from, int to, BiConsumer<String, String> each) {
        this.encoded = encoded;
        this.to = to;
        this.each = each;
        this.decoded = new byte[to - from];
    }

    /**
     * Gives {@code each} the names and values, in their order.
     *
     * @throws IllegalArgumentException if they are not encoded so; those before are given
     */
    static void decode(String encoded, BiConsumer<String, String> each) {
        byte[] bytes = encoded.getBytes(StandardCharsets.UTF_8);
        int read = new UrlParameters(bytes, 0, bytes.length, each).readPlain(0);
        if (read < bytes.length) {
            // Of what is ASCII each byte is a character.
            UrlEncoded.decodeUtf8To(encoded, read, encoded.length() - read, each);
        }
    }

    /**
     * Gives {@code each} the names and values, in their order.
     *
     * @param encoded in UTF-8, with an array below it
     * @throws IllegalArgumentException if they are not encoded so; those before are given
     */
    static void decode(ByteBuffer encoded, BiConsumer<String, String> each) {
        int from = encoded.arrayOffset() + encoded.position();
        int to = from + encoded.remaining();
        int read = new UrlParameters(encoded.array(), from, to, each).readPlain(from);
        if (read < to) {
            String rest = new String(encoded.array(), read, to - read, StandardCharsets.UTF_8);
            UrlEncoded.decodeUtf8To(rest, 0, rest.length(), each);
        }
    }

    /**
     * Reads parameters, and returns where the first begins that has a byte which is none of ASCII,
     * also of those that two digits stand for; the end where none has.
     */
    private int readPlain(int from) {
        byte[] bytes = encoded;
        byte[] text = decoded;
        int size = 0;
        int begin = from;
        String name = null;
        for (int i = from; i < to; i++) {
            while (i + Long.BYTES <= to) {
                // What is not itself is overwritten by what comes next.
                long word = EightBytes.of(bytes, i);
                EightBytes.put(text, size, word);
                int some = leadingPlain(word);
                size += some;
                i += some;
                if (some < Long.BYTES) {
                    break;
                }
            }
            if (i == to) {
                break;
            }
            byte b = bytes[i];
            if (b > '=' || (b >= ',' && b < '=')) {
                text[size++] = b;
            } else if (b == '%') {
                int value = i + 2 < to ? digit(bytes[i + 1]) << 4 | digit(bytes[i + 2]) : -1;
                if (value < 0 || value >= ASCII_END) {
                    return begin;
                }
                text[size++] = (byte) value;
                i += 2;
            } else if (b == '+') {
                text[size++] = ' ';
            } else if (b == '&') {
                if (i > begin) {
                    give(name, size);
                }
                size = 0;
                name = null;
                begin = i + 1;
            } else if (b == '=' && name == null) {
                name = text(size);
                size = 0;
            } else if (b < 0) {
                return begin;
            } else {
                text[size++] = b;
            }
        }
        if (to > begin) {
            give(name, size);
        }
        return to;
    }

    /**
     * Returns how many of the first bytes of a word stand for themselves, as those from a comma on
     * do but for {@code =}; 0 to 8.
     */
    private static int leadingPlain(long word) {
        long low = word & ~HIGH;
        long areFromComma = low + (0x80 - ',') * EACH;
        long areOthers = (low ^ ('=' * EACH)) + 0x7f * EACH;
        return EightBytes.firstHigh(word | ~areFromComma | ~areOthers);
    }

    /** Gives a parameter that ends; one without a value has the empty one. */
    private void give(@Nullable String name, int size) {
        if (name == null) {
            each.accept(text(size), "");
        } else {
            each.accept(name, text(size));
        }
    }

    private String text(int size) {
        return new String(decoded, 0, size, StandardCharsets.ISO_8859_1);
    }

    /** Returns the value of a hexadecimal digit, -1 for all else. */
    private static int digit(byte b) {
        if (b >= '0' && b <= '9') {
            return b - '0';
        }
        int letter = (b | 0x20) - 'a';
        return letter >= 0 && letter < 6 ? letter + 10 : -1;
    }
}
