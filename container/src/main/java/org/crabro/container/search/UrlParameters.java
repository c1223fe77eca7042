package org.crabro.container.search;

import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
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
 *
 * <p>What is ASCII, as written and decoded, is decoded here in one pass; all else by the library.
 */
final class UrlParameters {
    private static final int ASCII_END = 0x80;

    private final byte[] encoded;
    private final int to;

    /** The text that is read at present, decoded. */
    private final byte[] decoded;

    /** Names, each with its value behind it. */
    private final List<String> read = new ArrayList<>();

    private UrlParameters(byte[] encoded, int from, int to) {
        this.encoded = encoded;
        this.to = to;
        this.decoded = new byte[to - from];
    }

    /**
     * Gives {@code each} the names and values, in their order.
     *
     * @throws IllegalArgumentException if they are not encoded so
     */
    static void decode(String encoded, BiConsumer<String, String> each) {
        byte[] bytes = encoded.getBytes(StandardCharsets.UTF_8);
        var parameters = new UrlParameters(bytes, 0, bytes.length);
        if (parameters.arePlain(0)) {
            parameters.give(each);
        } else {
            UrlEncoded.decodeUtf8To(encoded, 0, encoded.length(), each);
        }
    }

    /**
     * Gives {@code each} the names and values, in their order.
     *
     * @param encoded in UTF-8, with an array below it
     * @throws IllegalArgumentException if they are not encoded so
     */
    static void decode(ByteBuffer encoded, BiConsumer<String, String> each) {
        int from = encoded.arrayOffset() + encoded.position();
        var parameters = new UrlParameters(encoded.array(), from, from + encoded.remaining());
        if (parameters.arePlain(from)) {
            parameters.give(each);
        } else {
            String text =
                    new String(encoded.array(), from, encoded.remaining(), StandardCharsets.UTF_8);
            UrlEncoded.decodeUtf8To(text, 0, text.length(), each);
        }
    }

    private void give(BiConsumer<String, String> each) {
        for (int i = 0; i < read.size(); i += 2) {
            each.accept(read.get(i), read.get(i + 1));
        }
    }

    /**
     * Reads all parameters, and returns whether each byte, also of those that two digits stand for,
     * is one of ASCII.
     */
    private boolean arePlain(int from) {
        byte[] bytes = encoded;
        byte[] text = decoded;
        int size = 0;
        int begin = from;
        boolean isName = true;
        for (int i = from; i < to; i++) {
            byte b = bytes[i];
            if (b > '=' || (b >= ',' && b < '=')) {
                text[size++] = b;
            } else if (b == '%') {
                int value = i + 2 < to ? digit(bytes[i + 1]) << 4 | digit(bytes[i + 2]) : -1;
                if (value < 0 || value >= ASCII_END) {
                    return false;
                }
                text[size++] = (byte) value;
                i += 2;
            } else if (b == '+') {
                text[size++] = ' ';
            } else if (b == '&') {
                end(size, isName, i > begin);
                size = 0;
                isName = true;
                begin = i + 1;
            } else if (b == '=' && isName) {
                read.add(text(size));
                size = 0;
                isName = false;
            } else if (b < 0) {
                return false;
            } else {
                text[size++] = b;
            }
        }
        end(size, isName, to > begin);
        return true;
    }

    /** Ends a parameter, if there is any; one without a value has the empty one. */
    private void end(int size, boolean isName, boolean isAny) {
        if (isAny) {
            read.add(text(size));
            if (isName) {
                read.add("");
            }
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
