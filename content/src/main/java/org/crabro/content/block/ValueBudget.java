package org.crabro.content.block;

/** Is asked before a document's values are made, and keeps those from being made. */
@FunctionalInterface
public interface ValueBudget {
    /** There is always room. */
    ValueBudget ENDLESS = _ -> {};

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
