package org.crabro.ranking.forest;

import java.io.BufferedInputStream;
import java.io.EOFException;
import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.function.Consumer;

/**
 * Reads Universal Binary JSON once, value by value, and reports the byte offset of errors. Numbers
 * are big-endian.
 *
 * <pre>
 *   value  := "{" { length bytes value } "}" | array | "S" length bytes | scalar
 *   array  := "[" { value } "]" | "[#" length value… | "[$" type "#" length payload…
 *   scalar := "i" 1 | "U" 1 | "I" 2 | "l" 4 | "L" 8 | "d" 4 | "D" 8 | "C" 1 | "T" | "F" | "Z"
 * </pre>
 */
final class UbjReader implements ModelValues, AutoCloseable {
    /** The maximum nesting depth of values; files of XGBoost are 7 deep. */
    private static final int LEVELS = 32;

    private static final int NAME_BYTES = 1 << 16;

    private final InputStream bytes;
    private final ForestLimits limits;
    private long offset;
    private int level;

    UbjReader(InputStream bytes, ForestLimits limits) {
        this.bytes = new BufferedInputStream(bytes, 1 << 16);
        this.limits = limits;
    }

    @Override
    public void object(String what, Consumer<String> member) {
        int tag = tag();
        if (tag != '{') {
            throw unexpected(what + ", an object", tag);
        }
        members(member);
    }

    private void members(Consumer<String> member) {
        enter();
        for (int tag = tag(); tag != '}'; tag = tag()) {
            member.accept(characters(length(tag)));
        }
        level--;
    }

    @Override
    public void array(String what, Runnable element) {
        int tag = tag();
        if (tag != '[') {
            throw unexpected(what + ", an array", tag);
        }
        elements(
                what,
                (type, _) -> {
                    if (type != VALUE) {
                        throw unexpected(what + ", an array of values with a type each", type);
                    }
                    element.run();
                });
    }

    @Override
    public double[] numbers(String what) {
        int tag = tag();
        if (tag != '[') {
            throw unexpected(what + ", an array", tag);
        }
        var numbers = new Numbers();
        elements(
                what,
                (type, count) -> {
                    if (count > limits.nodes() || numbers.count == limits.nodes()) {
                        throw problem("more than %,d nodes".formatted(limits.nodes()));
                    }
                    numbers.add(number(what, type == VALUE ? tag() : type));
                });
        return Arrays.copyOf(numbers.values, numbers.count);
    }

    private static final class Numbers {
        private double[] values = new double[16];
        private int count;

        void add(double value) {
            if (count == values.length) {
                values = Arrays.copyOf(values, 2 * count);
            }
            values[count++] = value;
        }
    }

    @Override
    public String text(String what) {
        int tag = tag();
        if (tag != 'S') {
            throw unexpected(what + ", a text", tag);
        }
        return characters(length(tag()));
    }

    @Override
    public void skip() {
        skip(tag());
    }

    private void skip(int tag) {
        switch (tag) {
            case '{' -> members(_ -> skip());
            case '[' ->
                    elements(
                            "a value",
                            (type, _) -> {
                                if (type == VALUE) {
                                    skip();
                                } else {
                                    skip(type);
                                }
                            });
            case 'S', 'H' -> skipBytes(length(tag()));
            case 'T', 'F', 'Z', 'N' -> {}
            default -> skipBytes(width("a value", tag));
        }
    }

    @Override
    public void requireEnd() {
        try {
            if (bytes.read() >= 0) {
                throw problem("unexpected content after the model");
            }
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    @Override
    public InvalidForestException problem(String problem) {
        return new InvalidForestException("byte %,d: %s".formatted(offset, problem));
    }

    private static final int VALUE = 0;

    private interface Element {
        /**
         * Reads an element.
         *
         * @param type of all elements, whose tags are left out; or {@link #VALUE} if each has its
         *     own
         * @param count the number of elements, or 0 if the file does not contain it
         */
        void read(int type, long count);
    }

    private void elements(String what, Element element) {
        enter();
        int type = VALUE;
        int tag = peek();
        if (tag == '$') {
            tag();
            type = tag();
            if (type == 'T' || type == 'F' || type == 'Z' || type == 'N') {
                // A few bytes could otherwise announce millions of them.
                throw unexpected("a type of " + what + ", one that takes bytes", type);
            }
            tag = peek();
            if (tag != '#') {
                throw unexpected("a count after the type of " + what, tag);
            }
        }
        if (tag == '#') {
            tag();
            long count = length(tag());
            for (long i = 0; i < count; i++) {
                element.read(type, count);
            }
        } else {
            while (peek() != ']') {
                element.read(VALUE, 0);
            }
            tag();
        }
        level--;
    }

    private void enter() {
        if (++level > LEVELS) {
            throw problem("values are nested deeper than " + LEVELS);
        }
    }

    private long length(int tag) {
        if (tag == 'd' || tag == 'D') {
            throw unexpected("a length, a whole number", tag);
        }
        double length = number("a length", tag);
        if (length < 0 || length > limits.bytes()) {
            throw problem(
                    "expected a length, 0 to %,d, but found %.0f"
                            .formatted(limits.bytes(), length));
        }
        return (long) length;
    }

    private double number(String what, int tag) {
        int width = width(what, tag);
        long bits = 0;
        for (int i = 0; i < width; i++) {
            bits = bits << Byte.SIZE | tag();
        }
        return switch (tag) {
            case 'i' -> (byte) bits;
            case 'I' -> (short) bits;
            case 'l' -> (int) bits;
            case 'd' -> Float.intBitsToFloat((int) bits);
            case 'D' -> Double.longBitsToDouble(bits);
            default -> (double) bits;
        };
    }

    private int width(String what, int tag) {
        return switch (tag) {
            case 'i', 'U', 'C' -> 1;
            case 'I' -> Short.BYTES;
            case 'l', 'd' -> Integer.BYTES;
            case 'L', 'D' -> Long.BYTES;
            default -> throw unexpected(what + ", a number", tag);
        };
    }

    private InvalidForestException unexpected(String expected, int tag) {
        String actual = tag > ' ' && tag < 0x7f ? "'" + (char) tag + "'" : "0x%02x".formatted(tag);
        return problem("expected " + expected + ", but found " + actual);
    }

    private String characters(long length) {
        if (length > NAME_BYTES) {
            throw problem(
                    "a text of %,d bytes, and it has at most %,d".formatted(length, NAME_BYTES));
        }
        try {
            byte[] text = bytes.readNBytes((int) length);
            offset += text.length;
            if (text.length < length) {
                throw problem("the file ends inside of a text");
            }
            return new String(text, StandardCharsets.UTF_8);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    private void skipBytes(long count) {
        try {
            bytes.skipNBytes(count);
            offset += count;
        } catch (EOFException _) {
            throw problem("the file ends inside of a value");
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    private int peek() {
        try {
            bytes.mark(1);
            int next = bytes.read();
            bytes.reset();
            return next;
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    private int tag() {
        try {
            int next = bytes.read();
            if (next < 0) {
                throw problem("the file ends inside of the model");
            }
            offset++;
            return next;
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    @Override
    public void close() {
        try {
            bytes.close();
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }
}
