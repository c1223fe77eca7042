package org.crabro.content.run;

import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.atomic.AtomicLong;

/**
 * What becomes of the reads of one query, or of one get: how much came from the device, and what
 * could not be read. Safe for use by many threads.
 */
public final class QueryReads {
    /** Rows that could not be looked at, and why. */
    public record SetAside(CorruptRunException reason, long rows) {}

    private final PassParts named;
    private final AtomicLong deviceBytes = new AtomicLong();
    private final List<SetAside> setAside = new ArrayList<>();

    /** Reads of which nothing is known before. */
    public QueryReads() {
        this(PassParts.NONE);
    }

    /**
     * @param named what is going to be read of every block in scope, whatever it holds
     */
    public QueryReads(PassParts named) {
        this.named = named;
    }

    /** Returns what is going to be read of every block, as far as it is known. */
    PassParts named() {
        return named;
    }

    /** Returns the bytes of pages that were asked for and not in memory. */
    public long deviceBytes() {
        return deviceBytes.get();
    }

    void addDeviceBytes(long count) {
        deviceBytes.addAndGet(count);
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
