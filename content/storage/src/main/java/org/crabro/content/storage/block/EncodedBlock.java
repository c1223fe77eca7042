package org.crabro.content.storage.block;

import java.io.IOException;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.SegmentAllocator;
import java.util.ArrayList;
import java.util.BitSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.LongConsumer;
import org.crabro.content.storage.block.column.Column;
import org.crabro.content.storage.block.column.ColumnCost;
import org.crabro.content.storage.block.column.TimestampColumn;
import org.crabro.content.storage.block.key.GroupColumn;
import org.crabro.content.storage.block.key.KeyBounds;
import org.crabro.content.storage.block.key.KeyColumn;
import org.crabro.content.storage.block.key.KeyRange;
import org.crabro.content.storage.block.key.RowKey;
import org.crabro.content.storage.block.key.RowRange;
import org.crabro.content.storage.block.token.TokenColumn;
import org.crabro.content.storage.block.token.TokenDictionary;
import org.crabro.content.storage.block.token.TokenNumbers;
import org.crabro.content.storage.file.BlockProjection;
import org.crabro.content.storage.file.CorruptRunException;
import org.crabro.content.storage.file.Extents;
import org.crabro.content.storage.file.ReadContext;
import org.crabro.content.storage.layout.BlockDirectory;
import org.crabro.content.storage.layout.BlockLayout;
import org.crabro.content.storage.layout.ChunkEncoding;
import org.crabro.content.storage.layout.ChunkExtent;
import org.crabro.content.storage.layout.NumberBounds;
import org.crabro.document.DocumentId;
import org.crabro.document.DocumentType;
import org.crabro.document.Field;
import org.crabro.document.FieldValue;
import org.crabro.document.HeapCost;
import org.crabro.document.InvalidDocumentException;
import org.crabro.protocol.encoding.Row;
import org.crabro.text.TextAnalysis;
import org.jspecify.annotations.Nullable;

/**
 * Rows of one document type in key order, stored column by column: part of a run, or recent
 * documents in memory. It is a view of bytes, in a mapped file or in memory, for one reader, and
 * valid while the view that returned it is open. Columns are views of these bytes: nothing is
 * copied or decoded until a value leaves the block.
 *
 * <p>Bytes of a file are checked when they are first used: the header when the block is opened, and
 * the pages of a chunk when its column is requested. Safe for use by many threads.
 *
 * <p>It gives access to all chunks: keys, timestamps, columns, tokens. All use the same directory
 * and the same cached views.
 */
public final class EncodedBlock {
    private final SharedBlock common;
    private final MemorySegment bytes;
    private final DocumentType type;
    private final BlockOrigin origin;
    private final int rows;
    private final int chunkCount;
    private final BlockDirectory directory;
    private final BlockExtents extents;
    private final @Nullable LazyTokens late;

    /** The result of {@link #identity} for a block in memory. */
    private final Object identity;

    // Created at first use; threads that race create equal ones.
    private @Nullable GroupColumn groups;
    private @Nullable KeyColumn keys;
    private @Nullable TimestampColumn timestamps;
    private final @Nullable Column[] columns;
    private @Nullable TokenColumn @Nullable [] tokens;

    /**
     * @param common of a block whose rows are all read
     */
    private EncodedBlock(SharedBlock common, BlockOrigin origin) {
        this(common, origin, 0, common.directory().rows(), null, new Object());
    }

    private EncodedBlock(
            SharedBlock common,
            BlockOrigin origin,
            int from,
            int to,
            @Nullable LazyTokens late,
            Object identity) {
        this.common = common;
        this.identity = identity;
        this.bytes = common.bytes();
        this.type = common.type();
        this.origin = origin;
        this.directory = common.directory();
        this.rows = directory.rows();
        this.chunkCount = directory.count();
        this.columns = new Column[type.fields().size()];
        this.extents = new BlockExtents(bytes, directory, origin.offset(), from, to);
        this.late = late;
    }

    /** Returns the block that this process wrote into {@code bytes}. */
    public static EncodedBlock ofMemory(MemorySegment bytes, DocumentType type) {
        BlockOrigin origin = BlockOrigin.memory();
        return new EncodedBlock(new SharedBlock(bytes, type, origin, null), origin);
    }

    /**
     * Returns the shared part of a block of a file, after checking its header.
     *
     * @param bytes all of it; the header is in memory
     * @param fingerprint of {@code type}
     * @param rows the number of rows in the file's index
     * @param like a shared part of another block of the same file, if available
     * @throws CorruptRunException if {@code bytes} are not such a block
     */
    public static SharedBlock shared(
            MemorySegment bytes,
            DocumentType type,
            long fingerprint,
            int rows,
            BlockOrigin origin,
            @Nullable SharedBlock like) {
        origin.refuseDamagedHeader();
        if (!origin.isChecked(0)) {
            new BlockCheck(bytes, type, fingerprint, rows, origin).check();
            origin.setChecked(0);
        }
        return new SharedBlock(bytes, type, origin, like);
    }

    /**
     * Returns the block of a file for one reader.
     *
     * @param reads counts the bytes read from the device
     * @param isBrought whether all of it was just loaded for this reader
     * @throws CorruptRunException if the header is known to be damaged
     */
    public static EncodedBlock open(SharedBlock shared, ReadContext reads, boolean isBrought) {
        BlockOrigin origin = shared.origin().forReader(reads, isBrought);
        origin.refuseDamagedHeader();
        return new EncodedBlock(shared, origin);
    }

    /**
     * Returns this block for a reader of some of its rows. Other rows must not be read: only the
     * bytes of these rows are loaded from the device.
     */
    public EncodedBlock only(int from, int to) {
        boolean isSame = from == extents.from() && to == extents.to();
        return isSame
                ? this
                : new EncodedBlock(common, origin.forOthers(), from, to, late, identity);
    }

    /**
     * Returns this block, in memory, with the words of searched texts. They are computed at first
     * use.
     *
     * @param texts how text is searched
     * @param memory thread-safe, lives as long as this
     * @param account receives the number of allocated bytes
     */
    public EncodedBlock withTokens(
            SearchedTexts texts, SegmentAllocator memory, LongConsumer account) {
        var tokens = new LazyTokens(type.fields().size(), texts, memory, account);
        return new EncodedBlock(common, origin, 0, rows, tokens, new Object());
    }

    /** Returns the number of rows, including dead ones. */
    public int rowCount() {
        return rows;
    }

    /**
     * Returns an object that identifies this block among all blocks, also later ones; equal for all
     * of its readers. Empty for a reader of some of its rows.
     */
    public Optional<Object> identity() {
        return extents.isWhole() ? Optional.of(origin.place().orElse(identity)) : Optional.empty();
    }

    /**
     * Returns the type that the rows were written with; the current model may have other fields.
     */
    public DocumentType documentType() {
        return type;
    }

    /** Returns the column of {@code field}; empty if no row was written with the field. */
    public Optional<Column> column(String field) {
        int index = indexOf(field);
        return index < 0 ? Optional.empty() : Optional.ofNullable(column(index));
    }

    /**
     * Returns the minimum and maximum of the values of {@code field}; empty if the rows were not
     * written with such a field, or it does not hold a single number. Reads only the start of the
     * block, not the column.
     */
    public Optional<NumberBounds> bounds(String field) {
        int index = indexOf(field);
        return index < 0 ? Optional.empty() : common.bounds(index);
    }

    /**
     * Returns the extents of the chunks of a field from the directory, without touching a chunk;
     * empty if no row has the field.
     */
    public List<ChunkExtent> extents(String field) {
        int index = indexOf(field);
        return index < 0 ? List.of() : extentsOf(index);
    }

    /** Returns the extents of keys, timestamps and tombstone marks from the directory. */
    public List<ChunkExtent> keyExtents() {
        return extentsOf(BlockLayout.NO_FIELD);
    }

    private List<ChunkExtent> extentsOf(int field) {
        var extents = new ArrayList<ChunkExtent>();
        for (int i = 0; i < chunkCount; i++) {
            if (directory.field(i) == field) {
                extents.add(
                        new ChunkExtent(
                                directory.encoding(i).part(),
                                directory.offset(i),
                                directory.length(i)));
            }
        }
        return extents;
    }

    /** Returns the index of a field in the type, or -1. */
    private int indexOf(String field) {
        List<Field> fields = type.fields();
        for (int i = 0; i < fields.size(); i++) {
            if (fields.get(i).name().equals(field)) {
                return i;
            }
        }
        return -1;
    }

    /** Returns the column of the field at {@code index}, or null if no row has a value. */
    @Nullable Column column(int index) {
        Column column = columns[index];
        if (column == null) {
            int chunk = directory.chunkOfField(index);
            if (chunk >= 0) {
                chunk(chunk);
                column = common.column(index, chunk);
                columns[index] = column;
            }
        }
        return column;
    }

    /**
     * Returns the distinct words of a searched text; empty if no row has the field, or its tokens
     * are not stored. Reads neither the texts nor the words of rows.
     */
    public Optional<TokenDictionary> tokenDictionary(String field) {
        int index = indexOf(field);
        return index < 0 ? Optional.empty() : tokenDictionary(index);
    }

    private Optional<TokenDictionary> tokenDictionary(int index) {
        int chunk = directory.chunkOfField(index, ChunkEncoding.TOKEN_DICTIONARY);
        if (chunk < 0) {
            return lateTokens(index).map(TokenColumn::dictionary);
        }
        chunk(chunk);
        return Optional.of(common.dictionary(chunk));
    }

    /** Returns the words of each row of a text that has a {@link #tokenDictionary}. */
    public Optional<TokenNumbers> tokenNumbers(String field) {
        int index = indexOf(field);
        return index < 0 ? Optional.empty() : tokenNumbers(index);
    }

    private Optional<TokenNumbers> tokenNumbers(int index) {
        int chunk = directory.chunkOfField(index, ChunkEncoding.TOKEN_NUMBERS);
        if (chunk < 0) {
            return lateTokens(index).map(TokenColumn::numbers);
        }
        chunk(chunk);
        return Optional.of(common.numbers(chunk));
    }

    private Optional<TokenColumn> lateTokens(int index) {
        return late == null ? Optional.empty() : late.column(this, index);
    }

    /**
     * Returns the factors that scale vectors to length 1, a little-endian float per row: 0 for a
     * row without a value, and for a vector of zeros. Empty if no row has the field, or the type's
     * factors are not stored. Does not read the vectors.
     */
    public Optional<MemorySegment> inverseLengths(String field) {
        int index = indexOf(field);
        return index < 0 ? Optional.empty() : inverseLengths(index);
    }

    Optional<MemorySegment> inverseLengths(int index) {
        int chunk = directory.chunkOfField(index, ChunkEncoding.INVERSE_LENGTHS);
        return chunk < 0 ? Optional.empty() : Optional.of(chunk(chunk));
    }

    /**
     * Returns whether searches have to tokenise texts: their tokens are not stored, or were made by
     * an analysis that differs from {@code texts}.
     */
    public boolean lacksTokens(SearchedTexts texts) {
        for (int i = 0; i < type.fields().size(); i++) {
            Field field = type.fields().get(i);
            Optional<TextAnalysis> analysis = texts.analysis(field.name());
            if (analysis.isPresent()
                    && BlockWriter.isText(field.type())
                    && directory.chunkOfField(i) >= 0
                    && !hasTokens(i, TextAnalysis.fingerprint(analysis.get()))) {
                return true;
            }
        }
        return false;
    }

    private boolean hasTokens(int index, long wanted) {
        return tokenDictionary(index)
                .filter(dictionary -> dictionary.fingerprint() == wanted)
                .isPresent();
    }

    /**
     * Returns the tokens of the field at {@code index}, the same object each time; empty if no
     * tokens of analysis {@code wanted} are stored.
     */
    Optional<TokenColumn> tokens(int index, long wanted) {
        @Nullable TokenColumn[] all = tokens;
        if (all == null) {
            all = new TokenColumn[type.fields().size()];
            tokens = all;
        }
        TokenColumn column = all[index];
        if (column == null) {
            Optional<TokenDictionary> dictionary = tokenDictionary(index);
            Optional<TokenNumbers> numbers = tokenNumbers(index);
            if (dictionary.isEmpty() || numbers.isEmpty()) {
                return Optional.empty();
            }
            column = new TokenColumn(dictionary.get(), numbers.get());
            all[index] = column;
        }
        return column.dictionary().fingerprint() == wanted ? Optional.of(column) : Optional.empty();
    }

    /** Returns the id of a row. Decodes it: only for the few rows that are returned to the user. */
    public DocumentId id(int row) {
        KeyColumn column = keys();
        DocumentId last = common.lastId();
        try {
            if (last != null && column.isOneStart()) {
                return last.withUser(column.tail(row));
            }
            String text = column.id(row);
            DocumentId id = last == null ? DocumentId.parse(text) : DocumentId.parse(text, last);
            common.setLastId(id);
            return id;
        } catch (InvalidDocumentException e) {
            throw new IllegalStateException(
                    "row " + row + " was written with id " + column.id(row), e);
        }
    }

    /** Returns the length of the id of a row, in bytes of UTF-8. */
    public int idLength(int row) {
        return keys().idLength(row);
    }

    /** Copies the id of a row, in UTF-8, to the start of {@code into}. */
    public void copyId(int row, byte[] into) {
        keys().copyId(row, into);
    }

    /** Returns whether the id of a row names a group or a number. */
    public boolean isInGroup(int row) {
        return keys().isInGroup(row);
    }

    /** Returns the number of the row's head: the scheme, namespace and type of its id. */
    public int idHead(int row) {
        return keys().head(row);
    }

    /**
     * Returns the number of the row's group in the block; plain ids with the same place form one,
     * too.
     */
    public int groupOf(int row) {
        return keys().groups().groupOf(row);
    }

    /**
     * Returns the row after the last of the group of a row; plain ids with the same place form one,
     * too.
     */
    public int groupEnd(int row) {
        GroupColumn groups = keys().groups();
        return groups.firstRow(groups.groupOf(row) + 1);
    }

    /** Returns the timestamp of a row, microseconds since the epoch. */
    public long timestamp(int row) {
        TimestampColumn column = timestamps;
        if (column == null) {
            int chunk = directory.chunkOf(ChunkEncoding.TIMESTAMPS);
            MemorySegment all = chunk(chunk);
            long first = directory.min(chunk);
            column = new TimestampColumn(all, first, (int) (all.byteSize() / rows));
            timestamps = column;
        }
        return column.of(row);
    }

    /**
     * Compares the ids of two rows, of this block and another, by the UTF-8 bytes of their texts,
     * without allocating objects. This is the last key of every order.
     */
    public int compareIds(int row, EncodedBlock other, int otherRow) {
        return keys().compareIds(row, other.keys(), otherRow);
    }

    /**
     * Returns the minimum and maximum of the timestamps of the rows. Reads only the start of the
     * block, not the column.
     */
    public NumberBounds.Whole timestampBounds() {
        return directory.whole(directory.chunkOf(ChunkEncoding.TIMESTAMPS));
    }

    /** Returns whether a row is a tombstone. */
    public boolean isTombstone(int row) {
        int chunk = directory.chunkOf(ChunkEncoding.TOMBSTONES);
        return chunk >= 0 && BlockLayout.bit(chunk(chunk), 0, row);
    }

    /** Returns whether any row may be a tombstone. */
    public boolean hasTombstones() {
        return directory.chunkOf(ChunkEncoding.TOMBSTONES) >= 0;
    }

    /**
     * Returns a row as it was written. Decodes it: only for the few rows that are returned to the
     * user.
     */
    public Row row(int row) {
        return row(row, ValueBudget.UNLIMITED);
    }

    /**
     * Returns a row as it was written.
     *
     * @param room reserves memory before the values are decoded
     */
    public Row row(int row, ValueBudget room) {
        if (!extents.isWhole()) {
            var chunks = new BitSet();
            for (int i = 0; i < chunkCount; i++) {
                chunks.set(i, !directory.encoding(i).isDerived());
            }
            load(chunks);
        }
        room.take(cost(row));
        Map<String, FieldValue> fields = new LinkedHashMap<>();
        var values = new ColumnValues();
        for (int i = 0; i < columns.length; i++) {
            Column column = column(i);
            if (column != null) {
                String name = type.fields().get(i).name();
                values.value(column, row).ifPresent(value -> fields.put(name, value));
            }
        }
        return new Row(id(row), timestamp(row), fingerprint(), isTombstone(row), fields);
    }

    /** Returns the maximum heap size of the values of a row, in bytes. */
    private long cost(int row) {
        long sum = HeapCost.map(columns.length);
        for (int i = 0; i < columns.length; i++) {
            Column column = column(i);
            if (column != null && column.presence().has(row)) {
                sum += ColumnCost.of(column, row, row + 1);
            }
        }
        return sum;
    }

    /** Returns the fingerprint of the type. */
    public long fingerprint() {
        return directory.fingerprint();
    }

    /** Returns the row of the document with {@code key}, or -1 if there is none. */
    public int find(RowKey key) {
        KeyColumn column = keys();
        int row = column.firstNotBefore(0, key);
        return row < rows && column.compare(row, key) == 0 ? row : -1;
    }

    /** Returns the rows within {@code bounds}. Reads no key of a row. */
    public RowRange rowsIn(KeyBounds bounds) {
        return bounds.isEverything() ? new RowRange(0, rows) : groups().rowsIn(bounds);
    }

    /** Returns the first row in {@code range}, or its insertion point if there is none. */
    public int from(KeyRange range) {
        return rowsIn(KeyBounds.of(range)).from();
    }

    /** Returns the end of the rows in {@code range}, exclusive. */
    public int to(KeyRange range) {
        return rowsIn(KeyBounds.of(range)).to();
    }

    /** Returns the size of the block with all columns, in bytes. */
    public long byteSize() {
        return bytes.byteSize();
    }

    /** Returns the bytes of the block, without a copy. */
    MemorySegment bytes() {
        return bytes;
    }

    public GroupColumn groups() {
        GroupColumn column = groups;
        if (column == null) {
            int chunk = directory.chunkOf(ChunkEncoding.GROUPS);
            chunk(chunk);
            column = common.groups(chunk);
            groups = column;
        }
        return column;
    }

    public KeyColumn keys() {
        KeyColumn column = keys;
        if (column == null) {
            GroupColumn shared = groups();
            int chunk = directory.chunkOf(ChunkEncoding.KEYS);
            chunk(chunk);
            column = common.keys(chunk, shared);
            keys = column;
        }
        return column;
    }

    private void tellKeys(int chunk, String problem) {
        int offset = directory.offset(chunk);
        throw origin.corrupt(offset, "keys inside their chunk", problem);
    }

    /** Returns the checked bytes of a chunk. */
    private MemorySegment chunk(int chunk) {
        MemorySegment all = common.chunk(chunk);
        origin.require(extents, chunk);
        // If only some rows are read, the bytes differ between readers and are checked each time.
        boolean isAll = extents.needsAll(chunk);
        if (!isAll || !origin.isChecked(1 + chunk)) {
            checkInside(chunk, all, directory.offset(chunk), isAll);
            if (isAll) {
                origin.setChecked(1 + chunk);
            }
        }
        return all;
    }

    /**
     * Checks the inner offsets, which crcs do not cover, so that readers of keys or tokens stay
     * inside.
     */
    private void checkInside(int chunk, MemorySegment all, int offset, boolean isAll) {
        int from = isAll ? 0 : extents.from();
        int to = isAll ? rows : extents.to();
        switch (directory.encoding(chunk)) {
            case GROUPS ->
                    GroupColumn.problem(all, rows).ifPresent(problem -> tellKeys(chunk, problem));
            case KEYS ->
                    KeyColumn.problem(groups(), all, rows, from, to)
                            .ifPresent(problem -> tellKeys(chunk, problem));
            case TOKEN_DICTIONARY -> TokenDictionary.check(all, rows, origin, offset);
            case TOKEN_NUMBERS -> TokenNumbers.check(all, rows, from, to, origin, offset);
            case TIMESTAMPS,
                    TOMBSTONES,
                    INT,
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
                    INVERSE_LENGTHS,
                    MIXED_TENSOR -> {
                // Reading the values checks these.
            }
        }
    }

    /** Returns whether the chunks of another block have the same encodings and fields. */
    public boolean hasLayoutOf(EncodedBlock other) {
        return type.equals(other.type) && directory.hasLayoutOf(other.directory);
    }

    /** Returns the chunks that {@code parts} select. */
    public BitSet chunksOf(BlockProjection parts) {
        var chunks = new BitSet(chunkCount);
        if (!parts.isNothing()) {
            for (int i = 0; i < chunkCount; i++) {
                chunks.set(i, isWanted(i, parts));
            }
        }
        return chunks;
    }

    private boolean isWanted(int chunk, BlockProjection parts) {
        int field = directory.field(chunk);
        ChunkExtent.Part part = directory.encoding(chunk).part();
        if (field == BlockLayout.NO_FIELD) {
            return parts.has(part, "", false);
        }
        String name = nameOf(field);
        boolean hasDictionary =
                part == ChunkExtent.Part.VALUES
                        && parts.words().contains(name)
                        && hasDictionary(field);
        return parts.has(part, name, hasDictionary);
    }

    private String nameOf(int field) {
        return field == BlockLayout.NO_FIELD ? "" : type.fields().get(field).name();
    }

    /** Returns the chunks of the block from its directory. */
    List<BlockSizeEstimate.Chunk> chunks() {
        var chunks = new ArrayList<BlockSizeEstimate.Chunk>();
        for (int i = 0; i < chunkCount; i++) {
            int field = directory.field(i);
            chunks.add(
                    new BlockSizeEstimate.Chunk(
                            directory.encoding(i).part(),
                            nameOf(field),
                            hasDictionary(field),
                            directory.length(i)));
        }
        return chunks;
    }

    private boolean hasDictionary(int field) {
        for (int i = 0; i < chunkCount; i++) {
            if (directory.field(i) == field
                    && directory.encoding(i) == ChunkEncoding.TOKEN_DICTIONARY) {
                return true;
            }
        }
        return false;
    }

    /** Loads {@code chunks}, for the rows that are read. */
    public void load(BitSet chunks) {
        origin.require(extents, chunks);
    }

    /** Computes the extents of {@code chunks}, as far as possible without reading them. */
    public void tell(BitSet chunks, Extents wanted) {
        origin.tell(extents, chunks, wanted);
    }

    /** Returns the number of bytes of the block that are not in memory. */
    public long missing() {
        return origin.missing(bytes);
    }

    /** Returns whether the block is in a file, and not in memory of the process. */
    public boolean isOfFile() {
        return origin.isFile();
    }

    /** Returns the path of the file of the block; empty for a block in memory. */
    public Optional<String> file() {
        return origin.path();
    }

    /** Returns the offset of the block in its file. */
    public long fileOffset() {
        return origin.offset();
    }

    /**
     * Returns the number of bytes that {@link #loadLarge} loads; 0 if large pages are not useful.
     */
    public int largeSize() {
        return origin.largeSize();
    }

    /** Returns whether the block starts where {@code before} ends, in the same file. */
    public boolean follows(EncodedBlock before) {
        return origin.follows(before.origin, before.bytes.byteSize());
    }

    /** Returns whether all rows are read. */
    public boolean isWhole() {
        return extents.isWhole();
    }

    /**
     * Loads {@link #largeSize} bytes of the file, unless most of them are in memory.
     *
     * @throws IOException if they cannot be read
     */
    public void loadLarge(long offset) throws IOException {
        origin.loadLarge(offset);
    }

    /** States that the block was read and will not be read again soon. */
    public void markCold() {
        origin.markCold(bytes);
    }

    /**
     * Returns whether {@code chunks} were recently found in memory, for the rows that are read.
     * Cheap: no system call.
     */
    public boolean wereFound(BitSet chunks) {
        return origin.wereFound(extents, chunks);
    }

    /**
     * Returns whether {@code chunks} are in memory, for the rows that are read.
     *
     * @param wanted receives their extents, as far as they are known without reading
     */
    public boolean has(BitSet chunks, Extents wanted) {
        return origin.has(extents, chunks, wanted);
    }

    /**
     * Checks {@code chunks} if all of them are in memory. Returns whether they are in memory and
     * intact.
     *
     * @param wanted their extents
     */
    public boolean check(BitSet chunks, Extents wanted) {
        return origin.check(extents, chunks, wanted);
    }

    /** Returns the bytes of {@code chunks}, for all rows. */
    public long byteSize(BitSet chunks) {
        long size = 0;
        for (int i = chunks.nextSetBit(0); i >= 0; i = chunks.nextSetBit(i + 1)) {
            size += directory.length(i);
        }
        return size;
    }

    /** Returns the bytes of {@code parts}, for all rows. */
    public long byteSize(BlockProjection parts) {
        long size = 0;
        for (int i = 0; i < chunkCount; i++) {
            if (isWanted(i, parts)) {
                size += directory.length(i);
            }
        }
        return size;
    }

    /**
     * Reads and checks the keys, which are used when rows tie.
     *
     * @throws CorruptRunException if they cannot be read, or are damaged
     */
    public void checkKeys() {
        keys();
    }

    /** Returns whether the damage of {@code unreadable} is in this block. */
    public boolean has(CorruptRunException unreadable) {
        return origin.isIn(unreadable, bytes.byteSize());
    }

    /** Returns the exception for a failed read of the mapping. */
    public CorruptRunException unreadable(InternalError error) {
        return origin.corrupt(0, "a block that can be read", String.valueOf(error.getMessage()));
    }
}
