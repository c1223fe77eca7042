package org.crabro.content.run;

import org.crabro.content.block.EncodedBlock;
import org.crabro.content.block.key.KeyBounds;
import org.crabro.content.file.CorruptRunException;
import org.crabro.content.file.Extents;
import org.crabro.content.file.ReadContext;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Opens the blocks of a section in order, for one query, and reads many headers ahead. If a query
 * needs few small blocks almost completely, they are read whole with their headers. This waits for
 * the device once instead of twice.
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
    private final ReadContext reads;
    private final boolean takesWhole;
    // Blocks up to {@code askedTo} are requested; blocks up to {@code broughtTo} are in memory,
    // either their headers or all of them.
    private int askedTo;
    private int broughtTo;

    /**
     * @param from the first block that will be opened
     * @param to the end of the blocks, exclusive
     * @param bounds the requested rows
     * @param reads knows the requested parts, and counts the bytes read from the device
     */
    BlockReadAhead(RunSection section, int from, int to, KeyBounds bounds, ReadContext reads) {
        this.section = section;
        this.to = to;
        this.bounds = bounds;
        this.reads = reads;
        this.takesWhole = takesWhole(from);
    }

    private boolean takesWhole(int from) {
        if (section.share(reads.named()) < WHOLE_SHARE) {
            return false;
        }
        long size = 0;
        for (int i = from; i < to; i++) {
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
            askedTo = Math.min(to, block + HEADERS_AHEAD);
            bring(block, askedTo);
        }
        return block < broughtTo
                ? section.open(block, reads, takesWhole)
                : section.block(block, reads);
    }

    /** Loads headers, and the keys at both ends of the bounds. */
    private void bring(int first, int end) {
        var wanted = new Extents();
        for (int i = first; i < end; i++) {
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
    }
}
