package org.crabro.content.storage.index;

import org.apache.lucene.index.FieldInvertState;
import org.apache.lucene.search.CollectionStatistics;
import org.apache.lucene.search.TermStatistics;
import org.apache.lucene.search.similarities.Similarity;

/**
 * Stores the number of words of each row as its norm, without loss. Scores are computed elsewhere.
 */
final class ExactLengths extends Similarity {
    @Override
    public long computeNorm(FieldInvertState state) {
        return state.getLength();
    }

    @Override
    public SimScorer scorer(
            float boost, CollectionStatistics collectionStats, TermStatistics... termStats) {
        throw new UnsupportedOperationException("rank profiles score rows");
    }
}
