package org.crabro.protocol.feed;

/**
 * Identifies an operation of a container, so that a retry is not carried out twice.
 *
 * @param session a random number of the container's process
 * @param number of the operation in its session; later operations have higher numbers
 * @param lowest the lowest number in the session whose operation has no reply yet; outcomes of
 *     operations with lower numbers can be forgotten
 * @param isRetry whether the operation may have been sent before
 */
public record OperationId(long session, long number, long lowest, boolean isRetry) {
    public OperationId {
        if (number < lowest || lowest < 0) {
            throw new IllegalArgumentException("number %d, lowest %d".formatted(number, lowest));
        }
    }

    /** Returns the id of the operation that is {@code count} operations later in the session. */
    public OperationId after(int count) {
        return new OperationId(session, number + count, lowest, isRetry);
    }

    /** Returns the id of the same operation when it is sent again. */
    public OperationId again() {
        return new OperationId(session, number, lowest, true);
    }
}
