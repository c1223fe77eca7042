package org.crabro.protocol.feed;

import java.time.Duration;
import org.crabro.protocol.cluster.PartitionPosition;

/** What became of a {@link FeedRequest} or a {@link RemoveGroupRequest}. */
public sealed interface FeedReply {
    /**
     * The outcome is durable and visible.
     *
     * @param timestamp of this version, microseconds since the epoch, rising within a partition
     */
    record Stored(long timestamp, PartitionPosition position) implements FeedReply {}

    /** Nothing was written: an update found no document, and was not to create one. */
    record Missing() implements FeedReply {}

    /**
     * Nothing was written: the condition does not hold.
     *
     * @param exists whether there is a document
     */
    record ConditionNotMet(boolean exists) implements FeedReply {}

    /** The node does not own the partition by the state it knows. */
    record WrongOwner(long stateVersion) implements FeedReply {}

    /** The operation cannot be carried out as it is, such as a document over the size limit. */
    record Rejected(String reason) implements FeedReply {}

    /** Nothing was written: too much is waiting. */
    record Overloaded(Duration retryAfter) implements FeedReply {}

    /** Nothing was written: the disk is too full, or the limit set for it is reached. */
    record OutOfSpace(String reason) implements FeedReply {}

    /** The deadline passed; the operation may be carried out still. */
    record TimedOut() implements FeedReply {}

    /**
     * The node cannot write, such as after a failed force; the operation may or may not be kept.
     */
    record Failed(String reason) implements FeedReply {}
}
