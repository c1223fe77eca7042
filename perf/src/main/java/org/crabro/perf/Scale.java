package org.crabro.perf;

/**
 * How much benchmarks of large data do: the environment variable {@code CRABRO_PERF_SCALE} makes it
 * smaller or larger; 1 is what is claimed for.
 */
final class Scale {
    private static final double SCALE =
            Double.parseDouble(System.getenv().getOrDefault("CRABRO_PERF_SCALE", "1"));

    private Scale() {}

    /** Returns {@code count} as much as there is to be, at least 1. */
    static int of(int count) {
        return (int) Math.max(1, count * SCALE);
    }
}
