package org.crabro.content.file;

import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.atomic.AtomicLong;
import org.crabro.content.journal.Residency;

/**
 * The reads of one request, a query or a get: how many bytes came from the device, and which rows
 * could not be read. Safe for use by many threads.
 */
public final class ReadContext {
    /** Rows that could not be looked at, and why. */
    public record SetAside(CorruptRunException reason, long rows) {}

    /** As many questions in a row get the same answer about the moment: to look costs more. */
    private static final int SAME_MOMENT = 32;

    private final BlockProjection named;
    private final AtomicLong deviceBytes = new AtomicLong();
    private final List<SetAside> setAside = new ArrayList<>();
    // Guarded by this.
    private final List<UnderWay> underWay = new ArrayList<>();
    // Written under this.
    private volatile int ended;

    // Written by threads at once: what any of them writes is of about now.
    private int moment;
    private int momentUses;

    /** What a thread of the query is reading. */
    private record UnderWay(RunBytes file, Extents extents) {}

    /** Reads of which nothing is known before. */
    public ReadContext() {
        this(BlockProjection.NONE);
    }

    /**
     * @param named what is going to be read of every block in scope, whatever it holds
     */
    public ReadContext(BlockProjection named) {
        this.named = named;
    }

    /** Returns what is going to be read of every block, as far as it is known. */
    public BlockProjection named() {
        return named;
    }

    /** Returns about {@link Residency#moment}. */
    public int moment(Residency residency) {
        if (momentUses <= 0) {
            moment = residency.moment();
            momentUses = SAME_MOMENT;
        }
        momentUses--;
        return moment;
    }

    /** Returns the bytes of pages that were asked for and not in memory. */
    public long deviceBytes() {
        return deviceBytes.get();
    }

    /** Returns how many reads have ended: for {@link #begin}, asked before it is looked. */
    int ended() {
        return ended;
    }

    /**
     * Notes that a thread begins to read what is missing of {@code extents}. What others of the
     * query are reading already counts once: hits of one block share frames of texts and keys.
     *
     * @param missing the bytes of them that were not in memory; looked for again where others of
     *     the query have read since
     * @param endedBefore {@link #ended} before it was looked
     */
    synchronized void begin(RunBytes file, Extents extents, long missing, int endedBefore) {
        if (underWay.isEmpty() && ended == endedBefore) {
            deviceBytes.addAndGet(missing);
        } else {
            Extents left = extents;
            for (UnderWay other : underWay) {
                if (other.file().isSame(file)) {
                    left = left.without(other.extents());
                }
            }
            deviceBytes.addAndGet(file.missing(left));
        }
        underWay.add(new UnderWay(file, extents));
    }

    /** Notes that {@code extents} were read, or could not be. */
    // The same extents that were begun, not equal ones; written under the lock alone.
    @SuppressWarnings({"ReferenceEquality", "NonAtomicVolatileUpdate"})
    synchronized void end(Extents extents) {
        underWay.removeIf(each -> each.extents() == extents);
        ended++;
    }

    /** Leaves {@code rows} rows out, which cannot be read. */
    public synchronized void setAside(CorruptRunException reason, long rows) {
        setAside.add(new SetAside(reason, rows));
    }

    /** Returns what was left out. */
    public synchronized List<SetAside> setAside() {
        return List.copyOf(setAside);
    }
}
