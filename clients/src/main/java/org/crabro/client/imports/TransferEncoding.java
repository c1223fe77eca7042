package org.crabro.client.imports;

import java.io.ByteArrayOutputStream;
import java.util.Arrays;
import java.util.Base64;
import java.util.Locale;

/**
 * How the bytes of a body are written in a mail. Decoding accepts what senders write: base64
 * without padding, or in several pieces; quoted-printable with lines that are too long, or with
 * other characters.
 */
enum TransferEncoding {
    /** Bytes as they are: {@code 7bit}, {@code 8bit}, {@code binary} and unknown names. */
    PLAIN,
    /** Three bytes in four characters. */
    BASE64,
    /** {@code =E4} for a byte. */
    QUOTED_PRINTABLE;

    /** Returns the encoding of a header {@code Content-Transfer-Encoding}. */
    static TransferEncoding named(String name) {
        return switch (name.strip().toLowerCase(Locale.ROOT)) {
            case "base64" -> BASE64;
            case "quoted-printable" -> QUOTED_PRINTABLE;
            default -> PLAIN;
        };
    }

    /** Returns the bytes that encoded bytes stand for. */
    byte[] decoded(byte[] encoded) {
        return switch (this) {
            case PLAIN -> encoded;
            case BASE64 -> base64(encoded);
            case QUOTED_PRINTABLE -> quotedPrintable(encoded);
        };
    }

    private static byte[] base64(byte[] encoded) {
        var decoded = new ByteArrayOutputStream(encoded.length * 3 / 4 + 3);
        byte[] piece = new byte[encoded.length];
        int length = 0;
        for (byte each : encoded) {
            if (isBase64(each)) {
                piece[length++] = each;
            } else if (each == '=') {
                decoded.writeBytes(base64(piece, length));
                length = 0;
            }
        }
        decoded.writeBytes(base64(piece, length));
        return decoded.toByteArray();
    }

    private static boolean isBase64(byte each) {
        return (each >= 'A' && each <= 'Z')
                || (each >= 'a' && each <= 'z')
                || (each >= '0' && each <= '9')
                || each == '+'
                || each == '/';
    }

    /** Returns the bytes of characters without padding; a single last character has no byte. */
    private static byte[] base64(byte[] piece, int length) {
        int whole = length % 4 == 1 ? length - 1 : length;
        byte[] copy = Arrays.copyOf(piece, whole);
        return Base64.getDecoder().decode(copy);
    }

    private static byte[] quotedPrintable(byte[] encoded) {
        var decoded = new ByteArrayOutputStream(encoded.length);
        int at = 0;
        while (at < encoded.length) {
            int end = at;
            while (end < encoded.length && encoded[end] != '\n') {
                end++;
            }
            int textEnd = end;
            while (textEnd > at && isBlank(encoded[textEnd - 1])) {
                textEnd--;
            }
            boolean isSoft = textEnd > at && encoded[textEnd - 1] == '=';
            quoted(encoded, at, isSoft ? textEnd - 1 : textEnd, decoded);
            boolean hasEnd = end < encoded.length;
            if (hasEnd && !isSoft) {
                decoded.write('\n');
            }
            at = hasEnd ? end + 1 : end;
        }
        return decoded.toByteArray();
    }

    /** Blanks at the end of a line are added on the way. */
    private static boolean isBlank(byte each) {
        return each == ' ' || each == '\t' || each == '\r';
    }

    /** Appends the bytes of a line; a {@code =} without two hexadecimal digits stays. */
    static void quoted(byte[] encoded, int from, int to, ByteArrayOutputStream decoded) {
        for (int i = from; i < to; i++) {
            if (encoded[i] == '=' && i + 2 < to) {
                int high = Character.digit(encoded[i + 1], 16);
                int low = Character.digit(encoded[i + 2], 16);
                if (high >= 0 && low >= 0) {
                    decoded.write((high << 4) | low);
                    i += 2;
                    continue;
                }
            }
            decoded.write(encoded[i]);
        }
    }
}
