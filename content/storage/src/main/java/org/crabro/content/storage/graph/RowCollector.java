package org.crabro.content.storage.graph;

import java.util.Arrays;
import org.apache.lucene.search.AbstractKnnCollector;
import org.apache.lucene.search.ScoreDoc;
import org.apache.lucene.search.TopDocs;
import org.apache.lucene.search.TotalHits;
import org.apache.lucene.search.knn.KnnSearchStrategy;

/**
 * Keeps the rows with the nearest vectors. A row with several vectors counts once, by its nearest
 * vector.
 */
final class RowCollector extends AbstractKnnCollector {
    private final SectionVectors vectors;
    private final boolean hasSeveral;
    private final GraphQuery query;
    private final int first;

    /** A heap, the farthest row first. */
    private final int[] rows;

    private final float[] scores;
    private int size;

    /** The score at {@link #slackened}, as it was before. */
    private float farthest = Float.NaN;

    private float slackened;

    /**
     * @param first the number of the first vector of the graph
     * @param most the rows to keep
     */
    RowCollector(
            SectionVectors vectors,
            boolean hasSeveral,
            GraphQuery query,
            int first,
            int most,
            long visited) {
        // Searches that compare only accepted vectors are our own.
        super(most, visited, new KnnSearchStrategy.Hnsw(0));
        this.vectors = vectors;
        this.hasSeveral = hasSeveral;
        this.query = query;
        this.first = first;
        this.rows = new int[most];
        this.scores = new float[most];
    }

    @Override
    public boolean collect(int node, float score) {
        int row = vectors.row(first + node);
        int existing = hasSeveral ? find(row) : -1;
        if (existing >= 0) {
            if (score > scores[existing]) {
                scores[existing] = score;
                sink(existing);
            }
            return true;
        }
        if (size < rows.length) {
            rise(size++, row, score);
            return true;
        }
        if (score <= scores[0]) {
            return false;
        }
        rows[0] = row;
        scores[0] = score;
        sink(0);
        return true;
    }

    private int find(int row) {
        for (int i = 0; i < size; i++) {
            if (rows[i] == row) {
                return i;
            }
        }
        return -1;
    }

    private void rise(int from, int row, float score) {
        int at = from;
        while (at > 0 && scores[(at - 1) / 2] > score) {
            rows[at] = rows[(at - 1) / 2];
            scores[at] = scores[(at - 1) / 2];
            at = (at - 1) / 2;
        }
        rows[at] = row;
        scores[at] = score;
    }

    private void sink(int from) {
        int row = rows[from];
        float score = scores[from];
        int at = from;
        while (2 * at + 1 < size) {
            int child = 2 * at + 1;
            if (child + 1 < size && scores[child + 1] < scores[child]) {
                child++;
            }
            if (scores[child] >= score) {
                break;
            }
            rows[at] = rows[child];
            scores[at] = scores[child];
            at = child;
        }
        rows[at] = row;
        scores[at] = score;
    }

    @Override
    public int numCollected() {
        return size;
    }

    /** Returns the least score at which the search goes on. */
    @Override
    public float minCompetitiveSimilarity() {
        if (size < rows.length) {
            return Float.NEGATIVE_INFINITY;
        }
        if (scores[0] != farthest) {
            farthest = scores[0];
            slackened = query.slackened(farthest);
        }
        return slackened;
    }

    /** Returns the nearest of the rows that were kept, in any order, and drops the others. */
    int[] nearest(int most) {
        while (size > most) {
            size--;
            rows[0] = rows[size];
            scores[0] = scores[size];
            sink(0);
        }
        return Arrays.copyOf(rows, size);
    }

    /**
     * Returns the nearest of the rows that were kept, in any order, and those that may be as near
     * as the last of them. Distances may differ by the rounding of scores, and by whether lengths
     * of vectors are stored.
     */
    int[] nearestRounded(int most) {
        if (size <= most) {
            return Arrays.copyOf(rows, size);
        }
        float[] rising = Arrays.copyOf(scores, size);
        Arrays.sort(rising);
        float last = -rising[size - most];
        double limit = last + 2 * Math.ulp(last) + query.distances().lengthsTolerance();
        var near = new int[size];
        int count = 0;
        for (int i = 0; i < size; i++) {
            near[count] = rows[i];
            count += -scores[i] <= limit ? 1 : 0;
        }
        return Arrays.copyOf(near, count);
    }

    @Override
    public TopDocs topDocs() {
        var docs = new ScoreDoc[size];
        for (int i = 0; i < size; i++) {
            docs[i] = new ScoreDoc(rows[i], scores[i]);
        }
        return new TopDocs(new TotalHits(visitedCount(), TotalHits.Relation.EQUAL_TO), docs);
    }
}
