package org.crabro.content.storage.graph;

import org.crabro.content.storage.file.WorkMeter;
import org.crabro.ranking.kernel.Distances;

/**
 * A search of graphs.
 *
 * @param distances from the vector of the query
 * @param targetHits the rows to find
 * @param additional how many more are explored
 * @param work counts the comparisons
 */
public record GraphQuery(
        Distances distances, int targetHits, int additional, GraphTuning tuning, WorkMeter work) {
    /** More candidates than this are found by comparing all vectors. */
    static final int EXPLORED_MAX = 1 << 16;

    /** Returns the least score at which a search goes on, if it would return one of this score. */
    float slackened(float score) {
        double slack = tuning.explorationSlack();
        if (!(slack > 0) || Float.isInfinite(score)) {
            return score;
        }
        double distance = distances.distance(-score);
        double limit = distances.internal(distance + slack * Math.abs(distance));
        return Math.min(score, PartScorers.score(-limit));
    }

    /** Returns the number of rows that a search of a graph has to find. */
    long explored() {
        return (long) targetHits + additional;
    }
}
