package org.crabro.content.replication.log;

import java.nio.BufferUnderflowException;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import org.crabro.document.DocumentType;
import org.crabro.protocol.encoding.DocumentTypeEncoding;
import org.crabro.protocol.feed.OperationId;

/**
 * An entry of a shard's log.
 *
 * <pre>
 *   0       1      9        17         25      29
 *   +-------+------+--------+----------+-------+-------+------+
 *   | kind  | term | origin | sequence | count | types | rows |
 *   +-------+------+--------+----------+-------+-------+------+
 *
 *   0       4        8
 *   +-------+--------+-------+
 *   | count | length | bytes | ...                           types
 *   +-------+--------+-------+
 *
 *   0           2      3        7           31
 *   +-----------+------+--------+-----------+-------+
 *   | partition | kind | length | operation | bytes |     row
 *   +-----------+------+--------+-----------+-------+
 * </pre>
 *
 * <p>Little-endian. An entry of rows has at least one, and an entry that begins a term has none. An
 * entry without types has no bytes for them, nor has a row without an operation for that.
 *
 * @param term in which the rows were made
 * @param origin identifies the process that made the entry
 * @param sequence number of the entry in its process
 * @param types that rows of this and later entries have, and that the log did not have before
 * @param rows in their order
 */
record ShardEntry(
        long term, long origin, long sequence, List<DocumentType> types, List<EntryRow> rows) {
    /** Positions of rows have room for so many in an entry. */
    static final int ROWS_MAX = 1 << 16;

    /** The bytes of an entry beyond those of its rows. */
    static final int HEADER = 29;

    /** The bytes of a row beyond its own, at most. */
    static final int ROW_HEADER = 31;

    private static final int OPERATION = 3 * Long.BYTES;

    private static final byte BEGIN = 1;
    private static final byte ROWS = 2;
    private static final byte TYPED = 3;

    // Kinds of rows.
    private static final byte PLAIN = 0;
    private static final byte FIRST = 1;
    private static final byte RETRY = 2;

    ShardEntry {
        types = List.copyOf(types);
        rows = List.copyOf(rows);
        if (rows.size() > ROWS_MAX || (rows.isEmpty() && !types.isEmpty())) {
            throw new IllegalArgumentException(
                    "%d rows and %d types".formatted(rows.size(), types.size()));
        }
    }

    /**
     * A row of a partition.
     *
     * @param bytes of the row, the only element
     * @param operation that wrote it, if it has an id
     */
    record EntryRow(int partition, List<byte[]> bytes, Optional<OperationId> operation) {
        static EntryRow of(int partition, byte[] row, Optional<OperationId> operation) {
            return new EntryRow(partition, List.of(row), operation);
        }

        byte[] row() {
            return bytes.getFirst();
        }
    }

    /** Returns the entry that begins a term. */
    static ShardEntry begin(long term, long origin, long sequence) {
        return new ShardEntry(term, origin, sequence, List.of(), List.of());
    }

    /** Returns whether this begins a term. */
    boolean isBegin() {
        return rows.isEmpty();
    }

    byte[] encode() {
        List<byte[]> encoded = types.stream().map(DocumentTypeEncoding::encode).toList();
        int length = HEADER;
        if (!types.isEmpty()) {
            length += Integer.BYTES;
            length += encoded.stream().mapToInt(each -> Integer.BYTES + each.length).sum();
        }
        for (EntryRow each : rows) {
            length += ROW_HEADER + each.row().length;
            length -= each.operation.isPresent() ? 0 : OPERATION;
        }
        ByteBuffer bytes = ByteBuffer.allocate(length).order(ByteOrder.LITTLE_ENDIAN);
        bytes.put(kind()).putLong(term).putLong(origin).putLong(sequence).putInt(rows.size());
        if (!types.isEmpty()) {
            bytes.putInt(types.size());
            encoded.forEach(each -> bytes.putInt(each.length).put(each));
        }
        for (EntryRow each : rows) {
            bytes.putShort((short) each.partition).put(kind(each)).putInt(each.row().length);
            each.operation.ifPresent(operation ->
                    bytes.putLong(operation.session())
                            .putLong(operation.number())
                            .putLong(operation.lowest()));
            bytes.put(each.row());
        }
        return bytes.array();
    }

    private byte kind() {
        if (isBegin()) {
            return BEGIN;
        }
        return types.isEmpty() ? ROWS : TYPED;
    }

    /**
     * Reads an entry.
     *
     * @throws IllegalArgumentException if the bytes are none; the message names the place
     */
    static ShardEntry decode(byte[] encoded) {
        ByteBuffer bytes = ByteBuffer.wrap(encoded).order(ByteOrder.LITTLE_ENDIAN);
        try {
            byte kind = bytes.get();
            if (kind < BEGIN || kind > TYPED) {
                throw new IllegalArgumentException(
                        "at byte 0: kind %d, expected %d to %d".formatted(kind, BEGIN, TYPED));
            }
            long term = bytes.getLong();
            long origin = bytes.getLong();
            long sequence = bytes.getLong();
            int count = bytes.getInt();
            if (count < 0 || count > ROWS_MAX || (count == 0) != (kind == BEGIN)) {
                throw new IllegalArgumentException(
                        "at byte %d: %d rows in an entry of kind %d"
                                .formatted(bytes.position() - Integer.BYTES, count, kind));
            }
            List<DocumentType> types = kind == TYPED ? types(bytes) : List.of();
            List<EntryRow> rows = new ArrayList<>();
            for (int i = 0; i < count; i++) {
                rows.add(row(bytes));
            }
            if (bytes.hasRemaining()) {
                throw new IllegalArgumentException(
                        "at byte %d: %d bytes after the last row"
                                .formatted(bytes.position(), bytes.remaining()));
            }
            return new ShardEntry(term, origin, sequence, types, rows);
        } catch (BufferUnderflowException e) {
            throw new IllegalArgumentException(
                    "at byte %d: the entry ends early".formatted(bytes.position()), e);
        }
    }

    private static List<DocumentType> types(ByteBuffer bytes) {
        int count = bytes.getInt();
        if (count < 1 || count > bytes.remaining()) {
            throw new IllegalArgumentException(
                    "at byte %d: %d types".formatted(bytes.position() - Integer.BYTES, count));
        }
        List<DocumentType> types = new ArrayList<>();
        for (int i = 0; i < count; i++) {
            int length = bytes.getInt();
            if (length < 0 || length > bytes.remaining()) {
                throw new IllegalArgumentException(
                        "at byte %d: a type of %d bytes, and %d are left"
                                .formatted(
                                        bytes.position() - Integer.BYTES,
                                        length,
                                        bytes.remaining()));
            }
            var encoded = new byte[length];
            int start = bytes.position();
            bytes.get(encoded);
            try {
                types.add(DocumentTypeEncoding.decode(encoded));
            } catch (IllegalArgumentException e) {
                throw new IllegalArgumentException(
                        "at byte %d: no document type: %s".formatted(start, e.getMessage()), e);
            }
        }
        return types;
    }

    private static byte kind(EntryRow row) {
        return row.operation.map(each -> each.isRetry() ? RETRY : FIRST).orElse(PLAIN);
    }

    private static EntryRow row(ByteBuffer bytes) {
        int partition = Short.toUnsignedInt(bytes.getShort());
        byte kind = bytes.get();
        if (kind < PLAIN || kind > RETRY) {
            throw new IllegalArgumentException(
                    "at byte %d: a row of kind %d, expected %d to %d"
                            .formatted(bytes.position() - 1, kind, PLAIN, RETRY));
        }
        int length = bytes.getInt();
        if (length < 0 || length > bytes.remaining()) {
            throw new IllegalArgumentException(
                    "at byte %d: a row of %d bytes, and %d are left"
                            .formatted(
                                    bytes.position() - Integer.BYTES, length, bytes.remaining()));
        }
        Optional<OperationId> operation =
                kind == PLAIN
                        ? Optional.empty()
                        : Optional.of(
                                new OperationId(
                                        bytes.getLong(),
                                        bytes.getLong(),
                                        bytes.getLong(),
                                        kind == RETRY));
        if (length > bytes.remaining()) {
            throw new BufferUnderflowException();
        }
        var row = new byte[length];
        bytes.get(row);
        return EntryRow.of(partition, row, operation);
    }
}
