package org.crabro.content.storage.index;

/** Threads without a build of their own, which builds may use in addition. Thread-safe. */
public final class BuildThreads {
    // Guarded by this.
    private int free;

    /**
     * @param free how many there are now
     */
    public BuildThreads(int free) {
        this.free = free;
    }

    /**
     * Takes threads if there are any, without waiting.
     *
     * @return how many, at most {@code wanted}; to be {@link #giveBack given back}
     */
    public synchronized int take(int wanted) {
        int taken = Math.clamp(wanted, 0, free);
        free -= taken;
        return taken;
    }

    /** Gives threads back that were taken, or adds those of a build that has ended. */
    public synchronized void giveBack(int count) {
        free += count;
    }
}
