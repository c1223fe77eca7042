package org.crabro.content.storage.memtable;

import org.openjdk.jcstress.annotations.Actor;
import org.openjdk.jcstress.annotations.Arbiter;
import org.openjdk.jcstress.annotations.Description;
import org.openjdk.jcstress.annotations.Expect;
import org.openjdk.jcstress.annotations.JCStressTest;
import org.openjdk.jcstress.annotations.Outcome;
import org.openjdk.jcstress.annotations.State;
import org.openjdk.jcstress.infra.results.IIII_Result;

/** Live rows and version at the end, then again when all is in runs. */
@JCStressTest
@Description("A row that comes while its older version is flushed stands in front of that.")
@Outcome(id = "1, 2, 1, 2", expect = Expect.ACCEPTABLE, desc = "the new version, once")
@Outcome(expect = Expect.FORBIDDEN, desc = "twice, not at all, or the old version")
@State
public class WriteDuringFlushStress {
    private final StressedPartition partition = new StressedPartition();

    public WriteDuringFlushStress() {
        partition.apply(1);
    }

    @Actor
    public void flush() {
        partition.flush();
    }

    @Actor
    public void write() {
        partition.apply(2);
    }

    @Arbiter
    public void end(IIII_Result result) {
        result.r1 = partition.liveRows();
        result.r2 = partition.version();
        partition.flush();
        result.r3 = partition.liveRows();
        result.r4 = partition.version();
        partition.close();
    }
}
