package org.crabro.content.recent;

import java.time.Duration;
import org.openjdk.jcstress.annotations.Actor;
import org.openjdk.jcstress.annotations.Arbiter;
import org.openjdk.jcstress.annotations.Description;
import org.openjdk.jcstress.annotations.Expect;
import org.openjdk.jcstress.annotations.JCStressTest;
import org.openjdk.jcstress.annotations.Outcome;
import org.openjdk.jcstress.annotations.State;
import org.openjdk.jcstress.infra.results.ZI_Result;

/** Whether a writer got room, and what the budget says at the end. */
@JCStressTest
@Description("A writer that waits for room gets it when a flush and readers let memory go.")
@Outcome(id = "true, 10", expect = Expect.ACCEPTABLE, desc = "room")
@Outcome(expect = Expect.FORBIDDEN, desc = "never woken, or counted wrong")
@State
public class BudgetStress {
    private final RecentBudget budget = new RecentBudget(10);

    public BudgetStress() {
        budget.add(20);
        budget.addHeld(10);
    }

    @Actor
    public void letGo() {
        budget.subtract(10);
        budget.addHeld(-10);
    }

    @Actor
    public void await(ZI_Result result) {
        result.r1 = budget.awaitRoom(Duration.ofSeconds(20));
    }

    @Arbiter
    public void end(ZI_Result result) {
        result.r2 = (int) budget.bytes();
    }
}
