package org.crabro.content.storage.graph;

import java.lang.foreign.MemorySegment;
import java.util.ArrayList;
import java.util.List;
import org.apache.lucene.util.hnsw.RandomVectorScorer;
import org.apache.lucene.util.hnsw.RandomVectorScorerSupplier;
import org.apache.lucene.util.hnsw.UpdateableRandomVectorScorer;
import org.crabro.content.storage.file.WorkMeter;
import org.crabro.ranking.kernel.Distances;
import org.crabro.ranking.kernel.VectorPairs;

/**
 * Compares the vectors of one graph for Lucene. The nearer, the larger the score. Each thread has
 * scorers of its own.
 */
final class PartScorers implements RandomVectorScorerSupplier {
    private final SectionVectors vectors;
    private final VectorPairs pairs;
    private final long width;
    private final int first;
    private final int count;

    /** The inverse length of each vector; empty if they are not needed. */
    private final float[] lengths;

    // Guarded by this.
    private final List<Pairs> scorers = new ArrayList<>();

    /**
     * @param first the number of the first vector
     * @param count the number of vectors
     */
    PartScorers(SectionVectors vectors, GraphField field, int first, int count) {
        this.vectors = vectors;
        this.pairs = VectorPairs.of(field.metric(), field.type().cellType(), field.cells());
        this.width = (long) field.cells() * field.type().cellType().size();
        this.first = first;
        this.count = count;
        this.lengths = new float[pairs.needsLengths() ? count : 0];
        for (int i = 0; i < lengths.length; i++) {
            int block = vectors.block(first + i);
            lengths[i] =
                    (float)
                            pairs.inverseLength(
                                    vectors.of(block).cells(),
                                    vectors.index(first + i, block) * width);
        }
    }

    @Override
    public synchronized UpdateableRandomVectorScorer scorer() {
        var scorer = new Pairs();
        scorers.add(scorer);
        return scorer;
    }

    @Override
    public RandomVectorScorerSupplier copy() {
        return this;
    }

    /** Returns how many pairs of vectors were compared; after all threads have ended. */
    synchronized long compared() {
        return scorers.stream().mapToLong(scorer -> scorer.compared).sum();
    }

    /** Returns a float that orders scores, and is finite. */
    static float score(double nearness) {
        return Double.isNaN(nearness)
                ? -Float.MAX_VALUE
                : (float) Math.clamp(nearness, -Float.MAX_VALUE, Float.MAX_VALUE);
    }

    /** Compares with one of the vectors. */
    private final class Pairs implements UpdateableRandomVectorScorer {
        private MemorySegment cells = MemorySegment.NULL;
        private long at;
        private float length;
        private long compared;

        @Override
        public void setScoringOrdinal(int node) {
            int block = vectors.block(first + node);
            cells = vectors.of(block).cells();
            at = vectors.index(first + node, block) * width;
            length = lengths.length == 0 ? 1 : lengths[node];
        }

        @Override
        public float score(int node) {
            compared++;
            int block = vectors.block(first + node);
            double nearness =
                    pairs.nearness(
                            cells,
                            at,
                            vectors.of(block).cells(),
                            vectors.index(first + node, block) * width);
            return PartScorers.score(
                    lengths.length == 0 ? nearness : nearness * length * lengths[node]);
        }

        @Override
        public int maxOrd() {
            return count;
        }
    }

    /** Compares with the vector of a query. */
    static final class OfQuery implements RandomVectorScorer {
        private final SectionVectors vectors;
        private final Distances distances;
        private final WorkMeter work;
        private final int units;
        private final int first;
        private final int count;

        OfQuery(SectionVectors vectors, GraphQuery query, int units, int first, int count) {
            this.vectors = vectors;
            this.distances = query.distances();
            this.work = query.work();
            this.units = units;
            this.first = first;
            this.count = count;
        }

        @Override
        public float score(int node) {
            work.spend(units);
            int block = vectors.block(first + node);
            int index = vectors.index(first + node, block);
            return PartScorers.score(-distances.select(vectors.of(block), index));
        }

        @Override
        public int maxOrd() {
            return count;
        }
    }
}
