package org.crabro.perf.harness;

import java.io.IOException;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;

/** Something that {@code bin/perf} measures, by name. */
public interface Benchmark {
    /** Returns the name on the command line: one word. */
    String name();

    /** Returns one line that describes the measurement and its comparison. */
    String summary();

    /**
     * Returns a benchmark of only some parts of this one; empty if it has no parts of these names.
     *
     * @param parts as on the command line after the name
     */
    default Optional<Benchmark> only(List<String> parts) {
        return Optional.empty();
    }

    /**
     * Prepares the state that all rounds share, such as data and a running server.
     *
     * @param folder an empty folder, removed afterwards
     */
    Prepared prepare(Path folder) throws Exception;

    /** Ready to be measured; closed after the last round. */
    interface Prepared extends AutoCloseable {
        /**
         * Measures one round. Compared figures are measured in the same round, so that machine load
         * affects both sides of their ratio.
         */
        void measure(Figures figures) throws Exception;

        @Override
        default void close() throws IOException {}
    }
}
