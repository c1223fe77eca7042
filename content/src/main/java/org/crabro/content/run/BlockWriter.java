package org.crabro.content.run;

import static java.util.stream.Collectors.toUnmodifiableSet;

import java.lang.foreign.MemorySegment;
import java.lang.foreign.SegmentAllocator;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.BitSet;
import java.util.List;
import java.util.Set;
import org.crabro.document.DocumentType;
import org.crabro.document.Field;
import org.crabro.document.FieldValue;
import org.crabro.protocol.encoding.Row;

/**
 * Turns rows of one document type, given in key order, into the bytes of a block: of a file or of
 * memory. It is used again for the next block.
 *
 * {@snippet :
 * for (Row row : rowsInKeyOrder) {
 *     SortKey key = SortKey.of(row.id());
 *     if (writer.isClosedBefore(key, row)) {
 *         file.write(writer.finish(), offset);
 *     }
 *     writer.add(key, row);
 * }
 * file.write(writer.finish(), offset);
 * }
 */
public final class BlockWriter {
    /** A block has no more rows than these. */
    public static final int ROWS_MAX = 1_024;

    /** A block of more than one row has about as many bytes at most. */
    public static final int BYTES_MAX = 1 << 20;

    /** A block that has as many bytes is closed where a group ends. */
    public static final int GROUP_BYTES = 64 << 10;

    private static final int ROW_OVERHEAD = 36;

    private final DocumentType type;
    private final long fingerprint;
    private final Set<String> fieldNames;
    private final List<SortKey> keys = new ArrayList<>();
    private final List<Row> rows = new ArrayList<>();
    private final BlockBytes out = new BlockBytes(GROUP_BYTES);
    private long bytes;

    /**
     * @param type what the rows were written with
     * @throws IllegalArgumentException if a field is of a type that blocks cannot hold
     */
    public BlockWriter(DocumentType type) {
        type.fields().forEach(field -> ChunkEncoding.of(field.type()));
        if (type.fields().size() >= BlockLayout.NO_FIELD) {
            throw new IllegalArgumentException(
                    "%s has %d fields".formatted(type.name(), type.fields().size()));
        }
        this.type = type;
        this.fingerprint = type.fingerprint();
        this.fieldNames = type.fields().stream().map(Field::name).collect(toUnmodifiableSet());
    }

    /**
     * Writes one block into memory.
     *
     * @param rows in key order, no id twice, at least one
     * @param memory gives native memory, as long-lived as the block is to be
     */
    public static EncodedBlock write(List<Row> rows, DocumentType type, SegmentAllocator memory) {
        var writer = new BlockWriter(type);
        for (Row row : rows) {
            writer.add(SortKey.of(row.id()), row);
        }
        return writer.finish(memory);
    }

    public boolean isEmpty() {
        return rows.isEmpty();
    }

    int rowCount() {
        return rows.size();
    }

    /** Returns whether the block is to be finished before {@code row}, whose key is {@code key}. */
    public boolean isClosedBefore(SortKey key, Row row) {
        if (rows.isEmpty()) {
            return false;
        }
        return rows.size() == ROWS_MAX
                || bytes + size(key, row) > BYTES_MAX
                || (bytes >= GROUP_BYTES && !keys.getLast().isOfSameGroup(key));
    }

    /**
     * Adds a row behind all that are there.
     *
     * @param key of the row's id
     * @throws IllegalArgumentException if the row is of another type, or its key is not behind the
     *     last
     */
    public void add(SortKey key, Row row) {
        if (row.fingerprint() != fingerprint) {
            throw new IllegalArgumentException(
                    "%s was written with type %016x, the block's is %016x"
                            .formatted(row.id(), row.fingerprint(), fingerprint));
        }
        if (!row.id().documentType().equals(type.name())) {
            throw new IllegalArgumentException(
                    "%s in a block of type %s".formatted(row.id(), type.name()));
        }
        if (!keys.isEmpty() && keys.getLast().compareTo(key) >= 0) {
            throw new IllegalArgumentException(
                    "%s is not behind %s".formatted(key, keys.getLast()));
        }
        for (String field : row.fields().keySet()) {
            if (!fieldNames.contains(field)) {
                throw new IllegalArgumentException(
                        "%s has a field '%s' that type %s has not"
                                .formatted(row.id(), field, type.name()));
            }
        }
        keys.add(key);
        rows.add(row);
        bytes += size(key, row);
    }

    /** Returns the block in memory of {@code memory}, and begins the next. */
    public EncodedBlock finish(SegmentAllocator memory) {
        ByteBuffer written = finish();
        MemorySegment block = memory.allocate(written.remaining(), BlockLayout.ALIGNMENT);
        block.copyFrom(MemorySegment.ofBuffer(written));
        return EncodedBlock.ofMemory(block, type);
    }

    /**
     * Returns the bytes of the block, and begins the next.
     *
     * @return valid until the next block is finished
     */
    ByteBuffer finish() {
        if (rows.isEmpty()) {
            throw new IllegalStateException("a block of no rows");
        }
        List<Chunk> chunks = chunks();
        out.clear();
        out.putZeros(BlockLayout.entry(chunks.size()));
        for (int i = 0; i < chunks.size(); i++) {
            write(chunks.get(i), BlockLayout.entry(i));
        }
        out.align(BlockLayout.ALIGNMENT);
        writeHeader(chunks.size());
        keys.clear();
        rows.clear();
        bytes = 0;
        return out.written();
    }

    private void writeHeader(int chunkCount) {
        out.setInt(BlockLayout.MAGIC_OFFSET, BlockLayout.MAGIC);
        out.setInt(BlockLayout.VERSION_OFFSET, BlockLayout.VERSION);
        out.setInt(BlockLayout.LENGTH_OFFSET, out.position());
        out.setInt(BlockLayout.ROWS_OFFSET, rows.size());
        out.setLong(BlockLayout.FINGERPRINT_OFFSET, fingerprint);
        out.setInt(BlockLayout.CHUNK_COUNT_OFFSET, chunkCount);
        out.setInt(BlockLayout.CRC_OFFSET, headerCrc(chunkCount));
    }

    private int headerCrc(int chunkCount) {
        return BlockLayout.headerCrc(MemorySegment.ofBuffer(out.written()), chunkCount);
    }

    private List<Chunk> chunks() {
        var chunks = new ArrayList<Chunk>();
        ChunkPresence every = ChunkPresence.every(rows.size());
        chunks.add(new KeyChunks.Keys(keys, every));
        chunks.add(new KeyChunks.Timestamps(rows, every));
        var tombstones = new BitSet(rows.size());
        for (int row = 0; row < rows.size(); row++) {
            tombstones.set(row, rows.get(row).tombstone());
        }
        if (!tombstones.isEmpty()) {
            chunks.add(new KeyChunks.Tombstones(tombstones, every));
        }
        for (int field = 0; field < type.fields().size(); field++) {
            FieldChunks.of(type, field, rows).ifPresent(chunks::add);
        }
        return chunks;
    }

    private void write(Chunk chunk, int entry) {
        int length = Math.addExact(chunk.size(), chunk.presence().size());
        out.align(BlockLayout.alignment(length));
        int start = out.position();
        chunk.writeTo(out);
        chunk.presence().writeTo(out);
        assert out.position() == start + length : chunk.encoding();
        out.setByte(entry + BlockLayout.ENCODING_OFFSET, chunk.encoding().code());
        out.setByte(entry + BlockLayout.BITMAP_OFFSET, chunk.presence().isEvery() ? 0 : 1);
        out.setShort(entry + BlockLayout.FIELD_OFFSET, chunk.field());
        out.setInt(entry + BlockLayout.CHUNK_OFFSET, start);
        out.setInt(entry + BlockLayout.CHUNK_LENGTH, length);
        out.setInt(entry + BlockLayout.CHUNK_CRC, out.crc(start, out.position()));
    }

    /** About the bytes of a row; a text's characters count one byte each. */
    private long size(SortKey key, Row row) {
        long size = (long) ROW_OVERHEAD + key.text().length;
        for (FieldValue value : row.fields().values()) {
            size += size(value);
        }
        return size;
    }

    private static long size(FieldValue value) {
        return switch (value) {
            case FieldValue.BoolValue _ -> 1;
            case FieldValue.IntValue _, FieldValue.FloatValue _ -> 4;
            case FieldValue.LongValue _, FieldValue.DoubleValue _ -> 8;
            case FieldValue.StringValue(String text) -> 4L + text.length();
            case FieldValue.ArrayValue(var elements) -> {
                long size = 4;
                for (FieldValue element : elements) {
                    size += size(element);
                }
                yield size;
            }
            case FieldValue.TensorValue(var tensor) ->
                    (long) tensor.size() * tensor.type().cellType().size();
        };
    }
}
