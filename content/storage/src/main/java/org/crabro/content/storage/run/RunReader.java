package org.crabro.content.storage.run;

import static org.crabro.content.storage.layout.BlockLayout.INT;
import static org.crabro.content.storage.layout.BlockLayout.LONG;

import java.lang.foreign.MemorySegment;
import java.lang.foreign.SegmentAllocator;
import java.util.ArrayList;
import java.util.List;
import org.crabro.content.storage.block.BlockMarks;
import org.crabro.content.storage.block.key.GroupColumn;
import org.crabro.content.storage.block.key.KeyColumn;
import org.crabro.content.storage.dead.GroupTombstones;
import org.crabro.content.storage.dead.RemovedRows;
import org.crabro.content.storage.dead.SupersededRows;
import org.crabro.content.storage.file.CheckedBits;
import org.crabro.content.storage.file.CorruptRunException;
import org.crabro.content.storage.file.Extents;
import org.crabro.content.storage.file.ReadContext;
import org.crabro.content.storage.file.RunBytes;
import org.crabro.content.storage.journal.Damage;
import org.crabro.content.storage.layout.BlockLayout;
import org.crabro.content.storage.layout.RunLayout;
import org.crabro.document.DocumentType;

/**
 * Reads and checks the metadata of a run: header, footer, index, tombstones of documents and
 * groups, and the rows of older runs that it replaces or removes. Does not touch blocks.
 */
public final class RunReader {
    private final String file;
    private final RunBytes run;
    private final MemorySegment bytes;
    private final long footer;

    /**
     * @throws CorruptRunException if it is not the run {@code number}, is incomplete, or has a
     *     version that this program cannot read
     */
    public RunReader(RunBytes run, long number) {
        this.run = run;
        this.file = run.file();
        this.bytes = run.bytes();
        this.footer = bytes.byteSize() - RunLayout.FOOTER_SIZE;
        if (footer < RunLayout.HEADER_SIZE) {
            throw corrupt(0, "a run", bytes.byteSize() + " bytes");
        }
        load(0, RunLayout.HEADER_SIZE);
        load(footer, RunLayout.FOOTER_SIZE);
        checkHeader(number);
        checkFooter();
    }

    private void load(long offset, long length) {
        load(offset, length, new ReadContext());
    }

    private void load(long offset, long length, ReadContext reads) {
        var part = new Extents();
        part.add(offset, offset + length);
        run.load(part, reads);
    }

    private void checkHeader(long number) {
        long magic = bytes.get(LONG, RunLayout.MAGIC_OFFSET);
        if (magic != RunLayout.MAGIC) {
            throw corrupt(0, "magic %016x".formatted(RunLayout.MAGIC), "%016x".formatted(magic));
        }
        checkCrc(RunLayout.HEADER_CRC_OFFSET, "header", 0, RunLayout.HEADER_CRC_OFFSET);
        checkVersion(RunLayout.VERSION_OFFSET);
        if (bytes.get(LONG, RunLayout.NUMBER_OFFSET) != number) {
            throw corrupt(
                    RunLayout.NUMBER_OFFSET,
                    "run " + number,
                    "run " + bytes.get(LONG, RunLayout.NUMBER_OFFSET));
        }
    }

    private void checkFooter() {
        int magic = bytes.get(INT, footer + RunLayout.FOOTER_MAGIC_OFFSET);
        if (magic != RunLayout.FOOTER_MAGIC) {
            throw corrupt(
                    footer + RunLayout.FOOTER_MAGIC_OFFSET,
                    "footer magic %08x".formatted(RunLayout.FOOTER_MAGIC),
                    "%08x".formatted(magic));
        }
        checkCrc(footer + RunLayout.FOOTER_CRC, "footer", footer, RunLayout.FOOTER_CRC);
        checkVersion(footer + RunLayout.FOOTER_VERSION);
        if (at(RunLayout.FILE_LENGTH) != bytes.byteSize()) {
            throw corrupt(
                    footer + RunLayout.FILE_LENGTH,
                    "a file of %d bytes".formatted(bytes.byteSize()),
                    "a length of " + at(RunLayout.FILE_LENGTH));
        }
    }

    private void checkVersion(long offset) {
        int version = bytes.get(INT, offset);
        if (version != RunLayout.VERSION) {
            throw CorruptRunException.ofWholeFile(
                    new Damage(
                            file,
                            offset,
                            "run format version " + RunLayout.VERSION,
                            "version " + version));
        }
    }

    public long rowCount() {
        return at(RunLayout.ROW_COUNT);
    }

    /** Returns the lowest timestamp of a tombstone, or {@link Long#MAX_VALUE}. */
    long firstRemoval() {
        return at(RunLayout.FIRST_REMOVAL);
    }

    /**
     * Returns the sections of the run, one per type, in the order of the file.
     *
     * @param arena allocates the index, about 80 bytes per block, so that it stays in memory
     */
    public List<RunSection> sections(StoredTypes types, SegmentAllocator arena) {
        long start = at(RunLayout.INDEX_OFFSET);
        long length = at(RunLayout.INDEX_LENGTH);
        MemorySegment stored = part("index", start, length, footer + RunLayout.INDEX_CRC);
        MemorySegment index = arena.allocate(length, Long.BYTES).copyFrom(stored);
        var sections = new ArrayList<RunSection>();
        int typeCount = bytes.get(INT, footer + RunLayout.TYPE_COUNT);
        long position = 0;
        int firstBlock = 0;
        int blockCount = bytes.get(INT, footer + RunLayout.BLOCK_COUNT);
        if (blockCount < 0) {
            throw corruptIndex(start, blockCount + " blocks");
        }
        CheckedBits pages = BlockMarks.pages(bytes.byteSize(), blockCount);
        for (int i = 0; i < typeCount; i++) {
            if (position + RunLayout.TYPE_SIZE > length) {
                throw corruptIndex(start + position, "its end");
            }
            long fingerprint = index.get(LONG, position + RunLayout.TYPE_FINGERPRINT);
            int blocks = index.get(INT, position + RunLayout.TYPE_BLOCKS);
            int nameLength = index.get(INT, position + RunLayout.TYPE_NAME_LENGTH);
            long at = start + position;
            position += RunLayout.TYPE_SIZE;
            if (nameLength < 0 || aligned(position + nameLength) > length) {
                throw corruptIndex(at, "a name of %d bytes".formatted(nameLength));
            }
            String name = BlockLayout.text(index, position, position + nameLength);
            DocumentType type =
                    types.type(fingerprint)
                            .filter(match -> match.name().equals(name))
                            .orElseThrow(() -> unknownType(at, name, fingerprint));
            position = aligned(position + nameLength);
            long extentBytes = (long) blocks * RunLayout.EXTENT_SIZE;
            if (blocks < 0 || blocks > blockCount - firstBlock || position + extentBytes > length) {
                throw corruptIndex(at, blocks + " blocks");
            }
            MemorySegment extents = index.asSlice(position, extentBytes);
            checkExtents(extents, blocks, start + position);
            position += extentBytes;
            KeyColumn firstKeys = firstKeys(index.asSlice(position), blocks, start + position);
            position = aligned(position + firstKeys.groups().size() + firstKeys.size());
            sections.add(
                    new RunSection(
                            run,
                            type,
                            fingerprint,
                            new RunSection.Index(firstBlock, extents, firstKeys),
                            pages));
            firstBlock += blocks;
        }
        return List.copyOf(sections);
    }

    /** Checks that every block is inside the file. */
    private void checkExtents(MemorySegment extents, int blocks, long at) {
        for (int i = 0; i < blocks; i++) {
            long extent = (long) i * RunLayout.EXTENT_SIZE;
            long offset = extents.get(LONG, extent + RunLayout.EXTENT_OFFSET);
            int length = extents.get(INT, extent + RunLayout.EXTENT_LENGTH);
            if (offset < RunLayout.HEADER_SIZE || length < 0 || offset > footer - length) {
                throw corruptIndex(
                        at + extent, "a block of %d bytes at %d".formatted(length, offset));
            }
        }
    }

    private CorruptRunException corruptIndex(long offset, String actual) {
        return corrupt(offset, "an index of blocks inside the file", actual);
    }

    private KeyColumn firstKeys(MemorySegment remainder, int blocks, long offset) {
        GroupColumn.problem(remainder, blocks).ifPresent(problem -> tellKeys(offset, problem));
        long groupsSize = new GroupColumn(remainder, blocks).size();
        var groups = new GroupColumn(remainder.asSlice(0, groupsSize), blocks);
        MemorySegment keys = remainder.asSlice(groupsSize);
        KeyColumn.problem(groups, keys, blocks, 0, blocks)
                .ifPresent(problem -> tellKeys(offset, problem));
        long keysSize = new KeyColumn(groups, keys, blocks).size();
        return new KeyColumn(groups, keys.asSlice(0, keysSize), blocks);
    }

    private void tellKeys(long offset, String problem) {
        throw corrupt(offset, "first keys of blocks inside the index", problem);
    }

    /** Returns the ascending addresses of the rows that are tombstones. */
    public long[] tombstones() {
        long count = at(RunLayout.TOMBSTONES_COUNT);
        MemorySegment rows =
                part(
                        "tombstones",
                        at(RunLayout.TOMBSTONES_OFFSET),
                        size(count, RunLayout.TOMBSTONE_SIZE),
                        footer + RunLayout.TOMBSTONES_CRC);
        var addresses = new long[Math.toIntExact(count)];
        for (int i = 0; i < addresses.length; i++) {
            addresses[i] = address(rows, (long) i * RunLayout.TOMBSTONE_SIZE);
        }
        return addresses;
    }

    /** Returns a view of the rows of older runs that the rows of this run replace. */
    public SupersededRows superseded() {
        return new SupersededRows(
                part(
                        "superseded rows",
                        at(RunLayout.SUPERSEDES_OFFSET),
                        size(at(RunLayout.SUPERSEDES_COUNT), RunLayout.SUPERSEDED_SIZE),
                        footer + RunLayout.SUPERSEDES_CRC));
    }

    /** Returns a view of the group tombstones. */
    public GroupTombstones groupTombstones() {
        long offset = at(RunLayout.GROUPS_OFFSET);
        int count = bytes.get(INT, footer + RunLayout.GROUP_COUNT);
        MemorySegment entries =
                part(
                        "group tombstones",
                        offset,
                        at(RunLayout.GROUPS_LENGTH),
                        footer + RunLayout.GROUPS_CRC);
        if (!GroupTombstones.isWhole(entries, count)) {
            throw corrupt(
                    offset,
                    "%d group tombstones in %d bytes".formatted(count, entries.byteSize()),
                    "a text outside");
        }
        return new GroupTombstones(entries, count);
    }

    /** Returns a view of the rows of older runs that group tombstones remove. */
    public RemovedRows removed() {
        long count = bytes.get(INT, footer + RunLayout.REMOVED_COUNT);
        return new RemovedRows(
                part(
                        "removed rows",
                        at(RunLayout.REMOVED_OFFSET),
                        count * RunLayout.REMOVED_SIZE,
                        footer + RunLayout.REMOVED_CRC));
    }

    /** Returns the checked filter of the keys. */
    public RunFilter filter(ReadContext reads) {
        load(footer, RunLayout.FOOTER_SIZE, reads);
        return new RunFilter(
                run,
                part(
                        "filter",
                        at(RunLayout.FILTER_OFFSET),
                        at(RunLayout.FILTER_LENGTH),
                        footer + RunLayout.FILTER_CRC));
    }

    /** Returns the size of entries in bytes, -1 if the file is too small for them. */
    private long size(long count, int entrySize) {
        return count < 0 || count > bytes.byteSize() / entrySize ? -1 : count * entrySize;
    }

    private static long address(MemorySegment rows, long offset) {
        return RunLayout.address(rows.get(INT, offset), rows.get(INT, offset + 4));
    }

    private long at(int footerField) {
        return bytes.get(LONG, footer + footerField);
    }

    private MemorySegment part(String name, long offset, long length, long crcOffset) {
        if (offset < RunLayout.HEADER_SIZE || length < 0 || offset > footer - length) {
            throw corrupt(
                    footer, name + " inside the file", "%d bytes at %d".formatted(length, offset));
        }
        load(offset, length);
        checkCrc(crcOffset, name, offset, length);
        return bytes.asSlice(offset, length);
    }

    private void checkCrc(long crcOffset, String name, long offset, long length) {
        int expected = bytes.get(INT, crcOffset);
        int actual = BlockLayout.crc(bytes.asSlice(offset, length));
        if (actual != expected) {
            throw corrupt(
                    offset, "%s of crc %08x".formatted(name, expected), "%08x".formatted(actual));
        }
    }

    private static long aligned(long position) {
        return (position + RunLayout.INDEX_ALIGNMENT - 1) & -RunLayout.INDEX_ALIGNMENT;
    }

    private CorruptRunException unknownType(long offset, String name, long fingerprint) {
        return CorruptRunException.ofWholeFile(
                new Damage(
                        file,
                        offset,
                        "the type '%s' in 'schemas/%016x'".formatted(name, fingerprint),
                        "none"));
    }

    private CorruptRunException corrupt(long offset, String expected, String actual) {
        return new CorruptRunException(file, offset, expected, actual);
    }
}
