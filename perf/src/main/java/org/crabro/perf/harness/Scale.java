package org.crabro.perf.harness;

/**
 * How much benchmarks of large data do: the environment variable {@code CRABRO_PERF_SCALE} makes it
 * smaller or larger; 1 is what is claimed for.
 */
public final class Scale {
    private static final double SCALE =
            Double.parseDouble(System.getenv().getOrDefault("CRABRO_PERF_SCALE", "1"));

    private Scale() {}

    /** Returns {@code count} as much as there is to be, at least 1. */
    public static int of(int count) {
        return (int) Math.max(1, count * SCALE);
    }
}
