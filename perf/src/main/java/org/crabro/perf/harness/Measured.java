package org.crabro.perf.harness;

import java.util.Optional;

/**
 * One program's figures of one task of the scoreboard.
 *
 * @param task what was measured; the same text for all programs
 * @param program the name of the program
 * @param rate how much it did in a second
 * @param latency the time of an operation
 * @param cost what it used
 * @param limit the rate that the machine or a bare loop allows, if one was measured
 */
public record Measured(
        String task,
        String program,
        Rate rate,
        Optional<Latency> latency,
        Cost cost,
        Optional<Limit> limit) {
    /** The name of this project's server in tables. */
    public static final String CRABRO = "Crabro";

    /** A rate, such as 1,200 {@code queries}. */
    public record Rate(double perSecond, String unit) {}

    /** The median and the 99th percentile. */
    public record Latency(double p50Millis, double p99Millis) {}

    /**
     * What a program used. An unknown figure is empty.
     *
     * @param cpuMillis processor time for each operation
     * @param anonymousBytes memory of the process without mapped files
     * @param deviceBytes bytes that the process read from devices and wrote to them
     * @param diskBytesPerDoc bytes of its files for each document
     */
    public record Cost(
            Optional<Double> cpuMillis,
            Optional<Double> anonymousBytes,
            Optional<Double> deviceBytes,
            Optional<Double> diskBytesPerDoc) {
        /** No figure. */
        public static final Cost UNKNOWN =
                new Cost(Optional.empty(), Optional.empty(), Optional.empty(), Optional.empty());
    }

    /**
     * A limit of the rate.
     *
     * @param name such as {@code memory read}
     * @param perSecond in the unit of the rate
     */
    public record Limit(String name, double perSecond) {}
}
