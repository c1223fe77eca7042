package org.crabro.protocol.visit;

/**
 * One of several disjoint parts of a visit that together are complete. The part of a document
 * depends only on its id, so any client may visit any part at any time.
 *
 * @param index from 0, less than {@code count}
 * @param count 1 to {@link #COUNT_MAX}
 */
public record VisitSlice(int index, int count) {
    /** The maximum number of parts of a visit. */
    public static final int COUNT_MAX = 1 << 20;

    /** The complete visit. */
    public static final VisitSlice ALL = new VisitSlice(0, 1);

    public VisitSlice {
        if (count < 1 || count > COUNT_MAX || index < 0 || index >= count) {
            throw new IllegalArgumentException("slice %d of %d".formatted(index, count));
        }
    }
}
