package org.crabro.perf.harness;

import java.io.IOException;
import java.io.PrintStream;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;

/** The figures of a run of the scoreboard, in their order. */
public final class ScoreSheet {
    /**
     * Something that was not measured.
     *
     * @param program the program, or a workload
     * @param task what was to be measured
     * @param reason in a few words
     */
    public record Missing(String program, String task, String reason) {}

    private final PrintStream out;
    private final PeerPrograms peers;
    private final List<Measured> measured = new ArrayList<>();
    private final List<Missing> missing = new ArrayList<>();

    /**
     * @param out receives a line for each figure
     */
    public ScoreSheet(PrintStream out, PeerPrograms peers) {
        this.out = out;
        this.peers = peers;
    }

    /** Adds figures. */
    public void add(Measured figures) {
        measured.add(figures);
        out.printf(
                "%-44s %-12s %12s %s%n",
                figures.task(),
                figures.program(),
                Figures.number(figures.rate().perSecond()),
                figures.rate().unit());
    }

    /** Adds something that was not measured. */
    public void miss(String program, String task, String reason) {
        missing.add(new Missing(program, task, reason));
        out.printf("%-44s %-12s not measured: %s%n", task, program, reason);
    }

    /**
     * Has all other programs measured that do a task.
     *
     * @param task the name of the data's form, such as {@code vectors}
     * @param data the directory with the data and the expected results
     */
    public void measurePeers(String task, Path data, RunSize size)
            throws IOException, InterruptedException {
        peers.measure(task, data, size, this);
    }

    /** Returns all figures. */
    public List<Measured> measured() {
        return List.copyOf(measured);
    }

    /** Returns what was not measured. */
    public List<Missing> missing() {
        return List.copyOf(missing);
    }
}
