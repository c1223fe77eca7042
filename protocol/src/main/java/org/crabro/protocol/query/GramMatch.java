package org.crabro.protocol.query;

/** How the grams of a word must occur in a field that is matched by grams. */
public enum GramMatch {
    /** All of them, in one element. */
    ALL,
    /** At least one. */
    ANY,
    /** At least one, as for {@link QueryNode.WeakAnd}. */
    WEAK_AND,
    /** One after the other. */
    PHRASE,
    /** All of them, at most {@link #DISTANCE} positions from the first to the last. */
    NEAR,
    /** As {@link #NEAR}, in this order. */
    ORDERED_NEAR;

    /** The largest difference of positions. It is the default of {@code near} and {@code onear}. */
    public static final int DISTANCE = 2;

    /** Returns whether the positions of grams decide. */
    public boolean isByPosition() {
        return switch (this) {
            case ALL, ANY, WEAK_AND -> false;
            case PHRASE, NEAR, ORDERED_NEAR -> true;
        };
    }
}
