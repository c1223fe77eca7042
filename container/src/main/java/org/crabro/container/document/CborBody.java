package org.crabro.container.document;

import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.InputStream;
import java.math.BigInteger;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.charset.StandardCharsets;
import java.util.ArrayDeque;
import java.util.Arrays;
import java.util.Base64;
import java.util.Deque;
import java.util.HexFormat;
import org.eclipse.jetty.http.HttpStatus;
import org.jspecify.annotations.Nullable;

/**
 * Converts a body in CBOR (RFC 8949) to the equivalent JSON, item by item and piece by piece. A
 * body takes as much memory as its largest number, or byte string of unknown length.
 *
 * <pre>
 *   number, text, array, map, true, false, null     as in JSON; keys are texts or whole numbers
 *   undefined                                       null
 *   bytes                                           a text in base64
 *   tag 23 (bytes as base 16)                       a text in hexadecimal digits
 *   tags 81, 82, 85 and 86 (floats, doubles)        an array of numbers
 *   all other tags                                  ignored
 * </pre>
 */
final class CborBody extends InputStream {
    private static final int UNSIGNED = 0;
    private static final int NEGATIVE = 1;
    private static final int BYTES = 2;
    private static final int TEXT = 3;
    private static final int ARRAY = 4;
    private static final int MAP = 5;
    private static final int TAG = 6;

    private static final int INDEFINITE = 31;
    private static final int BREAK = 0xff;
    private static final long UNKNOWN = -1;
    private static final long NO_TAG = -1;

    private static final int BASE_16 = 23;
    private static final int FLOATS = 81;
    private static final int DOUBLES = 82;
    private static final int FLOATS_LITTLE_ENDIAN = 85;
    private static final int DOUBLES_LITTLE_ENDIAN = 86;

    private static final int PIECE = 4 << 10;

    /** Whole numbers of 4 and 8 bytes, and whole groups of base64. */
    private static final int BYTES_PIECE = 170 * 24;

    /** The depth limit; a reader of the JSON as a stream reports excessive nesting long before. */
    private static final int DEPTH_MAX = 2 * PIECE;

    private final InputStream cbor;
    private long position;
    private byte[] json = new byte[0];
    private int at;
    private final Deque<Level> levels = new ArrayDeque<>();
    private boolean isBegun;

    /** The remaining bytes of the current text, or of its current piece. */
    private long textLeft;

    private boolean isInText;
    private boolean isTextInPieces;

    /** The current byte string; null if there is none. */
    private @Nullable Binary binary;

    /** A byte string. */
    private static final class Binary {
        private final long tag;
        private final long length;

        /** All bytes, if the string came in pieces; otherwise null, and it is read as a stream. */
        private final byte @Nullable [] whole;

        private long read;

        Binary(long tag, long length, byte @Nullable [] whole) {
            this.tag = tag;
            this.length = length;
            this.whole = whole;
        }
    }

    /** An array or a map that is open. */
    private static final class Level {
        private final boolean isMap;
        private final boolean isCounted;

        /** Elements, or entries. */
        private long left;

        private boolean isEmpty = true;
        private boolean isAtValue;

        Level(boolean isMap, long count) {
            this.isMap = isMap;
            this.isCounted = count != UNKNOWN;
            this.left = count;
        }
    }

    /**
     * @param cbor left open
     */
    CborBody(InputStream cbor) {
        this.cbor = cbor;
    }

    @Override
    public int read() throws IOException {
        return hasMore() ? json[at++] & 0xff : -1;
    }

    @Override
    public int read(byte[] into, int offset, int length) throws IOException {
        if (length == 0) {
            return 0;
        }
        if (!hasMore()) {
            return -1;
        }
        int count = Math.min(length, json.length - at);
        System.arraycopy(json, at, into, offset, count);
        at += count;
        return count;
    }

    private boolean hasMore() throws IOException {
        while (at == json.length) {
            var out = new ByteArrayOutputStream(PIECE);
            boolean isOver = false;
            while (!isOver && out.size() < PIECE) {
                isOver = !step(out);
            }
            json = out.toByteArray();
            at = 0;
            if (isOver && json.length == 0) {
                return false;
            }
        }
        return true;
    }

    /** Reads on a little, and returns whether there is more. */
    private boolean step(ByteArrayOutputStream out) throws IOException {
        if (isInText) {
            text(out);
            return true;
        }
        if (binary != null) {
            bytes(binary, out);
            return true;
        }
        Level level = levels.peek();
        if (level == null) {
            if (isBegun) {
                if (cbor.read() >= 0) {
                    throw malformed("there is more after the body");
                }
                return false;
            }
            isBegun = true;
            int first = cbor.read();
            if (first < 0) {
                // An empty body; the reader of the JSON reports it.
                return false;
            }
            position++;
            item(first, out);
            return true;
        }
        if (level.isCounted && level.left == 0 && !level.isAtValue) {
            close(level, out);
            return true;
        }
        int first = next();
        if (first == BREAK && !level.isCounted && !level.isAtValue) {
            close(level, out);
            return true;
        }
        if (level.isAtValue) {
            out.write(':');
            level.isAtValue = false;
            item(first, out);
            return true;
        }
        if (!level.isEmpty) {
            out.write(',');
        }
        level.isEmpty = false;
        level.left--;
        if (level.isMap) {
            level.isAtValue = true;
            key(first, out);
        } else {
            item(first, out);
        }
        return true;
    }

    private void close(Level level, ByteArrayOutputStream out) {
        out.write(level.isMap ? '}' : ']');
        levels.pop();
    }

    private void key(int first, ByteArrayOutputStream out) throws IOException {
        switch (first >> 5) {
            case TEXT -> item(first, out);
            case UNSIGNED, NEGATIVE -> {
                out.write('"');
                item(first, out);
                out.write('"');
            }
            default -> throw malformed("a key is neither a text nor a whole number");
        }
    }

    private void item(int begin, ByteArrayOutputStream out) throws IOException {
        int first = begin;
        long tag = NO_TAG;
        while (first >> 5 == TAG) {
            tag = number(first);
            first = next();
        }
        switch (first >> 5) {
            case UNSIGNED -> write(out, Long.toUnsignedString(number(first)));
            case NEGATIVE -> write(out, negative(number(first)));
            case BYTES -> {
                byte[] whole = isIndefinite(first) ? wholeBytes() : null;
                binary = new Binary(tag, whole == null ? length(first) : whole.length, whole);
                out.write(numberSize(tag) > 0 ? '[' : '"');
            }
            case TEXT -> {
                isTextInPieces = isIndefinite(first);
                textLeft = isTextInPieces ? 0 : length(first);
                isInText = true;
                out.write('"');
            }
            case ARRAY -> {
                open(new Level(false, isIndefinite(first) ? UNKNOWN : length(first)));
                out.write('[');
            }
            case MAP -> {
                open(new Level(true, isIndefinite(first) ? UNKNOWN : length(first)));
                out.write('{');
            }
            default -> simple(first, out);
        }
    }

    private void open(Level level) {
        if (levels.size() == DEPTH_MAX) {
            throw malformed("it is nested deeper than " + DEPTH_MAX);
        }
        levels.push(level);
    }

    private static boolean isIndefinite(int first) {
        return (first & 0x1f) == INDEFINITE;
    }

    private void simple(int first, ByteArrayOutputStream out) throws IOException {
        switch (first & 0x1f) {
            case 20 -> write(out, "false");
            case 21 -> write(out, "true");
            case 22, 23 -> write(out, "null");
            case 25 -> real(Float.float16ToFloat((short) bits(Short.BYTES)), out);
            case 26 -> real(Float.intBitsToFloat((int) bits(Integer.BYTES)), out);
            case 27 -> real(Double.longBitsToDouble(bits(Long.BYTES)), out);
            case INDEFINITE -> throw malformed("something ends that did not begin");
            default -> throw malformed("0x%02x begins no value".formatted(first));
        }
    }

    /** Writes floats with all their digits: they may be stored as doubles. */
    private static void real(double value, ByteArrayOutputStream out) {
        write(out, Double.isFinite(value) ? Double.toString(value) : "\"" + value + '"');
    }

    private static String negative(long value) {
        return value >= 0
                ? Long.toString(-1 - value)
                : new BigInteger(Long.toUnsignedString(value)).not().toString();
    }

    /** Writes a piece of the text that is read, or begins its next one, or ends it. */
    private void text(ByteArrayOutputStream out) throws IOException {
        if (textLeft == 0) {
            int first = isTextInPieces ? next() : BREAK;
            if (first == BREAK) {
                out.write('"');
                isInText = false;
            } else if (first >> 5 == TEXT && !isIndefinite(first)) {
                textLeft = length(first);
            } else {
                throw malformed("a text has a piece that is not a text");
            }
            return;
        }
        byte[] piece = exactly(Math.min(textLeft, PIECE));
        textLeft -= piece.length;
        for (byte each : piece) {
            if (each == '"' || each == '\\') {
                out.write('\\');
                out.write(each);
            } else if (each >= 0 && each < ' ') {
                write(out, "\\u%04x".formatted(each));
            } else {
                out.write(each);
            }
        }
    }

    private byte[] wholeBytes() throws IOException {
        var all = new ByteArrayOutputStream();
        for (int piece = next(); piece != BREAK; piece = next()) {
            if (piece >> 5 != BYTES || isIndefinite(piece)) {
                throw malformed("bytes have a piece that is not bytes");
            }
            all.writeBytes(exactly(length(piece)));
        }
        return all.toByteArray();
    }

    /** Returns the size in bytes of the numbers of a typed array by its tag; 0 for other tags. */
    private static int numberSize(long tag) {
        return tag == FLOATS || tag == FLOATS_LITTLE_ENDIAN
                ? Float.BYTES
                : tag == DOUBLES || tag == DOUBLES_LITTLE_ENDIAN ? Double.BYTES : 0;
    }

    /** Writes a piece of the byte string that is read, or ends it. */
    private void bytes(Binary open, ByteArrayOutputStream out) throws IOException {
        int size = numberSize(open.tag);
        if (open.read == open.length) {
            out.write(size > 0 ? ']' : '"');
            binary = null;
            return;
        }
        int count = (int) Math.min(open.length - open.read, BYTES_PIECE);
        byte[] piece =
                open.whole == null
                        ? exactly(count)
                        : Arrays.copyOfRange(open.whole, (int) open.read, (int) open.read + count);
        boolean isFirst = open.read == 0;
        open.read += count;
        if (size > 0) {
            numbers(open, piece, size, isFirst, out);
        } else {
            write(
                    out,
                    open.tag == BASE_16
                            ? HexFormat.of().withUpperCase().formatHex(piece)
                            : Base64.getEncoder().encodeToString(piece));
        }
    }

    private void numbers(
            Binary open, byte[] piece, int size, boolean isFirst, ByteArrayOutputStream out) {
        if (piece.length % size != 0) {
            throw malformed(
                    "%d bytes are no numbers of %d bytes each".formatted(open.length, size));
        }
        boolean isLittleEndian =
                open.tag == FLOATS_LITTLE_ENDIAN || open.tag == DOUBLES_LITTLE_ENDIAN;
        ByteBuffer numbers =
                ByteBuffer.wrap(piece)
                        .order(isLittleEndian ? ByteOrder.LITTLE_ENDIAN : ByteOrder.BIG_ENDIAN);
        while (numbers.hasRemaining()) {
            if (!isFirst || numbers.position() > 0) {
                out.write(',');
            }
            real(size == Float.BYTES ? numbers.getFloat() : numbers.getDouble(), out);
        }
    }

    /** Returns the argument of an item, which follows from its first byte. */
    private long number(int first) throws IOException {
        int low = first & 0x1f;
        return switch (low) {
            case 24 -> bits(Byte.BYTES);
            case 25 -> bits(Short.BYTES);
            case 26 -> bits(Integer.BYTES);
            case 27 -> bits(Long.BYTES);
            case 28, 29, 30, INDEFINITE ->
                    throw malformed("0x%02x begins no value".formatted(first));
            default -> low;
        };
    }

    private long length(int first) throws IOException {
        long length = number(first);
        if (length < 0) {
            throw malformed("something is longer than a body can be");
        }
        return length;
    }

    private long bits(int count) throws IOException {
        long bits = 0;
        for (int i = 0; i < count; i++) {
            bits = (bits << Byte.SIZE) | next();
        }
        return bits;
    }

    private int next() throws IOException {
        int next = cbor.read();
        if (next < 0) {
            throw malformed("it ends too early");
        }
        position++;
        return next;
    }

    private byte[] exactly(long length) throws IOException {
        // Reads only the bytes that exist; the announced length is not trusted.
        byte[] bytes = cbor.readNBytes((int) Math.min(length, Integer.MAX_VALUE));
        position += bytes.length;
        if (bytes.length < length) {
            throw malformed("it ends too early");
        }
        return bytes;
    }

    private static void write(ByteArrayOutputStream out, String ascii) {
        out.writeBytes(ascii.getBytes(StandardCharsets.US_ASCII));
    }

    private InvalidRequestException malformed(String problem) {
        return new InvalidRequestException(
                HttpStatus.BAD_REQUEST_400,
                "the body is no well-formed CBOR: %s, at byte %d".formatted(problem, position));
    }
}
