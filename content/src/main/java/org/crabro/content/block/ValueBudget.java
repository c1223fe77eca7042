package org.crabro.content.block;

/** Limits the heap of decoded values: it is asked before the values of a document are decoded. */
@FunctionalInterface
public interface ValueBudget {
    /** No limit. */
    ValueBudget UNLIMITED = _ -> {};

    /**
     * Counts values in.
     *
     * @param bytes of the heap, what they take at most
     * @throws NoRoomException if there is no room for them now
     */
    void take(long bytes);

    /** There is no room for the values of a document beside those that others hold. */
    final class NoRoomException extends RuntimeException {
        private static final long serialVersionUID = 1;

        private final long bytes;

        public NoRoomException(long bytes) {
            super("no room for values of %d bytes".formatted(bytes), null, false, false);
            this.bytes = bytes;
        }

        /** Returns how many bytes of the heap there was to be room for. */
        public long bytes() {
            return bytes;
        }
    }
}
