package org.crabro.protocol.search;

import java.util.List;
import org.crabro.protocol.cluster.PartitionPosition;

/**
 * The documents that one content node searches.
 *
 * @param partitions the partitions to read, from 0
 * @param documentType the schema's name
 * @param documents which documents of the type
 * @param atLeast positions that the node must have reached before it reads
 */
public record SearchScope(
        List<Integer> partitions,
        String documentType,
        Scope documents,
        List<PartitionPosition> atLeast) {
    public SearchScope {
        partitions = List.copyOf(partitions);
        atLeast = List.copyOf(atLeast);
    }
}
