package org.crabro.protocol.visit;

/**
 * One of several parts of a visit that have no document in common and are the whole together. Which
 * documents are in a part depends on their ids alone, so parts may be visited by anyone at any
 * time.
 *
 * @param index from 0, less than {@code count}
 * @param count 1 to {@link #COUNT_MAX}
 */
public record VisitSlice(int index, int count) {
    /** Parts of a visit at most. */
    public static final int COUNT_MAX = 1 << 20;

    /** The whole. */
    public static final VisitSlice ALL = new VisitSlice(0, 1);

    public VisitSlice {
        if (count < 1 || count > COUNT_MAX || index < 0 || index >= count) {
            throw new IllegalArgumentException("slice %d of %d".formatted(index, count));
        }
    }
}
