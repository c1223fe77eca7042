package org.crabro.perf.harness;

import java.io.PrintStream;
import java.util.List;

/** Something that {@code bin/perf} does besides measuring in rounds: it holds or it does not. */
public interface Command {
    /** Returns what it is called by. */
    String name();

    /** Returns its options and, on the same line, what it shows. */
    String summary();

    /**
     * Does it.
     *
     * @return 0 where what was to hold did, 1 where it did not, 2 where an option is wrong
     */
    int run(List<String> options, PrintStream out) throws Exception;
}
