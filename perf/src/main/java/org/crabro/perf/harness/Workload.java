package org.crabro.perf.harness;

import java.nio.file.Path;

/**
 * A part of the scoreboard: it starts a server in a process of its own, measures it, and has other
 * programs measured with the same data.
 */
public interface Workload {
    /** Returns the name on the command line: one word. */
    String name();

    /**
     * Measures.
     *
     * @param folder an empty folder, removed afterwards
     * @param size how much
     * @param results receives the figures
     */
    void measure(Path folder, RunSize size, ScoreSheet results) throws Exception;
}
