package org.crabro.content.parent;

import java.util.function.IntFunction;
import java.util.function.Predicate;
import org.crabro.content.read.View;
import org.crabro.protocol.cluster.Partitions;

/**
 * Access to the documents of all partitions of a node.
 *
 * @param partitions of the node
 * @param views returns a view of a partition, which the caller closes
 * @param isGlobal returns whether a document type is declared with {@code global="true"}
 * @param rowsMax the most parents that one search remembers; then it forgets all of them and finds
 *     those that it needs again
 */
public record ParentViews(
        Partitions partitions, IntFunction<View> views, Predicate<String> isGlobal, int rowsMax) {
    /** The default of {@code rowsMax}. */
    public static final int ROWS_MAX = 100_000;

    /** No document can be found. */
    public static final ParentViews NONE =
            new ParentViews(
                    new Partitions(0),
                    _ -> {
                        throw new IllegalStateException("there are no partitions");
                    },
                    _ -> false,
                    ROWS_MAX);

    public ParentViews {
        if (rowsMax < 1) {
            throw new IllegalArgumentException("a search remembers %d parents".formatted(rowsMax));
        }
    }
}
