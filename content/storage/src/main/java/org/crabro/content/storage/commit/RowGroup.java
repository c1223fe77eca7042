package org.crabro.content.storage.commit;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.stream.IntStream;
import org.crabro.protocol.feed.OperationId;
import org.crabro.protocol.feed.Write;

/** Rows of one partition that are proposed together. */
public final class RowGroup {
    private static final int FIRST_CAPACITY = 16;

    private final int partition;
    private final List<byte[]> rows = new ArrayList<>(FIRST_CAPACITY);
    private int[] indexes = new int[FIRST_CAPACITY];
    private long bytes;

    private RowGroup(int partition) {
        this.partition = partition;
    }

    /**
     * Divides writes into groups of at most {@link Journal#PROPOSAL_BYTES}. Writes of one partition
     * keep their order.
     *
     * @param indexes of the writes to be divided
     */
    public static List<RowGroup> of(List<Write.Row> writes, int[] indexes) {
        List<RowGroup> groups = new ArrayList<>();
        // By partition: the group for its next rows.
        var open = new RowGroup[FIRST_CAPACITY];
        for (int index : indexes) {
            Write.Row write = writes.get(index);
            int partition = write.partition();
            if (partition >= open.length) {
                open = Arrays.copyOf(open, 2 * partition);
            }
            RowGroup last = open[partition];
            if (last == null || last.bytes + write.bytes().length > Journal.PROPOSAL_BYTES) {
                last = new RowGroup(partition);
                open[partition] = last;
                groups.add(last);
            }
            last.add(index, write.bytes());
        }
        return groups;
    }

    private void add(int index, byte[] row) {
        if (rows.size() == indexes.length) {
            indexes = Arrays.copyOf(indexes, 2 * indexes.length);
        }
        indexes[rows.size()] = index;
        rows.add(row);
        bytes += row.length;
    }

    public int partition() {
        return partition;
    }

    public List<byte[]> rows() {
        return rows;
    }

    /**
     * Returns the operations of the rows.
     *
     * @param ofAll the operation of each of all writes; empty if they have no ids
     */
    public List<OperationId> operations(List<OperationId> ofAll) {
        return ofAll.isEmpty()
                ? List.of()
                : IntStream.range(0, rows.size()).mapToObj(row -> ofAll.get(index(row))).toList();
    }

    /** Returns the index of a row among all writes. */
    public int index(int row) {
        return indexes[row];
    }
}
