package org.crabro.content.storage.block;

import java.io.IOException;
import java.lang.foreign.MemorySegment;
import java.util.BitSet;
import java.util.Optional;
import org.crabro.content.storage.file.ByteOrigin;
import org.crabro.content.storage.file.CorruptRunException;
import org.crabro.content.storage.file.DamageRegister;
import org.crabro.content.storage.file.Extents;
import org.crabro.content.storage.file.ReadContext;
import org.crabro.content.storage.file.RunBytes;
import org.crabro.content.storage.journal.Damage;
import org.crabro.content.storage.layout.BlockLayout;
import org.crabro.content.storage.layout.BlockPages;
import org.crabro.document.DocumentType;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The source of the bytes of a block. It names their place in errors, loads them before they are
 * touched, and checks them at their first use.
 */
public final class BlockOrigin implements ByteOrigin {
    private static final Logger LOG = LoggerFactory.getLogger(BlockOrigin.class);

    /** The number of bits of {@link #present}; later chunks are checked each time. */
    private static final int CHUNKS_NOTED = Long.SIZE;

    private final @Nullable FileBlock file;
    private final ReadContext reads;
    private final boolean isBrought;
    // The chunks that are loaded and checked for the holder of this object. Threads may write it
    // concurrently: a lost update costs one more check.
    private long present;

    /**
     * The data shared by all readers.
     *
     * @param offset of the block in the file
     * @param resident the chunks of the whole block that were found in memory
     */
    private record FileBlock(
            RunBytes run,
            long offset,
            DocumentType type,
            BlockMarks marks,
            ResidentChunks resident) {}

    /**
     * @param isBrought whether all of the block was loaded for the holder of this object
     */
    private BlockOrigin(@Nullable FileBlock file, ReadContext reads, boolean isBrought) {
        this.file = file;
        this.reads = reads;
        this.isBrought = isBrought;
    }

    /** Returns the origin of bytes that this process wrote into memory: no checks. */
    public static BlockOrigin memory() {
        return new BlockOrigin(null, new ReadContext(), true);
    }

    /**
     * Returns the origin of bytes of a file, without a reader.
     *
     * @param offset of the block in the file
     * @param marks the parts checked since the file was mapped
     */
    public static BlockOrigin file(RunBytes run, long offset, DocumentType type, BlockMarks marks) {
        var file = new FileBlock(run, offset, type, marks, new ResidentChunks());
        return new BlockOrigin(file, new ReadContext(), false);
    }

    /**
     * Returns this origin for a reader.
     *
     * @param context counts the bytes read from the device
     * @param isAllBrought whether all of the block was just loaded for this reader
     */
    BlockOrigin forReader(ReadContext context, boolean isAllBrought) {
        return new BlockOrigin(file, context, isAllBrought);
    }

    /** Returns this origin for a reader of other rows, without any found chunks. */
    BlockOrigin forOthers() {
        return new BlockOrigin(file, reads, isBrought);
    }

    /** Returns whether the bytes come from a file. */
    boolean isFile() {
        return file != null;
    }

    /** Returns the path of the file; empty for bytes in memory. */
    Optional<String> path() {
        return Optional.ofNullable(file).map(block -> block.run().file());
    }

    /** Returns where the block starts in its file. */
    long offset() {
        return file == null ? 0 : file.offset();
    }

    /**
     * Returns an object that identifies the block among those of all files; empty if it is in
     * memory.
     */
    Optional<Object> place() {
        return file == null ? Optional.empty() : Optional.of(file.marks().place());
    }

    /** Returns whether a part of {@link BlockMarks} was checked. */
    boolean isChecked(int part) {
        return file == null || file.marks().hasPart(part);
    }

    void setChecked(int part) {
        if (file != null) {
            file.marks().setPart(part);
        }
    }

    /** Loads and checks the bytes of {@code extents} in a chunk. */
    void require(BlockExtents extents, int chunk) {
        if (!isPresent(chunk) && !wasFound(extents, chunk)) {
            var one = new BitSet();
            one.set(chunk);
            require(extents, one);
        }
    }

    /**
     * Loads and checks the bytes of {@code extents} in {@code chunks}.
     *
     * @throws CorruptRunException if they cannot be read, or are damaged
     */
    void require(BlockExtents extents, BitSet chunks) {
        if (file == null) {
            return;
        }
        var wanted = new Extents();
        for (int step = 0; step < steps(extents); step++) {
            add(extents, chunks, step, wanted);
            require(extents.bytes(), wanted);
        }
        setPresent(chunks);
        if (extents.isWhole() && !isBrought) {
            file.resident().add(noted(chunks), reads.moment(file.run().residency()));
        }
    }

    /**
     * Loads and checks pages of {@code block}.
     *
     * @param block all of its bytes; its header was checked
     * @throws CorruptRunException if they cannot be read, or are damaged
     */
    void require(MemorySegment block, Extents wanted) {
        if (file != null) {
            recordedDamage(file, block, wanted)
                    .ifPresent(damage -> {
                        throw new CorruptRunException(damage);
                    });
            if (!isBrought) {
                file.run().load(wanted.joined(), reads);
            }
            check(file, block, wanted);
        }
    }

    /** Returns the number of bytes of {@code block} that are not in memory. */
    long missing(MemorySegment block) {
        return file == null ? 0 : file.run().residency().missing(block);
    }

    /**
     * Returns the number of bytes that {@link #loadLarge} loads; 0 if large pages are not useful.
     */
    int largeSize() {
        return file == null ? 0 : file.run().largeSize();
    }

    /** Returns whether the block directly follows another one in the same file. */
    boolean follows(BlockOrigin before, long sizeBefore) {
        return file != null
                && before.file != null
                && file.run().isSame(before.file.run())
                && offset() == before.offset() + sizeBefore;
    }

    /**
     * Loads {@link #largeSize} bytes of the file, unless most of them are in memory.
     *
     * @throws IOException if they cannot be read
     */
    void loadLarge(long fileOffset) throws IOException {
        if (file != null) {
            file.run().loadLarge(fileOffset, reads);
        }
    }

    /** States that all of {@code block} was read and will not be read again soon. */
    void markCold(MemorySegment block) {
        if (file != null) {
            file.run().residency().markCold(block);
        }
    }

    /** Returns the known damage of these pages within {@code block}. */
    private static Optional<Damage> recordedDamage(
            FileBlock file, MemorySegment block, Extents wanted) {
        DamageRegister register = file.run().damage();
        if (register.fileCount() == 0) {
            return Optional.empty();
        }
        long end = file.offset() + block.byteSize();
        for (int i = 0; i < wanted.count(); i++) {
            Optional<Damage> damage =
                    register.in(
                            file.run().file(),
                            Math.max(wanted.from(i), file.offset()),
                            Math.min(wanted.to(i), end));
            if (damage.isPresent()) {
                return damage;
            }
        }
        return Optional.empty();
    }

    private void check(FileBlock file, MemorySegment block, Extents wanted) {
        if (isChecked(file, block, wanted)) {
            return;
        }
        // The page crcs are in the header, which is not yet loaded if the block was cached.
        file.run().load(header(file, block), reads);
        BlockMarks marks = file.marks();
        BlockPages pages = BlockPages.of(block, file.offset());
        for (int i = 0; i < wanted.count(); i++) {
            int end = Math.min(pages.count(), pages.page(wanted.to(i)));
            for (int page = pages.page(wanted.from(i)); page < end; page++) {
                if (!marks.hasPage(page)) {
                    new BlockContents(block, file.type(), file.run().file(), file.offset())
                            .damage(page)
                            .ifPresent(damage -> {
                                throw corrupt(damage);
                            });
                    marks.setPage(page);
                }
            }
        }
    }

    /** Returns the longest header that the block may have. */
    private static MemorySegment header(FileBlock file, MemorySegment block) {
        int pages = BlockLayout.pages(file.offset(), block.byteSize());
        int most = BlockLayout.headerSize(BlockMarks.chunksMax(file.type()), pages);
        return block.asSlice(0, Math.min(most, block.byteSize()));
    }

    private static boolean isChecked(FileBlock file, MemorySegment block, Extents wanted) {
        long first = file.offset() / BlockLayout.PAGE;
        int count = BlockLayout.pages(file.offset(), block.byteSize());
        for (int i = 0; i < wanted.count(); i++) {
            long end = Math.min(count, wanted.to(i) / BlockLayout.PAGE - first);
            for (long page = wanted.from(i) / BlockLayout.PAGE - first; page < end; page++) {
                if (!file.marks().hasPage((int) page)) {
                    return false;
                }
            }
        }
        return true;
    }

    /**
     * Returns whether the bytes of {@code extents} in {@code chunks} are in memory and checked,
     * without waiting.
     *
     * @param wanted receives the bytes of the first step
     */
    boolean has(BlockExtents extents, BitSet chunks, Extents wanted) {
        if (file == null || wereFound(extents, chunks)) {
            wanted.clear();
            return true;
        }
        long noted = extents.isWhole() ? noted(chunks) : 0;
        int moment = noted == 0 ? -1 : reads.moment(file.run().residency());
        add(extents, chunks, 0, wanted);
        if (isMissing(file, extents, wanted)) {
            return false;
        }
        var more = new Extents();
        for (int step = 1; step < steps(extents); step++) {
            add(extents, chunks, step, more);
            if (isMissing(file, extents, more)) {
                return false;
            }
        }
        setPresent(chunks);
        if (noted != 0 && !isBrought) {
            file.resident().add(noted, moment);
        }
        return true;
    }

    /** Returns whether {@code chunks} were recently found in memory, without a system call. */
    boolean wereFound(BlockExtents extents, BitSet chunks) {
        if (file == null || arePresent(chunks)) {
            return true;
        }
        long noted = extents.isWhole() ? noted(chunks) : 0;
        return noted != 0 && wereFound(file, noted, reads.moment(file.run().residency()));
    }

    private boolean wasFound(BlockExtents extents, int chunk) {
        return file != null
                && chunk < CHUNKS_NOTED
                && extents.isWhole()
                && wereFound(file, 1L << chunk, reads.moment(file.run().residency()));
    }

    /**
     * Returns whether other readers found the chunks in memory, and marks them as present if so.
     */
    private boolean wereFound(FileBlock block, long noted, int moment) {
        boolean were =
                noted != 0
                        && block.resident().has(noted, moment)
                        && block.run().damage().fileCount() == 0;
        present |= were ? noted : 0;
        return were;
    }

    /**
     * Computes the extents of {@code chunks} in the file, as far as possible without reading them.
     */
    void tell(BlockExtents extents, BitSet chunks, Extents wanted) {
        wanted.clear();
        if (file != null) {
            add(extents, chunks, 0, wanted);
        }
    }

    private boolean isMissing(FileBlock file, BlockExtents extents, Extents wanted) {
        return !isChecked(file, extents.bytes(), wanted)
                || recordedDamage(file, extents.bytes(), wanted).isPresent()
                || (!isBrought && file.run().missing(wanted.joined()) > 0);
    }

    /**
     * Checks {@code chunks} of a block whose rows are all read, if all of them are in memory.
     * Returns whether they are in memory and intact.
     *
     * @param wanted their extents
     */
    boolean check(BlockExtents extents, BitSet chunks, Extents wanted) {
        if (file == null || !extents.isWhole() || file.run().missing(wanted.joined()) > 0) {
            return false;
        }
        try {
            require(extents, chunks);
            return true;
        } catch (CorruptRunException e) {
            // The damage may be in rows that no query reads; a query that reads them gets the
            // error.
            LOG.debug("a block is damaged", e);
            return false;
        }
    }

    private static int steps(BlockExtents extents) {
        return extents.isWhole() ? 1 : BlockExtents.STEPS;
    }

    private static void add(BlockExtents extents, BitSet chunks, int step, Extents into) {
        into.clear();
        for (int chunk = chunks.nextSetBit(0); chunk >= 0; chunk = chunks.nextSetBit(chunk + 1)) {
            extents.add(chunk, step, into);
        }
    }

    private boolean isPresent(int chunk) {
        return file == null || (chunk < CHUNKS_NOTED && ((present >>> chunk) & 1) != 0);
    }

    private boolean arePresent(BitSet chunks) {
        boolean was = true;
        for (int chunk = chunks.nextSetBit(0); chunk >= 0; chunk = chunks.nextSetBit(chunk + 1)) {
            was &= isPresent(chunk);
        }
        return was;
    }

    private void setPresent(BitSet chunks) {
        for (int chunk = chunks.nextSetBit(0);
                chunk >= 0 && chunk < CHUNKS_NOTED;
                chunk = chunks.nextSetBit(chunk + 1)) {
            present |= 1L << chunk;
        }
    }

    /**
     * Returns a mask with a bit for each of {@code chunks}; 0 if there are none, or more than the
     * bits.
     */
    private static long noted(BitSet chunks) {
        long noted = 0;
        for (int chunk = chunks.nextSetBit(0); chunk >= 0; chunk = chunks.nextSetBit(chunk + 1)) {
            if (chunk >= CHUNKS_NOTED) {
                return 0;
            }
            noted |= 1L << chunk;
        }
        return noted;
    }

    /**
     * @throws CorruptRunException if the header is known to be damaged
     */
    void refuseDamagedHeader() {
        if (file != null) {
            file.run()
                    .damage()
                    .in(file.run().file(), offset(), offset() + BlockLayout.DIRECTORY_OFFSET)
                    .ifPresent(damage -> {
                        throw new CorruptRunException(damage);
                    });
        }
    }

    /**
     * Returns whether the damage of {@code unreadable} is in a block of {@code size} bytes at this
     * origin.
     */
    boolean isIn(CorruptRunException unreadable, long size) {
        return file != null
                && unreadable.file().equals(file.run().file())
                && unreadable.offset() >= offset()
                && unreadable.offset() < offset() + size;
    }

    @Override
    public CorruptRunException corrupt(long offsetInBlock, String expected, String actual) {
        return corrupt(
                new Damage(
                        file == null ? "block in memory" : file.run().file(),
                        offset() + offsetInBlock,
                        expected,
                        actual));
    }

    private CorruptRunException corrupt(Damage damage) {
        if (file != null) {
            file.run().damage().add(damage);
        }
        return new CorruptRunException(damage);
    }
}
