package org.crabro.container.http.gzip;

import java.nio.ByteBuffer;
import java.util.zip.CRC32;
import java.util.zip.DataFormatException;
import java.util.zip.Inflater;

/**
 * Unpacks gzip (RFC 1952) that arrives in pieces of any size, without waiting for more: one member
 * or several, each with the right checksum and length. Nothing else may follow. Not thread-safe.
 *
 * <p>{@code GZIPInputStream} waits for its bytes. Jetty's decoder compares no checksum, and accepts
 * a body that ends early.
 */
public final class GzipMembers implements AutoCloseable {
    private static final int MAGIC_1 = 0x1f;
    private static final int MAGIC_2 = 0x8b;
    private static final int DEFLATE = 8;

    private static final int FLAG_HEADER_CRC = 1 << 1;
    private static final int FLAG_EXTRA = 1 << 2;
    private static final int FLAG_NAME = 1 << 3;
    private static final int FLAG_COMMENT = 1 << 4;
    private static final int FLAGS_RESERVED = 0xe0;

    private static final int HEADER_BYTES = 10;
    private static final int TRAILER_BYTES = 8;

    /** Bytes of the length of the extra field, and of the checksum of the header. */
    private static final int SHORT_BYTES = 2;

    /** The parts of a member, in their order. */
    private enum Part {
        HEADER,
        EXTRA_LENGTH,
        EXTRA,
        NAME,
        COMMENT,
        HEADER_CRC,
        DATA,
        TRAILER
    }

    private static final byte[] NOTHING = {};

    private final Inflater inflater = new Inflater(true);

    /** Of the header, then of the data. */
    private final CRC32 crc = new CRC32();

    private Part part = Part.HEADER;
    private int flags;

    /** The bytes of the current part that were read, and their value, little-endian. */
    private int count;

    private long value;
    private int extraLeft;

    /**
     * Unpacks some bytes.
     *
     * @param from is consumed as far as it is unpacked; not kept after it is consumed
     * @return the number of bytes in {@code into}; 0 if more input is needed
     * @throws NotGzipException if it is not gzip
     */
    public int unpack(ByteBuffer from, byte[] into) throws NotGzipException {
        while (true) {
            if (part == Part.DATA) {
                int unpacked = inflate(from, into);
                if (unpacked > 0) {
                    return unpacked;
                }
                if (part == Part.DATA) {
                    return 0;
                }
            }
            if (!from.hasRemaining()) {
                return 0;
            }
            frame(from.get() & 0xff);
        }
    }

    private int inflate(ByteBuffer from, byte[] into) throws NotGzipException {
        try {
            while (true) {
                if (inflater.needsInput() && from.hasRemaining()) {
                    inflater.setInput(from);
                }
                int unpacked = inflater.inflate(into);
                if (unpacked > 0) {
                    crc.update(into, 0, unpacked);
                    return unpacked;
                }
                if (inflater.finished()) {
                    begin(Part.TRAILER);
                    return 0;
                }
                if (inflater.needsDictionary()) {
                    throw new NotGzipException("it needs a dictionary");
                }
                if (!from.hasRemaining()) {
                    // The buffer is used again elsewhere once it is consumed.
                    inflater.setInput(NOTHING);
                    return 0;
                }
            }
        } catch (DataFormatException e) {
            throw new NotGzipException(String.valueOf(e.getMessage()));
        }
    }

    /** Reads a byte that is not of the data. */
    private void frame(int next) throws NotGzipException {
        switch (part) {
            case HEADER -> header(next);
            case EXTRA_LENGTH -> {
                crc.update(next);
                if (gather(next, SHORT_BYTES)) {
                    extraLeft = (int) value;
                    begin(extraLeft > 0 ? Part.EXTRA : after(Part.EXTRA));
                }
            }
            case EXTRA -> {
                crc.update(next);
                if (--extraLeft == 0) {
                    begin(after(Part.EXTRA));
                }
            }
            case NAME, COMMENT -> {
                crc.update(next);
                if (next == 0) {
                    begin(after(part));
                }
            }
            case HEADER_CRC -> {
                if (gather(next, SHORT_BYTES)) {
                    if (value != (crc.getValue() & 0xffff)) {
                        throw new NotGzipException("the checksum of its header is wrong");
                    }
                    begin(Part.DATA);
                }
            }
            case TRAILER -> trailer(next);
            case DATA -> throw new IllegalStateException("data is inflated");
        }
    }

    private void header(int next) throws NotGzipException {
        crc.update(next);
        boolean isValid =
                switch (count) {
                    case 0 -> next == MAGIC_1;
                    case 1 -> next == MAGIC_2;
                    case 2 -> next == DEFLATE;
                    case 3 -> {
                        flags = next;
                        yield (next & FLAGS_RESERVED) == 0;
                    }
                    default -> true;
                };
        if (!isValid) {
            throw new NotGzipException("expected the header of gzip");
        }
        if (gather(next, HEADER_BYTES)) {
            begin(after(Part.HEADER));
        }
    }

    /** Returns the part of this member that follows another one of its header. */
    private Part after(Part last) {
        if (last.compareTo(Part.EXTRA_LENGTH) < 0 && (flags & FLAG_EXTRA) != 0) {
            return Part.EXTRA_LENGTH;
        }
        if (last.compareTo(Part.NAME) < 0 && (flags & FLAG_NAME) != 0) {
            return Part.NAME;
        }
        if (last.compareTo(Part.COMMENT) < 0 && (flags & FLAG_COMMENT) != 0) {
            return Part.COMMENT;
        }
        return (flags & FLAG_HEADER_CRC) != 0 ? Part.HEADER_CRC : Part.DATA;
    }

    private void trailer(int next) throws NotGzipException {
        if (!gather(next, TRAILER_BYTES)) {
            return;
        }
        if ((value & 0xffff_ffffL) != crc.getValue()
                || value >>> Integer.SIZE != (inflater.getBytesWritten() & 0xffff_ffffL)) {
            throw new NotGzipException("its checksum or its length is wrong");
        }
        begin(Part.HEADER);
    }

    /** Adds a byte to the value of the part, and returns whether it was the last one. */
    private boolean gather(int next, int bytes) {
        value |= (long) next << (Byte.SIZE * count);
        count++;
        return count == bytes;
    }

    private void begin(Part next) {
        part = next;
        count = 0;
        value = 0;
        if (next == Part.DATA) {
            inflater.reset();
            crc.reset();
        } else if (next == Part.HEADER) {
            crc.reset();
        }
    }

    /**
     * Ends the input.
     *
     * @throws NotGzipException if a member is not complete; an empty body is permitted
     */
    public void end() throws NotGzipException {
        if (part != Part.HEADER || count > 0) {
            throw new NotGzipException("it ends early");
        }
    }

    @Override
    public void close() {
        inflater.end();
    }
}
