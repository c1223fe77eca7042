package org.crabro.component;

import org.crabro.document.operation.DocumentOperation;

/** The result of processing an operation. */
public sealed interface Progress {
    /**
     * The operation continues.
     *
     * @param operation on the same document; it is rejected if values do not have the types of
     *     their fields
     */
    record Done(DocumentOperation operation) implements Progress {}

    /**
     * The operation is dropped: nothing is written, and the client gets status 200.
     *
     * @param reason sent to the client
     */
    record Dropped(String reason) implements Progress {}

    /**
     * The operation is rejected, and nothing is written.
     *
     * @param reason sent to the client
     */
    record Failed(Kind kind, String reason) implements Progress {}

    /** The reason of a rejection, which determines the status. */
    enum Kind {
        /** The operation is not valid: 400. */
        INVALID(400),
        /** The sender does not have the permission: 403. */
        FORBIDDEN(403),
        /** Too many operations are running; the client may try again: 429. */
        OVERLOADED(429),
        /** A failure of the server: 500. */
        BROKEN(500),
        /** Time ran out: 504. */
        TIMED_OUT(504);

        private final int status;

        Kind(int status) {
            this.status = status;
        }

        /** Returns the HTTP status. */
        public int status() {
            return status;
        }
    }

    /** Continues with {@code operation}. */
    static Progress done(DocumentOperation operation) {
        return new Done(operation);
    }

    /** Drops the operation as if it had succeeded. */
    static Progress dropped(String reason) {
        return new Dropped(reason);
    }

    /** Rejects the operation. */
    static Progress failed(Kind kind, String reason) {
        return new Failed(kind, reason);
    }
}
