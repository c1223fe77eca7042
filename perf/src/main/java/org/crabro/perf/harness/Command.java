package org.crabro.perf.harness;

import java.io.PrintStream;
import java.util.List;

/** A check of {@code bin/perf} that holds or fails, without rounds. */
public interface Command {
    /** Returns the name on the command line. */
    String name();

    /** Returns its options and a short description, on one line. */
    String summary();

    /**
     * Runs the command.
     *
     * @return 0 if the check holds, 1 if it fails, 2 if an option is wrong
     */
    int run(List<String> options, PrintStream out) throws Exception;
}
