package org.crabro.component;

import org.crabro.document.operation.DocumentOperation;

/** The result of processing an operation. */
public sealed interface Progress {
    /**
     * It goes on.
     *
     * @param operation on the same document; its values are of the types of their fields, or it is
     *     refused
     */
    record Done(DocumentOperation operation) implements Progress {}

    /**
     * The operation is dropped: nothing is written, and the client gets status 200.
     *
     * @param reason told to the client
     */
    record Dropped(String reason) implements Progress {}

    /**
     * The operation is refused, and nothing is written.
     *
     * @param reason told to the client
     */
    record Failed(Kind kind, String reason) implements Progress {}

    /** Why an operation is refused, and so with which status. */
    enum Kind {
        /** It is not as it should be, and will not be: 400. */
        INVALID(400),
        /** The sender may not do this: 403. */
        FORBIDDEN(403),
        /** There is too much to do now; the sender may try again: 429. */
        OVERLOADED(429),
        /** Something is broken: 500. */
        BROKEN(500),
        /** Time ran out: 504. */
        TIMED_OUT(504);

        private final int status;

        Kind(int status) {
            this.status = status;
        }

        /** Returns the status of its answer. */
        public int status() {
            return status;
        }
    }

    /** Goes on with {@code operation}. */
    static Progress done(DocumentOperation operation) {
        return new Done(operation);
    }

    /** Ends here, as if it had been carried out. */
    static Progress dropped(String reason) {
        return new Dropped(reason);
    }

    /** Is refused. */
    static Progress failed(Kind kind, String reason) {
        return new Failed(kind, reason);
    }
}
