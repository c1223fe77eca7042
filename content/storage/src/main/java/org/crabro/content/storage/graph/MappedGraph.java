package org.crabro.content.storage.graph;

import java.lang.foreign.MemorySegment;
import org.apache.lucene.search.DocIdSetIterator;
import org.apache.lucene.util.hnsw.HnswGraph;

/** A graph in a mapped file, as Lucene traverses it. For one thread. */
final class MappedGraph extends HnswGraph {
    private final MemorySegment bytes;
    private final GraphPart part;
    private final int links;
    private long at;
    private long end;

    /**
     * @param bytes the whole file
     * @param links the most links of a node above level 0
     */
    MappedGraph(MemorySegment bytes, GraphPart part, int links) {
        this.bytes = bytes;
        this.part = part;
        this.links = links;
    }

    @Override
    public void seek(int level, int node) {
        GraphPart.Level of = part.levels().get(level);
        int index = level == 0 ? node : of.find(bytes, node);
        long starts = of.starts() + (long) index * Integer.BYTES;
        at = of.links() + (long) bytes.get(GraphFileLayout.INT, starts) * Integer.BYTES;
        end =
                of.links()
                        + (long) bytes.get(GraphFileLayout.INT, starts + Integer.BYTES)
                                * Integer.BYTES;
    }

    @Override
    public int nextNeighbor() {
        if (at >= end) {
            return DocIdSetIterator.NO_MORE_DOCS;
        }
        int next = bytes.get(GraphFileLayout.INT, at);
        at += Integer.BYTES;
        return next;
    }

    @Override
    public int neighborCount() {
        return (int) ((end - at) / Integer.BYTES);
    }

    @Override
    public int size() {
        return part.nodes();
    }

    @Override
    public int numLevels() {
        return part.levels().size();
    }

    @Override
    public int maxConn() {
        return links;
    }

    @Override
    public int entryNode() {
        return part.entry();
    }

    @Override
    public NodesIterator getNodesOnLevel(int level) {
        GraphPart.Level of = part.levels().get(level);
        if (level == 0) {
            return new DenseNodesIterator(part.nodes());
        }
        var nodes = new int[of.count()];
        for (int i = 0; i < nodes.length; i++) {
            nodes[i] = of.node(bytes, i);
        }
        return new ArrayNodesIterator(nodes, nodes.length);
    }
}
