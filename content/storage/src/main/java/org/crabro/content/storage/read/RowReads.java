package org.crabro.content.storage.read;

import java.util.ArrayList;
import java.util.List;
import org.crabro.content.storage.file.BlockProjection;
import org.crabro.content.storage.file.ReadContext;
import org.crabro.protocol.wire.Deadline;

/**
 * Loads the blocks that a reader visits in key order: some of them ahead, for the columns that it
 * names. For one thread; reads nothing after it is closed.
 */
public final class RowReads implements AutoCloseable {
    private final ReadAhead ahead;
    private final ReadContext reads;
    private final Deadline deadline;
    private final long bytesAhead;
    private final List<SliceReads> open = new ArrayList<>();

    /**
     * @param reads counts the bytes read from the device
     * @param deadline the end of useful waiting for the device
     * @param bytesAhead bytes of columns that are requested ahead in a run
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

    /** Begins a pass over the next blocks. */
    public SliceReads begin(List<BlockSlice> slices, BlockProjection parts) {
        SliceReads pass = ahead.begin(slices, ReadPlan.of(parts), deadline);
        open.add(pass);
        return pass;
    }

    /** Ends a pass early: reads that have not started are cancelled. */
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
