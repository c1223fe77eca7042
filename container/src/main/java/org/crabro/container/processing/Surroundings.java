package org.crabro.container.processing;

import java.time.InstantSource;
import java.util.concurrent.ThreadLocalRandom;
import java.util.function.IntUnaryOperator;
import java.util.function.Supplier;
import org.crabro.container.http.MachineName;

/**
 * The inputs of indexing scripts apart from the document. Safe for use by many threads.
 *
 * @param random returns a number from 0 to below its argument
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
