package org.crabro.content.storage.store;

import java.util.Optional;
import java.util.concurrent.TimeoutException;
import org.crabro.protocol.feed.WriteReply;

/**
 * Makes the next version of a document from its newest one, while no other write of it is applied.
 */
public interface RowMaking {
    /**
     * Returns the row to write, or a reply.
     *
     * @throws TimeoutException if the deadline passes
     */
    Made make() throws TimeoutException, InterruptedException;

    /** A row to be written, or the reply if there is none. */
    final class Made {
        private final byte[] row;
        private final boolean mayGrow;
        private final Optional<WriteReply> reply;

        private Made(byte[] row, boolean mayGrow, Optional<WriteReply> reply) {
            this.row = row;
            this.mayGrow = mayGrow;
            this.reply = reply;
        }

        /**
         * Returns a result with a row to be written.
         *
         * @param row encoded, of a stored type; the write changes it, and other code must not
         *     change it any more
         * @param mayGrow whether it is refused if the disk is too full for documents
         */
        public static Made row(byte[] row, boolean mayGrow) {
            return new Made(row, mayGrow, Optional.empty());
        }

        /** Returns a result without a row. */
        public static Made nothing(WriteReply reply) {
            return new Made(new byte[0], false, Optional.of(reply));
        }

        byte[] row() {
            return row;
        }

        boolean mayGrow() {
            return mayGrow;
        }

        Optional<WriteReply> reply() {
            return reply;
        }
    }
}
