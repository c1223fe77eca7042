package org.crabro.protocol.feed;

import java.time.Duration;
import org.crabro.document.Document;

/** The reply to a {@link GetRequest}. */
public sealed interface GetReply {
    /**
     * The document as stored.
     *
     * @param timestamp of this version, microseconds since the epoch
     */
    record Found(Document document, long timestamp) implements GetReply {}

    /** The document does not exist. */
    record Missing() implements GetReply {}

    /** The node is not the owner of the partition in its own cluster state. */
    record WrongOwner(long stateVersion) implements GetReply {}

    /** Nothing was read: the values of documents that other requests read take too much memory. */
    record Overloaded(Duration retryAfter) implements GetReply {
        /** The reason as text. */
        public static final String REASON =
                "the documents that are being read leave no memory for this one";
    }

    /** The deadline passed. */
    record TimedOut() implements GetReply {}

    /** The node could not read. The reason names the file, the offset and the cause. */
    record Failed(String reason) implements GetReply {}

    /** No reply: the node cannot be reached, or refuses the sender. */
    record Unavailable(String reason) implements GetReply {}
}
