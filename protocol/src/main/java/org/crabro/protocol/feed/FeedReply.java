package org.crabro.protocol.feed;

import java.time.Duration;
import org.crabro.protocol.cluster.PartitionPosition;
import org.crabro.protocol.wire.Principal;

/** The reply to a {@link FeedRequest} or a {@link RemoveGroupRequest}. */
public sealed interface FeedReply {
    /**
     * The operation is durable and visible.
     *
     * @param timestamp of this version, microseconds since the epoch, rising within a partition
     */
    record Stored(long timestamp, PartitionPosition position) implements FeedReply {
        /**
         * Returns a line for the trace of a request. A principal that is limited to some groups
         * does not see the position, which counts the writes of all.
         */
        public String noteFor(Principal principal) {
            String place = principal.hasEveryGroup() ? " at " + position : "";
            return "stored" + place + " with timestamp " + timestamp;
        }
    }

    /** Nothing was written: an update without {@code create} found no document. */
    record Missing() implements FeedReply {}

    /**
     * Nothing was written: the condition is not met.
     *
     * @param exists whether the document exists
     */
    record ConditionNotMet(boolean exists) implements FeedReply {}

    /** The node is not the owner of the partition in its own cluster state. */
    record WrongOwner(long stateVersion) implements FeedReply {}

    /** The operation is not valid, for example because the document exceeds the size limit. */
    record Rejected(String reason) implements FeedReply {}

    /** Nothing was written: the document is too large for a log with replicas. */
    record TooLarge(String reason) implements FeedReply {}

    /** Nothing was written: too many operations are waiting. */
    record Overloaded(Duration retryAfter) implements FeedReply {}

    /** Nothing was written: the disk is too full, or its configured limit is reached. */
    record OutOfSpace(String reason) implements FeedReply {}

    /** The deadline passed; the operation may still be executed. */
    record TimedOut() implements FeedReply {}

    /**
     * The node cannot write, for example after a failed force. The operation may or may not be
     * durable.
     */
    record Failed(String reason) implements FeedReply {}

    /** Nothing was written: the node cannot be reached, or refuses the sender. */
    record Unavailable(String reason) implements FeedReply {}

    /**
     * The reply of the node was lost. The operation may or may not be carried out.
     *
     * @param isFinal whether the operation gets the same reply if it is sent again
     */
    record OutcomeUnknown(String reason, boolean isFinal) implements FeedReply {
        /** An outcome that can become known if the operation is sent again. */
        public OutcomeUnknown(String reason) {
            this(reason, false);
        }

        /** Returns the text for clients. */
        public String message() {
            return "outcome unknown, the operation may or may not be carried out: " + reason;
        }
    }
}
