package org.crabro.content.storage.graph;

import java.lang.foreign.ValueLayout;
import java.nio.ByteOrder;

/**
 * The layout of a file with the graphs of one field. Little-endian; numbers without a size are
 * 32-bit.
 *
 * <pre>
 *   0   magic CRABHNSW, version, crc-32c of everything after it
 *   16  run: number (64), bytes (64), created (64), fingerprint of its type (64), section, rows
 *   56  metric, links, explored, whether rows may have several vectors
 *   72  blocks, vectors, whether there is a table of rows, graphs
 *   88  for each block and the end: the number of its first vector
 *       if there is a table: the row of each vector
 *       the graphs
 *
 *   graph := number of its first vector, nodes, levels, entry node
 *            { nodes of a level, links of the level }  from level 0 upwards
 *            { level }
 *   level := above level 0: its nodes in rising order
 *            for each node and the end: where its links start
 *            the links: nodes of the level
 * </pre>
 *
 * <p>Nodes are vectors, numbered from the first one of their graph.
 */
final class GraphFileLayout {
    static final ValueLayout.OfInt INT =
            ValueLayout.JAVA_INT_UNALIGNED.withOrder(ByteOrder.LITTLE_ENDIAN);
    static final ValueLayout.OfLong LONG =
            ValueLayout.JAVA_LONG_UNALIGNED.withOrder(ByteOrder.LITTLE_ENDIAN);

    static final long MAGIC = 0x57534e48_42415243L;

    /** Another version is made again, so there is no reader of older ones. */
    static final int VERSION = 1;

    static final int VERSION_OFFSET = 8;
    static final int CRC_OFFSET = 12;
    static final int RUN_OFFSET = 16;
    static final int FIELD_OFFSET = 56;
    static final int COUNTS_OFFSET = 72;
    static final int BLOCKS_OFFSET = 88;

    private GraphFileLayout() {}
}
