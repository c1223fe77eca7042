package org.crabro.content.storage.file;

import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.atomic.AtomicLong;
import org.crabro.content.storage.os.Residency;

/**
 * The reads of one request, a query or a get: the number of bytes from the device, and the rows
 * that could not be read. Thread-safe.
 */
public final class ReadContext {
    /** The number of unreadable rows, and the reason. */
    public record SetAside(CorruptRunException reason, long rows) {}

    /**
     * This many consecutive calls share one answer about the moment, because reading the clock is
     * slower.
     */
    private static final int SAME_MOMENT = 32;

    private final BlockProjection named;
    private final AtomicLong deviceBytes = new AtomicLong();
    private final List<SetAside> setAside = new ArrayList<>();
    // Guarded by this.
    private final List<UnderWay> underWay = new ArrayList<>();
    // Written while this is locked.
    private volatile int ended;

    // Written by several threads without a lock: each value is approximately current.
    private int moment;
    private int momentUses;

    /** The extents that a thread of the query is reading. */
    private record UnderWay(RunBytes file, Extents extents) {}

    /** Reads without a known projection. */
    public ReadContext() {
        this(BlockProjection.NONE);
    }

    /**
     * @param named the parts that will be read of every block in scope
     */
    public ReadContext(BlockProjection named) {
        this.named = named;
    }

    /** Returns the known parts that will be read of every block. */
    public BlockProjection named() {
        return named;
    }

    /** Returns an approximation of {@link Residency#moment}. */
    public int moment(Residency residency) {
        if (momentUses <= 0) {
            moment = residency.moment();
            momentUses = SAME_MOMENT;
        }
        momentUses--;
        return moment;
    }

    /** Returns the bytes of requested pages that were not in memory. */
    public long deviceBytes() {
        return deviceBytes.get();
    }

    /**
     * Returns the number of finished reads, for {@link #begin}. Called before checking which bytes
     * are missing.
     */
    int ended() {
        return ended;
    }

    /**
     * Records that a thread begins to read the missing bytes of {@code extents}. Bytes that other
     * threads of the query are already reading are counted once: hits of one block share frames of
     * texts and keys.
     *
     * @param missing the bytes that were not in memory; computed again if other threads of the
     *     query have finished reads since
     * @param endedBefore the result of {@link #ended} before the check
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

    /** Records that {@code extents} were read, or could not be. */
    // The identical object that was begun, not an equal one; written only under the lock.
    @SuppressWarnings({"ReferenceEquality", "NonAtomicVolatileUpdate"})
    synchronized void end(Extents extents) {
        underWay.removeIf(each -> each.extents() == extents);
        ended++;
    }

    /** Counts {@code rows} rows that cannot be read. */
    public synchronized void setAside(CorruptRunException reason, long rows) {
        setAside.add(new SetAside(reason, rows));
    }

    /** Returns the rows that were omitted. */
    public synchronized List<SetAside> setAside() {
        return List.copyOf(setAside);
    }
}
