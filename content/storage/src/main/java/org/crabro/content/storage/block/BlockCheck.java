package org.crabro.content.storage.block;

import static org.crabro.content.storage.layout.BlockLayout.INT;
import static org.crabro.content.storage.layout.BlockLayout.LONG;
import static org.crabro.content.storage.layout.BlockLayout.SHORT;

import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.util.EnumSet;
import java.util.Set;
import org.crabro.content.storage.block.column.InverseLengths;
import org.crabro.content.storage.block.column.TimestampColumn;
import org.crabro.content.storage.file.CorruptRunException;
import org.crabro.content.storage.layout.BlockLayout;
import org.crabro.content.storage.layout.ChunkEncoding;
import org.crabro.content.storage.layout.KeyLayout;
import org.crabro.content.storage.layout.TokenLayout;
import org.crabro.document.DocumentType;
import org.crabro.document.FieldType;

/**
 * Checks the header and the directory of a block, so that readers of columns find every chunk
 * inside the block and with the type of its field.
 *
 * @param rows the number of rows in the index
 */
record BlockCheck(
        MemorySegment bytes, DocumentType type, long fingerprint, int rows, BlockOrigin origin) {
    private static final Set<ChunkEncoding> ALWAYS_THERE =
            EnumSet.of(ChunkEncoding.GROUPS, ChunkEncoding.KEYS, ChunkEncoding.TIMESTAMPS);

    /**
     * @throws CorruptRunException at the first error
     */
    void check() {
        if (bytes.byteSize() < BlockLayout.DIRECTORY_OFFSET) {
            throw origin.corrupt(0, "a block", bytes.byteSize() + " bytes");
        }
        checkHex(BlockLayout.MAGIC_OFFSET, "magic", BlockLayout.MAGIC);
        int version = bytes.get(INT, BlockLayout.VERSION_OFFSET);
        if (version != BlockLayout.VERSION) {
            throw origin.corrupt(
                    BlockLayout.VERSION_OFFSET,
                    "block format version " + BlockLayout.VERSION,
                    "version " + version);
        }
        int chunks = bytes.get(INT, BlockLayout.CHUNK_COUNT_OFFSET);
        if (chunks < 3
                || chunks > BlockMarks.chunksMax(type)
                || headerSize(chunks) > bytes.byteSize()) {
            throw origin.corrupt(
                    BlockLayout.CHUNK_COUNT_OFFSET,
                    "3 to %d chunks".formatted(BlockMarks.chunksMax(type)),
                    chunks + " chunks");
        }
        checkHex(
                BlockLayout.CRC_OFFSET,
                "header crc",
                BlockLayout.headerCrc(bytes, headerSize(chunks)));
        if (bytes.get(INT, BlockLayout.LENGTH_OFFSET) != bytes.byteSize()) {
            throw origin.corrupt(
                    BlockLayout.LENGTH_OFFSET,
                    "a block of %d bytes".formatted(bytes.byteSize()),
                    "a length of " + bytes.get(INT, BlockLayout.LENGTH_OFFSET));
        }
        if (bytes.get(INT, BlockLayout.ROWS_OFFSET) != rows || rows < 1) {
            throw origin.corrupt(
                    BlockLayout.ROWS_OFFSET,
                    rows + " rows",
                    bytes.get(INT, BlockLayout.ROWS_OFFSET) + " rows");
        }
        if (bytes.get(LONG, BlockLayout.FINGERPRINT_OFFSET) != fingerprint) {
            throw origin.corrupt(
                    BlockLayout.FINGERPRINT_OFFSET,
                    "rows of type %016x".formatted(fingerprint),
                    "%016x".formatted(bytes.get(LONG, BlockLayout.FINGERPRINT_OFFSET)));
        }
        Set<ChunkEncoding> seen = EnumSet.noneOf(ChunkEncoding.class);
        for (int i = 0; i < chunks; i++) {
            seen.add(checkEntry(BlockLayout.entry(i), headerSize(chunks)));
        }
        if (!seen.containsAll(ALWAYS_THERE)) {
            throw origin.corrupt(
                    BlockLayout.DIRECTORY_OFFSET, ALWAYS_THERE.toString(), seen.toString());
        }
    }

    private int headerSize(int chunks) {
        return BlockLayout.headerSize(chunks, BlockLayout.pages(origin.offset(), bytes.byteSize()));
    }

    private ChunkEncoding checkEntry(int entry, int headerSize) {
        int code = bytes.get(ValueLayout.JAVA_BYTE, entry + BlockLayout.ENCODING_OFFSET);
        if (!ChunkEncoding.isCode(code)) {
            throw origin.corrupt(entry, "a known encoding", "code " + code);
        }
        ChunkEncoding encoding = ChunkEncoding.ofCode(code);
        int field = Short.toUnsignedInt(bytes.get(SHORT, entry + BlockLayout.FIELD_OFFSET));
        checkField(entry, encoding, field);
        long offset = bytes.get(INT, entry + BlockLayout.CHUNK_OFFSET);
        long length = bytes.get(INT, entry + BlockLayout.CHUNK_LENGTH);
        if (offset < headerSize
                || length < 0
                || offset + length > bytes.byteSize()
                || length < leastLength(entry, encoding, field)
                || (encoding == ChunkEncoding.TIMESTAMPS && !isTimestamps(length))) {
            throw origin.corrupt(
                    entry + BlockLayout.CHUNK_OFFSET,
                    "a chunk of %s inside the block".formatted(encoding),
                    "%d bytes at %d".formatted(length, offset));
        }
        return encoding;
    }

    private void checkField(int entry, ChunkEncoding encoding, int field) {
        switch (encoding) {
            case GROUPS, KEYS, TIMESTAMPS, TOMBSTONES -> {
                if (field != BlockLayout.NO_FIELD) {
                    throw origin.corrupt(entry, encoding + " of no field", "field " + field);
                }
            }
            case TOKEN_DICTIONARY, TOKEN_NUMBERS -> {
                if (field >= type.fields().size() || !BlockWriter.isText(typeOf(field))) {
                    throw origin.corrupt(
                            entry,
                            "a text of type %s with %s".formatted(type.name(), encoding),
                            "field " + field);
                }
            }
            case INVERSE_LENGTHS -> {
                if (field >= type.fields().size()
                        || !(typeOf(field) instanceof FieldType.TensorOf(var tensor))
                        || !InverseLengths.areKeptFor(tensor)) {
                    throw origin.corrupt(
                            entry,
                            "vectors of type %s with %s".formatted(type.name(), encoding),
                            "field " + field);
                }
            }
            case INT,
                    LONG,
                    FLOAT,
                    DOUBLE,
                    BOOL,
                    TEXT,
                    ARRAY,
                    TENSOR,
                    CODED_TEXT,
                    FRAMED_TEXT,
                    WEIGHTED_SET,
                    MAP,
                    STRUCT,
                    MIXED_TENSOR -> {
                if (field >= type.fields().size() || !encoding.isFor(typeOf(field))) {
                    throw origin.corrupt(
                            entry,
                            "a field of type %s that is stored as %s"
                                    .formatted(type.name(), encoding),
                            "field " + field);
                }
            }
        }
    }

    private long leastLength(int entry, ChunkEncoding encoding, int field) {
        long bitmap = BlockLayout.hasBitmap(bytes, entry) ? BlockLayout.bitmapSize(rows) : 0;
        return bitmap
                + switch (encoding) {
                    case GROUPS -> KeyLayout.PLACES;
                    case KEYS -> KeyLayout.CODES + (8L + Short.BYTES) * rows;
                    case TIMESTAMPS -> 0;
                    case TOMBSTONES -> BlockLayout.bitmapSize(rows);
                    case INT, LONG, FLOAT, DOUBLE, BOOL, TENSOR, INVERSE_LENGTHS ->
                            (long) rows * encoding.width(typeOf(field));
                    case TOKEN_DICTIONARY -> TokenLayout.RESTARTS_OFFSET;
                    case TOKEN_NUMBERS -> TokenLayout.STARTS_OFFSET + 4L * (rows + 1);
                    case TEXT -> 4L * (rows + 1);
                    case CODED_TEXT -> BlockLayout.codesOffset(1) + rows;
                    case FRAMED_TEXT -> 4L * (rows + 1) + BlockLayout.framesOffset(1);
                    case ARRAY, WEIGHTED_SET, MAP, MIXED_TENSOR ->
                            BlockLayout.childOffset(4L * (rows + 1));
                    case STRUCT -> 0;
                };
    }

    private boolean isTimestamps(long length) {
        return length % rows == 0 && TimestampColumn.isWidth(length / rows);
    }

    private FieldType typeOf(int field) {
        return type.fields().get(field).type();
    }

    private void checkHex(int offset, String name, int expected) {
        int actual = bytes.get(INT, offset);
        if (actual != expected) {
            throw origin.corrupt(
                    offset, "%s %08x".formatted(name, expected), "%08x".formatted(actual));
        }
    }
}
