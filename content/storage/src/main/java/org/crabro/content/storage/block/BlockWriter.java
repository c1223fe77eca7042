package org.crabro.content.storage.block;

import java.lang.foreign.MemorySegment;
import java.lang.foreign.SegmentAllocator;
import java.nio.ByteBuffer;
import java.util.List;
import java.util.Optional;
import java.util.function.Function;
import java.util.stream.IntStream;
import org.crabro.content.storage.block.column.ArrayValuesWriter;
import org.crabro.content.storage.block.column.FixedValuesWriter;
import org.crabro.content.storage.block.column.InverseLengths;
import org.crabro.content.storage.block.column.MixedTensorsWriter;
import org.crabro.content.storage.block.column.PairValuesWriter;
import org.crabro.content.storage.block.column.StructValuesWriter;
import org.crabro.content.storage.block.column.TextStorage;
import org.crabro.content.storage.block.column.TextValuesWriter;
import org.crabro.content.storage.block.column.TimestampColumnWriter;
import org.crabro.content.storage.block.column.ValuesWriter;
import org.crabro.content.storage.block.key.KeyColumnWriter;
import org.crabro.content.storage.block.key.RowKey;
import org.crabro.content.storage.block.key.RowKeyBuffer;
import org.crabro.content.storage.layout.BlockBytes;
import org.crabro.content.storage.layout.BlockLayout;
import org.crabro.content.storage.layout.ChunkEncoding;
import org.crabro.content.storage.layout.RowBits;
import org.crabro.document.DocumentType;
import org.crabro.document.Field;
import org.crabro.document.FieldType;
import org.crabro.protocol.encoding.Row;
import org.crabro.protocol.encoding.RowEncoding;
import org.crabro.protocol.encoding.RowFields;
import org.crabro.tensor.TensorType;

/**
 * Writes encoded rows of one document type, which are added in key order, as a block for a file or
 * for memory. A writer is reused for the next block; its memory grows to the largest block.
 *
 * {@snippet :
 * for (MemorySegment row : rowsInKeyOrder) {
 *     RowKey key = RowKey.of(RowEncoding.id(row));
 *     if (writer.isClosedBefore(key, row)) {
 *         file.write(writer.finish(offset), offset);
 *     }
 *     writer.add(key, row);
 * }
 * file.write(writer.finish(offset), offset);
 * }
 */
public final class BlockWriter {
    /** The most bytes of encoded rows in a block of more than one row. */
    public static final int BYTES_MAX = 1 << 20;

    /** A block with this many bytes of encoded rows is closed at the end of a group. */
    public static final int GROUP_BYTES = 64 << 10;

    private final DocumentType type;
    private final long fingerprint;
    private final RowFields fields;
    private final ColumnWriter[] columns;
    private final KeyColumnWriter keys = new KeyColumnWriter();
    private final TimestampColumnWriter timestamps = new TimestampColumnWriter();
    private final RowBits tombstones = new RowBits();
    private final RowKeyBuffer last = new RowKeyBuffer();
    private final RowKeyBuffer next = new RowKeyBuffer();
    private final BlockBytes out = new BlockBytes(GROUP_BYTES);
    private final BlockChunks chunks = new BlockChunks(out);
    private long bytes;

    /**
     * Makes a writer of blocks in memory, which store all values uncompressed.
     *
     * @param type the type that the rows were written with
     * @throws IllegalArgumentException if there are more fields than blocks can hold
     */
    public BlockWriter(DocumentType type) {
        this(type, _ -> TextStorage.RAW, SearchedTexts.NONE);
    }

    /**
     * Makes a writer of blocks for files, which store values compactly.
     *
     * @param texts how text is searched
     */
    public BlockWriter(DocumentType type, SearchedTexts texts) {
        this(
                type,
                field ->
                        texts.analysis(field.name()).isPresent()
                                ? TextStorage.COMPRESSED
                                : TextStorage.CODED,
                texts);
    }

    private BlockWriter(
            DocumentType type, Function<Field, TextStorage> storage, SearchedTexts texts) {
        List<Field> declared = type.fields();
        if (declared.size() >= BlockLayout.NO_FIELD) {
            throw new IllegalArgumentException(
                    "%s has %d fields".formatted(type.name(), declared.size()));
        }
        this.type = type;
        this.fingerprint = type.fingerprint();
        this.columns = new ColumnWriter[declared.size()];
        for (int i = 0; i < columns.length; i++) {
            Field field = declared.get(i);
            columns[i] =
                    new ColumnWriter(
                            i,
                            values(field.type(), storage.apply(field)),
                            derived(field, i, texts));
        }
        this.fields = new RowFields(type);
    }

    private static Optional<DerivedWriter> derived(Field field, int index, SearchedTexts texts) {
        if (field.type() instanceof FieldType.TensorOf(var tensor)
                && InverseLengths.areKeptFor(tensor)) {
            return Optional.of(new LengthsWriter(index, tensor));
        }
        // In an older version of the type, the field may have had another type.
        return texts.analysis(field.name())
                .filter(_ -> isText(field.type()))
                .map(analysis -> new TokensWriter(index, field.type(), analysis));
    }

    /** Returns whether values are strings, or arrays or weighted sets of them. */
    static boolean isText(FieldType type) {
        return type.isText()
                || (type instanceof FieldType.WeightedSetOf(var key)
                        && key instanceof FieldType.Primitive
                        && key.isText());
    }

    /** Returns a writer of values of {@code type}. */
    static ValuesWriter values(FieldType type, TextStorage texts) {
        return switch (type) {
            case FieldType.Primitive primitive ->
                    primitive.stored() == FieldType.Primitive.STRING
                            ? new TextValuesWriter(texts)
                            : fixed(primitive);
            case FieldType.ReferenceOf _ -> new TextValuesWriter(texts);
            case FieldType.TensorOf(var tensor) ->
                    tensor.isDense() ? fixed(type) : mixed(tensor, texts);
            case FieldType.ArrayOf(var element) -> new ArrayValuesWriter(values(element, texts));
            case FieldType.WeightedSetOf(var element) ->
                    new PairValuesWriter(
                            ChunkEncoding.WEIGHTED_SET,
                            values(element, texts),
                            fixed(FieldType.Primitive.INT));
            case FieldType.MapOf(var key, var value) ->
                    new PairValuesWriter(
                            ChunkEncoding.MAP, values(key, texts), values(value, texts));
            case FieldType.StructOf(_, var fields) ->
                    new StructValuesWriter(
                            fields.stream().map(field -> values(field.type(), texts)).toList());
        };
    }

    private static ValuesWriter mixed(TensorType tensor, TextStorage labels) {
        return new MixedTensorsWriter(
                IntStream.range(0, tensor.mappedCount())
                        .<ValuesWriter>mapToObj(_ -> new TextValuesWriter(labels))
                        .toList(),
                new FixedValuesWriter(ChunkEncoding.TENSOR, ChunkEncoding.subspaceWidth(tensor)));
    }

    private static ValuesWriter fixed(FieldType type) {
        ChunkEncoding encoding = ChunkEncoding.of(type);
        return new FixedValuesWriter(encoding, encoding.width(type));
    }

    /**
     * Writes one block into memory.
     *
     * @param rows in key order, with distinct ids, at least one
     * @param memory allocates native memory that lives as long as the block
     */
    public static EncodedBlock write(List<Row> rows, DocumentType type, SegmentAllocator memory) {
        return new BlockWriter(type).write(rows, memory);
    }

    /**
     * Writes one block into memory.
     *
     * @param rows in key order, with distinct ids, at least one
     * @param memory allocates native memory that lives as long as the block
     */
    public EncodedBlock write(List<Row> rows, SegmentAllocator memory) {
        for (Row row : rows) {
            add(RowKey.of(row.id()), MemorySegment.ofArray(RowEncoding.encode(row, type)));
        }
        return finish(memory);
    }

    public boolean isEmpty() {
        return keys.count() == 0;
    }

    public int rowCount() {
        return keys.count();
    }

    /** Returns whether the block must be finished before {@code row}, whose key is {@code key}. */
    public boolean isClosedBefore(RowKey key, MemorySegment row) {
        next.set(key);
        return isClosedBefore(next, row.byteSize());
    }

    /** Returns whether the block must be finished before a row of {@code rowBytes} bytes. */
    public boolean isClosedBefore(RowKeyBuffer key, long rowBytes) {
        if (isEmpty()) {
            return false;
        }
        return rowCount() == BlockLayout.ROWS_MAX
                || bytes + rowBytes > BYTES_MAX
                || (bytes >= GROUP_BYTES && !last.isOfSameGroup(key));
    }

    /** Returns whether there are rows, and the last one is in the group of {@code key}. */
    public boolean endsInGroupOf(RowKeyBuffer key) {
        return !isEmpty() && last.isOfSameGroup(key);
    }

    /**
     * Appends a row.
     *
     * @param key of the row's id
     * @param row in the format of {@link RowEncoding}; not kept
     * @throws IllegalArgumentException if the row is of another type, or its key is not after the
     *     last. The writer is unusable then
     */
    public void add(RowKey key, MemorySegment row) {
        if (!key.id().documentType().equals(type.name())) {
            throw new IllegalArgumentException(
                    "%s in a block of type %s".formatted(key.id(), type.name()));
        }
        next.set(key);
        add(next, row);
    }

    /** Appends a row whose key was computed before. */
    public void add(RowKeyBuffer key, MemorySegment row) {
        int number = begin(key);
        fields.open(row);
        while (fields.next()) {
            columns[fields.index()].add(number, row, fields.offset());
        }
        end(key, row);
    }

    /**
     * Appends a row of another block.
     *
     * @param row the encoded row, without the values that {@code copy} left out
     * @param copy positioned at the row
     * @param source the same object for all rows of a block
     */
    public void copy(
            RowKeyBuffer key, MemorySegment row, RowCopy copy, EncodedBlock source, int sourceRow) {
        int number = begin(key);
        fields.open(row);
        while (fields.next()) {
            columns[fields.index()].copy(number, row, fields.offset(), source, sourceRow);
        }
        for (int field = 0; field < columns.length; field++) {
            MemorySegment values = copy.fixed(field, sourceRow);
            if (values != null) {
                columns[field].copy(
                        number, values, sourceRow * copy.width(field), source, sourceRow);
            }
        }
        end(key, row);
        bytes += copy.leftOut();
    }

    private int begin(RowKeyBuffer key) {
        if (!isEmpty() && !key.isBehind(last)) {
            throw new IllegalArgumentException("%s is not after %s".formatted(key, last));
        }
        return rowCount();
    }

    private void end(RowKeyBuffer key, MemorySegment row) {
        if (RowEncoding.isTombstone(row)) {
            tombstones.set(rowCount());
        }
        timestamps.add(RowEncoding.timestamp(row));
        keys.add(key);
        last.set(key);
        bytes += row.byteSize();
    }

    /** Returns the block in memory of {@code memory}, and begins the next. */
    public EncodedBlock finish(SegmentAllocator memory) {
        ByteBuffer written = finish(0);
        MemorySegment block = memory.allocate(written.remaining(), BlockLayout.ALIGNMENT);
        block.copyFrom(MemorySegment.ofBuffer(written));
        return EncodedBlock.ofMemory(block, type);
    }

    /**
     * Returns the bytes of the block, and begins the next.
     *
     * @param offset of the block in its file
     * @return valid until the next block is finished
     */
    public ByteBuffer finish(long offset) {
        if (isEmpty()) {
            throw new IllegalStateException("a block of no rows");
        }
        int rows = rowCount();
        chunks.plan(keys.groupsSize());
        chunks.plan(keys.rowsSize());
        chunks.plan(timestamps.size());
        if (tombstones.count() > 0) {
            chunks.plan(BlockLayout.bitmapSize(rows));
        }
        for (ColumnWriter column : columns) {
            column.prepare(rows, chunks);
        }
        chunks.begin(offset);
        writeKeys(rows);
        for (ColumnWriter column : columns) {
            column.writeTo(chunks);
        }
        int chunkCount = chunks.end();
        writeHeader(rows, chunkCount, BlockLayout.pages(offset, out.position()));
        bytes = 0;
        return out.written();
    }

    private void writeKeys(int rows) {
        keys.writeGroupsTo(chunks.beginChunk(keys.groupsSize()));
        chunks.endChunk(ChunkEncoding.GROUPS, BlockLayout.NO_FIELD, false);
        keys.writeRowsTo(chunks.beginChunk(keys.rowsSize()));
        chunks.endChunk(ChunkEncoding.KEYS, BlockLayout.NO_FIELD, false);
        timestamps.writeTo(chunks.beginChunk(timestamps.size()));
        chunks.endChunk(ChunkEncoding.TIMESTAMPS, BlockLayout.NO_FIELD, false, timestamps.bounds());
        if (tombstones.count() > 0) {
            tombstones.writeTo(chunks.beginChunk(BlockLayout.bitmapSize(rows)), rows);
            chunks.endChunk(ChunkEncoding.TOMBSTONES, BlockLayout.NO_FIELD, false);
        }
        keys.clear();
        timestamps.clear();
        tombstones.clear();
    }

    private void writeHeader(int rows, int chunkCount, int pages) {
        out.setInt(BlockLayout.MAGIC_OFFSET, BlockLayout.MAGIC);
        out.setInt(BlockLayout.VERSION_OFFSET, BlockLayout.VERSION);
        out.setInt(BlockLayout.LENGTH_OFFSET, out.position());
        out.setInt(BlockLayout.ROWS_OFFSET, rows);
        out.setLong(BlockLayout.FINGERPRINT_OFFSET, fingerprint);
        out.setInt(BlockLayout.CHUNK_COUNT_OFFSET, chunkCount);
        MemorySegment written = MemorySegment.ofBuffer(out.written());
        int headerSize = BlockLayout.headerSize(chunkCount, pages);
        out.setInt(BlockLayout.CRC_OFFSET, BlockLayout.headerCrc(written, headerSize));
    }
}
