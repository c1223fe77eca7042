package org.crabro.content.read;

import java.util.ArrayList;
import java.util.List;
import org.crabro.content.file.BlockProjection;
import org.crabro.content.file.ReadContext;
import org.crabro.protocol.wire.Deadline;

/**
 * How the blocks are brought that a reader goes through in the order of their keys: some ahead of
 * it, by the columns that it names. For one thread; nothing is read any more when it is closed.
 */
public final class RowReads implements AutoCloseable {
    private final ReadAhead ahead;
    private final ReadContext reads;
    private final Deadline deadline;
    private final long bytesAhead;
    private final List<SliceReads> open = new ArrayList<>();

    /**
     * @param reads is told what comes from the device
     * @param deadline up to when there is any use in waiting for the device
     * @param bytesAhead bytes of columns that are asked for ahead in a run
     */
    public RowReads(ReadAhead ahead, ReadContext reads, Deadline deadline, long bytesAhead) {
        this.ahead = ahead;
        this.reads = reads;
        this.deadline = deadline;
        this.bytesAhead = bytesAhead;
    }

    public ReadContext reads() {
        return reads;
    }

    public long bytesAhead() {
        return bytesAhead;
    }

    /** Begins a pass over blocks that are gone through next. */
    public SliceReads begin(List<BlockSlice> slices, BlockProjection parts) {
        SliceReads pass = ahead.begin(slices, ReadPlan.of(parts), deadline);
        open.add(pass);
        return pass;
    }

    /** Ends a pass early: what was not begun is not read. */
    public void end(SliceReads pass) {
        open.remove(pass);
        pass.close();
    }

    @Override
    public void close() {
        open.forEach(SliceReads::close);
        open.clear();
    }
}
