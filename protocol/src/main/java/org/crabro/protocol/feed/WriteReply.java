package org.crabro.protocol.feed;

import java.time.Duration;
import org.crabro.protocol.cluster.PartitionPosition;
import org.crabro.protocol.wire.Principal;

/** The outcome of one {@link Write} of a request. */
public sealed interface WriteReply {
    /** The owner of the partition decided that nothing is written. */
    sealed interface Refused extends WriteReply {}

    /** The write may or may not be carried out, or be carried out later. */
    sealed interface Uncertain extends WriteReply {}

    /**
     * The operation is durable and visible.
     *
     * @param timestamp of this version, microseconds since the epoch, rising within a partition
     */
    record Stored(long timestamp, PartitionPosition position) implements WriteReply {
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
    record Missing() implements Refused {}

    /**
     * Nothing was written: the condition is not met.
     *
     * @param exists whether the document exists
     */
    record ConditionNotMet(boolean exists) implements Refused {}

    /** The node is not the owner of the partition in its own cluster state. */
    record WrongOwner(long stateVersion) implements WriteReply {}

    /** The operation is not valid, for example because the document exceeds the size limit. */
    record Rejected(String reason) implements Refused {}

    /** Nothing was written: the document is too large for a log with replicas. */
    record TooLarge(String reason) implements Refused {}

    /** Nothing was written: too many operations are waiting. */
    record Overloaded(Duration retryAfter) implements Refused {}

    /** Nothing was written: the disk is too full, or its configured limit is reached. */
    record OutOfSpace(String reason) implements Refused {}

    /** The deadline passed; the operation may still be executed. */
    record TimedOut() implements Uncertain {}

    /**
     * The node cannot write, for example after a failed force. The operation may or may not be
     * durable.
     */
    record Failed(String reason) implements Uncertain {}

    /** Nothing was written: the node cannot be reached, or refuses the sender. */
    record Unavailable(String reason) implements WriteReply {}

    /**
     * The reply of the node was lost. The operation may or may not be carried out.
     *
     * @param isFinal whether the operation gets the same reply if it is sent again
     */
    record OutcomeUnknown(String reason, boolean isFinal) implements Uncertain {
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
