package org.crabro.config.component;

/** What follows the parts of a chain. */
public sealed interface ChainEnding {
    /** Nothing: the parts produce the result. */
    record Nothing() implements ChainEnding {}

    /**
     * The built-in components: the chain inherits {@code vespa}, {@code native} or {@code
     * indexing}.
     *
     * @param blends whether the hits of several sources are one list; otherwise those of each
     *     source are a group
     */
    record BuiltIn(boolean blends) implements ChainEnding {}

    /**
     * The search of a content cluster: the chain is a local provider, or inherits one.
     *
     * @param cluster the id of the content cluster
     */
    record LocalCluster(String cluster) implements ChainEnding {}

    /** Returns the ending of a chain that inherits a chain with this ending and another one. */
    default ChainEnding or(ChainEnding other) {
        return rank() >= other.rank() ? this : other;
    }

    private int rank() {
        return switch (this) {
            case Nothing() -> 0;
            case BuiltIn(boolean blends) -> blends ? 2 : 1;
            case LocalCluster _ -> 3;
        };
    }
}
