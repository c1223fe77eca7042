package org.crabro.content.replication.log;

import java.nio.ByteBuffer;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.function.BiConsumer;
import org.crabro.content.replication.log.OperationSessions.Stored;
import org.crabro.protocol.feed.OperationId;

/**
 * Operations with their outcomes, in the order in which they were carried out. They are kept as
 * bytes, about ten each: there are up to millions, and the garbage collector would visit objects
 * again and again. Not thread-safe.
 */
final class OperationQueue {
    private static final int CHUNK_BYTES = 64 << 10;

    /** The values of an operation. Each is stored as its difference to the operation before. */
    private static final int INDEX = 0;

    private static final int SESSION = 1;
    private static final int NUMBER = 2;
    private static final int LOWEST = 3;
    private static final int TIMESTAMP = 4;
    private static final int POSITION = 5;
    private static final int VALUES = 6;

    /** A number has at most ten bytes. */
    private static final int OPERATION_BYTES_MAX = 10 * VALUES;

    private final Deque<Chunk> chunks = new ArrayDeque<>();

    /** The end of the last chunk. */
    private ByteBuffer out = ByteBuffer.allocate(0);

    /** The next operation of the first chunk. */
    private ByteBuffer in = ByteBuffer.allocate(0);

    /** The values of the last operation that was added. */
    private final long[] last = new long[VALUES];

    /** The values of the last operation that was read. */
    private final long[] read = new long[VALUES];

    /** Whether the operation that was read is still in the queue. */
    private boolean isReadKept;

    private static final class Chunk {
        private final byte[] bytes = new byte[CHUNK_BYTES];

        /** The operations that were not read. */
        private int unread;
    }

    /**
     * Adds an operation.
     *
     * @param index of the entry that carried it out, not below that of the operation before
     */
    void add(long index, OperationId operation, Stored stored) {
        if (chunks.isEmpty() || out.remaining() < OPERATION_BYTES_MAX) {
            var chunk = new Chunk();
            if (chunks.isEmpty()) {
                in = ByteBuffer.wrap(chunk.bytes);
            }
            chunks.add(chunk);
            out = ByteBuffer.wrap(chunk.bytes);
        }
        write(INDEX, index);
        write(SESSION, operation.session());
        write(NUMBER, operation.number());
        write(LOWEST, operation.lowest());
        write(TIMESTAMP, stored.timestamp());
        write(POSITION, stored.position());
        chunks.getLast().unread++;
    }

    private void write(int value, long now) {
        writeNumber(now - last[value], out);
        last[value] = now;
    }

    /**
     * Writes a number in seven bits a byte, the lowest first; all bytes but the last are negative.
     * Numbers of a small magnitude have few bytes, as the sign is in the lowest bit.
     */
    static void writeNumber(long number, ByteBuffer into) {
        long left = (number << 1) ^ (number >> 63);
        while ((left & ~0x7fL) != 0) {
            into.put((byte) (left | 0x80));
            left >>>= 7;
        }
        into.put((byte) left);
    }

    /** Reads a number that {@link #writeNumber} wrote. */
    static long readNumber(ByteBuffer from) {
        long number = 0;
        byte next = from.get();
        int shift = 0;
        for (; next < 0; shift += 7) {
            number |= (next & 0x7fL) << shift;
            next = from.get();
        }
        number |= (long) next << shift;
        return (number >>> 1) ^ -(number & 1);
    }

    /**
     * Removes the operations of all entries up to one.
     *
     * @param removed gets each of them, not as a retry
     */
    void removeUpTo(long index, BiConsumer<OperationId, Stored> removed) {
        while ((isReadKept || read()) && read[INDEX] <= index) {
            isReadKept = false;
            removed.accept(
                    new OperationId(read[SESSION], read[NUMBER], read[LOWEST], false),
                    new Stored(read[TIMESTAMP], read[POSITION]));
        }
    }

    /** Reads the next operation; returns false if there is none. */
    private boolean read() {
        if (!chunks.isEmpty() && chunks.getFirst().unread == 0 && chunks.size() > 1) {
            chunks.removeFirst();
            in = ByteBuffer.wrap(chunks.getFirst().bytes);
        }
        if (chunks.isEmpty() || chunks.getFirst().unread == 0) {
            return false;
        }
        chunks.getFirst().unread--;
        for (int i = 0; i < VALUES; i++) {
            read[i] += readNumber(in);
        }
        isReadKept = true;
        return true;
    }
}
