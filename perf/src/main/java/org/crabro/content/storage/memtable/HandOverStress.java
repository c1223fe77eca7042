package org.crabro.content.storage.memtable;

import org.openjdk.jcstress.annotations.Actor;
import org.openjdk.jcstress.annotations.Arbiter;
import org.openjdk.jcstress.annotations.Description;
import org.openjdk.jcstress.annotations.Expect;
import org.openjdk.jcstress.annotations.JCStressTest;
import org.openjdk.jcstress.annotations.Outcome;
import org.openjdk.jcstress.annotations.State;
import org.openjdk.jcstress.infra.results.IIII_Result;

/**
 * Counts live rows and versions while a table is flushed and a newer version is written, then at
 * the end.
 */
@JCStressTest
@Description("A document is seen once while its table is flushed and its next version is written.")
@Outcome(id = "1, 1, 1, 2", expect = Expect.ACCEPTABLE, desc = "the old version")
@Outcome(id = "1, 2, 1, 2", expect = Expect.ACCEPTABLE, desc = "the new version")
@Outcome(expect = Expect.FORBIDDEN, desc = "twice, not at all, or an old version at last")
@State
public class HandOverStress {
    private final StressedPartition partition = new StressedPartition();

    public HandOverStress() {
        partition.apply(1);
    }

    @Actor
    public void flushAndWrite() {
        partition.flush();
        partition.apply(2);
    }

    @Actor
    public void look(IIII_Result result) {
        result.r1 = partition.liveRows();
        result.r2 = partition.version();
    }

    @Arbiter
    public void end(IIII_Result result) {
        result.r3 = partition.liveRows() + partition.openViews();
        result.r4 = partition.version();
        partition.close();
    }
}
