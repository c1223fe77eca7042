package org.crabro.content.storage.graph;

import java.io.IOException;
import java.util.Arrays;
import org.apache.lucene.search.DocIdSetIterator;
import org.apache.lucene.util.hnsw.HnswGraph;

/**
 * The lowest level of a graph without the nodes that are gone. The others are numbered from 0, in
 * the same order. For one thread.
 */
final class LiveGraph extends HnswGraph {
    private final HnswGraph graph;

    /** By number here: the node of the graph. */
    private final int[] nodes;

    /** By node of the graph: its number here, or {@link GraphSource#GONE}. */
    private final int[] numbers;

    // Of the current node.
    private int[] links = new int[64];
    private int count;
    private int next;

    /**
     * @param newNodes by node of the graph: {@link GraphSource#GONE}, or any other number
     */
    LiveGraph(HnswGraph graph, int[] newNodes) {
        this.graph = graph;
        this.nodes = new int[(int) Arrays.stream(newNodes).filter(LiveGraph::isLeft).count()];
        this.numbers = newNodes.clone();
        int number = 0;
        for (int node = 0; node < numbers.length; node++) {
            if (isLeft(newNodes[node])) {
                nodes[number] = node;
                numbers[node] = number++;
            }
        }
    }

    private static boolean isLeft(int node) {
        return node != GraphSource.GONE;
    }

    /** Returns what an array has for the nodes that are left, by their numbers here. */
    int[] ofNodes(int[] byNode) {
        return Arrays.stream(nodes).map(node -> byNode[node]).toArray();
    }

    @Override
    public void seek(int level, int node) throws IOException {
        graph.seek(level, nodes[node]);
        count = 0;
        next = 0;
        for (int link = graph.nextNeighbor();
                link != DocIdSetIterator.NO_MORE_DOCS;
                link = graph.nextNeighbor()) {
            if (isLeft(numbers[link])) {
                if (count == links.length) {
                    links = Arrays.copyOf(links, 2 * count);
                }
                links[count++] = numbers[link];
            }
        }
    }

    @Override
    public int nextNeighbor() {
        return next == count ? DocIdSetIterator.NO_MORE_DOCS : links[next++];
    }

    @Override
    public int neighborCount() {
        return count;
    }

    @Override
    public int size() {
        return nodes.length;
    }

    @Override
    public int numLevels() {
        return 1;
    }

    @Override
    public int maxConn() {
        return graph.maxConn();
    }

    @Override
    public int entryNode() {
        return 0;
    }

    @Override
    public NodesIterator getNodesOnLevel(int level) {
        return new DenseNodesIterator(nodes.length);
    }
}
