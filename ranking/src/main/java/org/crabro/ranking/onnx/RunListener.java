package org.crabro.ranking.onnx;

/**
 * Gets the events of all model runs in containers. Methods return quickly and are called by many
 * threads. A model has the name of its file, without extension.
 */
public interface RunListener {
    /** A run arrived. */
    void arrived(String model);

    /**
     * A run ended, with a result or without.
     *
     * @param threads the number that it could use
     * @param waitedNanos the time before it started
     * @param runNanos the time since then
     */
    void ended(String model, int threads, long waitedNanos, long runNanos);

    /** A run was rejected: too many wait, or it could not start in time. */
    void rejected(String model);

    /** A model cannot run with {@code threads}, and goes on with the numbers that it has. */
    void notLoaded(String model, int threads, Exception reason);

    /**
     * A model gets no {@linkplain PreparedModels copy for this processor}, and needs more memory.
     */
    void notPrepared(String model, Exception reason);
}
