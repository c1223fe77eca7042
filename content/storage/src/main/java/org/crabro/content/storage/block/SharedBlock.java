package org.crabro.content.storage.block;

import java.lang.foreign.MemorySegment;
import java.util.Optional;
import org.crabro.content.storage.block.column.Column;
import org.crabro.content.storage.block.column.ColumnReader;
import org.crabro.content.storage.block.column.Presence;
import org.crabro.content.storage.block.key.GroupColumn;
import org.crabro.content.storage.block.key.KeyColumn;
import org.crabro.content.storage.block.token.TokenDictionary;
import org.crabro.content.storage.block.token.TokenNumbers;
import org.crabro.content.storage.file.CorruptRunException;
import org.crabro.content.storage.layout.BlockDirectory;
import org.crabro.content.storage.layout.BlockLayout;
import org.crabro.content.storage.layout.ChunkEncoding;
import org.crabro.content.storage.layout.NumberBounds;
import org.crabro.document.DocumentId;
import org.crabro.document.DocumentType;
import org.jspecify.annotations.Nullable;

/**
 * The part of a block that all readers share: its header, and views of whole chunks and columns. A
 * run caches some of these between queries. Only the header is copied. A reader loads the bytes of
 * a view before it uses the view.
 */
public final class SharedBlock {
    private final MemorySegment bytes;
    private final DocumentType type;
    private final BlockDirectory directory;
    private final BlockOrigin origin;

    // Created at first use; threads that race create equal ones.
    private final @Nullable MemorySegment[] chunks;
    private final @Nullable Column[] columns;
    private final @Nullable TokenDictionary[] dictionaries;
    private final @Nullable TokenNumbers[] numbers;
    private final @Nullable NumberBounds[] bounds;
    private @Nullable GroupColumn groups;
    private @Nullable KeyColumn keys;

    /** The last requested id: the next one is nearly always of the same group. */
    private @Nullable DocumentId lastId;

    /**
     * @param bytes all of the block; its header was checked
     * @param origin without a reader
     * @param like a block that probably has the same layout; null if none is known
     */
    SharedBlock(
            MemorySegment bytes,
            DocumentType type,
            BlockOrigin origin,
            @Nullable SharedBlock like) {
        this.bytes = bytes;
        this.type = type;
        this.origin = origin;
        this.directory = BlockDirectory.of(bytes, like == null ? null : like.directory);
        this.chunks = new MemorySegment[directory.count()];
        this.columns = new Column[type.fields().size()];
        this.dictionaries = new TokenDictionary[directory.count()];
        this.numbers = new TokenNumbers[directory.count()];
        this.bounds = new NumberBounds[type.fields().size()];
    }

    MemorySegment bytes() {
        return bytes;
    }

    DocumentType type() {
        return type;
    }

    BlockDirectory directory() {
        return directory;
    }

    /** Returns the origin of the block, without a reader. */
    BlockOrigin origin() {
        return origin;
    }

    /** Returns the bytes of a chunk. */
    MemorySegment chunk(int chunk) {
        MemorySegment cached = chunks[chunk];
        if (cached == null) {
            cached = bytes.asSlice(directory.offset(chunk), directory.length(chunk));
            chunks[chunk] = cached;
        }
        return cached;
    }

    /** Returns the last requested id, or null. */
    @Nullable DocumentId lastId() {
        return lastId;
    }

    void setLastId(DocumentId id) {
        lastId = id;
    }

    /** Returns the dictionary in a checked chunk. */
    TokenDictionary dictionary(int chunk) {
        TokenDictionary cached = dictionaries[chunk];
        if (cached == null) {
            cached = new TokenDictionary(chunk(chunk));
            dictionaries[chunk] = cached;
        }
        return cached;
    }

    /** Returns the token numbers in a checked chunk. */
    TokenNumbers numbers(int chunk) {
        TokenNumbers cached = numbers[chunk];
        if (cached == null) {
            cached = new TokenNumbers(chunk(chunk), directory.rows());
            numbers[chunk] = cached;
        }
        return cached;
    }

    /**
     * Returns the minimum and maximum of the values of the field at {@code index} in the type;
     * empty if they are not numbers.
     */
    Optional<NumberBounds> bounds(int index) {
        NumberBounds cached = bounds[index];
        if (cached == null) {
            cached = newBounds(index);
            bounds[index] = cached;
        }
        return Optional.ofNullable(cached);
    }

    private @Nullable NumberBounds newBounds(int index) {
        int chunk = directory.chunkOfField(index);
        return switch (ChunkEncoding.of(type.fields().get(index).type()).numbers()) {
            case WHOLE -> chunk < 0 ? NumberBounds.Whole.NONE : directory.whole(chunk);
            case REAL -> chunk < 0 ? NumberBounds.Real.NONE : directory.real(chunk);
            case NONE -> null;
        };
    }

    /**
     * Returns the groups of the rows.
     *
     * @param chunk the checked chunk of the groups
     */
    GroupColumn groups(int chunk) {
        GroupColumn cached = groups;
        if (cached == null) {
            cached = new GroupColumn(chunk(chunk), directory.rows());
            groups = cached;
        }
        return cached;
    }

    /**
     * Returns the keys of the rows.
     *
     * @param chunk the chunk of the keys, checked at least for the rows that are read
     * @param of the groups of the same rows
     */
    KeyColumn keys(int chunk, GroupColumn of) {
        KeyColumn cached = keys;
        if (cached == null) {
            cached = new KeyColumn(of, chunk(chunk), directory.rows());
            keys = cached;
        }
        return cached;
    }

    /**
     * Returns the column of the field at {@code index} in the type.
     *
     * @param chunk its checked chunk
     * @throws CorruptRunException if the chunk cannot hold the column
     */
    Column column(int index, int chunk) {
        Column cached = columns[index];
        if (cached == null) {
            cached = newColumn(index, chunk);
            columns[index] = cached;
        }
        return cached;
    }

    private Column newColumn(int index, int chunk) {
        int rows = directory.rows();
        MemorySegment all = chunk(chunk);
        boolean hasBitmap = directory.hasBitmap(chunk);
        long valuesSize = all.byteSize() - (hasBitmap ? BlockLayout.bitmapSize(rows) : 0);
        Presence presence =
                hasBitmap ? new Presence.Some(all.asSlice(valuesSize)) : new Presence.Every();
        return new ColumnReader(bytes, origin)
                .column(
                        type.fields().get(index).type(),
                        directory.encoding(chunk),
                        directory.offset(chunk),
                        valuesSize,
                        rows,
                        presence);
    }
}
