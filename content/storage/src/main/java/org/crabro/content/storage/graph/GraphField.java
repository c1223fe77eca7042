package org.crabro.content.storage.graph;

import org.crabro.ranking.kernel.DistanceMetric;
import org.crabro.tensor.TensorType;

/**
 * A field whose vectors have graphs, by the active schema.
 *
 * @param type of the field: one indexed dimension, and any mapped ones
 * @param metric orders the vectors
 * @param links the links of a vector on the upper levels; twice as many on the lowest
 * @param explored the neighbors that an insert looks at
 */
public record GraphField(TensorType type, DistanceMetric metric, int links, int explored) {
    /** The most links, and the most neighbors at an insert, that a graph can have. */
    public static final int LINKS_MAX = 512;

    static final int EXPLORED_MAX = 3_200;

    public GraphField {
        links = Math.clamp(links, 2, LINKS_MAX);
        explored = Math.clamp(explored, 1, EXPLORED_MAX);
    }

    /** Returns whether a row may have several vectors. */
    boolean hasSeveral() {
        return !type.isDense();
    }

    /** Returns the number of cells of a vector. */
    int cells() {
        return Math.toIntExact(type.subspaceSize());
    }
}
