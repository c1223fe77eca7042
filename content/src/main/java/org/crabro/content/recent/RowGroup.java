package org.crabro.content.recent;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

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
        Map<Integer, Open> open = new HashMap<>();
        for (int index : indexes) {
            RowWrite write = writes.get(index);
            Open last = open.get(write.partition());
            if (last == null || last.bytes + write.row().length > Journal.PROPOSAL_BYTES) {
                last = new Open(write.partition());
                open.put(write.partition(), last);
                groups.add(last.group);
            }
            last.bytes += write.row().length;
            last.group.rows().add(write.row());
            last.group.indexes().add(index);
        }
        return groups;
    }

    /** The group that takes the next rows of a partition. */
    private static final class Open {
        private final RowGroup group;
        private long bytes;

        Open(int partition) {
            this.group = new RowGroup(partition, new ArrayList<>(), new ArrayList<>());
        }
    }
}
