package org.crabro.content.storage.graph;

import java.io.IOException;
import java.util.Arrays;
import org.apache.lucene.search.DocIdSetIterator;
import org.apache.lucene.util.Bits;
import org.apache.lucene.util.FixedBitSet;
import org.apache.lucene.util.hnsw.NeighborQueue;
import org.apache.lucene.util.hnsw.RandomVectorScorer;

/**
 * A search of a graph that compares only accepted vectors on the lowest level. Links lead it past
 * other vectors: to accepted ones that are two links away, and three if there are few. For one
 * thread.
 */
final class FilterFirstSearch {
    private final RandomVectorScorer scorer;
    private final MappedGraph graph;
    private final Bits accepted;

    /** How many vectors a step finds at most; once it has them, it reads no more links. */
    private final int most;

    /** With fewer vectors, a step follows a third link. */
    private final double few;

    private final NeighborQueue candidates;

    /** Nodes that were compared. */
    private final FixedBitSet compared;

    /** Other nodes whose links were read, or are to be read in this step. */
    private final FixedBitSet passed;

    private final NodeList nearest = new NodeList();
    private NodeList current = new NodeList();
    private NodeList next = new NodeList();

    /**
     * @param accepted by node
     * @param exploration the share of the vectors of a step below which it follows a third link, 0
     *     to 1
     */
    FilterFirstSearch(
            RandomVectorScorer scorer, MappedGraph graph, Bits accepted, double exploration) {
        this.scorer = scorer;
        this.graph = graph;
        this.accepted = accepted;
        this.most = 2 * graph.maxConn();
        this.few = exploration * most;
        this.candidates = new NeighborQueue(most, true);
        this.compared = new FixedBitSet(graph.size());
        this.passed = new FixedBitSet(graph.size());
    }

    /** Nodes, each with its number. */
    private static final class NodeList {
        private int[] nodes = new int[64];
        private int size;

        void add(int node) {
            if (size == nodes.length) {
                nodes = Arrays.copyOf(nodes, 2 * size);
            }
            nodes[size++] = node;
        }
    }

    /**
     * Collects the nearest accepted vectors. Ends early when the collector has visited as many
     * vectors as it may: those that were compared, and those whose links were read.
     */
    void run(RowCollector into) throws IOException {
        int entry = entry(into);
        float score = scorer.score(entry);
        into.incVisitedCount(1);
        candidates.add(entry, score);
        if (accepted.get(entry)) {
            compared.set(entry);
            into.collect(entry, score);
        }
        while (candidates.size() > 0 && !into.earlyTerminated()) {
            if (candidates.topScore() < into.minCompetitiveSimilarity()) {
                return;
            }
            into.incVisitedCount(step(candidates.pop()));
            for (int i = 0; i < nearest.size && !into.earlyTerminated(); i++) {
                int node = nearest.nodes[i];
                float near = scorer.score(node);
                into.incVisitedCount(1);
                if (near >= into.minCompetitiveSimilarity()) {
                    candidates.add(node, near);
                    into.collect(node, near);
                }
            }
        }
    }

    /** Returns the nearest node of the upper levels, accepted or not. */
    private int entry(RowCollector into) throws IOException {
        int best = graph.entryNode();
        float score = scorer.score(best);
        into.incVisitedCount(1);
        for (int level = graph.numLevels() - 1; level > 0; level--) {
            boolean rises = true;
            while (rises && !into.earlyTerminated()) {
                rises = false;
                graph.seek(level, best);
                for (int node = graph.nextNeighbor();
                        node != DocIdSetIterator.NO_MORE_DOCS;
                        node = graph.nextNeighbor()) {
                    float near = scorer.score(node);
                    into.incVisitedCount(1);
                    if (near > score) {
                        score = near;
                        best = node;
                        rises = true;
                    }
                }
            }
        }
        return best;
    }

    /**
     * Finds accepted nodes around a node that were not compared yet.
     *
     * @return how many links were read, in nodes that have them
     */
    private int step(int node) {
        nearest.size = 0;
        current.size = 0;
        next.size = 0;
        current.add(node);
        passed.set(node);
        int read = follow();
        if (nearest.size < most) {
            read += follow();
        }
        if (nearest.size < few) {
            read += follow();
        }
        // Later steps may still pass these.
        for (int i = 0; i < current.size; i++) {
            passed.clear(current.nodes[i]);
        }
        return read;
    }

    /**
     * Reads the links of the current nodes. Then the current nodes are those behind the links that
     * are not accepted.
     *
     * @return of how many nodes links were read
     */
    private int follow() {
        next.size = 0;
        int read = 0;
        while (read < current.size && nearest.size < most) {
            graph.seek(0, current.nodes[read++]);
            for (int node = graph.nextNeighbor();
                    node != DocIdSetIterator.NO_MORE_DOCS;
                    node = graph.nextNeighbor()) {
                if (accepted.get(node)) {
                    if (!compared.getAndSet(node)) {
                        nearest.add(node);
                    }
                } else if (!passed.getAndSet(node)) {
                    next.add(node);
                }
            }
        }
        for (int i = read; i < current.size; i++) {
            passed.clear(current.nodes[i]);
        }
        NodeList behind = next;
        next = current;
        current = behind;
        return read;
    }
}
