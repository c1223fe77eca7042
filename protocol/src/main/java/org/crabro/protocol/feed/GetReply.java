package org.crabro.protocol.feed;

import java.time.Duration;
import org.crabro.document.Document;

/** What a {@link GetRequest} found. */
public sealed interface GetReply {
    /**
     * The document as stored.
     *
     * @param timestamp of this version, microseconds since the epoch
     */
    record Found(Document document, long timestamp) implements GetReply {}

    /** There is no such document. */
    record Missing() implements GetReply {}

    /** The node does not own the partition by the state it knows. */
    record WrongOwner(long stateVersion) implements GetReply {}

    /** Nothing was read: the values of documents that others read take too much memory. */
    record Overloaded(Duration retryAfter) implements GetReply {
        /** Says why, in words. */
        public static final String REASON =
                "the documents that are being read leave no memory for this one";
    }

    /** The deadline passed. */
    record TimedOut() implements GetReply {}

    /** The node could not read: which file, where, why. */
    record Failed(String reason) implements GetReply {}
}
