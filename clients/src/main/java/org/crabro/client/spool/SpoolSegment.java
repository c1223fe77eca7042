package org.crabro.client.spool;

import static org.crabro.client.spool.SpoolLayout.DONE;
import static org.crabro.client.spool.SpoolLayout.END;
import static org.crabro.client.spool.SpoolLayout.RECORDS_OFFSET;
import static org.crabro.client.spool.SpoolLayout.RECORD_CRC;
import static org.crabro.client.spool.SpoolLayout.RECORD_LENGTH;
import static org.crabro.client.spool.SpoolLayout.RECORD_REST;
import static org.crabro.client.spool.SpoolLayout.RECORD_STATE;
import static org.crabro.client.spool.SpoolLayout.WAITING;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.nio.file.StandardOpenOption;
import java.util.Arrays;
import java.util.OptionalLong;

/**
 * One file of a spool: its records, which are appended and then marked as done. Not thread-safe.
 */
final class SpoolSegment implements AutoCloseable {
    private static final byte[] NOTHING = {};
    private static final int ZEROS_AT_ONCE = 1 << 20;

    private final Path file;
    private final long number;
    private final long size;
    private final FileChannel channel;
    private final SpoolMapping mapping;

    /** Where the next record begins. */
    private long end = RECORDS_OFFSET;

    private boolean isEnded;
    private int waiting;

    private SpoolSegment(
            Path file, long number, long size, FileChannel channel, SpoolMapping mapping) {
        this.file = file;
        this.number = number;
        this.size = size;
        this.channel = channel;
        this.mapping = mapping;
    }

    /** Receives the records of a segment. */
    interface Records {
        /**
         * Called for each record in order.
         *
         * @param payload the document and the content
         */
        void accept(long offset, boolean isDone, byte[] payload);
    }

    /**
     * Creates a segment. Its blocks are written, and then it gets its name: a file with the name of
     * a segment has a header.
     *
     * @throws IOException if the disk is full
     */
    static SpoolSegment create(Path file, long number, long size) throws IOException {
        Path unnamed = file.resolveSibling(file.getFileName() + Spool.NEW);
        FileChannel channel =
                FileChannel.open(
                        unnamed,
                        StandardOpenOption.CREATE_NEW,
                        StandardOpenOption.READ,
                        StandardOpenOption.WRITE);
        boolean isDone = false;
        try {
            Spool.restrict(unnamed, "rw-------");
            var zeros = ByteBuffer.allocate(ZEROS_AT_ONCE);
            for (long at = 0; at < size; ) {
                zeros.clear().limit((int) Math.min(zeros.capacity(), size - at));
                at += channel.write(zeros, at);
            }
            var header = ByteBuffer.wrap(SpoolLayout.header(number, size));
            while (header.hasRemaining()) {
                int _ = channel.write(header, header.position());
            }
            channel.force(true);
            Files.move(unnamed, file, StandardCopyOption.ATOMIC_MOVE);
            var segment =
                    new SpoolSegment(file, number, size, channel, SpoolMapping.of(file, size));
            isDone = true;
            return segment;
        } finally {
            if (!isDone) {
                channel.close();
                Files.deleteIfExists(unnamed);
            }
        }
    }

    /**
     * Opens a segment that an earlier process wrote, without a look at its records.
     *
     * @throws DamagedSpoolException if its header is wrong
     */
    static SpoolSegment open(Path file, long number) throws IOException {
        if (!Files.isRegularFile(file, LinkOption.NOFOLLOW_LINKS)) {
            throw new DamagedSpoolException(file, 0, "it is no regular file");
        }
        FileChannel channel =
                FileChannel.open(
                        file,
                        StandardOpenOption.READ,
                        StandardOpenOption.WRITE,
                        LinkOption.NOFOLLOW_LINKS);
        boolean isDone = false;
        try {
            long size = channel.size();
            if (size < SpoolLayout.SEGMENT_STEP
                    || size > SpoolLayout.SEGMENT_BYTES_MAX
                    || size % SpoolLayout.SEGMENT_STEP != 0) {
                throw new DamagedSpoolException(file, 0, "it has %,d bytes".formatted(size));
            }
            var header = ByteBuffer.allocate(RECORDS_OFFSET);
            while (header.hasRemaining() && channel.read(header, header.position()) >= 0) {
                // Until the header is there.
            }
            if (!Arrays.equals(header.array(), SpoolLayout.header(number, size))) {
                throw new DamagedSpoolException(
                        file,
                        0,
                        "expected the header of segment %d, version %d, with %,d bytes"
                                .formatted(number, SpoolLayout.VERSION, size));
            }
            var segment =
                    new SpoolSegment(file, number, size, channel, SpoolMapping.of(file, size));
            isDone = true;
            return segment;
        } finally {
            if (!isDone) {
                channel.close();
            }
        }
    }

    /**
     * Reads the records, and ends the segment.
     *
     * @param isLast whether the process that wrote it may have ended in the middle of it
     * @return where bytes are that are no whole record, as after a power cut; empty if all are
     * @throws DamagedSpoolException if a record is wrong that was whole
     */
    OptionalLong scan(boolean isLast, Records records) throws IOException {
        while (true) {
            int length = mapping.getInt(end + RECORD_LENGTH);
            if (length == END) {
                if (crc(end) != SpoolLayout.checksum(number, end, END, NOTHING)) {
                    throw new DamagedSpoolException(file, end, "the checksum of its end is wrong");
                }
                isEnded = true;
                return OptionalLong.empty();
            }
            if (length == 0 && isLast) {
                end();
                return OptionalLong.empty();
            }
            boolean hasRoom = length > 0 && hasRoom(length);
            byte[] payload = hasRoom ? mapping.get(end + RECORD_REST, length) : NOTHING;
            if (!hasRoom
                    || crc(end) != SpoolLayout.checksum(number, end, length, payload)
                    || SpoolLayout.idLength(payload) < 0) {
                if (isLast) {
                    return OptionalLong.of(end);
                }
                throw new DamagedSpoolException(
                        file,
                        end,
                        hasRoom
                                ? "the checksum of a record is wrong"
                                : "a record has %,d bytes".formatted(length));
            }
            int state = mapping.getInt(end + RECORD_STATE);
            if (state != WAITING && state != DONE) {
                throw new DamagedSpoolException(
                        file, end, "a record has the state 0x%08x".formatted(state));
            }
            waiting += state == WAITING ? 1 : 0;
            records.accept(end, state == DONE, payload);
            end += SpoolLayout.recordBytes(length);
        }
    }

    private int crc(long offset) {
        return mapping.getInt(offset + RECORD_CRC);
    }

    /** Returns whether a record fits, and the end of the segment behind it. */
    boolean hasRoom(int length) {
        return SpoolLayout.recordBytes(length) <= size - RECORD_REST - end;
    }

    /**
     * Appends a record. It is there as a whole or not at all, whenever the process ends.
     *
     * @return where it begins
     */
    long append(byte[] payload) {
        long begin = end;
        mapping.put(begin + RECORD_REST, payload);
        mapping.putInt(begin + RECORD_STATE, WAITING);
        mapping.putInt(
                begin + RECORD_CRC, SpoolLayout.checksum(number, begin, payload.length, payload));
        mapping.publishInt(begin + RECORD_LENGTH, payload.length);
        end += SpoolLayout.recordBytes(payload.length);
        waiting++;
        return begin;
    }

    /** Returns the document and the content of a record. */
    byte[] payload(long offset) {
        return mapping.get(offset + RECORD_REST, mapping.getInt(offset + RECORD_LENGTH));
    }

    /** Marks a record as done, once. */
    void done(long offset) {
        if (mapping.getInt(offset + RECORD_STATE) == WAITING) {
            mapping.publishInt(offset + RECORD_STATE, DONE);
            waiting--;
        }
    }

    /** Ends the segment: nothing more is appended. */
    void end() {
        if (!isEnded) {
            isEnded = true;
            mapping.putInt(end + RECORD_CRC, SpoolLayout.checksum(number, end, END, NOTHING));
            mapping.publishInt(end + RECORD_LENGTH, END);
        }
    }

    /** Forces everything to the disk. */
    void force() throws IOException {
        channel.force(false);
    }

    int waiting() {
        return waiting;
    }

    long size() {
        return size;
    }

    long number() {
        return number;
    }

    Path file() {
        return file;
    }

    @Override
    public void close() throws IOException {
        mapping.close();
        channel.close();
    }
}
