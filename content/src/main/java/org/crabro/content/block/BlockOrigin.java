package org.crabro.content.block;

import java.io.IOException;
import java.lang.foreign.MemorySegment;
import java.util.BitSet;
import java.util.Optional;
import org.crabro.content.file.ByteOrigin;
import org.crabro.content.file.CorruptRunException;
import org.crabro.content.file.DamageRegister;
import org.crabro.content.file.Extents;
import org.crabro.content.file.ReadContext;
import org.crabro.content.file.RunBytes;
import org.crabro.content.journal.Damage;
import org.crabro.content.layout.BlockLayout;
import org.crabro.content.layout.BlockPages;
import org.crabro.document.DocumentType;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Where the bytes of a block come from: for errors, for bringing them into memory before they are
 * touched, and for checking them when they are for the first time.
 */
public final class BlockOrigin implements ByteOrigin {
    private static final Logger LOG = LoggerFactory.getLogger(BlockOrigin.class);

    /** What {@link #present} has bits for; later chunks are asked about each time. */
    private static final int CHUNKS_NOTED = Long.SIZE;

    private final @Nullable FileBlock file;
    private final ReadContext reads;
    private final boolean isBrought;
    // The chunks that were brought into memory for whoever holds this, and checked. Threads may
    // write it at once: what is lost is a question asked twice.
    private long present;

    /**
     * What holds for all readers.
     *
     * @param offset of the block in the file
     * @param found what was found in memory of the whole block
     */
    private record FileBlock(
            RunBytes run, long offset, DocumentType type, BlockMarks marks, ResidentChunks found) {}

    /**
     * @param isBrought whether all of the block was brought into memory for whoever holds this
     */
    private BlockOrigin(@Nullable FileBlock file, ReadContext reads, boolean isBrought) {
        this.file = file;
        this.reads = reads;
        this.isBrought = isBrought;
    }

    /** Bytes that this process wrote into memory: nothing is to be checked. */
    public static BlockOrigin memory() {
        return new BlockOrigin(null, new ReadContext(), true);
    }

    /**
     * Bytes of a file, for no reader.
     *
     * @param offset of the block in the file
     * @param marks what was checked since the file was mapped
     */
    public static BlockOrigin file(RunBytes run, long offset, DocumentType type, BlockMarks marks) {
        var file = new FileBlock(run, offset, type, marks, new ResidentChunks());
        return new BlockOrigin(file, new ReadContext(), false);
    }

    /**
     * Returns the same for a reader.
     *
     * @param context counts what is read from the device
     * @param isAllBrought whether all of the block was just brought into memory for this reader
     */
    BlockOrigin forReader(ReadContext context, boolean isAllBrought) {
        return new BlockOrigin(file, context, isAllBrought);
    }

    /** Returns the same for a reader of other rows, of which nothing was found yet. */
    BlockOrigin forOthers() {
        return new BlockOrigin(file, reads, isBrought);
    }

    /** Returns whether the bytes come from a file. */
    boolean isFile() {
        return file != null;
    }

    /** Returns where the block starts in its file. */
    long offset() {
        return file == null ? 0 : file.offset();
    }

    /** Returns what tells the block from all others of files; nothing where it is in memory. */
    Optional<Object> place() {
        return file == null ? Optional.empty() : Optional.of(file.marks().place());
    }

    /** Returns whether a part was checked, as {@link BlockMarks} tells. */
    boolean isChecked(int part) {
        return file == null || file.marks().hasPart(part);
    }

    void setChecked(int part) {
        if (file != null) {
            file.marks().setPart(part);
        }
    }

    /** Returns when all that {@code extents} tell of a chunk is in memory, and checked. */
    void require(BlockExtents extents, int chunk) {
        if (!isPresent(chunk) && !wasFound(extents, chunk)) {
            var one = new BitSet();
            one.set(chunk);
            require(extents, one);
        }
    }

    /**
     * Returns when all that {@code extents} tell of {@code chunks} is in memory, and checked.
     *
     * @throws CorruptRunException if it cannot be read, or is not as it was written
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
            file.found().add(noted(chunks), reads.moment(file.run().residency()));
        }
    }

    /**
     * Returns when pages of {@code block} are in memory, and checked.
     *
     * @param block all of its bytes; its header was checked
     * @throws CorruptRunException if they cannot be read, or are not as they were written
     */
    void require(MemorySegment block, Extents wanted) {
        if (file != null) {
            knownDamage(file, block, wanted)
                    .ifPresent(damage -> {
                        throw new CorruptRunException(damage);
                    });
            if (!isBrought) {
                file.run().load(wanted.joined(), reads);
            }
            check(file, block, wanted);
        }
    }

    /** Returns how many bytes of {@code block} are not in memory. */
    long missing(MemorySegment block) {
        return file == null ? 0 : file.run().residency().missing(block);
    }

    /** Returns how many bytes of the file {@link #loadLarge} takes; 0 where it has no use. */
    int largeSize() {
        return file == null ? 0 : file.run().largeSize();
    }

    /**
     * Returns whether the block is in the same file as another one and starts where that one ends.
     */
    boolean follows(BlockOrigin before, long sizeBefore) {
        return file != null
                && before.file != null
                && file.run().isSame(before.file.run())
                && offset() == before.offset() + sizeBefore;
    }

    /**
     * Returns when {@link #largeSize} bytes of the file are in memory, unless most of them were.
     *
     * @throws IOException if they cannot be read
     */
    void loadLarge(long fileOffset) throws IOException {
        if (file != null) {
            file.run().loadLarge(fileOffset, reads);
        }
    }

    /** Says that all of {@code block} was looked at, and will not be again soon. */
    void leave(MemorySegment block) {
        if (file != null) {
            file.run().residency().leave(block);
        }
    }

    /** Returns what is known already of these pages, as far as they are of {@code block}. */
    private static Optional<Damage> knownDamage(
            FileBlock file, MemorySegment block, Extents wanted) {
        DamageRegister known = file.run().damage();
        if (known.fileCount() == 0) {
            return Optional.empty();
        }
        long end = file.offset() + block.byteSize();
        for (int i = 0; i < wanted.count(); i++) {
            Optional<Damage> damage =
                    known.in(
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
        // What pages are checked by lies in the header, which was not looked at of a kept block.
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
     * Returns whether all that {@code extents} tell of {@code chunks} is in memory and was checked,
     * without waiting.
     *
     * @param wanted receives what is told at first
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
            file.found().add(noted, moment);
        }
        return true;
    }

    /**
     * Returns whether {@code chunks} were found in memory a moment ago: the system is not asked.
     */
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

    /** Returns whether chunks were found for others, and notes them as present if so. */
    private boolean wereFound(FileBlock block, long noted, int moment) {
        boolean were =
                noted != 0
                        && block.found().has(noted, moment)
                        && block.run().damage().fileCount() == 0;
        present |= were ? noted : 0;
        return were;
    }

    /** Tells where {@code chunks} lie in the file, as far as that is known without reading them. */
    void tell(BlockExtents extents, BitSet chunks, Extents wanted) {
        wanted.clear();
        if (file != null) {
            add(extents, chunks, 0, wanted);
        }
    }

    private boolean isMissing(FileBlock file, BlockExtents extents, Extents wanted) {
        return !isChecked(file, extents.bytes(), wanted)
                || knownDamage(file, extents.bytes(), wanted).isPresent()
                || (!isBrought && file.run().missing(wanted.joined()) > 0);
    }

    /**
     * Checks {@code chunks} of a block all rows of which are read if all of them are in memory, and
     * returns whether they are and nothing is wrong with them.
     *
     * @param wanted where they lie
     */
    boolean check(BlockExtents extents, BitSet chunks, Extents wanted) {
        if (file == null || !extents.isWhole() || file.run().missing(wanted.joined()) > 0) {
            return false;
        }
        try {
            require(extents, chunks);
            return true;
        } catch (CorruptRunException e) {
            // Of other rows, perhaps: who reads one of those that are damaged is told.
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

    /** Returns a bit for each of {@code chunks}; 0 where there are none, or too many for that. */
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

    /** Returns whether what {@code unreadable} names is in a block of {@code size} bytes here. */
    boolean isIn(CorruptRunException unreadable, long size) {
        return file != null
                && unreadable.file().equals(file.run().file())
                && unreadable.offset() >= offset()
                && unreadable.offset() < offset() + size;
    }

    @Override
    public CorruptRunException corrupt(long offsetInBlock, String expected, String found) {
        return corrupt(
                new Damage(
                        file == null ? "block in memory" : file.run().file(),
                        offset() + offsetInBlock,
                        expected,
                        found));
    }

    private CorruptRunException corrupt(Damage damage) {
        if (file != null) {
            file.run().damage().add(damage);
        }
        return new CorruptRunException(damage);
    }
}
