package org.crabro.client.imports;

import java.io.BufferedInputStream;
import java.io.BufferedReader;
import java.io.FilterReader;
import java.io.IOException;
import java.io.InputStream;
import java.io.InputStreamReader;
import java.io.Reader;
import java.nio.ByteBuffer;
import java.nio.CharBuffer;
import java.nio.charset.CharacterCodingException;
import java.nio.charset.Charset;
import java.nio.charset.CharsetDecoder;
import java.nio.charset.CoderResult;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.HexFormat;
import java.util.Optional;

/**
 * The text of a table in a file. A byte order mark, or the zeros of UTF-16, say how it is encoded.
 * Other files are UTF-8, unless a character set is given: which of the others it is cannot be seen,
 * and a wrong one would change values.
 */
final class TableText {
    private static final int HEAD_BYTES = 4_096;
    private static final int BUFFER_SIZE = 1 << 16;

    private TableText() {}

    /** Bytes of a file that are not in its character set. */
    static final class EncodingException extends IOException {
        private static final long serialVersionUID = 1L;

        EncodingException(String message, CharacterCodingException cause) {
            super(message, cause);
        }
    }

    /**
     * Opens a file, after its byte order mark. Bytes that are not in its character set are an
     * {@link EncodingException} with their place.
     *
     * @param given the character set that the user names
     */
    static BufferedReader open(Path file, Optional<Charset> given) throws IOException {
        InputStream in = Files.newInputStream(file);
        try {
            var buffered = new BufferedInputStream(in, BUFFER_SIZE);
            buffered.mark(HEAD_BYTES);
            byte[] head = buffered.readNBytes(HEAD_BYTES);
            buffered.reset();
            Optional<DecodedBytes.ByteOrderMark> mark = DecodedBytes.ByteOrderMark.of(head);
            Charset charset =
                    mark.map(each -> each.charset).or(() -> given).orElseGet(() -> guessed(head));
            buffered.skipNBytes(mark.map(each -> each.length).orElse(0));
            return new BufferedReader(
                    new CheckedReader(
                            new InputStreamReader(buffered, charset.newDecoder()), file, charset));
        } catch (IOException | RuntimeException e) {
            in.close();
            throw e;
        }
    }

    /** Texts in UTF-16 have a zero in most pairs of bytes, at the same end of a pair. */
    private static Charset guessed(byte[] head) {
        int pairs = head.length / 2;
        int first = 0;
        int second = 0;
        for (int i = 0; i < pairs; i++) {
            first += head[2 * i] == 0 ? 1 : 0;
            second += head[2 * i + 1] == 0 ? 1 : 0;
        }
        if (second > pairs / 2 && first < pairs / 10 + 1) {
            return StandardCharsets.UTF_16LE;
        }
        return first > pairs / 2 && second < pairs / 10 + 1
                ? StandardCharsets.UTF_16BE
                : StandardCharsets.UTF_8;
    }

    /** Replaces the errors of a decoder, which have no place. */
    private static final class CheckedReader extends FilterReader {
        private final Path file;
        private final Charset charset;

        CheckedReader(Reader in, Path file, Charset charset) {
            super(in);
            this.file = file;
            this.charset = charset;
        }

        @Override
        public int read() throws IOException {
            try {
                return super.read();
            } catch (CharacterCodingException e) {
                throw problem(file, charset, e);
            }
        }

        @Override
        public int read(char[] into, int offset, int length) throws IOException {
            try {
                return super.read(into, offset, length);
            } catch (CharacterCodingException e) {
                throw problem(file, charset, e);
            }
        }
    }

    /** Reads a file again up to its first wrong byte. */
    private static EncodingException problem(
            Path file, Charset charset, CharacterCodingException cause) throws IOException {
        CharsetDecoder decoder = charset.newDecoder();
        byte[] bytes = new byte[BUFFER_SIZE];
        var chars = CharBuffer.allocate(BUFFER_SIZE);
        long line = 1;
        int length = 0;
        try (InputStream in = Files.newInputStream(file)) {
            boolean isEnded = false;
            while (!isEnded) {
                int read = in.read(bytes, length, bytes.length - length);
                isEnded = read < 0;
                length += Math.max(0, read);
                var left = ByteBuffer.wrap(bytes, 0, length);
                CoderResult result;
                do {
                    chars.clear();
                    result = decoder.decode(left, chars, isEnded);
                    line += count(chars.flip());
                } while (result.isOverflow());
                if (result.isError()) {
                    byte[] wrong = new byte[Math.min(result.length(), left.remaining())];
                    left.get(wrong);
                    return new EncodingException(
                            "%s, line %,d: the bytes %s are no %s. Name its character set, such as --encoding windows-1252"
                                    .formatted(
                                            file,
                                            line,
                                            HexFormat.ofDelimiter(" ").formatHex(wrong),
                                            name(charset)),
                            cause);
                }
                left.compact();
                length = left.position();
            }
        }
        return new EncodingException(file + " changed while it was read", cause);
    }

    private static String name(Charset charset) {
        return charset.name().replaceFirst("^x-crabro-", "");
    }

    private static long count(CharBuffer chars) {
        long lines = 0;
        while (chars.hasRemaining()) {
            lines += chars.get() == '\n' ? 1 : 0;
        }
        return lines;
    }
}
