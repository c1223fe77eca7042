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

    /** Blocks whose headers are asked for together: 256 KiB, in reads that run side by side. */
    private static final int HEADERS_AHEAD = 64;

    /** What is read of a block's groups with its header, per row: more than most have. */
    private static final long GROUP_BYTES = 4;

    /** Bytes up to which blocks are read whole: reading them takes less time than waiting twice. */
    private static final long WHOLE_BYTES = 256 << 10;

    /** The share of a block that is needed from which on it is read whole. */
    private static final double WHOLE_SHARE = 0.75;

    private final RunSection section;
    private final int to;
    private final KeyBounds bounds;
    private final ReadContext reads;
    private final boolean takesWhole;
    // Blocks up to the first were asked for; up to the second they are in memory: their headers, or
    // all of them.
    private int askedTo;
    private int broughtTo;

    /**
     * @param from the first block that is going to be opened
     * @param to the block behind the last
     * @param bounds what rows are asked for
     * @param reads knows what of them, and is told what comes from the device
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
     * @param block none before one that was opened already
     * @throws CorruptRunException if its header cannot be read, or is not as it was written
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

    /** Brings headers into memory, and what of keys tells where the bounds begin and end. */
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
            // Each block is read by itself then, and the one that cannot be is told.
            LOG.debug("some blocks cannot be read ahead", e);
        }
    }
}
