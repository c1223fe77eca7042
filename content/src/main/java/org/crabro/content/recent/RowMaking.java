package org.crabro.content.recent;

import java.util.Optional;
import java.util.concurrent.TimeoutException;
import org.crabro.protocol.feed.FeedReply;

/** Makes the next version of a document of its newest one, while nobody else writes it. */
public interface RowMaking {
    /**
     * Returns what to write.
     *
     * @throws TimeoutException if time is up first
     */
    Made make() throws TimeoutException, InterruptedException;

    /** A row to be written, or why there is none. */
    final class Made {
        private final byte[] row;
        private final boolean mayGrow;
        private final Optional<FeedReply> reply;

        private Made(byte[] row, boolean mayGrow, Optional<FeedReply> reply) {
            this.row = row;
            this.mayGrow = mayGrow;
            this.reply = reply;
        }

        /**
         * Returns that a row is to be written.
         *
         * @param row encoded, of a type that is kept; changed when it is written, and not to be
         *     changed by others any more
         * @param mayGrow whether it is refused where the disk is too full for documents
         */
        public static Made row(byte[] row, boolean mayGrow) {
            return new Made(row, mayGrow, Optional.empty());
        }

        /** Returns that nothing is to be written. */
        public static Made nothing(FeedReply reply) {
            return new Made(new byte[0], false, Optional.of(reply));
        }

        byte[] row() {
            return row;
        }

        boolean mayGrow() {
            return mayGrow;
        }

        Optional<FeedReply> reply() {
            return reply;
        }
    }
}
