package org.crabro.container.processing;

import java.time.InstantSource;
import java.util.Map;
import java.util.concurrent.ThreadLocalRandom;
import java.util.function.IntUnaryOperator;
import java.util.function.Supplier;
import org.crabro.component.FieldGenerator;
import org.crabro.container.http.MachineName;

/**
 * The inputs of indexing scripts apart from the document. Safe for use by many threads.
 *
 * @param random returns a number from 0 to below its argument
 * @param generators generate values of fields, by the id of their component
 */
public record Surroundings(
        InstantSource clock,
        IntUnaryOperator random,
        Supplier<String> hostname,
        Map<String, FieldGenerator> generators) {
    public Surroundings {
        generators = Map.copyOf(generators);
    }

    /** Returns those of this machine, without field generators. */
    public static Surroundings ofThisMachine() {
        return ofThisMachine(Map.of());
    }

    /** Returns those of this machine. */
    public static Surroundings ofThisMachine(Map<String, FieldGenerator> generators) {
        return new Surroundings(
                InstantSource.system(),
                bound -> ThreadLocalRandom.current().nextInt(bound),
                MachineName::ofThis,
                generators);
    }
}
