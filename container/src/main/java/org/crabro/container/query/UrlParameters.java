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
 * In names and values {@code +} encodes a blank, and {@code %} with two hexadecimal digits a byte
 * of UTF-8.
 *
 * <p>This class decodes parameters that are ASCII before and after decoding, in one pass. From the
 * first other parameter on, the library decodes the rest.
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
     * Passes the names and values to {@code each}, in their order.
     *
     * @throws IllegalArgumentException if the encoding is not valid; earlier parameters were passed
     */
    static void decode(String encoded, BiConsumer<String, String> each) {
        byte[] bytes = encoded.getBytes(StandardCharsets.UTF_8);
        int read = new UrlParameters(bytes, 0, bytes.length, each).readPlain(0);
        if (read < bytes.length) {
            // All bytes before are ASCII, so byte offsets are character offsets.
            UrlEncoded.decodeUtf8To(encoded, read, encoded.length() - read, each);
        }
    }

    /**
     * Passes the names and values to {@code each}, in their order.
     *
     * @param encoded in UTF-8, with a backing array
     * @throws IllegalArgumentException if the encoding is not valid; earlier parameters were passed
     */
    static void decode(ByteBuffer encoded, BiConsumer<String, String> each) {
        int from = encoded.arrayOffset() + encoded.position();
        int to = from + encoded.remaining();
        int read = new UrlParameters(encoded.array(), from, to, each).readPlain(from);
        if (read < to) {
            String remaining = new String(encoded.array(), read, to - read, StandardCharsets.UTF_8);
            UrlEncoded.decodeUtf8To(remaining, 0, remaining.length(), each);
        }
    }

    /**
     * Reads parameters. Returns the start of the first parameter with a byte outside ASCII, also
     * after decoding; the end if there is none.
     */
    private int readPlain(int from) {
        byte[] bytes = encoded;
        byte[] text = decoded;
        int size = 0;
        int begin = from;
        String name = null;
        for (int i = from; i < to; i++) {
            while (i + Long.BYTES <= to) {
                // Later bytes overwrite the copied bytes that need decoding.
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
     * Returns the number of leading bytes of a word that need no decoding: those from a comma on,
     * except {@code =}; 0 to 8.
     */
    private static int leadingPlain(long word) {
        long low = word & ~HIGH;
        long areFromComma = low + (0x80 - ',') * EACH;
        long areOthers = (low ^ ('=' * EACH)) + 0x7f * EACH;
        return EightBytes.firstHigh(word | ~areFromComma | ~areOthers);
    }

    /** Passes a complete parameter; one without a value has an empty value. */
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
