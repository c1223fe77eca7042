package org.crabro.document.memory;

/**
 * Charges a share for many small values in steps of {@value #STEP} bytes. Fewer bytes are not
 * charged, so small requests cost nothing. For one thread.
 */
public final class ValueMeter {
    private static final int STEP = 16 << 10;

    private final MemoryShare share;
    private final boolean waits;
    private long pending;

    /** A meter of the request that the current thread executes. */
    public ValueMeter() {
        this(MemoryShare.current());
    }

    public ValueMeter(MemoryShare share) {
        this(share, true);
    }

    private ValueMeter(MemoryShare share, boolean waits) {
        this.share = share;
        this.waits = waits;
    }

    /** Returns a meter that does not wait for memory, for threads that many requests share. */
    public static ValueMeter withoutWaiting(MemoryShare share) {
        return new ValueMeter(share, false);
    }

    /**
     * Adds bytes of a value that is made next.
     *
     * @throws MemoryRefusedException if there is no room
     */
    public void add(long bytes) {
        pending += bytes;
        if (pending >= STEP) {
            long all = pending;
            pending = 0;
            if (waits) {
                share.charge(all);
            } else {
                share.chargeNow(all);
            }
        }
    }
}
