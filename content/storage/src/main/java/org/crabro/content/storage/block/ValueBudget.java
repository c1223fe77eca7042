package org.crabro.content.storage.block;

/**
 * Limits the heap memory of decoded values. Callers reserve memory before they decode the values of
 * a document.
 */
@FunctionalInterface
public interface ValueBudget {
    /** No limit. */
    ValueBudget UNLIMITED = _ -> {};

    /**
     * Reserves memory for values.
     *
     * @param bytes their maximum heap size
     * @throws NoRoomException if the memory is not available now
     */
    void take(long bytes);

    /** The values of a document do not fit in addition to those that are currently held. */
    final class NoRoomException extends RuntimeException {
        private static final long serialVersionUID = 1;

        private final long bytes;

        public NoRoomException(long bytes) {
            super("no room for values of %d bytes".formatted(bytes), null, false, false);
            this.bytes = bytes;
        }

        /** Returns the number of requested bytes. */
        public long bytes() {
            return bytes;
        }
    }
}
