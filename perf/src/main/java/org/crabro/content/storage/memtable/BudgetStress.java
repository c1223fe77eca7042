package org.crabro.content.storage.memtable;

import java.time.Duration;
import org.openjdk.jcstress.annotations.Actor;
import org.openjdk.jcstress.annotations.Arbiter;
import org.openjdk.jcstress.annotations.Description;
import org.openjdk.jcstress.annotations.Expect;
import org.openjdk.jcstress.annotations.JCStressTest;
import org.openjdk.jcstress.annotations.Outcome;
import org.openjdk.jcstress.annotations.State;
import org.openjdk.jcstress.infra.results.ZI_Result;

/** Tests whether a waiting writer gets memory, and the state of the budget at the end. */
@JCStressTest
@Description("A waiting writer gets memory when a flush and readers release theirs.")
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
    public void release() {
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
