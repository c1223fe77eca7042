package org.crabro.client.imports;

import static java.nio.charset.StandardCharsets.UTF_16BE;
import static java.nio.charset.StandardCharsets.UTF_16LE;
import static java.nio.charset.StandardCharsets.UTF_8;

import java.nio.ByteBuffer;
import java.nio.CharBuffer;
import java.nio.charset.CharacterCodingException;
import java.nio.charset.Charset;
import java.nio.charset.CodingErrorAction;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * A text of bytes.
 *
 * @param isExact whether each byte is part of a character; others became U+FFFD
 */
record DecodedBytes(String text, boolean isExact) {
    /**
     * Decodes bytes. A byte order mark decides. A set that is not named, unknown or ASCII is UTF-8
     * if the bytes are UTF-8, and windows-1252 otherwise.
     *
     * @param name the name of the character set; null if there is none
     */
    static DecodedBytes of(byte[] bytes, @Nullable String name) {
        Optional<Charset> charset =
                name == null || TextEncodings.isAscii(name)
                        ? Optional.empty()
                        : TextEncodings.named(name);
        return marked(bytes)
                .or(() -> charset.map(each -> of(bytes, 0, each)))
                .orElseGet(() -> guessed(bytes));
    }

    /** Decodes bytes of a character set, unless they have a byte order mark. */
    static DecodedBytes in(Charset charset, byte[] bytes) {
        return marked(bytes).orElseGet(() -> of(bytes, 0, charset));
    }

    private static Optional<DecodedBytes> marked(byte[] bytes) {
        return ByteOrderMark.of(bytes)
                .flatMap(mark -> exact(bytes, mark.length, mark.charset))
                .map(text -> new DecodedBytes(text, true));
    }

    /** Returns the text of bytes whose character set is not known. */
    private static DecodedBytes guessed(byte[] bytes) {
        return exact(bytes, 0, UTF_8)
                .map(text -> new DecodedBytes(text, true))
                .orElseGet(() -> of(bytes, 0, TextEncodings.WINDOWS_1252));
    }

    /** Returns whether bytes are UTF-8. */
    static boolean isUtf8(byte[] bytes) {
        return exact(bytes, 0, UTF_8).isPresent();
    }

    private static DecodedBytes of(byte[] bytes, int from, Charset charset) {
        return exact(bytes, from, charset)
                .map(text -> new DecodedBytes(text, true))
                .orElseGet(() ->
                        new DecodedBytes(
                                new String(bytes, from, bytes.length - from, charset), false));
    }

    private static Optional<String> exact(byte[] bytes, int from, Charset charset) {
        try {
            CharBuffer text =
                    charset.newDecoder()
                            .onMalformedInput(CodingErrorAction.REPORT)
                            .onUnmappableCharacter(CodingErrorAction.REPORT)
                            .decode(ByteBuffer.wrap(bytes, from, bytes.length - from));
            return Optional.of(text.toString());
        } catch (CharacterCodingException _) {
            // The caller tries another set, or replaces the bytes.
            return Optional.empty();
        }
    }

    /** The first bytes of a text, which say how it is encoded. */
    enum ByteOrderMark {
        /** EF BB BF. */
        OF_UTF_8(3, UTF_8),
        /** FE FF. */
        BIG_ENDIAN(2, UTF_16BE),
        /** FF FE. */
        LITTLE_ENDIAN(2, UTF_16LE);

        final int length;
        final Charset charset;

        ByteOrderMark(int length, Charset charset) {
            this.length = length;
            this.charset = charset;
        }

        /** Returns the mark at the start of bytes. */
        static Optional<ByteOrderMark> of(byte[] bytes) {
            if (isAt(bytes, 0xef, 0xbb, 0xbf)) {
                return Optional.of(OF_UTF_8);
            }
            if (isAt(bytes, 0xfe, 0xff)) {
                return Optional.of(BIG_ENDIAN);
            }
            return isAt(bytes, 0xff, 0xfe) ? Optional.of(LITTLE_ENDIAN) : Optional.empty();
        }

        private static boolean isAt(byte[] bytes, int... mark) {
            if (bytes.length < mark.length) {
                return false;
            }
            for (int i = 0; i < mark.length; i++) {
                if ((bytes[i] & 0xff) != mark[i]) {
                    return false;
                }
            }
            return true;
        }
    }
}
