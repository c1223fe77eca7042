package org.crabro.perf.harness;

/**
 * The amount of data in benchmarks of large data: the environment variable {@code
 * CRABRO_PERF_SCALE} makes it smaller or larger; published claims use 1.
 */
public final class Scale {
    private static final double SCALE =
            Double.parseDouble(System.getenv().getOrDefault("CRABRO_PERF_SCALE", "1"));

    private Scale() {}

    /** Returns the scaled {@code count}, at least 1. */
    public static int of(int count) {
        return (int) Math.max(1, count * SCALE);
    }
}
