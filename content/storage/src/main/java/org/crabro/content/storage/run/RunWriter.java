package org.crabro.content.storage.run;

import java.io.IOException;
import java.lang.foreign.MemorySegment;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.SortedMap;
import org.crabro.content.storage.block.BlockWriter;
import org.crabro.content.storage.block.EncodedBlock;
import org.crabro.content.storage.block.RowCopies;
import org.crabro.content.storage.block.RowCopy;
import org.crabro.content.storage.block.key.RowKey;
import org.crabro.content.storage.block.key.RowKeyBuffer;
import org.crabro.content.storage.block.key.RowKeyPrefix;
import org.crabro.content.storage.dead.GroupTombstone;
import org.crabro.content.storage.file.ReadContext;
import org.crabro.content.storage.journal.LogFiles.LogFile;
import org.crabro.content.storage.layout.AddressRange;
import org.crabro.content.storage.layout.BlockBytes;
import org.crabro.content.storage.layout.LongSequence;
import org.crabro.content.storage.layout.RunLayout;
import org.crabro.content.storage.manifest.PlaceRange;
import org.crabro.content.storage.manifest.RunEntry;
import org.crabro.document.DocumentType;
import org.crabro.protocol.encoding.RowEncoding;
import org.jspecify.annotations.Nullable;

/**
 * Writes a run sequentially: the rows of one type in key order, then those of the next type. At the
 * same time, it finds the rows of older runs that the new rows replace.
 *
 * <p>No document may occur twice, not even with two versions of its type.
 */
public final class RunWriter {
    /** The initial size of the index buffer. */
    private static final int INDEX_SIZE = 64 << 10;

    /**
     * A block of one group with at least this size was made of a large group. Compressed, {@link
     * BlockWriter#GROUP_BYTES} of rows may be half as many bytes.
     */
    private static final int OWN_BLOCK_SIZE = BlockWriter.GROUP_BYTES / 2;

    private final RunOutput out;
    private final long number;
    private final StoredTypes stored;
    private final ReplacedRowFinder replaced;
    private final GroupTombstoneWriter groups;
    private final List<RunIndexWriter> types = new ArrayList<>();
    private final Set<Long> fingerprints = new HashSet<>();
    private final LongSequence tombstones = new LongSequence();
    private final LongSequence hashes = new LongSequence();
    private final RowKeyBuffer key = new RowKeyBuffer();
    private Optional<BlockWriter> block = Optional.empty();
    private Optional<RowCopies> copies = Optional.empty();
    private @Nullable EncodedBlock copied;
    private long rowCount;
    private int blockCount;
    private long firstPlace = -1;
    private long lastPlace;
    private long firstRemoval = Long.MAX_VALUE;

    /**
     * @param file empty; the code that opened it closes it
     * @param older the runs that are older than the new one
     * @param stored returns how texts are searched
     */
    public RunWriter(LogFile file, long number, List<RunPart> older, StoredTypes stored)
            throws IOException {
        this.out = new RunOutput(file);
        this.number = number;
        this.stored = stored;
        this.replaced = new ReplacedRowFinder(older, new ReadContext());
        this.groups = new GroupTombstoneWriter(older, replaced);
        var header = new BlockBytes(RunLayout.ALIGNMENT);
        header.putLong(RunLayout.MAGIC);
        header.putInt(RunLayout.VERSION);
        header.putInt(0);
        header.putLong(number);
        header.putInt(header.crc(0, RunLayout.HEADER_CRC_OFFSET));
        writePart(header);
    }

    /**
     * Begins the rows of a type.
     *
     * @throws IllegalArgumentException if it was begun before, or has too many fields
     */
    public void begin(DocumentType type) throws IOException {
        finishBlock();
        if (!fingerprints.add(type.fingerprint())) {
            throw new IllegalArgumentException("type " + type.name() + " was begun before");
        }
        block = Optional.of(new BlockWriter(type, stored.searchedTexts(type)));
        copies = Optional.of(new RowCopies(type, field -> stored.isRemoved(type, field)));
        types.add(new RunIndexWriter(type));
    }

    /**
     * Starts a block with the next row: the first of a group that fills whole blocks. If small
     * groups preceded it in the block, a reader of the group would first have to find its start.
     */
    public void beginBlock() throws IOException {
        finishBlock();
    }

    /**
     * Adds a row of the type that was begun last.
     *
     * @param rowKey of the row's id
     * @param row in the format of {@link org.crabro.protocol.encoding.RowEncoding}; not kept
     * @throws IllegalArgumentException if the row is of another type, or its key is not after the
     *     last of the type
     */
    public void add(RowKey rowKey, MemorySegment row) throws IOException {
        key.set(rowKey);
        add(row);
    }

    /**
     * Adds a row of the type that was begun last, without parsing its id or computing its key.
     *
     * @param place see {@link RowKeyPrefix}
     * @param document see {@link RowKeyPrefix}
     * @param row in the format of {@link org.crabro.protocol.encoding.RowEncoding}; not kept
     * @throws IllegalArgumentException if the row is of another type, or its key is not after the
     *     last of the type
     */
    public void add(long place, long document, MemorySegment row) throws IOException {
        key.set(place, document, RowEncoding.idBytes(row));
        add(row);
    }

    private void add(MemorySegment row) throws IOException {
        begin(key, row.byteSize()).add(key, row);
        end(key, row);
    }

    /**
     * Adds a row of another block, of the type that was begun last, without parsing its id or
     * computing its key.
     *
     * @param rowKey of the row
     * @throws IllegalArgumentException if the block is of another type, or the row's key is not
     *     after the last of the type
     */
    public void copy(RowKeyBuffer rowKey, EncodedBlock source, int row) throws IOException {
        beginBlockAs(source, rowKey);
        RowCopy copy = copies.orElseThrow(RunWriter::noType).of(source);
        MemorySegment encoded = copy.encodeWithoutKey(source, row, rowKey);
        begin(rowKey, encoded.byteSize() + copy.leftOut()).copy(rowKey, encoded, copy, source, row);
        end(rowKey, encoded);
    }

    /**
     * Starts a block if the source block belongs to a single large group: such groups keep their
     * own blocks.
     */
    @SuppressWarnings("ReferenceEquality") // Rows of one block come with the same object.
    private void beginBlockAs(EncodedBlock source, RowKeyBuffer rowKey) throws IOException {
        if (source == copied) {
            return;
        }
        copied = source;
        if (source.byteSize() >= OWN_BLOCK_SIZE
                && source.groups().count() == 1
                && !block.orElseThrow(RunWriter::noType).endsInGroupOf(rowKey)) {
            finishBlock();
        }
    }

    /** Returns the writer of the block that a row belongs to. */
    private BlockWriter begin(RowKeyBuffer rowKey, long rowBytes) throws IOException {
        BlockWriter writer = block.orElseThrow(RunWriter::noType);
        if (writer.isClosedBefore(rowKey, rowBytes)) {
            finishBlock();
        }
        return writer;
    }

    private void end(RowKeyBuffer rowKey, MemorySegment row) {
        BlockWriter writer = block.orElseThrow(RunWriter::noType);
        types.getLast().add(rowKey, writer.rowCount() == 1);
        if (RowEncoding.isTombstone(row)) {
            tombstones.add(RunLayout.address(blockCount, writer.rowCount() - 1));
            firstRemoval = Math.min(firstRemoval, RowEncoding.timestamp(row));
        }
        hashes.add(RunFilter.hash(rowKey.place(), rowKey.document()));
        rowCount++;
        extendTo(rowKey.place());
    }

    private void extendTo(long place) {
        if (Long.compareUnsigned(place, firstPlace) < 0) {
            firstPlace = place;
        }
        if (Long.compareUnsigned(place, lastPlace) > 0) {
            lastPlace = place;
        }
    }

    /**
     * Removes a group from all older runs; rows added here are not affected. May be called at any
     * time, in any order. If the keys of a block cannot be read, the run records that its removed
     * rows are unknown.
     */
    public void remove(GroupTombstone tombstone) {
        groups.add(tombstone);
        extendTo(tombstone.bounds().place());
        firstRemoval = Math.min(firstRemoval, tombstone.timestamp());
    }

    /** Records that a row here replaces a row of an older run. */
    public void replaces(long run, long address) {
        replaced.add(run, address);
    }

    /** Records that rows of an older run are removed with their group. */
    public void removes(long run, AddressRange rows) {
        groups.addRows(run, rows);
    }

    private static IllegalStateException noType() {
        return new IllegalStateException("no type was begun");
    }

    public boolean isEmpty() {
        return rowCount == 0 && groups.isEmpty();
    }

    /**
     * Writes the remaining parts, and returns when all bytes of the file are on the device.
     *
     * @param tier of the run
     * @param created the current time, microseconds since the epoch
     */
    public RunEntry finish(long tier, long created) throws IOException {
        finishBlock();
        types.removeIf(RunIndexWriter::isEmpty);
        var index = new BlockBytes(INDEX_SIZE);
        types.forEach(type -> type.writeTo(index));
        long[] removed = tombstones.toArray();
        BlockBytes tombstoneRows = addresses(removed);
        BlockBytes supersededRows = addresses(replaced.finish().entries());
        BlockBytes groupTombstones = groups.tombstones();
        BlockBytes removedRows = groups.ranges();
        BlockBytes filter = RunFilter.of(hashes);

        var footer = new BlockBytes(RunLayout.FOOTER_SIZE);
        footer.putLong(writePart(index));
        footer.putLong(index.position());
        footer.putLong(writePart(tombstoneRows));
        footer.putLong(removed.length);
        footer.putLong(writePart(supersededRows));
        footer.putLong(supersededRows.position() / RunLayout.SUPERSEDED_SIZE);
        long groupsOffset = writePart(groupTombstones);
        long removedOffset = writePart(removedRows);
        long filterOffset = writePart(filter);
        footer.putLong(rowCount);
        long end = out.offset() + RunLayout.FOOTER_SIZE;
        footer.putLong(end);
        footer.putLong(firstRemoval);
        footer.putLong(filterOffset);
        footer.putLong(filter.position());
        footer.putInt(blockCount);
        footer.putInt(types.size());
        footer.putLong(groupsOffset);
        footer.putLong(groupTombstones.position());
        footer.putLong(removedOffset);
        footer.putInt(groups.count());
        footer.putInt(groups.rangeCount());
        footer.putInt(index.crc(0, index.position()));
        footer.putInt(tombstoneRows.crc(0, tombstoneRows.position()));
        footer.putInt(supersededRows.crc(0, supersededRows.position()));
        footer.putInt(groupTombstones.crc(0, groupTombstones.position()));
        footer.putInt(removedRows.crc(0, removedRows.position()));
        footer.putInt(filter.crc(0, filter.position()));
        footer.putInt(RunLayout.VERSION);
        footer.putInt(footer.crc(0, RunLayout.FOOTER_CRC));
        footer.putInt(RunLayout.FOOTER_MAGIC);
        footer.putZeros(RunLayout.FOOTER_SIZE - footer.position());
        out.put(footer.written());
        out.finish();
        return new RunEntry(
                number,
                tier,
                new RunEntry.Size(rowCount, end),
                new PlaceRange(firstPlace, lastPlace),
                PlaceRange.ALL,
                created);
    }

    private static BlockBytes addresses(long[] addresses) {
        var bytes = new BlockBytes(addresses.length * RunLayout.TOMBSTONE_SIZE);
        for (long address : addresses) {
            bytes.putInt(RunLayout.block(address));
            bytes.putInt(RunLayout.row(address));
        }
        return bytes;
    }

    private static BlockBytes addresses(SortedMap<Long, long[]> byRun) {
        int count = byRun.values().stream().mapToInt(addresses -> addresses.length).sum();
        var bytes = new BlockBytes(count * RunLayout.SUPERSEDED_SIZE);
        byRun.forEach((run, addresses) -> {
            for (long address : addresses) {
                bytes.putLong(run);
                bytes.putInt(RunLayout.block(address));
                bytes.putInt(RunLayout.row(address));
            }
        });
        return bytes;
    }

    private void finishBlock() throws IOException {
        if (block.isEmpty() || block.get().isEmpty()) {
            return;
        }
        int rows = block.get().rowCount();
        ByteBuffer bytes = block.get().finish(out.offset());
        RunIndexWriter type = types.getLast();
        type.addBlock(out.offset(), bytes.remaining(), rows);
        EncodedBlock encoded =
                EncodedBlock.ofMemory(MemorySegment.ofBuffer(bytes), type.documentType());
        replaced.add(encoded, 0, rows);
        blockCount++;
        out.put(bytes);
    }

    private long writePart(BlockBytes part) throws IOException {
        long offset = out.offset();
        out.put(part.written());
        out.align(RunLayout.ALIGNMENT);
        return offset;
    }
}
