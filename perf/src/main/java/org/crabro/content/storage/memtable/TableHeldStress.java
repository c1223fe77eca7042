package org.crabro.content.storage.memtable;

import java.util.List;
import java.util.Optional;
import org.crabro.document.DocumentId;
import org.crabro.protocol.encoding.RowEncoding;
import org.openjdk.jcstress.annotations.Actor;
import org.openjdk.jcstress.annotations.Arbiter;
import org.openjdk.jcstress.annotations.Description;
import org.openjdk.jcstress.annotations.Expect;
import org.openjdk.jcstress.annotations.JCStressTest;
import org.openjdk.jcstress.annotations.Outcome;
import org.openjdk.jcstress.annotations.State;
import org.openjdk.jcstress.infra.results.III_Result;

/** The two results of a reader, -1 if it was refused, and the remaining memory in the account. */
@JCStressTest
@Description("The memory of a table is released when its last holder releases it, not later.")
@Outcome(
        id = {"1, 1, 0", "1, -1, 0", "-1, -1, 0"},
        expect = Expect.ACCEPTABLE,
        desc = "read or refused")
@Outcome(expect = Expect.FORBIDDEN, desc = "freed under a reader, or never")
@State
public class TableHeldStress {
    private static final DocumentId ID = DocumentId.parse("id:a:note:g=g:1");

    private final RecentBudget budget = new RecentBudget(1 << 30);
    private final RecentTable table =
            new RecentTable(Optional.empty(), budget, StressedPartition.TYPES);

    public TableHeldStress() {
        table.add(List.of(StressedPartition.row(1)));
        table.freeze();
    }

    @Actor
    public void release() {
        table.flushed();
        table.release();
    }

    @Actor
    public void look(III_Result result) {
        result.r1 = read();
        result.r2 = read();
    }

    @Arbiter
    public void end(III_Result result) {
        result.r3 = (int) budget.bytes();
    }

    private int read() {
        if (!table.tryHold()) {
            return -1;
        }
        try {
            return table.find(ID).map(RowEncoding::timestamp).orElse(0L).intValue();
        } finally {
            table.release();
        }
    }
}
