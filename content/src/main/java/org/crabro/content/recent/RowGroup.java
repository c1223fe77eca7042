package org.crabro.content.recent;

import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;

/**
 * Rows of one partition that are proposed together.
 *
 * @param indexes where each row stands among all that are written
 */
record RowGroup(int partition, List<byte[]> rows, List<Integer> indexes) {
    /**
     * Divides writes into groups of no more than {@link Journal#PROPOSAL_BYTES}. Those of one
     * partition keep their order.
     */
    static List<RowGroup> of(List<RowWrite> writes, List<Integer> indexes) {
        List<RowGroup> groups = new ArrayList<>();
        Map<Integer, RowGroup> open = new TreeMap<>();
        Map<Integer, Long> bytes = new TreeMap<>();
        for (int index : indexes) {
            RowWrite write = writes.get(index);
            long size = bytes.merge(write.partition(), (long) write.row().length, Long::sum);
            RowGroup group = open.get(write.partition());
            if (group == null || size > Journal.PROPOSAL_BYTES) {
                group = new RowGroup(write.partition(), new ArrayList<>(), new ArrayList<>());
                open.put(write.partition(), group);
                bytes.put(write.partition(), (long) write.row().length);
                groups.add(group);
            }
            group.rows().add(write.row());
            group.indexes().add(index);
        }
        return groups;
    }
}
