package org.crabro.content.replication.raft;

import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import org.apache.ratis.thirdparty.com.google.protobuf.ByteString;
import org.apache.ratis.thirdparty.com.google.protobuf.UnsafeByteOperations;

/**
 * Large entries as several entries of Ratis, which has a buffer for the largest one in each group.
 *
 * <p>A leader appends the parts of an entry one after another. If it cannot append the last one,
 * the entry is never whole, and its parts have no effect. Not thread-safe.
 */
final class EntryParts {
    /** The maximum size of an entry of Ratis, in bytes. */
    static final int STORED_BYTES_MAX = 1 << 20;

    /** Begins a part. An entry that begins with this byte is stored as one part. */
    private static final byte PART = 0;

    /** The mark, the number of the part as u16, and the number of parts as u16. */
    private static final int HEADER_BYTES = 1 + 2 * Short.BYTES;

    private static final int PART_BYTES = STORED_BYTES_MAX - HEADER_BYTES;

    private final List<byte[]> joined = new ArrayList<>();

    /** The term of the joined parts. */
    private long term;

    /** Returns the entries of Ratis for an entry. They share its bytes. */
    static List<ByteString> split(byte[] entry) {
        boolean isWhole =
                entry.length <= STORED_BYTES_MAX && (entry.length == 0 || entry[0] != PART);
        if (isWhole) {
            return List.of(UnsafeByteOperations.unsafeWrap(entry));
        }
        int count = Math.ceilDiv(entry.length, PART_BYTES);
        List<ByteString> parts = new ArrayList<>(count);
        for (int i = 0; i < count; i++) {
            int from = i * PART_BYTES;
            ByteBuffer header =
                    ByteBuffer.allocate(HEADER_BYTES)
                            .order(ByteOrder.LITTLE_ENDIAN)
                            .put(PART)
                            .putShort((short) i)
                            .putShort((short) count)
                            .flip();
            parts.add(
                    UnsafeByteOperations.unsafeWrap(header)
                            .concat(
                                    UnsafeByteOperations.unsafeWrap(
                                            entry,
                                            from,
                                            Math.min(PART_BYTES, entry.length - from))));
        }
        return parts;
    }

    /**
     * Takes the next committed entry of Ratis; returns the entry that it completes.
     *
     * @param of the term of the leader that appended it
     */
    Optional<byte[]> join(long of, ByteString stored) {
        if (stored.isEmpty() || stored.byteAt(0) != PART) {
            joined.clear();
            return Optional.of(stored.toByteArray());
        }
        ByteBuffer header =
                stored.substring(1, HEADER_BYTES)
                        .asReadOnlyByteBuffer()
                        .order(ByteOrder.LITTLE_ENDIAN);
        int number = Short.toUnsignedInt(header.getShort());
        int count = Short.toUnsignedInt(header.getShort());
        if (number == 0 || of != term) {
            joined.clear();
            term = of;
        }
        if (number != joined.size()) {
            // Parts before it were not appended.
            joined.clear();
            return Optional.empty();
        }
        joined.add(stored.substring(HEADER_BYTES).toByteArray());
        if (joined.size() < count) {
            return Optional.empty();
        }
        int size = joined.stream().mapToInt(part -> part.length).sum();
        ByteBuffer entry = ByteBuffer.allocate(size);
        joined.forEach(entry::put);
        joined.clear();
        return Optional.of(entry.array());
    }
}
