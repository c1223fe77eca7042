package org.crabro.content.storage.graph;

import java.io.IOException;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Comparator;
import java.util.List;
import java.util.Optional;
import org.apache.lucene.util.FixedBitSet;
import org.apache.lucene.util.IORunnable;
import org.apache.lucene.util.hnsw.HnswGraph;
import org.apache.lucene.util.hnsw.HnswGraphBuilder;
import org.apache.lucene.util.hnsw.MergingHnswGraphBuilder;

/**
 * Joins graphs of merged rows into one. The links of the largest are kept. The links of the others
 * tell where their vectors belong, so that fewer are compared. Vectors of no graph are inserted
 * last.
 */
final class GraphJoin {
    /** The heap for a vector of the graphs, beyond that of the new graph, in bytes. */
    static final long VECTOR_BYTES = 48;

    /**
     * A graph is used if at least this share of it is left, and graphs are joined if at least this
     * share of the new one is in them.
     */
    private static final double SHARE_MIN = 0.5;

    private final SectionVectors vectors;
    private final GraphField field;
    private final int first;
    private final int count;

    /**
     * @param vectors the new ones
     * @param first the first vector of the new graph
     * @param count the number of its vectors
     */
    GraphJoin(SectionVectors vectors, GraphField field, int first, int count) {
        this.vectors = vectors;
        this.field = field;
        this.first = first;
        this.count = count;
    }

    /** A graph of merged rows. */
    private static final class Old {
        private final HnswGraph graph;

        /** By node: its number in the new graph, or {@link GraphSource#GONE}. */
        private final int[] newNodes;

        /** How many nodes are not gone. */
        private final int left;

        Old(HnswGraph graph, int[] newNodes) {
            this.graph = graph;
            this.newNodes = newNodes;
            this.left = left(newNodes);
        }
    }

    /**
     * Returns whether enough is left of something.
     *
     * @param newNumbers the new number of each old one, or {@link GraphSource#GONE}
     */
    static boolean isEnough(int[] newNumbers) {
        int left = left(newNumbers);
        return left > 0 && left >= SHARE_MIN * newNumbers.length;
    }

    private static int left(int[] newNumbers) {
        int left = 0;
        for (int number : newNumbers) {
            left += number == GraphSource.GONE ? 0 : 1;
        }
        return left;
    }

    /**
     * Returns a builder that joins graphs; empty if they have too few of the new vectors.
     *
     * @param seed of the random levels of vectors that are inserted
     * @param check called often; ends the build by an exception
     */
    Optional<HnswGraphBuilder> builder(
            PartScorers scorers, String name, GraphSources sources, long seed, IORunnable check)
            throws IOException {
        var useful = new ArrayList<Old>();
        for (GraphSource source : sources.all()) {
            source.graphs()
                    .of(name)
                    .filter(stored -> stored.isOf(field))
                    .ifPresent(stored -> addUseful(stored, source.newRows(), useful));
        }
        if (useful.stream().mapToInt(old -> old.left).sum() < Math.max(1, SHARE_MIN * count)) {
            return Optional.empty();
        }
        useful.sort(Comparator.comparingInt((Old old) -> old.left).reversed());
        var graphs = new HnswGraph[useful.size()];
        var newNodes = new int[useful.size()][];
        var covered = new FixedBitSet(count);
        for (int i = 0; i < graphs.length; i++) {
            Old old = useful.get(i);
            Arrays.stream(old.newNodes)
                    .filter(node -> node != GraphSource.GONE)
                    .forEach(covered::set);
            // Only the first graph may have nodes that are gone.
            if (i == 0 || old.left == old.newNodes.length) {
                graphs[i] = old.graph;
                newNodes[i] = old.newNodes;
            } else {
                var live = new LiveGraph(old.graph, old.newNodes);
                graphs[i] = live;
                newNodes[i] = live.ofNodes(old.newNodes);
            }
        }
        return Optional.of(
                MergingHnswGraphBuilder.fromGraphs(
                        scorers,
                        field.links(),
                        field.explored(),
                        seed,
                        graphs,
                        newNodes,
                        count,
                        covered.cardinality() == count ? null : covered,
                        check));
    }

    /** Adds the graphs that have enough of their vectors left. */
    private void addUseful(StoredGraph stored, int[] newRows, List<Old> into) {
        for (GraphPart part : stored.parts()) {
            int[] newNodes = newNodes(stored.vectors(), part, newRows);
            if (isEnough(newNodes)) {
                into.add(new Old(stored.graph(part), newNodes));
            }
        }
    }

    /** Returns the node of the new graph that each node of an old one is now. */
    private int[] newNodes(SectionVectors before, GraphPart part, int[] newRows) {
        var nodes = new int[part.nodes()];
        int row = -1;
        int toNode = 0;
        for (int i = 0; i < nodes.length; i++) {
            int vector = part.first() + i;
            if (before.row(vector) != row) {
                row = before.row(vector);
                // The vectors of a row stay together, in their order.
                toNode =
                        newRows[row] == GraphSource.GONE
                                ? 0
                                : vectors.first(newRows[row]) - before.first(row) - first;
            }
            int node = vector + toNode;
            // A merge may also have dropped the field.
            boolean isLeft =
                    newRows[row] != GraphSource.GONE
                            && node >= 0
                            && node < count
                            && vectors.row(first + node) == newRows[row];
            nodes[i] = isLeft ? node : GraphSource.GONE;
        }
        return nodes;
    }
}
