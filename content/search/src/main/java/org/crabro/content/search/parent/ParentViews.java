package org.crabro.content.search.parent;

import java.util.function.IntFunction;
import java.util.function.Predicate;
import org.crabro.content.storage.read.View;
import org.crabro.protocol.cluster.Partitions;

/**
 * Access to the documents that other documents refer to.
 *
 * @param own the documents of the searched node
 * @param global has all documents of global types; may be the same as {@code own}
 * @param isGlobal returns whether a document type is declared with {@code global="true"}
 * @param rowsMax the most parents that one search remembers; then it forgets all of them and finds
 *     those that it needs again
 */
public record ParentViews(Source own, Source global, Predicate<String> isGlobal, int rowsMax) {
    /** The default of {@code rowsMax}. */
    public static final int ROWS_MAX = 100_000;

    /** No document can be found. */
    public static final ParentViews NONE =
            new ParentViews(
                    new Source(
                            new Partitions(0),
                            _ -> {
                                throw new IllegalStateException("there are no partitions");
                            }),
                    _ -> false,
                    ROWS_MAX);

    /**
     * The documents of all partitions of a node.
     *
     * @param partitions of the node
     * @param views returns a view of a partition, which the caller closes. Throws {@link
     *     MissingParentsException} if the node does not have all documents that it should have
     */
    public record Source(Partitions partitions, IntFunction<View> views) {}

    public ParentViews {
        if (rowsMax < 1) {
            throw new IllegalArgumentException("a search remembers %d parents".formatted(rowsMax));
        }
    }

    /** All parents are on the searched node. */
    public ParentViews(Source own, Predicate<String> isGlobal, int rowsMax) {
        this(own, own, isGlobal, rowsMax);
    }

    /** Returns where the documents of a type are. */
    Source of(String documentType) {
        return isGlobal.test(documentType) ? global : own;
    }
}
