package org.crabro.container.wire;

import org.crabro.protocol.transport.NodeRefusal;

/** The outcome of a call. */
sealed interface CallOutcome {
    /** The message of the reply. */
    final class Message implements CallOutcome {
        private final byte[] bytes;

        /**
         * @param bytes not copied
         */
        Message(byte[] bytes) {
            this.bytes = bytes;
        }

        byte[] bytes() {
            return bytes;
        }
    }

    /** No message. */
    sealed interface Failure extends CallOutcome {}

    /** The node refused the request, or this end did. */
    record Refused(NodeRefusal refusal, String reason) implements Failure {}

    /**
     * The connection failed.
     *
     * @param wasSent whether the node may have received the request
     */
    record Lost(String reason, boolean wasSent) implements Failure {}

    /** The time is up, or the sender has cancelled the request. */
    record TimedOut() implements Failure {}
}
