package org.crabro.ranking.onnx.threads;

/** A run of a model that waits or has started. Only {@link CorePolicy} changes it. */
public final class RunRequest {
    private static final int WAITS = -1;

    private final ThreadLevels model;
    private final long size;
    private final long arrivedAt;
    private int level = WAITS;
    private long startedAt;
    private boolean isShort;

    /**
     * @param size of the input in cells
     * @param arrivedAt in nanoseconds
     */
    RunRequest(ThreadLevels model, long size, long arrivedAt) {
        this.model = model;
        this.size = size;
        this.arrivedAt = arrivedAt;
        this.startedAt = arrivedAt;
    }

    ThreadLevels model() {
        return model;
    }

    long size() {
        return size;
    }

    long startedAt() {
        return startedAt;
    }

    /** Returns whether it has started. */
    public boolean isStarted() {
        return level != WAITS;
    }

    /** Returns the level of a started request. */
    public int level() {
        return level;
    }

    /** Returns how many nanoseconds a started request has waited. */
    public long waitedNanos() {
        return startedAt - arrivedAt;
    }

    /**
     * Returns whether runs of inputs of this size are known to take less than half a millisecond on
     * one thread. Called before the end of the run, by its thread.
     */
    public boolean isShort() {
        return isShort;
    }

    void start(int chosen, long now) {
        isShort = model.isShort(size);
        level = chosen;
        startedAt = now;
    }
}
