package org.crabro.client.imports;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.util.function.IntFunction;
import java.util.function.LongConsumer;

/**
 * Reads structures in Thrift's compact protocol. The caller chooses the fields that it reads; the
 * others are skipped. An announced number of elements is at most the number of bytes that are left.
 * For one thread.
 */
final class CompactThrift {
    private static final int DEPTH_MAX = 32;

    private static final int TRUE = 1;
    private static final int FALSE = 2;
    private static final int BYTE = 3;
    private static final int SHORT = 4;
    private static final int INT = 5;
    private static final int LONG = 6;
    private static final int DOUBLE = 7;
    private static final int BINARY = 8;
    private static final int LIST = 9;
    private static final int SET = 10;
    private static final int MAP = 11;
    private static final int STRUCT = 12;
    private static final int UUID = 13;

    private final ByteBuffer bytes;
    private int depth;

    CompactThrift(ByteBuffer bytes) {
        this.bytes = bytes;
    }

    /** The bytes are no structure of this protocol, or it does not end. */
    static final class MalformedException extends IOException {
        private static final long serialVersionUID = 1;

        MalformedException(String problem) {
            super(problem);
        }
    }

    /** A field that is read: the type that it must have, and what reads its value. */
    static final class Field {
        private final int type;
        private final Value value;

        private Field(int type, Value value) {
            this.type = type;
            this.value = value;
        }
    }

    /** Reads the value of a field. */
    private interface Value {
        void read() throws IOException;
    }

    /** Reads the elements of a list. */
    interface Elements {
        void read(int count) throws IOException;
    }

    /** A field that is skipped, whatever its type is. */
    static final Field SKIPPED = new Field(0, () -> {});

    /** Returns a field that is a whole number of 32 bits. */
    Field number(LongConsumer reader) {
        return new Field(INT, () -> reader.accept(zigzag()));
    }

    /** Returns a field that is a whole number of 64 bits. */
    Field longNumber(LongConsumer reader) {
        return new Field(LONG, () -> reader.accept(zigzag()));
    }

    /** Returns a field that is a structure. */
    Field nested(IntFunction<Field> fields) {
        return new Field(STRUCT, () -> struct(fields));
    }

    /** Returns a field that is a list of structures. */
    Field structs(Elements reader) {
        return new Field(
                LIST,
                () -> {
                    int head = unsigned();
                    int count = size(head);
                    if (count > 0) {
                        requireType(STRUCT, head & 0xf, "an element of a list");
                    }
                    reader.read(count);
                });
    }

    /**
     * Reads a structure.
     *
     * @param fields returns the reader of a field by its number, or {@link #SKIPPED}
     * @throws MalformedException also if a field that is read has another type: other readers skip
     *     such a field, and see other bytes behind it
     */
    void struct(IntFunction<Field> fields) throws IOException {
        if (++depth > DEPTH_MAX) {
            throw new MalformedException("nested more than %d deep".formatted(DEPTH_MAX));
        }
        int number = 0;
        for (int head = unsigned(); head != 0; head = unsigned()) {
            int delta = head >>> 4;
            // The format numbers fields with 16 bits.
            number = (short) (delta == 0 ? zigzag() : number + delta);
            Field field = fields.apply(number);
            if (field == SKIPPED) {
                skip(head & 0xf, false);
            } else {
                requireType(field.type, head & 0xf, "field " + number);
                field.value.read();
            }
        }
        depth--;
    }

    private static void requireType(int expected, int type, String what) throws MalformedException {
        if (type != expected) {
            throw new MalformedException(
                    "%s has the type %d instead of %d".formatted(what, type, expected));
        }
    }

    private int size(int head) throws MalformedException {
        int first = head >>> 4;
        long size = first == 15 ? varint() : first;
        if (size < 0 || size > bytes.remaining()) {
            throw new MalformedException(
                    "a list of %,d elements in %,d bytes".formatted(size, bytes.remaining()));
        }
        return (int) size;
    }

    private void skip(int type, boolean isElement) throws IOException {
        switch (type) {
            case TRUE, FALSE -> advance(isElement ? 1 : 0);
            case BYTE -> advance(1);
            case SHORT, INT, LONG -> varint();
            case DOUBLE -> advance(Double.BYTES);
            case BINARY -> advance(varint());
            case LIST, SET -> {
                int head = unsigned();
                int size = size(head);
                for (int i = 0; i < size; i++) {
                    skipNested(head & 0xf);
                }
            }
            case MAP -> {
                long size = varint();
                if (size != 0) {
                    int types = unsigned();
                    if (size < 0 || size > bytes.remaining()) {
                        throw new MalformedException("a map of %,d entries".formatted(size));
                    }
                    for (long i = 0; i < size; i++) {
                        skipNested(types >>> 4);
                        skipNested(types & 0xf);
                    }
                }
            }
            case STRUCT -> struct(_ -> SKIPPED);
            case UUID -> advance(2L * Long.BYTES);
            default -> throw new MalformedException("a value of the unknown type " + type);
        }
    }

    private void skipNested(int type) throws IOException {
        if (++depth > DEPTH_MAX) {
            throw new MalformedException("nested more than %d deep".formatted(DEPTH_MAX));
        }
        skip(type, true);
        depth--;
    }

    private void advance(long count) throws MalformedException {
        if (count < 0 || count > bytes.remaining()) {
            throw new MalformedException("ends early");
        }
        bytes.position(bytes.position() + (int) count);
    }

    private int unsigned() throws MalformedException {
        if (!bytes.hasRemaining()) {
            throw new MalformedException("ends early");
        }
        return bytes.get() & 0xff;
    }

    private long zigzag() throws MalformedException {
        long value = varint();
        return (value >>> 1) ^ -(value & 1);
    }

    private long varint() throws MalformedException {
        long value = 0;
        for (int shift = 0; shift < Long.SIZE; shift += 7) {
            int next = unsigned();
            value |= (long) (next & 0x7f) << shift;
            if (next < 0x80) {
                return value;
            }
        }
        throw new MalformedException("a number has too many bytes");
    }
}
