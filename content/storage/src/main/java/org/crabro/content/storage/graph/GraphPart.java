package org.crabro.content.storage.graph;

import java.io.IOException;
import java.lang.foreign.MemorySegment;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.stream.IntStream;
import org.apache.lucene.util.hnsw.HnswGraph;
import org.apache.lucene.util.hnsw.NeighborArray;
import org.apache.lucene.util.hnsw.OnHeapHnswGraph;

/**
 * Where a graph is in its file.
 *
 * @param first the number of its first vector
 * @param nodes the number of its vectors
 * @param entry the node where searches begin
 * @param levels from the lowest upwards
 * @param end the offset after the graph
 */
record GraphPart(int first, int nodes, int entry, List<Level> levels, long end) {
    GraphPart {
        levels = List.copyOf(levels);
    }

    /**
     * A level.
     *
     * @param count the number of its nodes
     * @param nodes the offset of their numbers; not used for level 0
     * @param starts the offset of the starts of their links
     * @param links the offset of the links
     */
    record Level(int count, long nodes, long starts, long links) {
        /** Returns the number of a node by its index. */
        int node(MemorySegment bytes, int index) {
            return bytes.get(GraphFileLayout.INT, nodes + (long) index * Integer.BYTES);
        }

        /** Returns the index of a node of this level. */
        int find(MemorySegment bytes, int node) {
            int low = 0;
            int high = count - 1;
            while (low < high) {
                int middle = (low + high) >>> 1;
                if (node(bytes, middle) < node) {
                    low = middle + 1;
                } else {
                    high = middle;
                }
            }
            return low;
        }
    }

    /** Reads a graph at an offset of a file that is intact. */
    static GraphPart read(MemorySegment bytes, long offset) {
        int levelCount = bytes.get(GraphFileLayout.INT, offset + 8);
        long counts = offset + 16;
        long at = counts + 8L * levelCount;
        var levels = new ArrayList<Level>();
        for (int i = 0; i < levelCount; i++) {
            int count = bytes.get(GraphFileLayout.INT, counts + 8L * i);
            int links = bytes.get(GraphFileLayout.INT, counts + 8L * i + 4);
            long nodes = at;
            long starts = i == 0 ? nodes : nodes + 4L * count;
            long firstLink = starts + 4L * (count + 1L);
            levels.add(new Level(count, nodes, starts, firstLink));
            at = firstLink + 4L * links;
        }
        return new GraphPart(
                bytes.get(GraphFileLayout.INT, offset),
                bytes.get(GraphFileLayout.INT, offset + 4),
                bytes.get(GraphFileLayout.INT, offset + 12),
                levels,
                at);
    }

    /** Writes a graph of Lucene. */
    static void write(GraphFileWriter out, int first, OnHeapHnswGraph graph) throws IOException {
        out.putInt(first);
        out.putInt(graph.size());
        out.putInt(graph.numLevels());
        out.putInt(graph.entryNode());
        var nodes = new ArrayList<int[]>();
        for (int level = 0; level < graph.numLevels(); level++) {
            int[] own = nodes(graph, level);
            nodes.add(own);
            int links = 0;
            for (int node : own) {
                links += graph.getNeighbors(level, node).size();
            }
            out.putInt(own.length);
            out.putInt(links);
        }
        for (int level = 0; level < graph.numLevels(); level++) {
            int[] own = nodes.get(level);
            for (int node : level == 0 ? new int[0] : own) {
                out.putInt(node);
            }
            int start = 0;
            for (int node : own) {
                out.putInt(start);
                start += graph.getNeighbors(level, node).size();
            }
            out.putInt(start);
            for (int node : own) {
                NeighborArray neighbors = graph.getNeighbors(level, node);
                for (int i = 0; i < neighbors.size(); i++) {
                    out.putInt(neighbors.nodes()[i]);
                }
            }
        }
    }

    /** Returns the nodes of a level in rising order. */
    private static int[] nodes(OnHeapHnswGraph graph, int level) {
        if (level == 0) {
            return IntStream.range(0, graph.size()).toArray();
        }
        HnswGraph.NodesIterator iterator = graph.getNodesOnLevel(level);
        var nodes = new int[iterator.size()];
        for (int i = 0; i < nodes.length; i++) {
            nodes[i] = iterator.nextInt();
        }
        Arrays.sort(nodes);
        return nodes;
    }
}
