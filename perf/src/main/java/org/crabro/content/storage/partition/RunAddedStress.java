package org.crabro.content.storage.partition;

import org.crabro.content.storage.run.RunView;
import org.crabro.protocol.encoding.Row;
import org.openjdk.jcstress.annotations.Actor;
import org.openjdk.jcstress.annotations.Arbiter;
import org.openjdk.jcstress.annotations.Description;
import org.openjdk.jcstress.annotations.Expect;
import org.openjdk.jcstress.annotations.JCStressTest;
import org.openjdk.jcstress.annotations.Outcome;
import org.openjdk.jcstress.annotations.State;
import org.openjdk.jcstress.infra.results.III_Result;

/** Live rows, version and, at the end, version, for a view taken while a run is added. */
@JCStressTest
@Description("A view shows a document once, before or after a run with a newer version was added.")
@Outcome(id = "1, 1, 2", expect = Expect.ACCEPTABLE, desc = "before")
@Outcome(id = "1, 2, 2", expect = Expect.ACCEPTABLE, desc = "after")
@Outcome(expect = Expect.FORBIDDEN, desc = "twice, not at all, or half")
@State
public class RunAddedStress {
    private final StressedRuns runs = new StressedRuns();

    public RunAddedStress() {
        runs.add(1);
    }

    @Actor
    public void add() {
        runs.add(2);
    }

    @Actor
    public void look(III_Result result) {
        try (RunView view = runs.log.acquire()) {
            result.r1 = StressedRuns.liveRows(view);
            result.r2 = version(view);
        }
    }

    @Arbiter
    public void end(III_Result result) {
        try (RunView view = runs.log.acquire()) {
            result.r3 = version(view);
        }
        runs.close();
    }

    private static int version(RunView view) {
        return view.newest(StressedRuns.ID).map(Row::timestamp).orElse(0L).intValue();
    }
}
