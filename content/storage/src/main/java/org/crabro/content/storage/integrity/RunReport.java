package org.crabro.content.storage.integrity;

import java.io.IOException;
import org.crabro.content.storage.journal.Damage;

/** Receives the findings of a {@link PartitionInspection} in this order: a partition, its runs. */
public interface RunReport {
    /** Receives a partition; its runs follow. */
    void partition(PartitionSummary partition) throws IOException;

    /** Receives a run; its blocks follow if they were requested. */
    void run(RunSummary run) throws IOException;

    /** Receives a block. */
    void block(BlockSummary block) throws IOException;

    /** Receives bytes that differ from the bytes that were written. */
    void damage(Damage damage) throws IOException;
}
