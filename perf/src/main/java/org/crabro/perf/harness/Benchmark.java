package org.crabro.perf.harness;

import java.io.IOException;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;

/** Something that {@code bin/perf} measures, by name. */
public interface Benchmark {
    /** Returns the name on the command line: one word. */
    String name();

    /** Returns one line that says what is measured against what. */
    String summary();

    /**
     * Returns a benchmark that measures some parts of this one alone, nothing where it has none of
     * these names.
     *
     * @param parts as they are on the command line behind the name
     */
    default Optional<Benchmark> only(List<String> parts) {
        return Optional.empty();
    }

    /**
     * Makes ready what all rounds share, such as data and a running server.
     *
     * @param folder an empty folder, removed afterwards
     */
    Prepared prepare(Path folder) throws Exception;

    /** Ready to be measured; closed after the last round. */
    interface Prepared extends AutoCloseable {
        /**
         * Measures one round. What is compared is measured in the same round, so that its ratio is
         * of one moment.
         */
        void measure(Figures figures) throws Exception;

        @Override
        default void close() throws IOException {}
    }
}
