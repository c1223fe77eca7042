package org.crabro.container.processing;

import java.time.InstantSource;
import java.util.concurrent.ThreadLocalRandom;
import java.util.function.IntUnaryOperator;
import java.util.function.Supplier;
import org.crabro.container.http.MachineName;

/**
 * What indexing scripts may ask for besides the document. Safe for use by many threads.
 *
 * @param random gives a number from 0 to below another
 */
public record Surroundings(
        InstantSource clock, IntUnaryOperator random, Supplier<String> hostname) {
    /** Returns those of this machine. */
    public static Surroundings ofThisMachine() {
        return new Surroundings(
                InstantSource.system(),
                bound -> ThreadLocalRandom.current().nextInt(bound),
                MachineName::ofThis);
    }
}
