package org.crabro.content.storage.partition;

import org.crabro.content.storage.run.RunView;
import org.openjdk.jcstress.annotations.Actor;
import org.openjdk.jcstress.annotations.Arbiter;
import org.openjdk.jcstress.annotations.Description;
import org.openjdk.jcstress.annotations.Expect;
import org.openjdk.jcstress.annotations.JCStressTest;
import org.openjdk.jcstress.annotations.Outcome;
import org.openjdk.jcstress.annotations.State;
import org.openjdk.jcstress.infra.results.II_Result;

/** Live rows, or -1 where no view was given, and at the end whether views are still given. */
@JCStressTest
@Description("A view taken while a log is closed can be read to its end, or is refused.")
@Outcome(id = "1, -1", expect = Expect.ACCEPTABLE, desc = "before")
@Outcome(id = "-1, -1", expect = Expect.ACCEPTABLE, desc = "after")
@Outcome(expect = Expect.FORBIDDEN, desc = "unmapped under the reader, or open for ever")
@State
public class LogClosedStress {
    private final StressedRuns runs = new StressedRuns();

    public LogClosedStress() {
        runs.add(1);
    }

    @Actor
    public void close() {
        runs.close();
    }

    @Actor
    public void look(II_Result result) {
        result.r1 = liveRows();
    }

    @Arbiter
    public void end(II_Result result) {
        result.r2 = liveRows();
    }

    private int liveRows() {
        RunView view;
        try {
            view = runs.log.acquire();
        } catch (IllegalStateException _) {
            return -1;
        }
        try (view) {
            return StressedRuns.liveRows(view);
        }
    }
}
