package org.crabro.client.imports;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.util.function.IntFunction;

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

    /** Reads the value of a field. */
    interface Field {
        void read() throws IOException;
    }

    /** The reader of a field that is skipped. It is not called. */
    static final Field SKIPPED = new Skipped();

    private record Skipped() implements Field {
        @Override
        public void read() {
            throw new IllegalStateException("a skipped field is not read");
        }
    }

    /**
     * Reads a structure.
     *
     * @param fields returns the reader of a field by its number, or {@link #SKIPPED}
     */
    void struct(IntFunction<Field> fields) throws IOException {
        if (++depth > DEPTH_MAX) {
            throw new MalformedException("nested more than %d deep".formatted(DEPTH_MAX));
        }
        int number = 0;
        for (int head = unsigned(); head != 0; head = unsigned()) {
            int delta = head >>> 4;
            number = delta == 0 ? (int) zigzag() : number + delta;
            Field field = fields.apply(number);
            if (field instanceof Skipped) {
                skip(head & 0xf, false);
            } else {
                field.read();
            }
        }
        depth--;
    }

    /** Reads a whole number. */
    long number() throws MalformedException {
        return zigzag();
    }

    /** Reads the start of a list, and returns the number of its elements. */
    int list() throws MalformedException {
        return size(unsigned());
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
                    nested(head & 0xf);
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
                        nested(types >>> 4);
                        nested(types & 0xf);
                    }
                }
            }
            case STRUCT -> struct(_ -> SKIPPED);
            case UUID -> advance(2L * Long.BYTES);
            default -> throw new MalformedException("a value of the unknown type " + type);
        }
    }

    private void nested(int type) throws IOException {
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
