package org.crabro.content.storage.run;

import java.util.function.IntUnaryOperator;
import org.crabro.content.storage.block.EncodedBlock;
import org.crabro.content.storage.block.key.KeyBounds;
import org.crabro.content.storage.file.CorruptRunException;
import org.crabro.content.storage.file.Extents;
import org.crabro.content.storage.file.ReadContext;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Opens the needed blocks of a section in order, for one query, and reads many headers ahead. If a
 * query needs few small blocks almost completely, they are read whole with their headers. This
 * waits for the device once instead of twice.
 */
final class BlockReadAhead {
    private static final Logger LOG = LoggerFactory.getLogger(BlockReadAhead.class);

    /** The number of blocks whose headers are requested together: 256 KiB, in parallel reads. */
    private static final int HEADERS_AHEAD = 64;

    /**
     * The bytes of a block's groups, per row, that are read with its header: more than most blocks
     * have.
     */
    private static final long GROUP_BYTES = 4;

    /**
     * The block size up to which blocks are read whole: reading them is faster than waiting twice.
     */
    private static final long WHOLE_BYTES = 256 << 10;

    /** The needed share of a block from which on it is read whole. */
    private static final double WHOLE_SHARE = 0.75;

    private final RunSection section;
    private final int to;
    private final KeyBounds bounds;
    private final IntUnaryOperator needed;
    private final ReadContext reads;
    private final boolean takesWhole;
    // Needed blocks up to {@code askedTo} are requested; those up to {@code broughtTo} are in
    // memory, either their headers or all of them.
    private int askedTo;
    private int broughtTo;

    /**
     * @param from the first block that will be opened
     * @param to the end of the blocks, exclusive
     * @param bounds the requested rows
     * @param needed returns the first needed block from a block on, or {@code to} or more if there
     *     is none; only needed blocks may be opened
     * @param reads knows the requested parts, and counts the bytes read from the device
     */
    BlockReadAhead(
            RunSection section,
            int from,
            int to,
            KeyBounds bounds,
            IntUnaryOperator needed,
            ReadContext reads) {
        this.section = section;
        this.to = to;
        this.bounds = bounds;
        this.needed = needed;
        this.reads = reads;
        this.takesWhole = needsWhole(from);
    }

    private boolean needsWhole(int from) {
        if (section.share(reads.named()) < WHOLE_SHARE) {
            return false;
        }
        long size = 0;
        for (int i = next(from); i < to; i = next(i + 1)) {
            size += section.byteCount(i);
            if (size > WHOLE_BYTES || !section.isInside(i, bounds)) {
                return false;
            }
        }
        return true;
    }

    /**
     * @param block never before a block that was already opened
     * @throws CorruptRunException if its header cannot be read, or is damaged
     */
    EncodedBlock open(int block) {
        if (block >= askedTo) {
            askedTo = bring(block);
        }
        return block < broughtTo
                ? section.open(block, reads, takesWhole)
                : section.block(block, reads);
    }

    private int next(int from) {
        return from < to ? needed.applyAsInt(from) : to;
    }

    /**
     * Loads headers, and the keys at both ends of the bounds.
     *
     * @return the end of the requested blocks
     */
    private int bring(int first) {
        var wanted = new Extents();
        int end = first;
        int ahead = 0;
        for (int i = next(first); i < to && ahead < HEADERS_AHEAD; i = next(i + 1)) {
            ahead++;
            end = i + 1;
            if (takesWhole) {
                wanted.add(section.offset(i), section.offset(i) + section.byteCount(i));
                continue;
            }
            boolean isInside = section.isInside(i, bounds);
            if (isInside && section.isKept(i)) {
                continue;
            }
            section.addHeader(i, wanted);
            if (!isInside) {
                wanted.add(
                        section.offset(i),
                        section.headerEnd(i) + GROUP_BYTES * section.rowCount(i));
            }
        }
        try {
            if (wanted.count() > 0) {
                section.load(wanted.joined(), reads);
            }
            broughtTo = end;
        } catch (CorruptRunException e) {
            // Each block is then read separately, and the unreadable one throws.
            LOG.debug("some blocks cannot be read ahead", e);
        }
        return end;
    }
}
