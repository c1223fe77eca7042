package org.crabro.content.integrity;

import java.io.IOException;
import org.crabro.content.journal.Damage;

/** Takes what a {@link PartitionInspection} finds, in this order: a partition, its runs. */
public interface RunReport {
    /** A partition, whose runs follow. */
    void partition(PartitionSummary partition) throws IOException;

    /** A run, whose blocks follow where they were asked for. */
    void run(RunSummary run) throws IOException;

    /** A block. */
    void block(BlockSummary block) throws IOException;

    /** Bytes that are not as they were written. */
    void damage(Damage damage) throws IOException;
}
